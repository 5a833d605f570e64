// SPDX-License-Identifier: BSD-3-Clause

package local

import (
	"fmt"

	"superpoint/partition/problem"
	"superpoint/partition/problem/reduced"
)

// The results of steps as flat arrays of numbers. Arrays returns pointers to the slices, which
// are written to a file or read from one; the functions that convert them back check them.

// TileState is the state of a tile between Coarsen and Refine.
type TileState struct {
	Dim         []uint32 // columns of Value
	ID          []uint64
	Core, Known []bool
	Value       []float32
	Weighting   []float32 // weights of points; none: 1
	Start, Head []uint32
	Weight      []float32
	Label       []uint32
	First       []uint32
	Exact       []bool
}

// State returns the state of a tile after Coarsen.
func (t *Tile) State() *TileState {
	g := t.Problem.Graph
	return &TileState{Dim: []uint32{uint32(t.Problem.Dim)}, ID: t.ID, Core: t.Core, Known: t.Known,
		Value: t.Problem.Values, Weighting: t.Problem.Weight,
		Start: g.Start, Head: g.Head, Weight: t.graph.Weight, Label: t.label, First: t.first, Exact: t.exact}
}

// Arrays lists the arrays.
func (s *TileState) Arrays() []any {
	return []any{&s.Dim, &s.ID, &s.Core, &s.Known, &s.Value, &s.Weighting, &s.Start, &s.Head, &s.Weight, &s.Label, &s.First, &s.Exact}
}

// InitialIDs returns the IDs of the first points of the initial components that are exact:
// those whose component Refine needs.
func (s *TileState) InitialIDs() (first []uint64) {
	for c, u := range s.First {
		if c < len(s.Exact) && s.Exact[c] && int(u) < len(s.ID) {
			first = append(first, s.ID[u])
		}
	}
	return first
}

// Tile returns the tile after Coarsen, for Refine with the λ of j. It returns an error if the
// arrays are inconsistent.
func (s *TileState) Tile(j *Merged) (*Tile, error) {
	n := len(s.ID)
	d := j.part.Dim
	weighted := j.part.Weighted
	if len(s.Dim) != 1 || int(s.Dim[0]) != d || len(s.Weighting) != n*min(weighted, 1) || len(s.Core) != n || len(s.Known) != n || len(s.Value) != n*d ||
		len(s.Start) != n+1 || len(s.Weight) != len(s.Head) || len(s.Label) != n || len(s.First) != len(s.Exact) ||
		!rising(s.Start, len(s.Head)) || !below(s.Head, n) || !below(s.Label, len(s.First)) || !below(s.First, n) {
		return nil, fmt.Errorf("local: the arrays of the state of a tile are inconsistent")
	}
	size := make([]float32, n)
	for u := range size {
		size[u] = 1
	}
	t := &Tile{ID: s.ID, Core: s.Core, Known: s.Known, label: s.Label, exact: s.Exact, first: s.First}
	t.graph = &reduced.Graph{Components: reduced.Components{Dim: d, Sphere: j.part.Sphere, Weighted: weighted,
		Mean: s.Value, Size: size, Mass: s.Weighting}, Scale: j.part.Scale,
		Start: s.Start[:n], End: s.Start[1:], Head: s.Head, Weight: s.Weight,
		Order: ids(t.ID)}
	return t, nil
}

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

func below(index []uint32, n int) bool {
	for _, i := range index {
		if int(i) >= n {
			return false
		}
	}
	return true
}

// InitialArrays are initial components as arrays.
type InitialArrays struct {
	First   []uint64
	Size    []float32
	Mean    []float32
	Mass    []float32
	From    []uint32
	To      []uint64
	Weight  []float32
	Largest []float32
}

// Flat returns the initial components as arrays.
func (a *InitialComponents) Flat() *InitialArrays {
	f := &InitialArrays{First: a.First, Size: a.Size, Mean: a.Mean, Mass: a.Mass, Largest: []float32{a.Largest}}
	for _, e := range a.Edge {
		f.From, f.To, f.Weight = append(f.From, e.From), append(f.To, e.To), append(f.Weight, e.Weight)
	}
	return f
}

// Arrays lists the arrays.
func (f *InitialArrays) Arrays() []any {
	return []any{&f.First, &f.Size, &f.Mean, &f.Mass, &f.From, &f.To, &f.Weight, &f.Largest}
}

// Components returns the initial components of the arrays, with dim columns. It returns an
// error if the arrays are inconsistent.
func (f *InitialArrays) Components(dim int) (*InitialComponents, error) {
	n, weighted := len(f.First), 0
	if len(f.Mass) > 0 {
		weighted = problem.WeightedColumns
	}
	if len(f.Size) != n || len(f.Mean) != n*dim || len(f.To) != len(f.From) || len(f.Weight) != len(f.From) ||
		len(f.Mass) != n*min(weighted, 1) || !below(f.From, n) || len(f.Largest) != 1 {
		return nil, fmt.Errorf("local: the arrays of a tile's initial components are inconsistent")
	}
	a := &InitialComponents{First: f.First, Largest: f.Largest[0], Components: reduced.Components{Dim: dim,
		Weighted: weighted, Size: f.Size, Mean: f.Mean, Mass: f.Mass}, Edge: make([]Edge, len(f.From))}
	for i := range a.Edge {
		a.Edge[i] = Edge{f.From[i], f.To[i], f.Weight[i]}
	}
	return a, nil
}

// CoreArrays are core components as arrays.
type CoreArrays struct {
	First      []uint64
	Label      []uint32
	Size, Sum  []int64
	A, B       []uint32
	Inside     []int64
	Own, Other []uint64
	Component  []uint32
	Across     []int64
}

// Flat returns the core components as arrays.
func (p *CoreComponents) Flat() *CoreArrays {
	f := &CoreArrays{First: p.First, Label: p.Label, Size: p.Size, Sum: p.Sum}
	for _, t := range p.Inside {
		f.A, f.B, f.Inside = append(f.A, t.A), append(f.B, t.B), append(f.Inside, t.Weight)
	}
	for _, c := range p.Across {
		f.Own, f.Other = append(f.Own, c.Own), append(f.Other, c.Other)
		f.Component, f.Across = append(f.Component, c.Component), append(f.Across, c.Weight)
	}
	return f
}

// Arrays lists the arrays.
func (f *CoreArrays) Arrays() []any {
	return []any{&f.First, &f.Label, &f.Size, &f.Sum, &f.A, &f.B, &f.Inside, &f.Own, &f.Other, &f.Component, &f.Across}
}

// Components returns the core components of the arrays, with width sums each. It returns an
// error if the arrays are inconsistent.
func (f *CoreArrays) Components(width int) (*CoreComponents, error) {
	n, m, k := len(f.First), len(f.A), len(f.Own)
	if len(f.Label) != n || len(f.Size) != n || len(f.Sum) != n*width || len(f.B) != m || len(f.Inside) != m ||
		!below(f.A, n) || !below(f.B, n) || len(f.Other) != k || len(f.Component) != k || len(f.Across) != k ||
		!below(f.Component, n) {
		return nil, fmt.Errorf("local: the arrays of a tile's core components are inconsistent")
	}
	p := &CoreComponents{First: f.First, Label: f.Label, Size: f.Size, Sum: f.Sum, Inside: make([]Adjacency, m),
		Across: make([]BorderEdge, k)}
	for i := range p.Inside {
		p.Inside[i] = Adjacency{f.A[i], f.B[i], f.Inside[i]}
	}
	for i := range p.Across {
		p.Across[i] = BorderEdge{f.Own[i], f.Other[i], f.Component[i], f.Across[i]}
	}
	return p, nil
}
