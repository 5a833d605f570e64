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
func EmptyTile() *Tile { return &Tile{Problem: &problem.Problem{Graph: &neighbor.Graph{}}} }

// Arrays lists the arrays of a tile after Coarsen that Refine reads.
func (t *Tile) Arrays() []any {
	p := t.Problem
	return []any{&t.ID, &t.Core, &t.Known, &p.Values, &p.Weight, &p.Graph.Start, &p.Graph.Head,
		&p.Contrast, &t.label,
		&t.first,
		&t.exact}
}

// InitialIDs returns the IDs of the first points of the initial components that are exact:
// those whose component Refine needs.
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
func (t *Tile) restore(j *Merged) error {
	p, n := t.Problem, len(t.ID)
	p.Dim = j.part.Dim
	p.Lambda = float64(j.part.Scale)
	p.Order = ids(t.ID)
	if j.part.Weighted == 0 && len(p.Weight) == 0 {
		p.Weight = nil
	}
	hasFlags := len(t.Core) == n && len(t.Known) == n
	hasWeights := p.Weighted() == j.part.Weighted && len(p.Weight) == n*min(j.part.Weighted, 1)
	hasRows := len(p.Graph.Start) == n+1 && rising(p.Graph.Start, len(p.Graph.Head))
	hasEdges := below(p.Graph.Head, n) && len(p.Contrast) == len(p.Graph.Head)
	hasLabels := len(t.label) == n && below(t.label, len(t.first))
	hasFirst := len(t.first) == len(t.exact) && below(t.first, n)
	hasValues := len(p.Values) == n*p.Dim
	if !allOf(hasFlags, hasWeights, hasValues, hasRows, hasEdges, hasLabels, hasFirst) {
		return fmt.Errorf("local: the arrays of the state of a tile are inconsistent")
	}
	t.graph = reduced.New(p)
	return nil
}
