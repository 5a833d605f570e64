// SPDX-License-Identifier: BSD-3-Clause

package local

import (
	"errors"
	"slices"

	"superpoint/partition/problem/reduced"
)

// The result of the global merge is as large as a survey, and a tile needs only the components
// of its own initial components: it is written in blocks and read in part.

// MergedHeader has the values that all parts of a Merged have in common.
//
// Unit has to be among them: core components of different tiles are added as integers (totals), so all tiles
// must count in the same unit, which follows from the full result only (step).
type MergedHeader struct {
	Dim        int     `json:"dim"`
	Weighted   int     `json:"weighted,omitempty"` // columns with weights
	MinSize    int     `json:"min_size"`
	Lambda     float64 `json:"lambda"`
	Unit       float64 `json:"unit"` // of sums over points
	Components int     `json:"components"`
}

// Head returns the values that all parts have in common.
func (j *Merged) Head() MergedHeader {
	return MergedHeader{Dim: j.part.Dim, Weighted: j.part.Weighted, MinSize: j.least,
		Lambda: float64(j.part.Scale),
		Unit:   j.unit, Components: j.part.Vertices()}
}

// MergedInitial are initial components, by the IDs of their first points, ascending, and the
// component of each.
type MergedInitial struct {
	First []uint64
	Label []uint32
}

// Arrays lists the arrays.
func (a *MergedInitial) Arrays() []any { return []any{&a.First, &a.Label} }

// Initial returns at most most initial components, from the lo-th on; none after the last.
//
// The IDs ascend over all blocks, so that a reader finds the blocks with the IDs of its tile by the first and
// last ID of each, and reads no others.
func (j *Merged) Initial(lo, most int) MergedInitial {
	hi := min(len(j.first), lo+most)
	return MergedInitial{j.first[min(lo, hi):hi], j.label[min(lo, hi):hi]}
}

// Components are components of the global merge.
type Components struct{ reduced.Components }

// Arrays lists the arrays.
func (c *Components) Arrays() []any { return []any{&c.Size, &c.Mean, &c.Mass} }

// Components returns at most most components, from the lo-th on; none after the last.
func (j *Merged) Components(lo, most int) Components {
	p := j.part.Components
	hi := min(p.Vertices(), lo+most)
	lo = min(lo, hi)
	p.Size, p.Mean = p.Size[lo:hi], p.Mean[lo*p.Dim:hi*p.Dim]
	if p.Weighted > 0 {
		p.Mass = p.Mass[lo:hi]
	}
	return Components{p}
}

// Part returns the partition of some of the initial components, ascending. number has the
// indices of their components, ascending, and components their sizes and means. It returns an
// error if the arrays are inconsistent.
//
// Claim: a tile refines with a part as with the full result. Reason: moves compare labels only by equality
// and, for equal changes of the energy, by order (prefer). number ascends, so that index in the part and
// number in the full result have the same order. No point of the tile has a component that is not in the
// part, unless its initial component is inexact.
//
// Moves need sizes and means of components but no edges between them, so that the graph of a part has no
// rows.
func (h MergedHeader) Part(initial MergedInitial, number []uint32, components Components) (*Merged, error) {
	bad := errors.New("local: the arrays of the merged components are inconsistent")
	if len(initial.First) != len(initial.Label) || len(components.Size) != len(number) ||
		len(components.Mean) != len(number)*h.Dim || len(components.Mass) != len(number)*min(h.Weighted, 1) ||
		h.Weighted < 0 || h.Weighted > h.Dim {
		return nil, bad
	}
	components.Dim, components.Weighted = h.Dim, h.Weighted
	j := &Merged{first: initial.First, label: make([]uint32, len(initial.Label)), number: number,
		unit:        h.Unit,
		moveOptions: pointMoves(h.MinSize), part: &reduced.Graph{Components: components.Components,
			Scale: float32(h.Lambda)}}
	for i, c := range initial.Label {
		// from the number in the full result to the index in this part
		at, ok := slices.BinarySearch(number, c)
		if !ok {
			return nil, bad
		}
		j.label[i] = uint32(at)
	}
	return j, nil
}
