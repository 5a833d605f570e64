// SPDX-License-Identifier: BSD-3-Clause

package filter

import (
	"fmt"
	"runtime"
	"strings"
	"testing"

	"superpoint/filter/cloud"
	"superpoint/filter/steps"

	"superpoint/partition/base/parallel"
	"superpoint/testdata/must"
	"superpoint/testdata/scan"
	"superpoint/testdata/scenes"
)

const (
	cores     = 16      // that a run is planned for
	manyItems = 1 << 15 // of a loop that is to have blocks for all cores
)

// loopCounts are the parallel loops of a view, by the function and line that runs them. A loop within a loop
// is work of the outer one. The counts depend on the points alone, not on the machine.
type loopCounts struct {
	places map[string]*loopCount
	inside bool
}

// loopCount is summed over the loops of one place.
type loopCount struct {
	loops, blocks, items int
	// items of long loops, and what cores could do while they wait for the last blocks
	many, waiting float64
}

// watch is parallel.Watch.
func (c *loopCounts) watch(items, blocks int, body func(worker, block int)) func(worker, block int) {
	if c.inside {
		return body
	}
	place := caller()
	if c.places[place] == nil {
		c.places[place] = new(loopCount)
	}
	count := c.places[place]
	count.loops++
	count.blocks += blocks
	count.items += items
	if items >= manyItems {
		rounds := (blocks + cores - 1) / cores
		count.many += float64(items)
		count.waiting += float64(items) * (float64(rounds*cores)/float64(blocks) - 1)
	}
	return func(worker, block int) {
		c.inside = true
		body(worker, block)
		c.inside = false
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

// serialCloud is a village scanned from the air.
func serialCloud(t testing.TB, points int) *cloud.View {
	t.Helper()
	s := must.Get(scenes.New("village", scenes.Options{Seed: 1}))(t)
	p := must.Get(scan.Cloud(parallel.Run{}, s, scan.Options{Mode: scan.Aerial, Points: points, Seed: 1}))(t)
	return metres(p.X, p.Y, p.Z)
}

// segmentWatched segments a view with watched loops, in blocks for 16 cores.
func segmentWatched(t testing.TB, view *cloud.View, watch func(int, int, func(int, int)) func(int, int)) {
	t.Helper()
	defer func(most int) { steps.MaxWorkers, parallel.Watch = most, nil }(steps.MaxWorkers)
	steps.MaxWorkers = cores
	f := mustFilter(t, fmt.Sprintf(`{"threads":%d}`, cores))
	parallel.Watch = watch
	mustSegment(t, f, view)
}

// TestParallelLoops: the steps of a view run in parallel loops. A step that becomes serial takes its place,
// and the items of its loops, from the counts of its package. BenchmarkSerialShare has the time of what is
// between loops.
func TestParallelLoops(t *testing.T) {
	const points = 200_000
	found := &loopCounts{places: map[string]*loopCount{}}
	segmentWatched(t, serialCloud(t, points), found.watch)
	places, items := map[string]int{}, map[string]int{}
	var many, waiting float64
	for place, count := range found.places {
		name, _, _ := strings.Cut(place, ".")
		places[name]++
		items[name] += count.items
		many += count.many
		waiting += count.waiting
		t.Logf("%s: %+v", place, *count)
	}
	for _, want := range []struct {
		name   string
		places int     // that run loops
		passes float64 // items of all loops of the package, in numbers of points
	}{
		{"arrays", 6, 3.6},
		{"cutpursuit", 2, 0.05},
		{"embed", 9, 4.1},
		{"cloud", 1, 1},
		{"filter", 1, 1},
		{"local", 28, 23.4},
		{"lpe", 3, 3},
		{"neighbor", 19, 19.5},
		{"problem", 3, 3},
		{"reduced", 17, 24.6},
		{"tile", 2, 1},
	} {
		t.Run(want.name, func(t *testing.T) {
			const remedy = "has one become serial? If it is gone, lower the number"
			passes := float64(items[want.name]) / points
			must.Hold(t, places[want.name] >= want.places, "loops at %d places, want at least %d: %s",
				places[want.name], want.places, remedy)
			must.Hold(t, passes >= want.passes, "loops over %.2f times the points, want at least %v: %s",
				passes, want.passes, remedy)
		})
	}
	t.Run("blocks for all cores", func(t *testing.T) {
		const most = .42 // if all items take the same time
		t.Logf("%.1f %% of items while cores wait", 100*waiting/many)
		must.Hold(t, waiting <= most*many,
			"16 cores wait for %.3f of the items of long loops, want at most %v",
			waiting/many, most)
	})
}
