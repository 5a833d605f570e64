// SPDX-License-Identifier: BSD-3-Clause

package host

import (
	"testing"
	"time"
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
		if got := Left(c.elapsed, c.done, c.all); got != c.want {
			t.Errorf("%d of %d in %v: %q, want %q", c.done, c.all, c.elapsed, got, c.want)
		}
	}
}
