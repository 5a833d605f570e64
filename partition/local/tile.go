// SPDX-License-Identifier: BSD-3-Clause

package local

import (
	"fmt"

	"superpoint/partition/base/arrays"
	"superpoint/partition/base/parallel"
	"superpoint/partition/problem"
	"superpoint/partition/problem/reduced"

	"github.com/golang/geo/r3"
)

// Tile is a part of a problem: the points of a core and of a halo around it. The tiles of a
// problem give the partition of the full cloud, byte for byte, for any division into cores
// and any order of tiles:
//
//	for each tile   Coarsen   points to initial components
//	once            Merge     all initial components
//	for each tile   Refine    points to core components
//	once            Finish    all core components
//
// The equality does not depend on an assumption about the width of the halo: each step
// computes which of its results may differ from the results for the full cloud because
// the halo ends. If a result in the core may differ, the step returns a *HaloError, and
// must be repeated with a wider halo.
//
// A tile without ID, Core and Known is the full cloud, in the order of its problem: Solver takes the same
// steps with it.
type Tile struct {
	// of the points of the tile, with λ and smallest size of the full cloud; Order is not used
	Problem *problem.Problem
	ID      []uint64 // unique in the full cloud; ties are broken in favour of the smaller ID
	Core    []bool   // points of the core; every point of the full cloud is in one core
	Known   []bool   // points all of whose edges in the full cloud are in the tile

	graph *reduced.Graph
	label []uint32 // initial component of each point
	exact []bool   // initial components that equal initial components of the full cloud
	first []uint32 // first point of each initial component
}

// HaloError is the error of a halo that is too narrow for a step to be exact in the core.
type HaloError struct {
	Points int    // number of points of the core that are inexact
	Step   string // "embed", "coarsen" or "refine"
	Places []Ball // where more points are needed; nil = anywhere around the tile
}

// Ball is a ball all of whose points are needed, in metres.
type Ball struct {
	At     r3.Vector
	Radius float64
}

func (e *HaloError) Error() string {
	return fmt.Sprintf("the halo is too narrow to %s %d points of the core; take a wider one",
		e.Step, e.Points)
}

// Coarsen merges the points to initial components, in a fixed number of rounds. Its error is
// a *HaloError if the halo is too narrow, another if arrays differ in length.
//
// The caller's Problem is not changed: a copy gets the order by IDs and the rounded weights.
func (t *Tile) Coarsen(run parallel.Run) (a *InitialComponents, err error) {
	defer parallel.Catch(&err)
	parallel.Check(t.check(run))
	q := *t.Problem
	if t.ID != nil {
		q.Order = ids(t.ID)
	}
	t.graph = newGraph(run, &q)
	q.Contrast = t.graph.Weight
	t.Problem = &q
	if t.ID == nil {
		label, full := coarsen(run, t.graph)
		t.label = label
		return &InitialComponents{full: full, Largest: []float32{q.Largest(run)}}, nil
	}
	var initial *reduced.Graph
	t.label, initial, t.exact = coarsenPoints(run, t.graph, t.Known)
	// Refine needs the first points only: by their IDs it finds the component of each initial component in
	// the result of Merge.
	t.first = make([]uint32, initial.Vertices())
	for c := range t.first {
		t.first[c] = initial.FirstOf(uint32(c))
	}
	return t.initial(initial)
}

// ids is the order of vertices by their IDs.
type ids []uint64

// Precedes compares IDs. They are unique, so the order is total.
func (id ids) Precedes(u, v uint32) bool { return id[u] < id[v] }

// Key returns the ID itself. Its upper bits are the cell (neighbor.CellOf), as in the keys of a full cloud
// (neighbor.Ordered), so that the tie-break hash of an edge is the same in both.
func (id ids) Key(u uint32) uint64 { return id[u] }

// check returns an error if the problem is invalid or if only some of the three arrays of a tile are there: a
// tile with IDs but without flags would be taken for a full cloud by one step and for a tile by another.
func (t *Tile) check(run parallel.Run) error {
	if err := t.Problem.Validate(run); err != nil {
		return err
	}
	if t.ID == nil && t.Core == nil && t.Known == nil {
		return nil
	}
	if n := t.Problem.Graph.Vertices(); len(t.ID) != n || len(t.Core) != n || len(t.Known) != n {
		return fmt.Errorf("local: tile of %d points with %d IDs, %d core and %d known flags", n,
			len(t.ID), len(t.Core),
			len(t.Known))
	}
	return nil
}

// initial returns the initial components whose first point is in the core, and their edges.
//
// Two conditions, of which the second is easily overlooked. A component with a point in the core must be
// exact. And one that the tile owns, because its first point is in the core, must have exact neighbors as
// well: its edges are part of the result, and an edge names the other component by its first point.
func (t *Tile) initial(g *reduced.Graph) (*InitialComponents, error) {
	near := withNeighbors(g, t.exact)
	inexact := 0
	largest := float32(0)
	d := g.Dim
	for u, c := range t.label {
		if !t.Core[u] {
			continue
		}
		if !t.exact[c] || t.Core[t.first[c]] && !near[c] {
			inexact++
		}
		largest = max(largest, arrays.Largest(t.Problem.Values[u*d:(u+1)*d]))
	}
	if inexact > 0 {
		return nil, &HaloError{Points: inexact, Step: "coarsen"}
	}
	a := &InitialComponents{Largest: []float32{largest}}
	place := make([]uint32, g.Vertices())
	// Every initial component has one first point, and every point is in the core of one tile: so one tile
	// owns it.
	own := func(c uint32) bool { return t.Core[t.first[c]] }
	for c := range uint32(g.Vertices()) {
		if own(c) {
			place[c] = uint32(len(a.First))
			a.First = append(a.First, t.ID[t.first[c]])
		}
	}
	a.Components = g.New(len(a.First))
	for c := range uint32(g.Vertices()) {
		if own(c) {
			a.Copy(place[c], &g.Components, c)
		}
	}
	t.addEdges(a, g, place)
	return a, nil
}

// addEdges adds the edges of the components of the core, in both directions where both ends are in the core.
// place has the index of each component of the core.
//
// The graph has each edge once, in the row of its smaller end by the numbers of this tile, so both ends are
// considered here. An edge to a component of another tile is listed by each of the two owners, with the
// owner's end as From.
func (t *Tile) addEdges(a *InitialComponents, g *reduced.Graph, place []uint32) {
	for u := range uint32(g.Vertices()) {
		ownU := t.Core[t.first[u]]
		for k := g.Start[u]; k < g.End[u]; k++ {
			v := g.Head[k]
			if ownU {
				a.addEdge(place[u], t.ID[t.first[v]], g.Weight[k])
			}
			if t.Core[t.first[v]] {
				a.addEdge(place[v], t.ID[t.first[u]], g.Weight[k])
			}
		}
	}
}
