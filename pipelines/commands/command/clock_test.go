// SPDX-License-Identifier: BSD-3-Clause

package command

import (
	"testing"
	"testing/synctest"
	"time"

	"superpoint/testdata/must"
)

// TestTimeLeft: a step of more than two seconds says how long the rest takes, each pass anew; names that say
// it are kept.
func TestTimeLeft(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var c clock
		for _, s := range []struct {
			wait     time.Duration
			step     string
			fraction float64
			want     string
		}{
			{0, "objects", 0, ""},
			{time.Second, "objects", 0.1, ""},
			{3 * time.Second, "objects", 0.25, ", 12 s left"},
			{4 * time.Second, "objects", 0.5, ", 8 s left"},
			{time.Second, "objects", 0.1, ""},
			{2 * time.Second, "objects", 0.5, ", 2 s left"},
			{3 * time.Second, "objects", 1, ""},
			{9 * time.Second, "rasters", 0.5, ""},
			{2 * time.Second, "rasters", 0.75, ", 1 s left"},
			{0, "2/3 a.laz, 7 s left: graph", 0.5, ""},
			{9 * time.Second, "2/3 a.laz, 7 s left: graph", 0.6, ""},
		} {
			time.Sleep(s.wait)
			must.Equal(t, c.left(s.step, s.fraction), s.want, "%s at %v", s.step, s.fraction)
		}
	})
}
