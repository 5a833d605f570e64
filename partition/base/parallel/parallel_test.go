// SPDX-License-Identifier: BSD-3-Clause

package parallel

import (
	"context"
	"errors"
	"runtime"
	"sync/atomic"
	"testing"

	"superpoint/testdata/must"
)

func TestForCoversEveryItemOnce(t *testing.T) {
	for _, threads := range []int{0, 1, 2, 7} {
		for _, n := range []int{0, 1, 99, 100, 101} {
			seen := make([]int32, n)
			must.OK(t, Run{Threads: threads}.For(n, 10, func(lo, hi int) {
				for i := lo; i < hi; i++ {
					atomic.AddInt32(&seen[i], 1)
				}
			}))
			for i, c := range seen {
				must.Need(t, c == 1, "threads %d, n %d: item %d visited %d times", threads, n, i, c)
			}
		}
	}
}

// TestLoopsAfterLoops: a worker that wakes late does no harm to the next loop, nor to a loop within a loop,
// and all progress is reported when a loop returns.
func TestLoopsAfterLoops(t *testing.T) {
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(8))
	for loop := range 500 {
		var sum, reports atomic.Int64
		run := Run{Report: func(float64) { reports.Add(1) }}
		err := run.ForEach(64, 1, func(i int) {
			if i%32 == 0 {
				_ = Run{}.ForEach(8, 1, func(k int) { sum.Add(int64(1000 * k)) })
			}
			sum.Add(int64(i))
		})
		must.Need(t, err == nil, "loop %d: %v", loop, err)
		must.Need(t, sum.Load() == 64*63/2+2*1000*28, "loop %d: sum %d", loop, sum.Load())
		must.Need(t, reports.Load() == 64, "loop %d: %d reports, want 64", loop, reports.Load())
	}
}

func TestForReturnsPanicAsError(t *testing.T) {
	for _, threads := range []int{1, 4} {
		err := Run{Threads: threads}.For(100, 1, func(lo, _ int) {
			if lo == 50 {
				panic("broken invariant")
			}
		})
		var p *PanicError
		must.Need(t, errors.As(err, &p), "threads %d: got %v", threads, err)
		must.Equal(t, p.Value, "broken invariant", "threads %d: value of the panic", threads)
		must.Hold(t, len(p.Stack) != 0, "threads %d: no stack", threads)
	}
}

func TestForStopsWhenCancelled(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	var ran atomic.Int64
	err := Run{Context: ctx, Threads: 2}.For(1000, 1, func(_, _ int) {
		if ran.Add(1) == 10 {
			cancel()
		}
	})
	must.Need(t, errors.Is(err, context.Canceled), "error %v", err)
	must.Hold(t, ran.Load() <= 20, "%d blocks ran", ran.Load())
}

// TestCatch: a loop that is cancelled or panics ends the computation with its error; other panics go on.
func TestCatch(t *testing.T) {
	cancelled, cancel := context.WithCancel(context.Background())
	cancel()
	compute := func(run Run, body func()) (err error) {
		defer Catch(&err)
		run.Do(9, 1, func(int, int) {})
		body()
		return nil
	}
	must.OK(t, compute(Run{}, func() {}))
	err := compute(Run{Context: cancelled}, func() { t.Error("the computation went on") })
	must.Hold(t, errors.Is(err, context.Canceled), "cancelled: %v", err)
	err = Run{}.For(9, 1, func(int, int) { Run{Context: cancelled}.Do(9, 1, func(int, int) {}) })
	must.Hold(t, errors.Is(err, context.Canceled), "a cancelled loop within a loop: %v", err)
	var p *PanicError
	err = compute(Run{}, func() { Run{}.Do(9, 1, func(int, int) { panic("broken") }) })
	must.Hold(t, errors.As(err, &p), "a panic in a loop: %v", err)
	defer func() {
		v := recover()
		must.Hold(t, v == "other", "another panic: %v", v)
	}()
	_ = compute(Run{}, func() { panic("other") })
}
