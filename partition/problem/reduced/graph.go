// SPDX-License-Identifier: BSD-3-Clause

// Package reduced implements the reduced graph of a partition: one vertex for every
// component, with its size and mean, and one edge for every pair of adjacent
// components, with the sum of the weights of the edges between them (Landrieu and
// Obozinski 2017, section 3.2, doi:10.1137/17M1113436). The partition problem on the
// reduced graph is the original one restricted to unions of components, so the same
// solvers work on both.
//
// Sums are in float32, in an order that depends on the numbers of the vertices only:
// results do not depend on the number of threads. A loop that is cancelled ends the computation of the
// caller, see parallel.Catch.
package reduced

import (
	"slices"

	"superpoint/partition/base/parallel"
	"superpoint/partition/problem"
)

// Graph is a weighted graph whose vertices are components. Every edge is
// stored once, in the row of its smaller vertex; there may be gaps between
// rows.
type Graph struct {
	Components
	Start  []uint32 // |V|; the edges of u are Head[Start[u]:End[u]]
	End    []uint32 // |V|
	Head   []uint32
	Weight []float32 // in Head's order, to be multiplied by Scale
	Scale  float32

	Order problem.Order // of original vertices, by which ties are broken; nil: the numbers of the vertices
	First []uint32      // |V|, the first original vertex of each in Order; nil if vertices are original
}

// New returns the graph of a problem whose components are its vertices. It
// shares the problem's arrays.
func New(p *problem.Problem) *Graph {
	n := p.Graph.Vertices()
	size := slices.Repeat([]float32{1}, n)
	return &Graph{
		Components: Components{Dim: p.Dim, Weighted: p.Weighted(), Mean: p.Values, Size: size,
			Mass: p.Weight},
		Start: p.Graph.Start[:n], End: p.Graph.Start[1:], Head: p.Graph.Head,
		Weight: p.Contrast, Scale: float32(p.Lambda), Order: p.Order,
	}
}

// FirstOf returns the first original vertex of u in Order, which must not be nil.
func (g *Graph) FirstOf(u uint32) uint32 {
	if g.First == nil {
		return u
	}
	return g.First[u]
}

// Clone returns a copy.
func (g *Graph) Clone(run parallel.Run) *Graph {
	c := *g
	c.Components = g.New(g.Vertices())
	run.Do(g.Vertices(), parallel.Block(g.Vertices()),
		func(lo, hi int) { c.CopyRange(&g.Components, lo, hi) })
	c.Start = copied(run, g.Start)
	c.End = copied(run, g.End)
	c.Head = copied(run, g.Head)
	c.Weight = copied(run, g.Weight)
	return &c
}

// copied returns a copy of x.
func copied[T any](run parallel.Run, x []T) []T {
	to := make([]T, len(x))
	run.Do(len(x), 1<<15, func(lo, hi int) { copy(to[lo:hi], x[lo:hi]) })
	return to
}
