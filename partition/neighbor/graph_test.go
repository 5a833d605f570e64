// SPDX-License-Identifier: BSD-3-Clause

package neighbor

import (
	"maps"
	"slices"
	"testing"

	"superpoint/partition/base/parallel"
	"superpoint/testdata/must"
)

func edgeSet(g *Graph) map[[2]uint32]bool {
	set := map[[2]uint32]bool{}
	for u := range g.Vertices() {
		for _, v := range g.Of(u) {
			set[[2]uint32{uint32(u), v}] = true
		}
	}
	return set
}

// checkGraph checks the documented invariants of Graph.
func checkGraph(t *testing.T, g *Graph) {
	t.Helper()
	must.Need(t, g.Start[0] == 0,
		"rows cover [%d, %d) of %d heads: g.Start[0] is not 0",
		g.Start[0], g.Start[g.Vertices()], len(g.Head))
	must.Need(t, int(g.Start[g.Vertices()]) == len(g.Head),
		"rows cover [%d, %d) of %d heads: g.Start[g.Vertices()] is not len(g.Head)",
		g.Start[0], g.Start[g.Vertices()], len(g.Head))
	for u := range g.Vertices() {
		last := u
		for _, v := range g.Of(u) {
			must.Need(t, int(v) > last,
				"row of %d is %v: v is %v, want more than %v", u, g.Of(u), int(v), last)
			must.Need(t, int(v) < g.Vertices(),
				"row of %d is %v: v is %v, want less than %v", u, g.Of(u), int(v), g.Vertices())
			last = int(v)
		}
	}
}

func TestAdjacencyIsTheUnionOfFirstNeighbours(t *testing.T) {
	for name, cols := range degenerate() {
		cloud := mustNew(t, cols, 1)
		l := must.Get(cloud.Nearest(12, parallel.Run{}))(t)
		for _, k := range []int{1, 5, 12, 30} {
			want := map[[2]uint32]bool{}
			for i := range cloud.Len() {
				for _, j := range l.Of(i)[:min(k, l.K)] {
					want[[2]uint32{min(uint32(i), j), max(uint32(i), j)}] = true
				}
			}
			for threads := 1; threads <= 3; threads++ {
				g := must.Get(Adjacency(l, k, parallel.Run{Threads: threads}))(t)
				checkGraph(t, g)
				must.Need(t, g.Vertices() == cloud.Len(),
					"%s, k = %d: g.Vertices() is %v, want %v", name, k, g.Vertices(), cloud.Len())
				must.Need(t, maps.Equal(edgeSet(g), want), "%s, k = %d: edgeSet(g) is not want", name, k)
			}
		}
	}
	must.Fail(Adjacency(&Lists{}, 0, parallel.Run{}))(t)
}

func TestSymmetric(t *testing.T) {
	cloud := mustNew(t, lidar(800, 4), 1)
	l, _ := cloud.Nearest(6, parallel.Run{})
	g := must.Get(Adjacency(l, 6, parallel.Run{}))(t)
	s := g.Symmetric()
	edges := edgeSet(g)
	for u := range g.Vertices() {
		must.Need(t, slices.IsSorted(s.Of(u)), "neighbours of %d not ascending: %v", u, s.Of(u))
		for _, v := range s.Of(u) {
			must.Need(t, edges[[2]uint32{min(uint32(u), v), max(uint32(u), v)}], "no edge {%d, %d}", u, v)
		}
	}
	both := edgeSet(s)
	must.Need(t, len(both) == len(s.Head), "len(both) is %v, want %v", len(both), len(s.Head))
	must.Need(t, len(both) == 2*len(edges), "len(both) is %v, want %v", len(both), 2*len(edges))
}

func TestFromEdges(t *testing.T) {
	g := must.Get(FromEdges(5, [][2]uint32{{3, 1}, {0, 1}, {1, 3}, {4, 0}, {1, 2}, {3, 4}}))(t)
	checkGraph(t, g)
	want := []uint32{1, 4, 2, 3, 4}
	must.Equal(t, g.Head, want, "heads")
	must.Equal(t, g.Start, []uint32{0, 2, 4, 4, 5, 5}, "starts")
	for _, bad := range [][2]uint32{{2, 2}, {0, 5}, {9, 1}} {
		_, err := FromEdges(5, [][2]uint32{bad})
		must.Hold(t, err != nil, "edge %v accepted", bad)
	}
}

func TestComponents(t *testing.T) {
	g, _ := FromEdges(7, [][2]uint32{{0, 3}, {3, 5}, {1, 2}, {4, 6}, {6, 1}})
	label, count := Components(g)
	want := []uint32{0, 1, 1, 0, 1, 0, 1}
	must.Equal(t, count, 2, "count")
	must.Equal(t, label, want, "labels")
}

// TestCoincidentPointsHaveFewEdges: work on the graph that is quadratic in a vertex's edges stays linear in
// the points.
func TestCoincidentPointsHaveFewEdges(t *testing.T) {
	const n, k = 5000, 10
	cloud := mustNew(t, columns{make([]float64, n), make([]float64, n), make([]float64, n)}, 2)
	l := must.Get(cloud.Nearest(2*k, parallel.Run{Threads: 2}))(t)
	g := must.Get(Adjacency(l, k, parallel.Run{}))(t)
	s := g.Symmetric()
	for u := range n {
		degree := len(s.Of(u))
		must.Need(t, degree <= 2*k, "point %d of %d coincident ones has %d edges, want at most %d", u,
			n, degree, 2*k)
	}
	_, parts := Components(g)
	must.Hold(t, parts == 1, "coincident points are in %d connected components", parts)
}
