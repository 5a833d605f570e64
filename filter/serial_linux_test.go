// SPDX-License-Identifier: BSD-3-Clause

package filter

import (
	"cmp"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"unsafe"

	"superpoint/partition/base/parallel"
	"superpoint/testdata/must"
	"superpoint/testdata/scan"
	"superpoint/testdata/scenes"
)

const (
	cores     = 16      // that a run is planned for
	manyItems = 1 << 15 // of a loop that is to have blocks for all cores
)

// watched are the loops of a view and what is done between them, on one thread: processor time does not depend on what
// else the machine does.
type watched struct {
	loops   map[string]*shares // by the function and line that runs them
	between map[string]int64   // nanoseconds before a loop
	last    int64              // time at which the last loop ended
	inside  bool
}

// shares are sums over the loops of one place.
type shares struct {
	loops, blocks, items int
	time, planned        int64   // nanoseconds: of all blocks, and as cores take them
	many                 int     // items of loops of manyItems or more
	idle                 float64 // of these, what could be done while cores wait, if all took the same time
}

// now returns the processor time of the thread in nanoseconds.
func now() int64 {
	const thread = 3 // CLOCK_THREAD_CPUTIME_ID
	var t syscall.Timespec
	_, _, _ = syscall.RawSyscall(syscall.SYS_CLOCK_GETTIME, thread, uintptr(unsafe.Pointer(&t)), 0)
	return t.Nano()
}

// watch is parallel.Watch.
func (w *watched) watch(items, blocks int, body func(worker, block int)) func(worker, block int) {
	if w.inside {
		return body
	}
	place := caller()
	s := w.loops[place]
	if s == nil {
		s = new(shares)
		w.loops[place] = s
	}
	s.loops, s.blocks, s.items = s.loops+1, s.blocks+blocks, s.items+items
	if items >= manyItems {
		s.many += items
		s.idle += float64(items) * (float64((blocks+cores-1)/cores*cores)/float64(blocks) - 1)
	}
	var free [cores]int64 // time at which each core has ended its last block
	return func(worker, b int) {
		start := now()
		if b == 0 {
			w.between[place] += start - w.last
		}
		w.inside = true
		body(worker, b)
		w.inside = false
		w.last = now()
		first := slices.Index(free[:], slices.Min(free[:]))
		free[first] += w.last - start
		if s.time += w.last - start; b == blocks-1 {
			s.planned += slices.Max(free[:])
		}
	}
}

// caller returns the function and line that runs a loop.
func caller() string {
	var at [16]uintptr
	for frames := runtime.CallersFrames(at[:runtime.Callers(3, at[:])]); ; {
		f, more := frames.Next()
		if !more || !strings.Contains(f.Function, "base/parallel") {
			return fmt.Sprintf("%s:%d", f.Function[strings.LastIndex(f.Function, "/")+1:], f.Line)
		}
	}
}

// TestSerialShare: on 16 cores little is done by one thread, and cores wait little for the last blocks of loops. The
// time is that of one thread's processor, in shares of its total, so that a busy machine changes little: five runs of a
// million points took 3.6 to 5.9 s and had serial shares of 3.7 to 4.5 per cent. With -v it lists where most is lost.
func TestSerialShare(t *testing.T) {
	const mostSerial, mostIdle, leastSpeedup = .08, .42, 5.5
	s := must.Get(scenes.New("village", scenes.Options{Seed: 1}))(t)
	p := must.Get(scan.Cloud(parallel.Run{}, s, scan.Options{Mode: scan.Aerial, Points: 200_000, Seed: 1}))(t)
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	defer func(most int) { maxWorkers, parallel.Watch = most, nil }(maxWorkers)
	maxWorkers = cores
	best, total := (*watched)(nil), int64(0)
	for range 3 {
		f := mustFilter(t, fmt.Sprintf(`{"threads":%d}`, cores))
		w := &watched{loops: map[string]*shares{}, between: map[string]int64{}, last: now()}
		begin := w.last
		parallel.Watch = w.watch
		mustSegment(t, f, metres(p.X, p.Y, p.Z))
		parallel.Watch = nil
		end := now()
		w.between["the end"] = end - w.last
		if best == nil || end-begin < total {
			best, total = w, end-begin
		}
	}
	best.report(t, total)
	var serial, planned int64
	var items, idle float64
	for _, ns := range best.between {
		serial += ns
	}
	for _, s := range best.loops {
		planned, items, idle = planned+s.planned, items+float64(s.many), idle+s.idle
	}
	share, speedup := float64(serial)/float64(total), float64(total)/float64(serial+planned)
	t.Logf("serial %.2f %%, %.1f %% of items while cores wait, %d cores %.1f times one", 100*share, 100*idle/items, cores,
		speedup)
	must.Hold(t, share <= mostSerial && idle/items <= mostIdle && speedup >= leastSpeedup,
		"serial %.3f, at most %v; waiting %.3f, at most %v; speed-up %.2f, at least %v", share, mostSerial, idle/items,
		mostIdle, speedup, leastSpeedup)
}

// report logs the places where most is lost, in thousandths of the total.
func (w *watched) report(t *testing.T, total int64) {
	lost := map[string]int64{}
	for place, ns := range w.between {
		lost["before "+place] = ns
	}
	for place, s := range w.loops {
		lost[fmt.Sprintf("%s, %d loops, %d blocks, %d items", place, s.loops, s.blocks, s.items)] = s.planned - s.time/cores
	}
	var places []string
	for place := range lost {
		places = append(places, place)
	}
	slices.SortFunc(places, func(a, b string) int { return cmp.Compare(lost[b], lost[a]) })
	for _, place := range places[:min(40, len(places))] {
		t.Logf("%5.2f ‰ %s", 1000*float64(lost[place])/float64(total), place)
	}
}
