// SPDX-License-Identifier: BSD-3-Clause

package parallel

import (
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// helper is a goroutine that runs the blocks of one loop after the other. Between loops it waits without sleep, for
// patience: to wake a thread takes as long as many loops do, and threads are woken one after the other.
type helper struct {
	task atomic.Pointer[task]
	_    [56]byte // a cache line each
}

// task is a share of a loop. done is called when the helper can take the next task.
type task struct{ work, done func() }

// patience is longer than the time between most loops, and short enough to be no burden.
const patience = 50 * time.Microsecond

// few is the least number of processors on which helpers wait: on two, one thread is woken soon, and the waiting one
// took 3 % of a run from others.
const few = 4

var idle struct {
	sync.Mutex
	helpers []*helper
}

// start lets an idle helper, or a new one, do a task.
func start(t *task) {
	idle.Lock()
	defer idle.Unlock()
	if last := len(idle.helpers) - 1; last >= 0 {
		idle.helpers[last].task.Store(t)
		idle.helpers = idle.helpers[:last]
		return
	}
	go new(helper).run(t)
}

func (h *helper) run(t *task) {
	for t != nil {
		t.work()
		h.task.Store(nil)
		idle.Lock()
		processors := runtime.GOMAXPROCS(0)
		waits := processors >= few && len(idle.helpers) < processors-1 // else others need the processor
		if waits {
			idle.helpers = append(idle.helpers, h)
		}
		idle.Unlock()
		if t.done(); !waits {
			return
		}
		t = h.next()
	}
}

// next waits for a task; nil means that none came.
func (h *helper) next() *task {
	for begin := time.Now(); ; {
		if t := h.task.Load(); t != nil {
			return t
		}
		if time.Since(begin) < patience {
			continue
		}
		idle.Lock()
		at := slices.Index(idle.helpers, h)
		if at >= 0 {
			idle.helpers = slices.Delete(idle.helpers, at, at+1)
		}
		idle.Unlock()
		if at >= 0 {
			return nil
		}
		runtime.Gosched() // a task is on its way
	}
}
