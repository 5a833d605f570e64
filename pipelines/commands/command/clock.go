// SPDX-License-Identifier: BSD-3-Clause

package command

import (
	"strings"
	"sync"
	"time"

	"superpoint/filter/host"
)

// shortStep is the time for which a step shows no time left.
const shortStep = 2 * time.Second

// clock measures the step of a command that shows its progress.
type clock struct {
	lock     sync.Mutex
	step     string
	fraction float64 // that was shown last
	began    time.Time
}

// left returns how long the rest of a step takes, as in ", 12 s left"; "" in its first seconds, or if its
// name says it. A step whose progress goes back begins another pass.
func (c *clock) left(step string, fraction float64) string {
	c.lock.Lock()
	defer c.lock.Unlock()
	if step != c.step || fraction < c.fraction {
		c.step = step
		c.began = time.Now()
	}
	c.fraction = fraction
	elapsed := time.Since(c.began)
	if elapsed < shortStep || strings.Contains(step, " left") {
		return ""
	}
	const parts = 1 << 20
	return host.Left(elapsed, int64(fraction*parts), parts)
}
