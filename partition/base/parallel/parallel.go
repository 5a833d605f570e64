// SPDX-License-Identifier: BSD-3-Clause

// Package parallel runs loops over points on several goroutines. It is the
// only place that starts worker goroutines: a panic in a body is recovered and
// returned as an error, because a panic that leaves a goroutine would abort the
// program that hosts the library. A loop's result does not depend on the number
// of threads if every body writes only to its own range.
package parallel

import (
	"context"
	"fmt"
	"runtime"
	"runtime/debug"
	"sync/atomic"
)

// Run holds the context, the number of threads and the progress callback of a
// computation. The zero value uses every CPU, cannot be cancelled and does not
// report progress.
type Run struct {
	Context context.Context        // cancels between blocks; nil means never
	Threads int                    // worker goroutines; 0 means every CPU
	Report  func(fraction float64) // progress in [0, 1] of the current step; may be called from any goroutine
}

// Workers returns the number of goroutines a loop uses, at least 1.
func (r Run) Workers() int {
	if r.Threads > 0 {
		return r.Threads
	}
	return runtime.GOMAXPROCS(0)
}

// Err returns the reason the run was cancelled, or nil.
func (r Run) Err() error {
	if r.Context == nil {
		return nil
	}
	return r.Context.Err()
}

// PanicError is a panic recovered from a worker goroutine.
type PanicError struct {
	Value any    // what the body panicked with
	Stack []byte // stack of the goroutine that panicked
}

func (e *PanicError) Error() string { return fmt.Sprintf("internal error: %v", e.Value) }

// For calls body(lo, hi) for consecutive blocks of at most grain items that
// together cover [0, n), in any order and concurrently. It returns the first
// panic as a *PanicError, or the context's error.
func (r Run) For(n, grain int, body func(lo, hi int)) error {
	return r.ForWorker(n, grain, func(_, lo, hi int) { body(lo, hi) })
}

// ForWorker is For with the worker's number in [0, Workers()), for scratch
// memory that is reused from block to block.
func (r Run) ForWorker(n, grain int, body func(worker, lo, hi int)) error {
	if n <= 0 {
		return r.Err()
	}
	if grain < 1 {
		grain = 1
	}
	l := &loop{run: r, blocks: (n + grain - 1) / grain, joined: 1}
	l.body = func(worker, b int) { body(worker, b*grain, min(n, (b+1)*grain)) }
	l.workers = min(r.Workers(), l.blocks)
	if Watch != nil {
		l.body, l.workers = Watch(n, l.blocks, l.body), 1
	}
	l.execute()
	if e := l.failed.Load(); e != nil {
		return *e
	}
	return r.Err()
}

// Watch is set by tests only. It gets every loop: its items, its blocks and its body, and returns the body
// that runs instead, block after block on the caller's goroutine. So a test finds what is done in loops and
// what between them.
var Watch func(items, blocks int, body func(worker, block int)) func(worker, block int)

// loop ends when all blocks have ended, not when all workers have: threads are woken one after the other, and
// many loops are over before the last one is awake.
type loop struct {
	run      Run
	body     func(worker, block int)
	blocks   int
	workers  int          // the most that take part, the caller included
	joined   int          // workers that took part so far; guarded by helpers
	next     atomic.Int64 // the next block
	done     atomic.Int64 // blocks whose body has returned
	ended    atomic.Int64 // blocks that are done or left out, their progress reported
	failed   atomic.Pointer[error]
	finished chan struct{} // closed when all blocks have ended; nil for one worker
}

// execute returns when all blocks have ended.
func (l *loop) execute() {
	if l.workers == 1 {
		l.work(0)
		return
	}
	l.finished = make(chan struct{})
	helpers.open(l)
	l.work(0)
	helpers.close(l)
	spin(l.over)
	<-l.finished
}

func (l *loop) over() bool { return l.ended.Load() == int64(l.blocks) }

// work runs blocks until none is left.
func (l *loop) work(worker int) {
	for {
		b := int(l.next.Add(1)) - 1
		if b >= l.blocks {
			return
		}
		if l.failed.Load() == nil && l.run.Err() == nil {
			l.block(worker, b)
		}
		if l.ended.Add(1) == int64(l.blocks) && l.finished != nil {
			close(l.finished)
		}
	}
}

func (l *loop) block(worker, b int) {
	defer func() {
		if v := recover(); v != nil {
			err := recovered(v)
			l.failed.CompareAndSwap(nil, &err)
		}
	}()
	l.body(worker, b)
	l.run.Progress(float64(l.done.Add(1)) / float64(l.blocks))
}

// recovered returns the error of a panic in a body: that of a loop in it that failed, or a *PanicError.
func recovered(v any) error {
	if f, ok := v.(failure); ok {
		return f.error
	}
	return &PanicError{Value: v, Stack: debug.Stack()}
}

// ForEach is For with a body for one item.
func (r Run) ForEach(n, grain int, body func(i int)) error {
	return r.For(n, grain, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			body(i)
		}
	})
}

// Do is For in a computation of many loops, whose functions do not return errors: if the loop fails,
// it ends the computation, which begins with a deferred Catch.
func (r Run) Do(n, grain int, body func(lo, hi int)) { Check(r.For(n, grain, body)) }

// Each is Do with a body for one item.
func (r Run) Each(n, grain int, body func(i int)) { Check(r.ForEach(n, grain, body)) }

// Block returns the number of items of a task for a loop over n items with little work for each: at most
// 8,192, so that a task stays in a cache, and less if there were fewer than 64 tasks, but at least 512, so
// that starting a task costs little beside it.
func Block(n int) int { return min(max(n/64, 1<<9), 1<<13) }

// Map is Do with a body that returns a value. The values are in the order of the blocks.
func Map[T any](r Run, n, grain int, body func(lo, hi int) T) []T {
	values := make([]T, (n+grain-1)/grain)
	r.Do(n, grain, func(lo, hi int) { values[lo/grain] = body(lo, hi) })
	return values
}

// Check ends a computation that begins with a deferred Catch if err is not nil.
func Check(err error) {
	if err != nil {
		panic(failure{err})
	}
}

// Catch sets err, a named result of the function that defers it, to the error that ended the computation.
// Other panics go on.
func Catch(err *error) {
	v := recover()
	if f, ok := v.(failure); ok {
		*err = f.error
	} else if v != nil {
		panic(v)
	}
}

type failure struct{ error }

// Progress calls Report, if it is set, with a fraction in [0, 1].
func (r Run) Progress(fraction float64) {
	if r.Report != nil {
		r.Report(fraction)
	}
}

// Quiet returns the run without progress reports, for the loops within a step.
func (r Run) Quiet() Run {
	r.Report = nil
	return r
}
