// SPDX-License-Identifier: BSD-3-Clause

package host

import (
	"testing"
	"time"

	"superpoint/testdata/must"
)

func TestLeft(t *testing.T) {
	for _, c := range []struct {
		elapsed   time.Duration
		done, all int64
		want      string
	}{
		{time.Second, 0, 10, ""},
		{time.Second, 10, 10, ""},
		{10 * time.Second, 3, 4, ", 4 s left"},
		{time.Minute, 1, 13, ", 12 min left"},
		{time.Hour, 100, 350, ", 2.5 h left"},
	} {
		must.Equal(t, Left(c.elapsed, c.done, c.all), c.want, "%d of %d in %v", c.done, c.all, c.elapsed)
	}
}
