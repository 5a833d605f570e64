// SPDX-License-Identifier: BSD-3-Clause

package local

import (
	"fmt"
	"slices"

	"superpoint/partition/problem"
	"superpoint/partition/problem/reduced"
)

// InitialComponents are the result of Coarsen and the input of Merge: the initial components
// of a tile whose first point is in its core, and the edges from these to components of any tile.
// Memory: 12 bytes and 4 a column for an initial component, 4 more with weights, 16 for an edge.
type InitialComponents struct {
	First []uint64 // ID of the first point
	reduced.Components
	From    []uint32 // of each edge, index of the initial component
	To      []uint64 // ID of the first point of the other
	Weight  []float32
	Largest []float32 // largest absolute value in the core, if there is one

	// of a tile that is the full cloud, in canonical order; then there are no other arrays but Largest
	//
	// A file never has it: Coarsen of a tile with IDs leaves it nil.
	full *reduced.Graph
}

func (a *InitialComponents) addEdge(from uint32, to uint64, weight float32) {
	a.From = append(a.From, from)
	a.To = append(a.To, to)
	a.Weight = append(a.Weight, weight)
}

// CoreComponents are the result of Refine and the input of Finish: the connected
// components of a tile's core, by label. Memory: 20 bytes and 8 bytes a column for a
// component, 16 for an adjacent pair, 28 for an edge that leaves the core.
//
// All sums are integers, so that Finish may add the sums of tiles in any order. An edge that leaves the core
// is in the lists of both tiles, with its two points swapped; Finish uses the two entries to check that the
// tiles belong to one survey.
type CoreComponents struct {
	First      []uint64 // ID of the first point
	Label      []uint32 // component of the global merge
	Size       []int64  // number of points
	Sum        []int64  // core components × SumWidth: sums of values, see totals
	A, B       []uint32 // adjacent pairs in the core
	Inside     []int64  // the sums of the weights between them, in 65536ths
	Own, Other []uint64 // IDs of the points of edges that leave the core
	Component  []uint32 // of Own
	Across     []int64  // weights of these edges, in 65536ths
}

// rising reports whether rows begin in ascending order, and end at the last edge.
//
// Together with below it makes a row of any vertex a valid range of edges, whatever bytes a file had.
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

// below reports whether all indices are in [0, n).
func below(index []uint32, n int) bool {
	for _, i := range index {
		if int(i) >= n {
			return false
		}
	}
	return true
}

// allOf reports whether all conditions hold.
//
// A function of values and not a chain of &&: each condition has a name, and all are computed.
func allOf(conditions ...bool) bool { return !slices.Contains(conditions, false) }

// Arrays lists the arrays.
func (a *InitialComponents) Arrays() []any {
	return []any{&a.First, &a.Size, &a.Mean, &a.Mass, &a.From, &a.To, &a.Weight, &a.Largest}
}

// check sets the number of columns. It returns an error if the arrays are inconsistent.
//
// The files have no header: whether there are weights is seen from Mass, which is empty without. A tile
// without initial components (no first point is in its core) therefore counts as one without weights; Merge
// takes the maximum of all tiles.
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
//
// Label is not checked here: Finish compares labels with each other only, and never uses one as an index.
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
