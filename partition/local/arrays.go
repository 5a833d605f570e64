// SPDX-License-Identifier: BSD-3-Clause

package local

import (
	"fmt"

	"superpoint/partition/neighbor"
	"superpoint/partition/problem"
	"superpoint/partition/problem/reduced"
)

// The results of steps are arrays of numbers. Arrays returns pointers to the slices, which are written
// to a file or read from one. The steps that take them check them.

// EmptyTile returns a tile for the arrays of another one.
//
// The problem and its graph must exist, because Arrays returns pointers into both; restore sets all else that
// they need.
func EmptyTile() *Tile { return &Tile{Problem: &problem.Problem{Graph: &neighbor.Graph{}}} }

// Arrays lists the arrays of a tile after Coarsen that Refine reads.
//
// Claim: a tile that is written and read again refines to the same bits. Reason: what the list leaves out
// follows from it. The graph shares rows, weights and values with the problem (restore); λ, the number of
// columns and the rules of moves are in the result of the global merge; points are in the order of ID.
// Problem.Contrast is listed after Coarsen has replaced it by the rounded weights, and restore takes them as
// they are.
//
// A file has the arrays in this order, so that a change of the order is a change of the format.
func (t *Tile) Arrays() []any {
	p := t.Problem
	return []any{&t.ID, &t.Core, &t.Known, &p.Values, &p.Weight, &p.Graph.Start, &p.Graph.Head,
		&p.Contrast, &t.label,
		&t.first,
		&t.exact}
}

// InitialIDs returns the IDs of the first points of the initial components that are exact.
// Refine needs the components of these points.
//
// It is called for arrays that were just read, before restore has checked that they agree: hence its own
// bounds on indices. A wrong file then gives the error of restore instead of a panic here.
func (t *Tile) InitialIDs() (first []uint64) {
	for c, u := range t.first {
		if c < len(t.exact) && t.exact[c] && int(u) < len(t.ID) {
			first = append(first, t.ID[u])
		}
	}
	return first
}

// restore makes the graph of a tile whose arrays were read, with the λ of j. It returns an error if the
// arrays are inconsistent.
//
// Every index that the passes use without a check is compared here, once, with the length of the array that
// it points into: Start with the edges, Head with the points, labels with the initial components, and these
// with the points. So a damaged file is an error that names the step and not a panic in a worker.
//
// A problem without weights is written as an empty array and read as an empty slice, which is not nil;
// Weighted compares with nil, so the slice is replaced.
func (t *Tile) restore(j *Merged) error {
	p := t.Problem
	p.Dim = j.part.Dim
	p.Lambda = float64(j.part.Scale)
	p.Order = ids(t.ID)
	if j.part.Weighted == 0 && len(p.Weight) == 0 {
		p.Weight = nil
	}
	if !t.fits(j.part.Weighted) {
		return fmt.Errorf("local: the arrays of the state of a tile are inconsistent")
	}
	t.graph = reduced.New(p)
	return nil
}

// fits reports whether the arrays of a tile have the lengths and indices of one, with that many columns of
// weights.
func (t *Tile) fits(weighted int) bool {
	n := len(t.ID)
	p := t.Problem
	weights := 0
	if weighted > 0 {
		weights = n
	}
	for _, array := range []struct{ have, want int }{
		{len(t.Core), n},
		{len(t.Known), n},
		{len(t.label), n},
		{len(t.exact), len(t.first)},
		{len(p.Values), n * p.Dim},
		{len(p.Weight), weights},
		{len(p.Graph.Start), n + 1},
		{len(p.Contrast), len(p.Graph.Head)},
	} {
		if array.have != array.want {
			return false
		}
	}
	return p.Weighted() == weighted &&
		rising(p.Graph.Start, len(p.Graph.Head)) &&
		below(p.Graph.Head, n) &&
		below(t.label, len(t.first)) &&
		below(t.first, n)
}
