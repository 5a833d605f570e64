// SPDX-License-Identifier: BSD-3-Clause

package pdalprocess

import (
	"context"
	"fmt"
	"sync/atomic"
	"time"
)

// patience is the time after which a process that does nothing is ended.
const patience = time.Minute

// stalledError reports a process that was ended because it did nothing.
type stalledError struct {
	file string // that it read; "" if unknown
	time.Duration
}

func (e stalledError) Error() string {
	about := ""
	if e.file != "" {
		about = e.file + ": "
	}
	return fmt.Sprintf("%spdal did nothing for %v: it reported no progress, used no processor and moved no bytes; the "+
		"file may be damaged or incomplete, or its disk does not answer: check it with pdal info --summary", about,
		e.Duration)
}

// watch ends the process by calling end if for the given time it said nothing, used no processor and moved no bytes.
func watch(ctx context.Context, pid int, said *atomic.Int64, limit time.Duration, end func()) {
	ticks := time.NewTicker(limit / 20)
	defer ticks.Stop()
	last, quiet := "", 0 // activity, and ticks without any: fewer while this process is stopped, too
	for {
		select {
		case <-ctx.Done():
			return
		case <-ticks.C:
		}
		done, known := activity(pid)
		done = fmt.Sprint(done, said.Load())
		if !known || done != last {
			last, quiet = done, 0
			continue
		}
		if quiet++; quiet >= 20 {
			end()
			return
		}
	}
}
