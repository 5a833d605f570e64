// SPDX-License-Identifier: BSD-3-Clause

package local

import (
	"fmt"
	"slices"

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

// allOf reports whether all conditions hold.
func allOf(conditions ...bool) bool { return !slices.Contains(conditions, false) }

// rising reports whether rows begin in ascending order, and end at the last edge.
func rising(start []uint32, end int) bool {
	at := uint32(0)
	for _, s := range start {
		if s < at {
			return false
		}
		at = s
	}
	return int(at) == end
}

// below reports whether all indices are those of n values.
func below(index []uint32, n int) bool {
	for _, i := range index {
		if int(i) >= n {
			return false
		}
	}
	return true
}

// Arrays lists the arrays.
func (a *InitialComponents) Arrays() []any {
	return []any{&a.First, &a.Size, &a.Mean, &a.Mass, &a.From, &a.To, &a.Weight, &a.Largest}
}

// check sets the number of columns. It returns an error if the arrays are inconsistent.
func (a *InitialComponents) check(dim int) error {
	n := len(a.First)
	a.Dim = dim
	a.Weighted = 0
	if len(a.Mass) > 0 {
		a.Weighted = problem.WeightedColumns
	}
	hasComponents := len(a.Size) == n && len(a.Mean) == n*dim && len(a.Mass) == n*min(a.Weighted, 1)
	hasEdges := len(a.To) == len(a.From) && len(a.Weight) == len(a.From) && below(a.From, n)
	if !hasComponents || !hasEdges {
		return fmt.Errorf("local: the arrays of a tile's initial components are inconsistent")
	}
	return nil
}

// Arrays lists the arrays.
func (p *CoreComponents) Arrays() []any {
	return []any{&p.First, &p.Label, &p.Size, &p.Sum, &p.A, &p.B, &p.Inside, &p.Own, &p.Other,
		&p.Component, &p.Across}
}

// check returns an error if the arrays, with width sums for each component, are inconsistent.
func (p *CoreComponents) check(width int) error {
	n := len(p.First)
	hasComponents := len(p.Label) == n && len(p.Size) == n && len(p.Sum) == n*width
	pairs := len(p.A)
	hasPairs := len(p.B) == pairs && len(p.Inside) == pairs
	edges := len(p.Own)
	hasEdges := len(p.Other) == edges && len(p.Component) == edges && len(p.Across) == edges
	areIndices := below(p.A, n) && below(p.B, n) && below(p.Component, n)
	if !allOf(hasComponents, hasPairs, hasEdges, areIndices) {
		return fmt.Errorf("local: the arrays of a tile's core components are inconsistent")
	}
	return nil
}
