// SPDX-License-Identifier: BSD-3-Clause

package local

import (
	"math"
	"slices"
	"sync/atomic"

	"superpoint/partition/base/arrays"
	"superpoint/partition/base/parallel"
	"superpoint/partition/problem/reduced"
)

// refined is the result of the boundary refinement of a tile.
type refined struct {
	cores     *CoreComponents
	connected []uint32 // core component of each point; None outside the core
	end       []uint32 // of rows as in reduced.Graph; rows with all edges inside components are empty
}

// connectCore returns the connected components of the core, where label has the component of each point in
// the global merge and outside is a number that no component has.
//
// Claim: sizes, sums and weights of core components equal those that the full cloud would give for the same
// points. Reason: they are sums of integers (contractSums), so neither the order of points nor the tile
// matters.
//
// Steps: (1) labels outside the core become a number of their own; (2) connected components of equal label;
// (3) their reduced graph with sums of integers; (4) components in the core get numbers, and all that
// Finish needs: first point, label, size, sums, adjacent pairs; (5) the edges that leave the core, by which
// Finish joins the components of several tiles.
//
// A component of the global merge need not be connected here: label moves may have separated it into parts,
// and the border of the core cuts through others. Separated parts become superpoints of their own;
// components that the border cuts are joined again by step 5.
func (t *Tile) connectCore(run parallel.Run, unit float64, label []uint32, outside uint32) *refined {
	label = t.inCore(run, label, outside)
	connected := make([]uint32, len(label))
	run.Do(len(label), parallel.Block(len(label)), func(lo, hi int) { copy(connected[lo:hi], label[lo:hi]) })
	// A copy of the struct with its own End: rows of this graph begin where the rows of t.graph begin, and
	// share Head and Weight. A row whose edges are all inside a component is empty here, as most rows are;
	// contractSums does not read it.
	between := *t.graph
	between.End = make([]uint32, len(label))
	count := t.graph.ConnectedComponents(run, connected, between.End)
	graph, weight, of := contractSums(run, &between, connected, count, unit)
	number := t.numberCore(connected, count)
	cores := coreTotals(of, number)
	cores.Label = labelsOf(run, label, connected, number, len(cores.Size))
	cores.First = t.firstIDs(run, graph, number, len(cores.Size))
	cores.A, cores.B, cores.Inside = pairsOf(run, graph, weight, number)
	// From here on connected has core components instead of all of them, None outside the core: addBorders
	// finds from it which end of an edge is in the core.
	if t.Core != nil {
		reduced.Relabel(run, connected, number)
		t.addBorders(cores, connected)
	}
	return &refined{cores, connected, between.End}
}

// inCore returns label, with outside for the points outside the core. So a connected component ends at the
// border of the core, and components of two tiles are joined by the edges that addBorders lists, in the
// second global merge.
func (t *Tile) inCore(run parallel.Run, label []uint32, outside uint32) []uint32 {
	if t.Core == nil {
		return label
	}
	own := make([]uint32, len(label))
	run.Each(len(label), 1<<15, func(u int) {
		own[u] = outside
		if t.Core[u] {
			own[u] = label[u]
		}
	})
	return own
}

// numberCore numbers the components that are in the core, of count components, by their first vertex; the
// others get None. The numbering follows the order of points in this tile. It is not part of any result:
// results name a component by the ID of its first point (firstIDs).
//
// A component is in the core as a whole or not at all, because inCore gave all points outside a label of
// their own.
func (t *Tile) numberCore(connected []uint32, count int) []uint32 {
	if t.Core == nil {
		return arrays.Indices[uint32](count)
	}
	number := slices.Repeat([]uint32{reduced.None}, count)
	next := uint32(0)
	for u, core := range t.Core {
		if c := connected[u]; core && number[c] == reduced.None {
			number[c] = next
			next++
		}
	}
	return number
}

// coreTotals returns the core components with their sizes and sums.
func coreTotals(of *totals, number []uint32) *CoreComponents {
	p := new(CoreComponents)
	if !slices.Contains(number, reduced.None) {
		p.Size = of.size
		p.Sum = of.sum
		return p
	}
	order := make([]uint32, 0, len(number)) // components are numbered by first vertex, so their numbers rise
	for c, k := range number {
		if k != reduced.None {
			order = append(order, uint32(c))
		}
	}
	for _, c := range order {
		p.Size = append(p.Size, of.size[c])
		p.Sum = append(p.Sum, of.row(c)...)
	}
	return p
}

// labelsOf returns the component in the global merge of each of count core components. All points of a
// connected component have one label, so it does not matter which worker stores it last. The store is atomic
// for the memory model alone.
func labelsOf(run parallel.Run, label, connected, number []uint32, count int) []uint32 {
	of := make([]uint32, count)
	run.Do(len(label), parallel.Block(len(label)), func(lo, hi int) {
		last := uint32(reduced.None)
		for u := lo; u < hi; u++ {
			c := connected[u]
			if c == last {
				continue // its points have one label
			}
			last = c
			if k := number[c]; k != reduced.None {
				atomic.StoreUint32(&of[k], label[u]) // workers store equal values
			}
		}
	})
	return of
}

// firstIDs returns the ID of the first point of each of count core components, the vertices of graph. In a
// full cloud it returns the rank of the component by its first point: there are no other tiles to compare it
// with.
func (t *Tile) firstIDs(run parallel.Run, graph *reduced.Graph, number []uint32, count int) []uint64 {
	first := make([]uint64, count)
	switch {
	case t.ID != nil:
		for c, k := range number {
			if k != reduced.None {
				first[k] = t.ID[graph.FirstOf(uint32(c))]
			}
		}
	case graph.Order == nil: // components are in the order of their first points
		for k := range first {
			first[k] = uint64(k)
		}
	default:
		order := inOrder(run, graph)
		run.Each(count, 1<<15, func(rank int) { first[order[rank]] = uint64(rank) })
	}
	return first
}

// pairsOf returns the adjacent pairs of core components, the vertices of graph, and the weights between them.
// The pairs are counted first, so that each vertex knows where its own begin and workers fill them without a
// lock. Both passes call isPair, which reads only values that do not change between them.
//
// Counting before writing is the usual way to fill rows in parallel (a counting sort): the counts become the
// places where rows begin by a prefix sum (arrays.Starts).
func pairsOf(run parallel.Run, graph *reduced.Graph, weight []int64, number []uint32) (a, b []uint32,
	inside []int64) {
	n := graph.Vertices()
	start := make([]uint32, n)
	// None of the two ends may be outside the core: edges to the outside are in the lists of addBorders, by
	// point.
	isPair := func(u int, k uint32) bool {
		return number[u] != reduced.None && number[graph.Head[k]] != reduced.None
	}
	run.Each(n, 1<<13, func(u int) {
		for k := graph.Start[u]; k < graph.End[u]; k++ {
			if isPair(u, k) {
				start[u]++
			}
		}
	})
	total := arrays.Starts(run, start)
	a = make([]uint32, total)
	b = make([]uint32, total)
	inside = make([]int64, total)
	run.Each(n, 1<<13, func(u int) {
		at := start[u]
		for k := graph.Start[u]; k < graph.End[u]; k++ {
			if !isPair(u, k) {
				continue
			}
			own := number[u]
			other := number[graph.Head[k]]
			a[at] = min(own, other)
			b[at] = max(own, other)
			inside[at] = weight[k]
			at++
		}
	})
	return a, b, inside
}

// addBorders adds the edges that leave the core. Claim: both tiles of an edge list it with the same weight.
// Reason: the weight of an edge is a multiple of 1/quanta (newGraph), so its product with quanta is a whole
// number, which an int64 holds exactly.
func (t *Tile) addBorders(p *CoreComponents, connected []uint32) {
	g := t.graph
	for u := range uint32(len(connected)) {
		for k := g.Start[u]; k < g.End[u]; k++ {
			v := g.Head[k]
			weight := int64(math.RoundToEven(float64(g.Weight[k]) * quanta))
			a := connected[u]
			b := connected[v]
			switch {
			case a != reduced.None && b == reduced.None:
				p.addBorder(t.ID[u], t.ID[v], a, weight)
			case a == reduced.None && b != reduced.None:
				p.addBorder(t.ID[v], t.ID[u], b, weight)
			}
		}
	}
}

func (p *CoreComponents) addBorder(own, other uint64, component uint32, weight int64) {
	p.Own = append(p.Own, own)
	p.Other = append(p.Other, other)
	p.Component = append(p.Component, component)
	p.Across = append(p.Across, weight)
}
