// SPDX-License-Identifier: BSD-3-Clause

package host

import (
	"fmt"
	"math"
	"time"
)

// Left returns how long the rest of a job takes at its speed so far, as in ", 12 min left". done
// and all are amounts of work in any unit. It returns "" before any work is done, and after all.
func Left(elapsed time.Duration, done, all int64) string {
	if done <= 0 || done >= all {
		return ""
	}
	left := time.Duration(float64(elapsed) * (float64(all)/float64(done) - 1))
	switch {
	case left < 90*time.Second:
		return fmt.Sprintf(", %.0f s left", math.Ceil(left.Seconds()))
	case left < 90*time.Minute:
		return fmt.Sprintf(", %.0f min left", left.Minutes())
	}
	return fmt.Sprintf(", %.1f h left", left.Hours())
}
