// SPDX-License-Identifier: BSD-3-Clause

package local

import (
	"superpoint/partition/problem/reduced"
)

// heavy is the ratio of a component's size to a vertex's from which on a move of the vertex
// changes the mean only slightly.
const heavy = 8

// moveOptions are the rules of label moves.
type moveOptions struct {
	least  int  // minimum number of original vertices of a component after a move
	passes int  // maximum number of passes
	keep   bool // a vertex does not move if it alone connects its neighbours in its component
	static bool // sizes and means stay as they are before the first pass
}

// refiner moves vertices between components in passes. In each it computes the preferred
// label of every vertex, for the partition before the pass, then which of these moves are
// granted, and then makes all granted moves at once.
//
// Claim: a pass does not depend on the number of workers nor on the numbers of vertices. Reason: each of the
// three parts reads only what the part before it wrote, and writes the entries of its own vertices; ties
// between moves are broken by the decrease of the energy and then by the order of vertices (greater). With
// sums of components that change (not static), these are sums of integers.
//
// Only vertices that moved, were denied or have a neighbor that moved are active. Around any other
// vertex the labels are as in the pass before, so its preferred label is computed again only together
// with active vertices.
//
// The moves follow iterated conditional modes (Besag 1986, doi:10.1111/j.2517-6161.1986.tb01412.x): each
// vertex takes the label of least energy with all others fixed. There vertices move one after the other,
// which makes the result depend on their order. Here they move at the same time, and of moves that would
// disturb each other only one is granted. It is chosen by a comparison of neighbors, as Luby's independent
// sets (1986, doi:10.1137/0215074), with the decrease of the energy in place of a random number.
type refiner struct {
	moveOptions
	tally
	graph      *reduced.Graph
	label      []uint32
	border     *border    // of the start; its vertices may move
	active     []uint32   // 1 for vertices whose neighbours changed since their preferred label was computed
	to         []uint32   // preferred label; None for vertices that prefer their own
	fall       []float32  // decrease of the energy by the move
	candidates [][]uint32 // per block, the vertices with a preferred label
	denied     [][]bool   // per block, which of these moves are not granted
}

// neighbors calls see for every neighbour of u, which must be at a boundary.
func (r *refiner) neighbors(u uint32, see func(v uint32, weight float32)) {
	g := r.graph
	for k := g.Start[u]; k < g.End[u]; k++ {
		see(g.Head[k], g.Weight[k])
	}
	tail, weight := r.border.of(u)
	for i, v := range tail {
		see(v, weight[i])
	}
}

// greater reports whether the move of u has priority over the move of v: by the decrease of
// the energy, then by the order of vertices.
func (r *refiner) greater(u, v uint32) bool {
	if r.fall[u] != r.fall[v] {
		return r.fall[u] > r.fall[v]
	}
	return r.graph.Precedes(u, v)
}

// pointMoves returns the options of boundary refinement on points.
func pointMoves(minSize int) moveOptions {
	return moveOptions{least: minSize, passes: finePasses, keep: true, static: true}
}
