package memory

import (
	"runtime"
	"runtime/debug"
	"sync"
)

// Large is the size of a view, in points, from which giving memory back is worth
// the milliseconds it takes.
const Large = 100_000

// Growth is the growth of the heap, in per cent, at which what was left behind is
// collected while Lean runs: large arrays without pointers, so a collection takes less
// than a millisecond. Their memory is used again; giving it back to the system in
// between would cost more time, for new pages, than collections.
const Growth = 10

// lean counts the bodies that run, and keeps the growth that is set without them.
var lean struct {
	sync.Mutex
	running, before int
}

// Lean runs body with early garbage collection if the view is large.
func Lean(points int, body func() error) error {
	if points < Large {
		return body()
	}
	count := func(by int) {
		lean.Lock()
		defer lean.Unlock()
		switch lean.running += by; {
		case by > 0 && lean.running == 1:
			lean.before = debug.SetGCPercent(Growth)
		case lean.running == 0:
			debug.SetGCPercent(lean.before)
		}
	}
	count(1)
	defer count(-1)
	runtime.GC() // what the step before has left
	return body()
}

// Release gives unused memory back to the system after a large view.
func Release(points int) {
	if points >= Large {
		debug.FreeOSMemory()
	}
}
