// SPDX-License-Identifier: BSD-3-Clause

package local

import (
	"runtime"
	"runtime/debug"
	"testing"
	"time"

	"superpoint/partition/base/parallel"
	"superpoint/partition/internal/oracle"
	"superpoint/testdata/must"
)

// TestMemoryOfTheGlobalMerge: the global merge has all initial components of a survey in memory.
func TestMemoryOfTheGlobalMerge(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(10))
	run := parallel.Run{Threads: 1}
	const side = 400
	_, initial := coarsen(run, newGraph(run, oracle.Grid(side, 1, 10)))
	runtime.GC()
	before := heap()
	done, peak := make(chan bool), uint64(0)
	go func() {
		globalMerge(run, initial, 10)
		close(done)
	}()
	for running := true; running; {
		select {
		case <-done:
			running = false
		case <-time.After(time.Millisecond):
			peak = max(peak, heap())
		}
	}
	a, b := float64(before)/side/side, float64(peak)/side/side
	t.Logf("%.2f initial components per point, %.0f bytes per point for them, %.0f at most in the merge",
		float64(initial.Vertices())/side/side, a, b)
	must.Hold(t, b <= 300, "%.0f bytes per point while %d initial components are merged", b,
		initial.Vertices())
}

// TestMergedGraphKeepsNoOtherMemory: after a merge only its result is held, not what its rounds used, which
// is several times as much. It would stay until the superpoints are written.
func TestMergedGraphKeepsNoOtherMemory(t *testing.T) {
	run := parallel.Run{Threads: 1}
	_, initial := coarsen(run, newGraph(run, oracle.Grid(400, 1, 10)))
	runtime.GC()
	before := heap()
	label, part := mergeComponents(run, initial, 10)
	runtime.GC()
	kept := int64(heap()) - int64(before)
	const vertex = 4 * 5 // size, mass, first vertex, begin and end of the row
	result := 4*len(label) + part.Vertices()*(vertex+4*part.Dim) + 8*len(part.Head)
	const beside = 1 << 17 // headers, and what the runtime holds
	must.Hold(t, kept <= int64(result+beside), "%d bytes are held for a result of %d: %d vertices of %d",
		kept, result, part.Vertices(), initial.Vertices())
	runtime.KeepAlive(initial)
	runtime.KeepAlive(label)
	runtime.KeepAlive(part)
}

func heap() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}
