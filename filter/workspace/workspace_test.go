// SPDX-License-Identifier: BSD-3-Clause

package workspace

import (
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"superpoint/testdata/must"
)

// TestKeptResults: a result is computed once, and says later how long that took; an error is not kept.
// Time is simulated.
func TestKeptResults(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		results, failing, calls := map[string]kept[int]{}, errors.New("cancelled"), 0
		compute := func() (*int, error) {
			time.Sleep(3 * time.Second)
			if calls++; calls == 1 {
				return nil, failing
			}
			return new(int), nil
		}
		_, _, err := cached(results, "a", compute)
		must.Equal(t, err, failing, "error")
		first, seconds, err := cached(results, "a", compute)
		must.OK(t, err)
		must.Equal(t, seconds, 0, "seconds before the first result")
		second, seconds, err := cached(results, "a", compute)
		must.OK(t, err)
		must.Equal(t, seconds, 3, "seconds of the first result")
		must.Hold(t, first == second, "another result")
		must.Equal(t, calls, 2, "calls")
	})
}
