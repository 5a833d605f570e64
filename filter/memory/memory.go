// SPDX-License-Identifier: BSD-3-Clause

// Package memory prevents that the host runs out of memory: it compares the need of a view with
// the memory left in the machine, in control groups and under the limits of the process, and
// reserves it. Sizes are in bytes.
package memory

import (
	"fmt"
	"math"
	"runtime/debug"
	"runtime/metrics"
	"sync"
)

// Check returns an error if points, which need perPoint bytes each, exceed the memory left, because
// Go ends the process, and with it the host, when the system has no memory. what names the points,
// for example "the view".
func Check(what string, points int, perPoint float64) error {
	if lack := lacking(perPoint * float64(points)); lack != "" {
		return fmt.Errorf(
			"not enough memory for %d points of %s: %s; split them (filters.splitter, pdal superpoint "+
				"survey), thin them (filters.sample), or raise the limit", points, what, lack)
	}
	return nil
}

// CheckCells is Check for the cells of rasters.
func CheckCells(cells int, perCell float64) error {
	if lack := lacking(perCell * float64(cells)); lack != "" {
		return fmt.Errorf("not enough memory for %d cells: %s", cells, lack)
	}
	return nil
}

// lacking returns the limit that leaves less memory than needed, in words; "" if none does.
func lacking(bytes float64) string {
	for _, l := range limits() {
		if need := l.base + l.factor*bytes; need > float64(l.free) {
			return fmt.Sprintf("they need %.3g GB, and %s leaves %.3g GB", need/1e9, l.name,
				float64(l.free)/1e9)
		}
	}
	return ""
}

// Processes returns how many processes of this size half of the memory left holds; 1 where it is not known.
func Processes(bytes float64) int {
	all := math.Inf(1)
	for _, l := range limits() {
		if l.shared {
			all = min(all, float64(l.free)/2/bytes)
		}
	}
	if math.IsInf(all, 1) {
		return 1
	}
	return int(min(all, math.MaxInt32))
}

// Large is the number of points above which it is worth a few milliseconds to release memory.
const Large = 100_000

// reserved has the memory that views may use, and what to restore.
var reserved struct {
	sync.Mutex
	views   int
	bytes   int64 // in use before the first view, and the needs of all
	percent int
	limit   int64
}

// Reserve checks that the memory a view needs is there, as Check does. Until done, the heap of
// a large view grows up to that need without garbage collections, except by arrays.Collect:
// the many collections that Go makes as the heap grows take a tenth of the time.
func Reserve(what string, points int, perPoint float64) (done func(), err error) {
	if err := Check(what, points, perPoint); err != nil || points < Large {
		return func() {}, err
	}
	need := int64(math.Round(perPoint * float64(points)))
	reserve(1, need)
	return func() { reserve(-1, -need) }, nil
}

func reserve(views int, need int64) {
	r := &reserved
	r.Lock()
	defer r.Unlock()
	if r.views == 0 {
		used := []metrics.Sample{{Name: "/memory/classes/total:bytes"},
			{Name: "/memory/classes/heap/released:bytes"}}
		metrics.Read(used)
		r.bytes = int64(used[0].Value.Uint64() - used[1].Value.Uint64())
		r.percent = debug.SetGCPercent(-1)
		r.limit = debug.SetMemoryLimit(-1)
	}
	r.views += views
	r.bytes += need
	if r.views == 0 {
		debug.SetMemoryLimit(r.limit)
		debug.SetGCPercent(r.percent)
		return
	}
	debug.SetMemoryLimit(min(r.limit, r.bytes))
}

// Release returns unused memory to the system after a large view, while the host writes the results.
func Release(points int) {
	if points >= Large {
		go debug.FreeOSMemory()
	}
}
