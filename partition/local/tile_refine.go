// SPDX-License-Identifier: BSD-3-Clause

package local

import (
	"slices"

	"superpoint/partition/base/arrays"
	"superpoint/partition/base/parallel"
	"superpoint/partition/problem/reduced"
)

// Refine refines the boundaries of the components of j, and returns the connected components
// of the core, and the index among these of each point, None outside the core. Its error is a
// *HaloError if the halo is too narrow.
func (t *Tile) Refine(run parallel.Run, j *Merged) (cores *CoreComponents, connected []uint32, err error) {
	r, err := t.refine(run, j)
	if err != nil {
		return nil, nil, err
	}
	return r.cores, r.connected, nil
}

func (t *Tile) refine(run parallel.Run, j *Merged) (_ *refined, err error) {
	defer parallel.Catch(&err)
	if t.graph == nil {
		parallel.Check(t.restore(j))
	}
	if t.ID == nil {
		return t.refineFull(run, j, relabelled(run, t.label, j.label)), nil
	}
	label, known := t.components(run, j)
	// The extra component has the number after the last of j, which components has given to points with
	// inexact labels.
	part := withExtra(j.part)
	moveLabels(run, t.graph, part, label, j.moveOptions)
	if inexact := t.inexact(known, j.passes); inexact > 0 {
		return nil, &HaloError{Points: inexact, Step: "refine"}
	}
	r := t.connectCore(run, j.unit, label, uint32(part.Vertices()))
	if j.number != nil {
		reduced.Relabel(run, r.cores.Label, j.number)
	}
	return r, nil
}

// refineFull refines the boundaries of the components label of a full cloud. It moves points between them in
// place.
func (t *Tile) refineFull(run parallel.Run, j *Merged, label []uint32) *refined {
	moveLabels(run, t.graph, j.part, label, j.moveOptions)
	arrays.Collect()
	return t.connectCore(run, j.unit, label, reduced.None)
}

// components returns the component of each point in j, and whether it is exact. Points whose
// initial component is inexact are in an extra component, the last.
//
// Inexact components still take part in the moves of their neighbors, so they need a label. The extra one is
// wrong by intent, and inexact then removes every point that it may have influenced. With any label of the
// global merge instead, a wrong result could look like a right one.
func (t *Tile) components(run parallel.Run, j *Merged) (label []uint32, known []bool) {
	spare := uint32(j.part.Vertices())
	of := make([]uint32, len(t.exact))
	for c, first := range t.first {
		of[c] = spare
		if place, ok := slices.BinarySearch(j.first, t.ID[first]); t.exact[c] && ok {
			of[c] = j.label[place]
		}
	}
	label = relabelled(run, t.label, of)
	known = make([]bool, len(label))
	for u, c := range label {
		known[u] = c != spare
	}
	return label, known
}

// withExtra returns part with an extra component of one point.
//
// Its size and mass are 1, so that no division is by 0. Components of fewer than 8 points neither lose nor
// gain points (isHeavy), so no point enters it either.
func withExtra(part *reduced.Graph) *reduced.Graph {
	n := part.Vertices()
	g := *part
	g.Components = part.New(n + 1)
	g.CopyRange(&part.Components, 0, n)
	g.Size[n] = 1
	if g.Weighted > 0 {
		g.Mass[n] = 1
	}
	return &g
}

// inexact returns the number of points of the core whose component may differ from their
// component in the full cloud. exact has the points that are exact before the passes.
//
// Claim: after a pass a point is exact if it, its neighbours and their neighbours were exact
// before, with all their edges. Reason: a preferred label is exact if the point and its
// neighbours are exact and have all their edges; and whether the move is granted depends on
// the preferred labels of the point and its neighbours only.
//
// The flags are computed without looking at the moves that were made: a point whose neighbor is inexact
// counts as inexact even if that neighbor did not move. That is cautious, and it makes the answer a function
// of the graph and the halo alone.
func (t *Tile) inexact(exact []bool, passes int) (count int) {
	for range passes {
		// A point without all its edges has a preferred label that may be wrong, even if all neighbors that
		// the tile has are exact.
		for u := range exact {
			exact[u] = exact[u] && t.Known[u]
		}
		exact = withNeighbors(t.graph, withNeighbors(t.graph, exact))
	}
	for u, core := range t.Core {
		if core && !exact[u] {
			count++
		}
	}
	return count
}
