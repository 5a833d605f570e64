// SPDX-License-Identifier: BSD-3-Clause

package local

import (
	"math"
	"testing"

	"superpoint/partition/base/parallel"
	"superpoint/partition/internal/oracle"
	"superpoint/partition/problem"
	"superpoint/partition/problem/reduced"
	"superpoint/testdata/must"
)

// TestStepLeavesRoomForSums: no sum of values times weights leaves 63 bits, with a bit for rounding to spare,
// and at most three bits more are unused; the unit is never below 2⁻³². The weights are in more than one
// chunk.
func TestStepLeavesRoomForSums(t *testing.T) {
	const points = 3<<16 + 5
	for _, c := range []struct {
		name         string
		value        float32 // the largest; others are smaller
		size, mass   float32 // of each vertex; mass 0: not weighted
		total        float64 // of the weights that count
		wanted       float64 // exponent of the unit; 0: by the bounds alone
		alsoNegative bool
	}{
		{name: "small values", value: 1, size: 1, total: points, wanted: 32},
		{name: "at the bound", value: 1 << 20, size: 1, total: points},
		{name: "negative values", value: 1 << 20, size: 1, total: points, alsoNegative: true},
		{name: "large components", value: 1000, size: 1 << 20, total: points * (1 << 20)},
		{name: "weights above sizes", value: 1000, size: 1, mass: 1 << 20, total: points * (1 << 20)},
		{name: "large values", value: 3e30, size: 2, total: 2 * points},
		{name: "a fraction", value: 1e-3, size: 1, total: points, wanted: 32},
	} {
		t.Run(c.name, func(t *testing.T) {
			like := reduced.Components{Dim: 1}
			if c.mass > 0 {
				like.Weighted = 1
			}
			g := like.New(points)
			for u := range points {
				g.Size[u] = c.size
				if c.mass > 0 {
					g.Mass[u] = c.mass
				}
			}
			values := []float32{c.value / 2, c.value, 0}
			if c.alsoNegative {
				values[1] = -c.value
			}
			unit := step(parallel.Run{}, values, &g)
			largest := float64(c.value) * c.total * unit
			must.Hold(t, largest < 1<<61, "the largest sum is 2^%.2f units, want less than 2^61",
				math.Log2(largest))
			if c.wanted != 0 {
				must.Equal(t, math.Log2(unit), c.wanted, "binary logarithm of the unit")
				return
			}
			must.Hold(t, largest >= 1<<58, "the largest sum is 2^%.2f units, want 2^58 or more",
				math.Log2(largest))
		})
	}
}

// TestSumsOfLargeValues: sums of components, in which values differ by thirty binary orders, equal sums
// in float64.
func TestSumsOfLargeValues(t *testing.T) {
	const points = 1 << 17
	g := (&reduced.Components{Dim: 1}).New(points)
	label := make([]uint32, points)
	var want float64
	for u := range points {
		g.Size[u] = 1
		g.Mean[u] = float32(math.Ldexp(1, u%30))
		want += float64(g.Mean[u])
	}
	of := newTotals(&g, 1, step(parallel.Run{}, []float32{1 << 29}, &g))
	of.addAll(parallel.Run{}, &g, label)
	must.Equal(t, of.means()[0], want/points, "mean")
	must.Equal(t, of.size[0], int64(points), "size")
}

// TestInitialComponentsAreSmall: no initial component has more than maxInitial points, also where many
// components follow a pair, and many have nearly as many.
func TestInitialComponentsAreSmall(t *testing.T) {
	for _, normalized := range []float64{.3, 10, 1000} {
		run := parallel.Run{Threads: 2}
		_, initial := coarsen(run, newGraph(run, oracle.Grid(150, normalized, 10)))
		var largest, points float32
		for _, size := range initial.Size {
			largest = max(largest, size)
			points += size
		}
		must.Hold(t, largest <= maxInitial, "λ̃ %g: %v points, want at most %v", normalized,
			largest, maxInitial)
		must.Equal(t, points, 150*150, "points of all initial components")
		if normalized > 1 {
			must.Hold(t, largest >= maxInitial-2, "λ̃ %g: the largest has %v points: nothing is tested",
				normalized, largest)
		}
	}
}

// TestFollowersOfAPair: with equal values every merge lowers the energy. Vertices 0 and 1 choose each other,
// 2 and 3 choose 1 and follow, the one of greater gain, or the first, before the other; the union takes
// followers only up to the largest size.
func TestFollowersOfAPair(t *testing.T) {
	for _, c := range []struct {
		name   string
		size   [2]float32 // of vertices 2 and 3
		weight [2]float32 // of their edges
		most   float32
		want   []uint32 // roots of the vertices
	}{
		{"both fit", [2]float32{3, 1}, [2]float32{3, 2}, 12, []uint32{0, 0, 0, 0}},
		{"the first does not fit, the second does", [2]float32{3, 1}, [2]float32{3, 2}, 10,
			[]uint32{0, 0, 2, 0}},
		{"one fits exactly", [2]float32{3, 1}, [2]float32{3, 2}, 9, []uint32{0, 0, 2, 0}},
		{"none fits", [2]float32{3, 1}, [2]float32{3, 2}, 8, []uint32{0, 0, 2, 3}},
		{"one of two fits: the first has the greater gain", [2]float32{2, 2}, [2]float32{3, 2}, 10,
			[]uint32{0, 0, 0, 3}},
		{"one of two fits: the last has the greater gain", [2]float32{2, 2}, [2]float32{2, 3}, 10,
			[]uint32{0, 0, 2, 0}},
		{"one of two fits: equal gains", [2]float32{2, 2}, [2]float32{2, 2}, 10, []uint32{0, 0, 0, 3}},
	} {
		t.Run(c.name, func(t *testing.T) {
			g := &reduced.Graph{Components: (&reduced.Components{Dim: 1}).New(4), Scale: 1}
			copy(g.Size, []float32{4, 4, c.size[0], c.size[1]})
			g.Start, g.End = []uint32{0, 1, 3, 3}, []uint32{1, 3, 3, 3}
			g.Head, g.Weight = []uint32{1, 2, 3}, []float32{9, c.weight[0], c.weight[1]}
			m := newMerger(g)
			m.choose(parallel.Run{}, reduced.MergeOptions{MaxSize: c.most, Normalized: true}, true)
			must.Equal(t, m.Root, c.want, "roots")
		})
	}
}

// TestRootOfFollowers: the root of a union is its first vertex, also if that is a follower. Vertices 2 and 3
// choose each other, 0 and 1 choose 2 and follow, as far as they fit.
func TestRootOfFollowers(t *testing.T) {
	for most, want := range map[float32][]uint32{12: {0, 0, 0, 0}, 10: {0, 1, 0, 0}, 8: {0, 1, 2, 2}} {
		g := &reduced.Graph{Components: (&reduced.Components{Dim: 1}).New(4), Scale: 1}
		copy(g.Size, []float32{2, 2, 4, 4})
		g.Start, g.End = []uint32{0, 1, 2, 3}, []uint32{1, 2, 3, 3}
		g.Head, g.Weight = []uint32{2, 2, 3}, []float32{3, 2, 9}
		m := newMerger(g)
		m.choose(parallel.Run{}, reduced.MergeOptions{MaxSize: most, Normalized: true}, true)
		must.Equal(t, m.Root, want, "largest size %v: roots", most)
	}
}

// TestCanonicalIsACopy: the graph that canonical returns shares no memory with its argument, with an order
// and without, so that the caller may release or change either.
func TestCanonicalIsACopy(t *testing.T) {
	p := oracle.Grid(12, 1, 1)
	for name, order := range map[string]problem.Order{"by position": numbered{}, "by number": nil} {
		t.Run(name, func(t *testing.T) {
			p.Order = order
			g := reduced.New(p)
			c, number := canonical(parallel.Run{}, g)
			must.Equal(t, c.Vertices(), g.Vertices(), "vertices")
			must.Equal(t, number[0], uint32(0), "number of the first vertex")
			weight := c.Weight[0]
			g.Weight[0]++
			must.Equal(t, c.Weight[0], weight, "weight of the copy, after a change of the argument")
			size := c.Size[0]
			g.Size[0]++
			must.Equal(t, c.Size[0], size, "size of the copy, after a change of the argument")
		})
	}
}
