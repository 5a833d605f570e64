package local

import (
	"errors"
	"slices"

	"superpoint/partition/reduced"
)

// What Join has made is as large as a survey, and a tile needs what its own atoms
// have become: it is written and read in parts.

// JoinedHead is what all parts of a partition of atoms have in common.
type JoinedHead struct {
	Dim        int     `json:"dim"`
	Sphere     int     `json:"sphere"` // columns on the unit sphere
	MinSize    int     `json:"min_size"`
	Lambda     float64 `json:"lambda"`
	Unit       float64 `json:"unit"` // of sums over points
	Components int     `json:"components"`
}

// Head returns what all parts have in common.
func (j *Joined) Head() JoinedHead {
	return JoinedHead{Dim: j.part.Dim, Sphere: j.part.Sphere, MinSize: j.least, Lambda: float64(j.part.Scale),
		Unit: j.unit, Components: j.part.Vertices()}
}

// JoinedAtoms are atoms, by the IDs of their first points, ascending, and the
// component of each.
type JoinedAtoms struct {
	First []uint64
	Label []uint32
}

// Arrays lists the arrays.
func (a *JoinedAtoms) Arrays() []any { return []any{&a.First, &a.Label} }

// Atoms returns at most most atoms, from the lo-th on; none behind the last.
func (j *Joined) Atoms(lo, most int) JoinedAtoms {
	hi := min(len(j.first), lo+most)
	return JoinedAtoms{j.first[min(lo, hi):hi], j.label[min(lo, hi):hi]}
}

// Components are sizes, in points, and means of components.
type Components struct {
	Size []float32
	Mean []float32 // components × Dim
}

// Arrays lists the arrays.
func (c *Components) Arrays() []any { return []any{&c.Size, &c.Mean} }

// Components returns at most most components, from the lo-th on; none behind the last.
func (j *Joined) Components(lo, most int) Components {
	hi := min(j.part.Vertices(), lo+most)
	lo = min(lo, hi)
	return Components{j.part.Size[lo:hi], j.part.Mean[lo*j.part.Dim : hi*j.part.Dim]}
}

// Part returns a partition of some of the atoms. Components are those that they are
// in, whose numbers ascend.
func (h JoinedHead) Part(atoms JoinedAtoms, number []uint32, components Components) (*Joined, error) {
	bad := errors.New("local: the parts of the joined atoms do not fit together")
	if len(atoms.First) != len(atoms.Label) || len(components.Size) != len(number) ||
		len(components.Mean) != len(number)*h.Dim || h.Sphere < 0 || h.Sphere > h.Dim {
		return nil, bad
	}
	j := &Joined{first: atoms.First, label: make([]uint32, len(atoms.Label)), number: number, unit: h.Unit,
		terms: fine(h.MinSize), part: &reduced.Graph{Dim: h.Dim, Sphere: h.Sphere, Scale: float32(h.Lambda),
			Size: components.Size, Mean: components.Mean}}
	for i, c := range atoms.Label {
		at, ok := slices.BinarySearch(number, c)
		if !ok {
			return nil, bad
		}
		j.label[i] = uint32(at)
	}
	return j, nil
}
