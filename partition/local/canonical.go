// SPDX-License-Identifier: BSD-3-Clause

package local

import (
	"slices"

	"superpoint/partition/base/arrays"
	"superpoint/partition/base/parallel"
	"superpoint/partition/problem/reduced"
)

// canonical returns a copy of g with its vertices in the order of their first original vertices and every row
// ascending, and the new number of each vertex. The copy has no Order: its vertices are in the order of their
// numbers. The vertices of a graph without Order are in that order already; its rows are not sorted. Claim:
// the copy does not depend on how the vertices of g are numbered. Reason: first original vertices are ordered
// by position (Order.Precedes), a total order that tiles and the full cloud share, and a row that is sorted
// by head has one arrangement. So the global merge, which breaks ties by number, gives equal results for any
// numbering.
func canonical(run parallel.Run, g *reduced.Graph) (*reduced.Graph, []uint32) {
	n := g.Vertices()
	if g.Order == nil {
		return g.Clone(run), arrays.Indices[uint32](n)
	}
	block := parallel.Block(n)
	c := &reduced.Graph{Components: g.New(n), Scale: g.Scale}
	number := make([]uint32, n)
	order := inOrder(run, g)
	run.Do(n, block, func(lo, hi int) {
		for i, u := range order[lo:hi] {
			number[u] = uint32(lo + i)
			c.Copy(number[u], &g.Components, u)
		}
	})
	// newRows fills rows in any order, see there; the sort below makes them canonical.
	// An edge is in the row of its smaller end, as in all reduced graphs.
	r := newRows(run, g, func(u, v uint32) (row, head uint32, is bool) {
		a, b := number[u], number[v]
		return min(a, b), max(a, b), true
	})
	c.Start = r.start[:n]
	c.End = r.start[1:]
	c.Head = r.head
	c.Weight = r.weight
	run.Do(n, block, func(lo, hi int) {
		var row []edge
		for u := lo; u < hi; u++ {
			head, weight := r.of(uint32(u))
			row = row[:0]
			for k, v := range head {
				row = append(row, edge{v, weight[k]})
			}
			// Heads of a row differ, since a reduced graph has one edge for a pair: the order is total.
			slices.SortFunc(row, func(a, b edge) int { return int(a.head) - int(b.head) })
			for k, e := range row {
				head[k], weight[k] = e.head, e.weight
			}
		}
	})
	return c, number
}

// edge is an edge of a row.
type edge struct {
	head   uint32
	weight float32
}

// inOrder returns the vertices sorted by their first original vertices.
//
// Keys are sorted first, in parallel, and are equal for the vertices of one cell only. Runs of equal keys are
// then sorted by Precedes, which compares positions: that is exact but slow, and few vertices share a cell.
func inOrder(run parallel.Run, g *reduced.Graph) []uint32 {
	compare := func(u, v uint32) int {
		switch {
		case u == v:
			return 0
		case g.Precedes(u, v):
			return -1
		}
		return 1
	}
	n := g.Vertices()
	// Sorted is stable, but that is no help within a run of equal keys: there the input is ordered by
	// vertex number, which this order must not depend on.
	keyed := arrays.Sorted(run, n, func(u int) uint64 { return g.Order.Key(g.FirstOf(uint32(u))) })
	order := make([]uint32, n)
	// The worker of the block in which a run of equal keys begins sorts all of the run. If the run ends in
	// a later block, the worker of that block skips it. So each place of order is written once.
	run.Do(n, parallel.Block(n), func(lo, hi int) {
		to := lo
		// a run of equal keys; if it began before lo, it belongs to another block
		for from := lo; from < hi; from = to {
			for to < n && keyed[to].Key == keyed[from].Key {
				to++
			}
			if from > 0 && keyed[from-1].Key == keyed[from].Key {
				continue
			}
			for i := from; i < to; i++ {
				order[i] = keyed[i].Of
			}
			if to > from+1 {
				slices.SortFunc(order[from:to], compare)
			}
		}
	})
	return order
}

// relabelled returns coarse of each label.
//
// It is the composition of two maps, as reduced.Relabel, but keeps label: the labels of points are needed
// again when several maps begin with them.
func relabelled(run parallel.Run, label, coarse []uint32) []uint32 {
	out := make([]uint32, len(label))
	run.Each(len(label), 1<<15, func(u int) { out[u] = coarse[label[u]] })
	return out
}
