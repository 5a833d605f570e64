// SPDX-License-Identifier: BSD-3-Clause

package filter

import (
	"cmp"
	"fmt"
	"runtime"
	"slices"
	"syscall"
	"testing"
	"unsafe"
)

// loopTimes are the processor times of the loops of a view and of what is done between them, on one thread.
type loopTimes struct {
	places  map[string]*loopTime // by the function and line that runs the loop
	between map[string]int64     // nanoseconds before a loop
	last    int64                // time at which the last loop ended
	inside  bool
}

// loopTime is summed over the loops of one place.
type loopTime struct {
	loops, blocks, items int
	time                 int64 // nanoseconds of all blocks
	planned              int64 // nanoseconds until 16 cores have ended them
}

// processorTime returns the processor time of the thread in nanoseconds.
func processorTime() int64 {
	const thread = 3 // CLOCK_THREAD_CPUTIME_ID
	var t syscall.Timespec
	_, _, _ = syscall.RawSyscall(syscall.SYS_CLOCK_GETTIME, thread, uintptr(unsafe.Pointer(&t)), 0)
	return t.Nano()
}

// watch is parallel.Watch.
func (l *loopTimes) watch(items, blocks int, body func(worker, block int)) func(worker, block int) {
	if l.inside {
		return body
	}
	place := caller()
	if l.places[place] == nil {
		l.places[place] = new(loopTime)
	}
	p := l.places[place]
	p.loops++
	p.blocks += blocks
	p.items += items
	var free [cores]int64 // time at which each core has ended its last block
	return func(worker, block int) {
		start := processorTime()
		if block == 0 {
			l.between[place] += start - l.last
		}
		l.inside = true
		body(worker, block)
		l.inside = false
		l.last = processorTime()
		p.time += l.last - start
		first := slices.Index(free[:], slices.Min(free[:]))
		free[first] += l.last - start
		if block == blocks-1 {
			p.planned += slices.Max(free[:])
		}
	}
}

// BenchmarkSerialShare measures which share of the time is between loops, on one thread, and what 16 cores
// would gain. Run it on a quiet machine: `make bench` does. With -v it lists the places where most is lost.
func BenchmarkSerialShare(b *testing.B) {
	view := serialCloud(b, 200_000)
	runtime.LockOSThread()
	defer runtime.UnlockOSThread()
	var serial, planned, total int64
	for b.Loop() {
		l := &loopTimes{places: map[string]*loopTime{}, between: map[string]int64{}, last: processorTime()}
		begin := l.last
		segmentWatched(b, view, l.watch)
		end := processorTime()
		l.between["the end"] = end - l.last
		total += end - begin
		for _, ns := range l.between {
			serial += ns
		}
		for _, p := range l.places {
			planned += p.planned
		}
		l.report(b, end-begin)
	}
	b.ReportMetric(100*float64(serial)/float64(total), "serial-%")
	b.ReportMetric(float64(total)/float64(serial+planned), "speed-up-of-16-cores")
}

// report logs the places where most is lost, in thousandths of the total.
func (l *loopTimes) report(b *testing.B, total int64) {
	lost := map[string]int64{}
	for place, ns := range l.between {
		lost["before "+place] = ns
	}
	for place, p := range l.places {
		lost[fmt.Sprintf("%s, %d loops, %d blocks, %d items", place, p.loops, p.blocks,
			p.items)] = p.planned - p.time/cores
	}
	var places []string
	for place := range lost {
		places = append(places, place)
	}
	slices.SortFunc(places, func(a, b string) int { return cmp.Compare(lost[b], lost[a]) })
	for _, place := range places[:min(40, len(places))] {
		b.Logf("%5.2f ‰ %s", 1000*float64(lost[place])/float64(total), place)
	}
}
