// SPDX-License-Identifier: BSD-3-Clause

package local

import (
	"math"

	"superpoint/partition/base/arrays"
	"superpoint/partition/base/parallel"
	"superpoint/partition/problem/reduced"
)

// coarsenPoints merges points in a fixed number of rounds. It returns the initial component of each point and
// the reduced graph of the initial components. For a tile, exact has which points are exact, and
// coarsenPoints also returns which initial components are exact. The number of rounds is fixed, and no round
// reads more than the neighbours of a component, so the points on which an initial component depends are
// within a bounded number of edges: a halo of that depth makes a tile exact. MaxSize bounds the extent of a
// component for the same reason.
//
// Why it starts on points at all: a global merge that began with single points would need memory for all of
// them at once. Two rounds leave about a third as many vertices, and each tile makes its own.
//
// exact shrinks with each round in two ways. exactUnions removes what might have been merged otherwise; and
// nothing is known of a union with one inexact part, so ofUnions removes the whole union.
func coarsenPoints(run parallel.Run, g *reduced.Graph, exact []bool) (label []uint32, initial *reduced.Graph,
	_ []bool) {
	m := newMerger(g)
	m.lean = true
	for r := range rounds {
		if r > 0 {
			arrays.Collect()
		}
		m.choose(run, reduced.MergeOptions{MaxSize: maxInitial, Normalized: true, HashTies: true}, true)
		if exact != nil {
			exact = exactUnions(m.Graph, m.Choice.Neighbor, exact)
		}
		// After a round that merged nothing, Last would return the labels of the round before.
		if m.apply(run) && exact != nil {
			exact = ofUnions(exact, m.Last(), m.Graph.Vertices())
		}
	}
	last := *m.Graph // a copy, which keeps no other memory of m
	return m.Labels(run, g.Vertices()), &last, exact
}

// coarsen is coarsenPoints with the graph in canonical order.
func coarsen(run parallel.Run, g *reduced.Graph) ([]uint32, *reduced.Graph) {
	label, last, _ := coarsenPoints(run, g, nil)
	arrays.Collect() // the graph of the first round
	initial, order := canonical(run, last)
	reduced.Relabel(run, label, order)
	return label, initial
}

// merge merges while that lowers the energy and there are more than count components. On graphs of at most
// pairsOnly vertices, where rounds are fast, only components that choose each other are merged, which gives
// lower energies. Each round merges at least the pair with the greatest gain (see pair), so the loop ends.
// For a large graph it ends earlier, when a round merges less than minReduction of the vertices: the rest is
// left to label moves.
func (m *merger) merge(run parallel.Run, count int) {
	// No bound on sizes, unlike on points: this graph is in the memory of one machine as a whole, so nothing
	// has to be local.
	options := reduced.MergeOptions{MaxSize: math.MaxFloat32, Normalized: true, HashTies: true}
	for before := m.Graph.Vertices(); before > count; {
		m.choose(run, options, before > pairsOnly)
		if !m.apply(run) {
			return
		}
		now := m.Graph.Vertices()
		if before > smallProblem && float64(before-now) < minReduction*float64(before) {
			return
		}
		before = now
	}
}

// mergeComponents merges components in three steps: while a merge lowers the energy; then each component of
// fewer than least points with the neighbour of least cost; then again while a merge lowers the energy. It
// returns the new component of each vertex and the reduced graph of the new components. The merge of a
// component that is too small may raise the energy, since the smallest size is required; it may also let
// merges of other components lower the energy. Hence the third step.
//
// MergeSmall is a loop: two components that are both too small may merge to one that still is. It ends,
// because each call that reports true has reduced their number, and because a component without neighbors is
// left as it is.
//
// The graph is a copy: the graph of the last round is a field of the merger, and would keep the memory of
// all its rounds as long as it is used.
func mergeComponents(run parallel.Run, g *reduced.Graph, least int) ([]uint32, *reduced.Graph) {
	m := newMerger(g)
	m.merge(run, 0)
	if least > 1 {
		for m.MergeSmall(run, float32(least), reduced.MergeOptions{Small: float32(least), HashTies: true}) {
		}
		m.merge(run, 0)
	}
	return m.Labels(run, g.Vertices()), m.Graph.Clone(run)
}

// choose sets the roots of components that choose each other and, if others is true, the roots of their
// followers.
//
// A round reads the graph before it and writes roots only, so that components can choose at the same time. A
// component that no other chose, and that chose none, stays what it is.
func (m *merger) choose(run parallel.Run, t reduced.MergeOptions, others bool) {
	m.Graph.BestOn(run, t, &m.Choice)
	m.pair(run)
	if others {
		m.follow(run, t.MaxSize)
	}
}

// apply merges the components of each root, and reports whether there were any.
func (m *merger) apply(run parallel.Run) bool {
	return m.Apply(run, func(label []uint32, count int) *reduced.Components {
		means := m.means(run, label, count)
		// Apply calls this between the numbering of the trees and the contraction. Choices and lists are read
		// for the last time in means, and the next graph is allocated after this.
		if m.lean {
			m.Choice = reduced.Choice{}
			m.Root = nil
			m.last = nil
			m.next = nil
			arrays.Collect()
		}
		return means
	})
}

// means returns the new components: the union of each pair with its followers, and single vertices.
//
// Claim: the mean of a union has the same bits, whichever worker computes it and whichever of the pair is
// vertex r. Reason: Unite is symmetric in its two operands to the last bit, the pair is united first, and the
// followers are then added in the order of the list, which accept has sorted by a total order. Floating point
// sums of three or more terms depend on their order, so it has to be fixed somewhere: here.
func (m *merger) means(run parallel.Run, label []uint32, count int) *reduced.Components {
	g, choice := m.Graph, m.Choice.Neighbor
	out := g.New(count)
	run.Do(len(label), parallel.Block(len(label)), func(lo, hi int) {
		for u := uint32(lo); u < uint32(hi); u++ {
			if m.Root[u] != u {
				continue
			}
			r, v := m.pairOf(u)
			// u has no pair, or it follows one that did not accept it: then u is still its own root, and the
			// root of the pair another.
			if v == reduced.None || m.Root[r] != u {
				out.Copy(label[u], &g.Components, u)
				continue
			}
			out.Copy(label[u], &g.Components, r)
			out.Unite(label[u], &g.Components, choice[r])
			for f := m.last[r]; f != reduced.None; f = m.next[f] {
				out.Unite(label[u], &g.Components, f)
			}
		}
	})
	return &out
}
