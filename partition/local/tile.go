package local

import (
	"fmt"

	"github.com/golang/geo/r3"

	"superpoint/partition"
	"superpoint/partition/parallel"
	"superpoint/partition/reduced"
)

// Tile is a part of a problem: the points of a core and of a halo around it. The
// tiles of a problem give together, byte for byte, the partition of the whole,
// however they are cut and in whatever order they are worked on:
//
//	every tile      Coarsen   its points into atoms
//	one machine     Join      all atoms
//	every tile      Refine    its points into pieces
//	one machine     Finish    all pieces
//
// Nothing is hoped for: what a tile cannot know, because its halo ends, is
// followed from step to step, and if that reaches the core the step fails with an
// *HaloError, and the tile is to be tried again with a wider halo.
type Tile struct {
	Problem *partition.Problem // of the points of the tile, with the whole's λ and smallest size; Before is not used
	ID      []uint64           // of each point: different for all in the whole, and between equals the smaller decides
	Core    []bool             // points that are this tile's; every point of the whole is one tile's
	Known   []bool             // points whose edges in the whole are all there

	graph *reduced.Graph
	label []uint32 // atom of each point
	right []bool   // atoms that are those of the whole
	first []uint32 // first point of each atom
}

// HaloError says that a halo is too narrow for a step to be exact in the core.
type HaloError struct {
	Points int     // of the core that are inexact
	Step   string  // "embed", "coarsen" or "refine"
	Places []Place // where more must be known; nil = anywhere around the tile
}

// Place is a place around which all points must be known, in metres.
type Place struct {
	At     r3.Vector
	Radius float64
}

func (e *HaloError) Error() string {
	return fmt.Sprintf("the halo is too narrow to %s %d points of the core; take a wider one", e.Step, e.Points)
}

// Atoms are what a tile hands to Join: those of its atoms whose first point is
// in its core. Memory: 20 bytes and 4 a column for an atom, 16 for an edge.
type Atoms struct {
	First   []uint64  // ID of the first point
	Size    []float32 // points
	Mean    []float32 // atoms × Dim
	Edge    []Edge
	Points  int     // of the core
	Largest float32 // absolute value in the core
}

// Edge leads from an atom of a tile to one of any tile.
type Edge struct {
	From   uint32 // its place in the tile's list
	To     uint64 // ID of the first point of the other
	Weight float32
}

// Coarsen merges the points in a fixed number of rounds.
func (t *Tile) Coarsen(run parallel.Run) (*Atoms, error) {
	if err := t.check(run); err != nil {
		return nil, err
	}
	q := *t.Problem
	q.Before = func(u, v uint32) bool { return t.ID[u] < t.ID[v] }
	q.Key = func(u uint32) uint64 { return t.ID[u] }
	var err error
	if t.graph, err = newGraph(run, &q); err != nil {
		return nil, err
	}
	m := pairer{graph: t.graph, lean: true}
	t.right = append([]bool(nil), t.Known...)
	for range rounds {
		g := m.graph
		merged, err := m.round(run, reduced.Terms{Most: cap0, Even: true, Shuffle: true}, true)
		if err != nil {
			return nil, err
		}
		right := sureUnion(g, m.choice.Neighbor, t.right)
		if merged {
			right = ofUnions(right, m.labels[len(m.labels)-1], m.graph.Vertices())
		}
		t.right = right
	}
	if t.label, err = m.result(run, len(t.ID)); err != nil {
		return nil, err
	}
	t.first = make([]uint32, m.graph.Vertices())
	for c := range t.first {
		t.first[c] = m.graph.FirstOf(uint32(c))
	}
	return t.atoms(m.graph)
}

func (t *Tile) check(run parallel.Run) error {
	if err := t.Problem.Validate(run); err != nil {
		return err
	}
	if n := t.Problem.Graph.Vertices(); len(t.ID) != n || len(t.Core) != n || len(t.Known) != n {
		return fmt.Errorf("local: tile of %d points with %d IDs, %d core and %d known flags", n, len(t.ID), len(t.Core),
			len(t.Known))
	}
	return nil
}

// sureUnion tells which vertices are after a round in the union of the whole. A
// vertex's choice is that of the whole if it and its neighbours are right. Whom a
// pair takes in depends on the choices of both and of their neighbours; what
// becomes of a vertex, on the pair that its own choice may be of.
func sureUnion(g *reduced.Graph, choice []uint32, right []bool) []bool {
	chosen := besideAll(g, right)
	taken := besideAll(g, chosen)
	sure := make([]bool, len(right))
	for u := range sure {
		v := choice[u]
		sure[u] = chosen[u] && (v == reduced.None || taken[v] && taken[choice[v]])
	}
	return sure
}

// besideAll tells which vertices have the flag and only neighbours that have it.
func besideAll(g *reduced.Graph, flag []bool) []bool {
	all := append([]bool(nil), flag...)
	for u := range uint32(len(flag)) {
		for _, v := range g.Head[g.Start[u]:g.End[u]] {
			all[u] = all[u] && flag[v]
			all[v] = all[v] && flag[u]
		}
	}
	return all
}

func ofUnions(flag []bool, label []uint32, count int) []bool {
	all := make([]bool, count)
	for c := range all {
		all[c] = true
	}
	for u, c := range label {
		all[c] = all[c] && flag[u]
	}
	return all
}

// atoms lists the tile's own atoms and their edges.
func (t *Tile) atoms(g *reduced.Graph) (*Atoms, error) {
	near := besideAll(g, t.right)
	unsure, a := 0, &Atoms{}
	d := g.Dim
	for u, c := range t.label {
		if !t.Core[u] {
			continue
		}
		if !t.right[c] || t.Core[t.first[c]] && !near[c] {
			unsure++
		}
		a.Points++
		for _, y := range t.Problem.Values[u*d : (u+1)*d] {
			a.Largest = max(a.Largest, y, -y)
		}
	}
	if unsure > 0 {
		return nil, &HaloError{Points: unsure, Step: "coarsen"}
	}
	place := make([]uint32, g.Vertices())
	own := func(c uint32) bool { return t.Core[t.first[c]] }
	for c := range uint32(g.Vertices()) {
		if own(c) {
			place[c] = uint32(len(a.First))
			a.First, a.Size = append(a.First, t.ID[t.first[c]]), append(a.Size, g.Size[c])
			a.Mean = append(a.Mean, g.Mean[int(c)*d:int(c+1)*d]...)
		}
	}
	for u := range uint32(g.Vertices()) {
		for k := g.Start[u]; k < g.End[u]; k++ {
			v, w := g.Head[k], g.Weight[k]
			if own(u) {
				a.Edge = append(a.Edge, Edge{place[u], t.ID[t.first[v]], w})
			}
			if own(v) {
				a.Edge = append(a.Edge, Edge{place[v], t.ID[t.first[u]], w})
			}
		}
	}
	return a, nil
}
