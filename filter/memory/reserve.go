package memory

import (
	"math"
	"runtime/debug"
	"runtime/metrics"
	"sync"
)

// Large is the number of points above which it is worth a few milliseconds to release memory.
const Large = 100_000

// reserved has the memory that views may use, and what to restore.
var reserved struct {
	sync.Mutex
	views   int
	bytes   uint64 // in use before the first view, and the needs of all
	percent int
	limit   int64
}

// Reserve checks that the memory a view needs is there, as Check does. Until done, the heap of
// a large view grows up to that need without garbage collections, but those of arrays.Collect:
// the many that Go makes as the heap grows take a tenth of the time.
func Reserve(what string, points int, need uint64) (done func(), err error) {
	if err := Check(what, points, need); err != nil || points < Large {
		return func() {}, err
	}
	reserve(1, need)
	return func() { reserve(-1, -need) }, nil
}

func reserve(views int, need uint64) {
	r := &reserved
	r.Lock()
	defer r.Unlock()
	if r.views == 0 {
		r.percent, r.limit, r.bytes = debug.SetGCPercent(-1), debug.SetMemoryLimit(-1), used()
	}
	r.views += views
	r.bytes += need
	if r.views == 0 {
		debug.SetMemoryLimit(r.limit)
		debug.SetGCPercent(r.percent)
		return
	}
	debug.SetMemoryLimit(min(r.limit, int64(min(r.bytes, math.MaxInt64))))
}

// used returns the memory of the Go runtime in bytes.
func used() uint64 {
	s := []metrics.Sample{{Name: "/memory/classes/total:bytes"}, {Name: "/memory/classes/heap/released:bytes"}}
	metrics.Read(s)
	return s[0].Value.Uint64() - s[1].Value.Uint64()
}

// Release returns unused memory to the system after a large view.
func Release(points int) {
	if points >= Large {
		debug.FreeOSMemory()
	}
}
