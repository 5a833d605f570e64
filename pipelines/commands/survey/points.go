// SPDX-License-Identifier: BSD-3-Clause

package survey

import (
	"errors"
	"math"
	"slices"

	"superpoint/filter"
	"superpoint/partition/base/tile"
)

// points are points of a tile's core in the order of their IDs, with embedding and edges.
type points struct {
	ID          []uint64
	Base        []int64 // [3], origin of positions, in neighbor.Unit from 0
	X, Y, Z     []int32
	Embedding   []float32
	Scattering  []float32 // near_scattering, of models with volume
	Start, Head []uint32  // edges stored with a point: indices in ID or, above its length, in Other
	Other       []uint64  // IDs of points outside the block
	Record      []uint32  // index among the records of the core
}

func (p *points) arrays() []any {
	return []any{&p.ID, &p.Base, &p.X, &p.Y, &p.Z, &p.Embedding, &p.Scattering, &p.Start, &p.Head, &p.Other, &p.Record}
}

// at returns the position of a point, in neighbor.Unit from 0.
func (p *points) at(i int) [3]int64 {
	return [3]int64{p.Base[0] + int64(p.X[i]), p.Base[1] + int64(p.Y[i]), p.Base[2] + int64(p.Z[i])}
}

// check fails if the arrays are inconsistent.
func (p *points) check(dim int) error {
	n := len(p.ID)
	last := uint32(0)
	for _, s := range p.Start {
		if s < last {
			return errors.New("damaged: its rows are not in order; remove it and run the survey again")
		}
		last = s
	}
	fits := len(p.Base) == 3 && len(p.X) == n && len(p.Y) == n && len(p.Z) == n && len(p.Embedding) == n*dim &&
		(len(p.Scattering) == 0 || len(p.Scattering) == n) &&
		len(p.Start) == n+1 && len(p.Head) == int(last) && len(p.Record) == n
	for _, at := range p.Head {
		fits = fits && int(at) < n+len(p.Other)
	}
	if !fits {
		return errors.New("damaged: its arrays do not fit together; remove it and run the survey again")
	}
	return nil
}

// blockPoints is the number of points of a block. Its summary is the west, south, east and
// north bound of the points, in units of the coordinates.
const (
	blockPoints   = 1 << 14
	pointsSummary = 4
)

// writePoints writes the points of a tile's core; core, x and y are in the order of records.
func (v *Survey) writePoints(path string, part *filter.Embedded, core []bool, x, y []float64) (uint32, error) {
	record := make([]uint32, len(core)) // number of records of the core before each
	for i := range record[1:] {
		record[i+1] = record[i]
		if core[i] {
			record[i+1]++
		}
	}
	var own []uint32
	for u, i := range part.Cloud.Order {
		if core[i] {
			own = append(own, uint32(u))
		}
	}
	slices.SortFunc(own, func(a, b uint32) int {
		if part.ID[a] < part.ID[b] {
			return -1
		}
		return 1
	})
	base := lattice(part)
	place := make([]uint32, len(part.ID)) // index in the current block, from 1
	return writeBlocks(path, (len(own)+blockPoints-1)/blockPoints, func(k int) ([]any, []float64) {
		these := own[k*blockPoints : min(len(own), (k+1)*blockPoints)]
		p := &points{Base: base[:], Start: []uint32{0}}
		first := part.Cloud.Order[these[0]]
		box := tile.Box{West: x[first], South: y[first], East: x[first], North: y[first]}
		for at, u := range these {
			place[u] = uint32(at) + 1
			i := part.Cloud.Order[u]
			box = enclosing(box, tile.Box{West: x[i], South: y[i], East: x[i], North: y[i]})
		}
		other := map[uint32]uint32{}
		name := func(u uint32) uint32 {
			if at := place[u]; at > 0 {
				return at - 1
			}
			at, ok := other[u]
			if !ok {
				at = uint32(len(these) + len(p.Other))
				other[u], p.Other = at, append(p.Other, part.ID[u])
			}
			return at
		}
		for _, u := range these {
			at := part.Cloud.XYZ[u]
			p.ID, p.X, p.Y, p.Z = append(p.ID, part.ID[u]), append(p.X, at[0]), append(p.Y, at[1]), append(p.Z, at[2])
			p.Embedding = append(p.Embedding, part.Embedding[int(u)*part.Dim:int(u+1)*part.Dim]...)
			if part.Scattering != nil {
				p.Scattering = append(p.Scattering, part.Scattering[u])
			}
			for _, to := range part.Edges.Of(u) {
				p.Head = append(p.Head, name(to))
			}
			p.Start = append(p.Start, uint32(len(p.Head)))
			p.Record = append(p.Record, record[part.Cloud.Order[u]])
		}
		for _, u := range these {
			place[u] = 0
		}
		return p.arrays(), []float64{box.West, box.South, box.East, box.North}
	})
}

// lattice returns the origin of the positions of a cloud, in its units.
func lattice(part *filter.Embedded) (base [3]int64) {
	o := part.Cloud.Origin
	for a, at := range [3]float64{o.X, o.Y, o.Z} {
		base[a] = int64(math.Round(at / part.Cloud.Unit))
	}
	return base
}
