// SPDX-License-Identifier: BSD-3-Clause

package parallel

import (
	"runtime"
	"sync/atomic"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"superpoint/testdata/must"
)

// processorTime returns the time that this process has used of cores.
func processorTime(t *testing.T) time.Duration {
	var u syscall.Rusage
	must.OK(t, syscall.Getrusage(syscall.RUSAGE_SELF, &u))
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// TestHelpersStay: thousands of loops, one after the other and within one another, start no more helpers than
// there are CPUs, and all blocks of a loop run.
func TestHelpersStay(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(4))
	helpers = newPool()
	var blocks atomic.Int64
	for range 1_000 {
		must.OK(t, Run{Threads: 3}.For(3, 1, func(int, int) {
			must.OK(t, Run{Threads: 3}.For(2, 1, func(int, int) { blocks.Add(1) }))
		}))
	}
	must.Hold(t, blocks.Load() == 6_000, "%d blocks ran of 6,000", blocks.Load())
	helpers.mutex.Lock()
	defer helpers.mutex.Unlock()
	must.Hold(t, helpers.started > 0, "no helper was started")
	must.Hold(t, helpers.started <= 4, "%d helpers for 4 CPUs", helpers.started)
	must.Hold(t, len(helpers.loops) == 0, "%d loops are still open", len(helpers.loops))
	for _, l := range helpers.loops[:cap(helpers.loops)] {
		must.Hold(t, l == nil, "the pool keeps a loop that has ended, and so what its body refers to")
	}
}

// TestWorkersHaveDifferentNumbers: no two goroutines have the same number in a loop, and none has one that is
// too large.
func TestWorkersHaveDifferentNumbers(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(8))
	for range 200 {
		var busy [5]atomic.Bool
		must.OK(t, Run{Threads: 5}.ForWorker(50, 1, func(worker, _, _ int) {
			must.Hold(t, !busy[worker].Swap(true), "two goroutines are worker %d", worker)
			runtime.Gosched()
			busy[worker].Store(false)
		}))
	}
}

// TestHelpersTakePart: a helper runs blocks of a loop that is long enough to wake it.
func TestHelpersTakePart(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(2))
	both := make(chan struct{})
	var inside atomic.Int64
	must.OK(t, Run{Threads: 2}.For(2, 1, func(int, int) {
		if inside.Add(1) == 2 {
			close(both)
		}
		select {
		case <-both:
		case <-time.After(10 * time.Minute): // also beside other load
			t.Error("no helper took the second block")
		}
	}))
}

// TestIdleHelpersSleep: a process between loops uses no processor time.
func TestIdleHelpersSleep(t *testing.T) {
	must.OK(t, Run{Threads: 2}.For(100, 1, func(int, int) {}))
	time.Sleep(20 * time.Millisecond) // longer than helpers spin
	runtime.GC()
	before := processorTime(t)
	time.Sleep(300 * time.Millisecond)
	used := processorTime(t) - before
	must.Hold(t, used < 30*time.Millisecond, "an idle process used %v in 300 ms", used)
}

// TestNoSpinningOnAFullMachine: where more threads can run than there are cores, a worker sleeps at once.
func TestNoSpinningOnAFullMachine(t *testing.T) {
	busy := runtime.NumCPU() + 1
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(busy + 1))
	var end atomic.Bool
	defer end.Store(true)
	for range busy {
		go func() {
			for !end.Load() {
			}
		}()
	}
	spare := true
	for try := 0; spare && try < 100; try++ { // until all threads run
		time.Sleep(2 * loadInterval)
		spare = machine.spare()
	}
	must.Hold(t, !spare, "%d busy threads on %d cores leave one to spare", busy, runtime.NumCPU())
	calls := 0
	spin(func() bool {
		calls++
		return false
	})
	must.Hold(t, calls == 1, "it looked %d times", calls)
}

// TestSpinEnds: on a machine with a spare core, a worker looks until spinTime is over. Time is simulated: it
// passes in the looks.
func TestSpinEnds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		defer func(was int64) { machine.read.Store(was) }(machine.read.Load())
		machine.read.Store(time.Now().Add(time.Hour).UnixNano()) // no reading of the load
		machine.full.Store(false)
		const look = time.Microsecond
		start, calls := time.Now(), 0
		spin(func() bool {
			calls++
			time.Sleep(look)
			return false
		})
		must.Equal(t, time.Since(start), look+spinTime, "time of the first look and the spinning")
		must.Equal(t, calls, 1+int(spinTime/look), "looks")
		after := 0
		spin(func() bool {
			after++
			time.Sleep(look)
			return after == 3
		})
		must.Equal(t, after, 3, "looks until the third is successful")
	})
}
