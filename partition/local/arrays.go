package local

import (
	"fmt"

	"superpoint/partition/reduced"
)

// What steps hand on, as flat arrays of numbers: Arrays points to them, to be
// written to a file, or filled from one and then checked by Check.

// TileState is what a tile must keep from Coarsen to Refine.
type TileState struct {
	Dim         []uint32 // columns of Value
	ID          []uint64
	Core, Known []bool
	Value       []float32
	Start, Head []uint32
	Weight      []float32
	Label       []uint32
	First       []uint32
	Right       []bool
}

// State is what Refine needs of a tile after Coarsen.
func (t *Tile) State() *TileState {
	g := t.Problem.Graph
	return &TileState{Dim: []uint32{uint32(t.Problem.Dim)}, ID: t.ID, Core: t.Core, Known: t.Known,
		Value: t.Problem.Values,
		Start: g.Start, Head: g.Head, Weight: t.graph.Weight, Label: t.label, First: t.first, Right: t.right}
}

// Arrays lists the arrays.
func (s *TileState) Arrays() []any {
	return []any{&s.Dim, &s.ID, &s.Core, &s.Known, &s.Value, &s.Start, &s.Head, &s.Weight, &s.Label, &s.First, &s.Right}
}

// Atoms lists the atoms that Refine asks what has become of: those that are sure, by
// the IDs of their first points.
func (s *TileState) Atoms() (first []uint64) {
	for c, u := range s.First {
		if c < len(s.Right) && s.Right[c] && int(u) < len(s.ID) {
			first = append(first, s.ID[u])
		}
	}
	return first
}

// Tile returns the tile as it was after Coarsen, to be refined with the λ of j.
func (s *TileState) Tile(j *Joined) (*Tile, error) {
	n := len(s.ID)
	d := j.part.Dim
	if len(s.Dim) != 1 || int(s.Dim[0]) != d || len(s.Core) != n || len(s.Known) != n || len(s.Value) != n*d ||
		len(s.Start) != n+1 || len(s.Weight) != len(s.Head) || len(s.Label) != n || len(s.First) != len(s.Right) ||
		!rising(s.Start, len(s.Head)) || !below(s.Head, n) || !below(s.Label, len(s.First)) || !below(s.First, n) {
		return nil, fmt.Errorf("local: the state of a tile does not fit together")
	}
	size := make([]float32, n)
	for u := range size {
		size[u] = 1
	}
	t := &Tile{ID: s.ID, Core: s.Core, Known: s.Known, label: s.Label, right: s.Right, first: s.First}
	t.graph = &reduced.Graph{Dim: d, Sphere: j.part.Sphere, Scale: j.part.Scale, Mean: s.Value, Size: size,
		Start: s.Start[:n], End: s.Start[1:], Head: s.Head, Weight: s.Weight,
		Before: func(u, v uint32) bool { return t.ID[u] < t.ID[v] }}
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

// AtomArrays are atoms as arrays.
type AtomArrays struct {
	First   []uint64
	Size    []float32
	Mean    []float32
	From    []uint32
	To      []uint64
	Weight  []float32
	Points  []uint64
	Largest []float32
}

// Flat returns the atoms as arrays.
func (a *Atoms) Flat() *AtomArrays {
	f := &AtomArrays{First: a.First, Size: a.Size, Mean: a.Mean, Points: []uint64{uint64(a.Points)},
		Largest: []float32{a.Largest}}
	for _, e := range a.Edge {
		f.From, f.To, f.Weight = append(f.From, e.From), append(f.To, e.To), append(f.Weight, e.Weight)
	}
	return f
}

// Arrays lists the arrays.
func (f *AtomArrays) Arrays() []any {
	return []any{&f.First, &f.Size, &f.Mean, &f.From, &f.To, &f.Weight, &f.Points, &f.Largest}
}

// Atoms are the atoms of the arrays, with dim columns.
func (f *AtomArrays) Atoms(dim int) (*Atoms, error) {
	n := len(f.First)
	if len(f.Size) != n || len(f.Mean) != n*dim || len(f.To) != len(f.From) || len(f.Weight) != len(f.From) ||
		!below(f.From, n) || len(f.Points) != 1 || len(f.Largest) != 1 {
		return nil, fmt.Errorf("local: the atoms of a tile do not fit together")
	}
	a := &Atoms{First: f.First, Size: f.Size, Mean: f.Mean, Points: int(f.Points[0]), Largest: f.Largest[0],
		Edge: make([]Edge, len(f.From))}
	for i := range a.Edge {
		a.Edge[i] = Edge{f.From[i], f.To[i], f.Weight[i]}
	}
	return a, nil
}

// PieceArrays are pieces as arrays.
type PieceArrays struct {
	First      []uint64
	Label      []uint32
	Size, Sum  []int64
	A, B       []uint32
	Inside     []int64
	Own, Other []uint64
	Piece      []uint32
	Across     []int64
}

// Flat returns the pieces as arrays.
func (p *Pieces) Flat() *PieceArrays {
	f := &PieceArrays{First: p.First, Label: p.Label, Size: p.Size, Sum: p.Sum}
	for _, t := range p.Inside {
		f.A, f.B, f.Inside = append(f.A, t.A), append(f.B, t.B), append(f.Inside, t.Weight)
	}
	for _, c := range p.Across {
		f.Own, f.Other = append(f.Own, c.Own), append(f.Other, c.Other)
		f.Piece, f.Across = append(f.Piece, c.Piece), append(f.Across, c.Weight)
	}
	return f
}

// Arrays lists the arrays.
func (f *PieceArrays) Arrays() []any {
	return []any{&f.First, &f.Label, &f.Size, &f.Sum, &f.A, &f.B, &f.Inside, &f.Own, &f.Other, &f.Piece, &f.Across}
}

// Pieces are the pieces of the arrays, with dim columns.
func (f *PieceArrays) Pieces(dim int) (*Pieces, error) {
	n, m, k := len(f.First), len(f.A), len(f.Own)
	if len(f.Label) != n || len(f.Size) != n || len(f.Sum) != n*dim || len(f.B) != m || len(f.Inside) != m ||
		!below(f.A, n) || !below(f.B, n) || len(f.Other) != k || len(f.Piece) != k || len(f.Across) != k ||
		!below(f.Piece, n) {
		return nil, fmt.Errorf("local: the pieces of a tile do not fit together")
	}
	p := &Pieces{First: f.First, Label: f.Label, Size: f.Size, Sum: f.Sum, Inside: make([]Touch, m),
		Across: make([]Crossing, k)}
	for i := range p.Inside {
		p.Inside[i] = Touch{f.A[i], f.B[i], f.Inside[i]}
	}
	for i := range p.Across {
		p.Across[i] = Crossing{f.Own[i], f.Other[i], f.Piece[i], f.Across[i]}
	}
	return p, nil
}
