package memory

import (
	"runtime"
	"runtime/debug"
	"sync"
)

// Large is the number of points above which it is worth a few milliseconds to release memory.
const Large = 100_000

// Growth is Go's GC percentage while Lean runs. The heap has large arrays without pointers, so a
// collection takes less than a millisecond. Their memory is reused by later steps; returning it
// to the system in between would cost more, because of new pages.
const Growth = 10

// lean has the number of running bodies and the GC percentage to restore.
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
	runtime.GC() // of the arrays of the previous step
	return body()
}

// Release returns unused memory to the system after a large view.
func Release(points int) {
	if points >= Large {
		debug.FreeOSMemory()
	}
}
