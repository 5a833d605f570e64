// SPDX-License-Identifier: BSD-3-Clause

package local

import (
	"slices"
	"sync/atomic"

	"superpoint/partition/base/arrays"
	"superpoint/partition/base/parallel"
	"superpoint/partition/problem/reduced"
)

// canonical returns a copy of g with its vertices in the order of their first
// original vertices and every row ascending, and the new number of each vertex.
// The copy has no Order: its order is that of the numbers. The vertices of a graph
// without Order are in that order already; its rows are not sorted.
func canonical(run parallel.Run, g *reduced.Graph) (*reduced.Graph, []uint32) {
	n := g.Vertices()
	if g.Order == nil {
		return g.Clone(run), arrays.Indices[uint32](n)
	}
	block := parallel.Block(n)
	c, number := &reduced.Graph{Components: g.New(n), Scale: g.Scale}, make([]uint32, n)
	order := inOrder(run, g)
	run.Do(n, block, func(lo, hi int) {
		for i, u := range order[lo:hi] {
			number[u] = uint32(lo + i)
			c.Copy(number[u], &g.Components, u)
		}
	})
	rows(run, g, c, number)
	return c, number
}

// inOrder returns the vertices sorted by their first original vertices.
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
	keyed := arrays.Sorted(run, n, func(u int) uint64 { return g.Order.Key(g.FirstOf(uint32(u))) })
	order := make([]uint32, n)
	run.Do(n, parallel.Block(n), func(lo, hi int) {
		to := lo
		for from := lo; from < hi; from = to { // a run of equal keys; if it began before lo, it is of another block
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

// edge is an edge of a row.
type edge struct {
	head   uint32
	weight float32
}

// rows sets the edges of c to those of g with new numbers, every row ascending.
func rows(run parallel.Run, g, c *reduced.Graph, number []uint32) {
	n := g.Vertices()
	block := parallel.Block(n)
	c.Start, c.End = make([]uint32, n), make([]uint32, n)
	run.Do(n, block, func(lo, hi int) {
		for u := lo; u < hi; u++ {
			a := number[u]
			for _, v := range g.Head[g.Start[u]:g.End[u]] {
				atomic.AddUint32(&c.Start[min(a, number[v])], 1)
			}
		}
	})
	at := arrays.Starts(run, c.Start)
	copy(c.End, c.Start)
	c.Head, c.Weight = make([]uint32, at), make([]float32, at)
	run.Do(n, block, func(lo, hi int) {
		for u := lo; u < hi; u++ {
			for k := g.Start[u]; k < g.End[u]; k++ {
				a, b := number[u], number[g.Head[k]]
				at := atomic.AddUint32(&c.End[min(a, b)], 1) - 1
				c.Head[at], c.Weight[at] = max(a, b), g.Weight[k]
			}
		}
	})
	run.Do(n, block, func(lo, hi int) {
		var row []edge
		for u := lo; u < hi; u++ {
			row = row[:0]
			for k := c.Start[u]; k < c.End[u]; k++ {
				row = append(row, edge{c.Head[k], c.Weight[k]})
			}
			slices.SortFunc(row, func(a, b edge) int { return int(a.head) - int(b.head) })
			for i, e := range row {
				c.Head[int(c.Start[u])+i], c.Weight[int(c.Start[u])+i] = e.head, e.weight
			}
		}
	})
}
