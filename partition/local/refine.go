// SPDX-License-Identifier: BSD-3-Clause

package local

import (
	"superpoint/partition/base/arrays"
	"superpoint/partition/base/parallel"
	"superpoint/partition/problem/reduced"
)

// refine moves vertices of g between the components label, which are the
// vertices of part, and then replaces label by the connected components, numbered
// by first vertex; it returns their number.
func refine(run parallel.Run, g, part *reduced.Graph, label []uint32, t moveOptions) int {
	moveLabels(run, g, part, label, t)
	return g.ConnectedComponents(run, label, nil)
}

// moveLabels is refine without connected components.
//
// Passes end early when no vertex moves. Claim: this has the result of all passes, so that a tile may end
// earlier than the full cloud. Reason: the candidate of the highest priority is granted in every pass
// (granted, allowed), so a pass without moves had no candidates and leaves no vertex active.
func moveLabels(run parallel.Run, g, part *reduced.Graph, label []uint32, t moveOptions) {
	r := &refiner{moveOptions: t, graph: g, label: label}
	r.prepare(run, part)
	for pass := 0; pass < t.passes && r.pass(run) > 0; pass++ {
	}
}

// prepare finds what all passes need. Vertices that are not at a boundary before the first pass never move,
// since border has rows for its members only. All passes together change the labels of vertices at the first
// boundaries only, and the work of a pass is proportional to these.
func (r *refiner) prepare(run parallel.Run, part *reduced.Graph) {
	n := len(r.label)
	block := parallel.Block(n)
	blocks := (n + block - 1) / block
	r.active = make([]uint32, n)
	r.to = make([]uint32, n)
	r.fall = make([]float32, n)
	r.candidates = make([][]uint32, blocks)
	r.denied = make([][]bool, blocks)
	r.tally.prepare(run, part, r.static)
	r.border = newBorder(run, r.graph, r.label)
	run.Do(n, block, func(lo, hi int) {
		for u := lo; u < hi; u++ {
			r.to[u] = reduced.None
		}
		copy(r.active[lo:hi], r.border.member[lo:hi])
	})
}

// pass makes one pass of label moves and returns their number.
//
// Four loops over blocks, with nothing but their end between them: preferred labels, the top candidates of
// strict components, which moves are granted, the moves. A loop writes only what later ones read, so that
// each sees one state of all others.
func (r *refiner) pass(run parallel.Run) uint32 {
	block := parallel.Block(len(r.label))
	run.Do(len(r.label), block, func(lo, hi int) {
		var near neighborhood
		list := r.candidates[lo/block]
		// Only candidates have a preferred label, so clearing the labels of candidates clears all, without a
		// pass over the vertices.
		for _, u := range list { // of the last pass
			r.to[u] = reduced.None
		}
		list = list[:0]
		for u := uint32(lo); u < uint32(hi); u++ {
			if r.active[u] != 0 && r.prefer(u, &near) {
				list = append(list, u)
			}
			// It is 0 for all when the loop ends; moves and denials of this pass set it again for the next.
			r.active[u] = 0
		}
		r.candidates[lo/block] = list
	})
	if !r.static {
		r.findTop(run)
	}
	// The answers are kept, and moves made in a loop of their own: a move changes the label that the test of
	// a neighbor reads.
	run.Do(len(r.candidates), 1, func(b, _ int) {
		r.denied[b] = r.denied[b][:0]
		for _, u := range r.candidates[b] {
			r.denied[b] = append(r.denied[b], !r.granted(u))
		}
	})
	moves := parallel.Map(run, len(r.candidates), 1, func(b, _ int) (moves uint32) {
		for i, u := range r.candidates[b] {
			if r.denied[b][i] {
				set(&r.active[u])
				continue
			}
			moves++
			r.move(u)
		}
		return moves
	})
	if !r.static {
		r.settle(run)
	}
	return arrays.Begin(moves)
}

// move makes the move of u.
func (r *refiner) move(u uint32) {
	if !r.static {
		r.take(r.graph, u, r.label[u], r.to[u])
	}
	r.label[u] = r.to[u]
	set(&r.active[u])
	r.neighbors(u, func(v uint32, _ float32) {
		if r.border.member[v] != 0 {
			set(&r.active[v])
		}
	})
}

// granted reports whether the move of u is granted. It is not if a neighbour with a larger
// decrease of the energy leaves the component that u enters, or enters the one that u leaves:
// the decreases were computed as if the other did not move. Nor is it, with keep, if such a
// neighbour leaves the same component: both together might disconnect it. All other
// simultaneous moves of neighbours lower the energy further.
//
// The four cases for a neighbor v with a preferred label of its own, where u moves from a to b:
//
//	v leaves b          b changes without the edge that u counts on: against
//	v enters a          v counts on u, which leaves: against
//	v leaves a as well  with keep, both together may cut a in two: against
//	v enters b as well  the edge between them is inside b afterwards: even better than computed
func (r *refiner) granted(u uint32) bool {
	from, to := r.label[u], r.to[u]
	if !r.static && !r.allowed(u, from, to) {
		return false
	}
	granted := true
	r.neighbors(u, func(v uint32, _ float32) {
		against := r.label[v] == to || r.to[v] == from || r.keep && r.label[v] == from
		if r.to[v] != reduced.None && against && r.greater(v, u) {
			granted = false
		}
	})
	return granted
}
