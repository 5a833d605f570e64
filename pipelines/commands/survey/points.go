// SPDX-License-Identifier: BSD-3-Clause

package survey

import (
	"errors"
	"math"
	"slices"

	"superpoint/filter"
	"superpoint/filter/host"
	"superpoint/partition/base/arrays"
	"superpoint/partition/base/parallel"
	"superpoint/partition/base/tile"
	"superpoint/pipelines/commands/survey/blocks"
	"superpoint/pipelines/commands/survey/folder"
)

// Step embed writes the points of a tile's core to N.points, in blocks, and its long edges to N.long. Steps
// coarsen and refine read the blocks that touch a tile and its halo (halo.go).

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
	return []any{&p.ID, &p.Base, &p.X, &p.Y, &p.Z, &p.Embedding, &p.Scattering, &p.Start, &p.Head,
		&p.Other, &p.Record}
}

// at returns the position of a point, in neighbor.Unit from 0.
func (p *points) at(i int) [3]int64 {
	return [3]int64{p.Base[0] + int64(p.X[i]), p.Base[1] + int64(p.Y[i]), p.Base[2] + int64(p.Z[i])}
}

// check fails if the arrays are inconsistent.
func (p *points) check(dim int) error {
	if !slices.IsSorted(p.Start) {
		return errors.New("its rows are not in order")
	}
	n := len(p.ID)
	switch {
	case len(p.Base) != 3, len(p.X) != n, len(p.Y) != n, len(p.Z) != n:
		return blocks.ErrMisfit
	case len(p.Embedding) != n*dim, len(p.Record) != n:
		return blocks.ErrMisfit
	case len(p.Scattering) != 0 && len(p.Scattering) != n:
		return blocks.ErrMisfit
	case len(p.Start) != n+1, int(p.Start[n]) != len(p.Head):
		return blocks.ErrMisfit
	}
	for _, at := range p.Head {
		if int(at) >= n+len(p.Other) {
			return blocks.ErrMisfit
		}
	}
	return nil
}

// blockPoints is the number of points of a block. Its summary is the west, south, east and
// north bound of the points, in units of the coordinates.
const (
	blockPoints   = 1 << 14
	pointsSummary = 4
)

// writePoints writes the points of a tile's core; core and those that were read are in the order of records.
func writePoints(v *folder.Survey, m *folder.Mark, path string, part *filter.EmbeddedTile, core []bool,
	read *host.Columns) (sum uint32, err error) {
	defer parallel.Catch(&err)
	w := &pointWriter{part: part, read: read, base: lattice(part), place: make([]uint32, len(part.ID)),
		record: recordsBefore(core)}
	own := ownInOrder(v.Parallel(), part, core)
	count := (len(own) + blockPoints - 1) / blockPoints
	return v.SaveBlocks(m, path, count, func(k int) ([]any, []float64) {
		these := own[k*blockPoints : min(len(own), (k+1)*blockPoints)]
		box := w.box(these)
		return w.block(these).arrays(), []float64{box.West, box.South, box.East, box.North}
	})
}

// ownInOrder returns the points of a tile's core in the order of their IDs.
func ownInOrder(run parallel.Run, part *filter.EmbeddedTile, core []bool) (own []uint32) {
	for u, i := range part.Cloud.Order {
		if core[i] {
			own = append(own, uint32(u))
		}
	}
	sorted := arrays.Sorted(run, len(own), func(i int) uint64 { return part.ID[own[i]] })
	inOrder := make([]uint32, len(own))
	for k, item := range sorted {
		inOrder[k] = own[item.Of]
	}
	return inOrder
}

// recordsBefore returns the number of records of the core before each record.
func recordsBefore(core []bool) []uint32 {
	before := make([]uint32, len(core))
	for i := range before[1:] {
		before[i+1] = before[i]
		if core[i] {
			before[i+1]++
		}
	}
	return before
}

// pointWriter makes the blocks of a tile's points.
type pointWriter struct {
	part   *filter.EmbeddedTile
	read   *host.Columns
	base   [3]int64
	place  []uint32 // index in the current block, from 1; 0 for points of other blocks
	record []uint32 // of the core, by the order of records
}

// box returns the smallest box around points.
func (w *pointWriter) box(these []uint32) (box tile.Box) {
	for at, u := range these {
		i := w.part.Cloud.Order[u]
		point := tile.Box{West: w.read.X[i], South: w.read.Y[i], East: w.read.X[i], North: w.read.Y[i]}
		if at == 0 {
			box = point
		}
		box = box.Union(point)
	}
	return box
}

// block returns the points of a block with their edges. An end of an edge is an index in the block or, behind
// these, in the list of points of other blocks, which have their ids there.
func (w *pointWriter) block(these []uint32) *points {
	for at, u := range these {
		w.place[u] = uint32(at) + 1
	}
	p := &points{Base: w.base[:], Start: []uint32{0}}
	other := map[uint32]uint32{}
	for _, u := range these {
		part := w.part
		at := part.Cloud.XYZ[u]
		p.ID = append(p.ID, part.ID[u])
		p.X = append(p.X, at[0])
		p.Y = append(p.Y, at[1])
		p.Z = append(p.Z, at[2])
		p.Embedding = append(p.Embedding, part.Embedding[int(u)*part.Dim:int(u+1)*part.Dim]...)
		if part.Scattering != nil {
			p.Scattering = append(p.Scattering, part.Scattering[u])
		}
		for _, to := range part.Edges.Of(u) {
			p.Head = append(p.Head, w.name(p, other, len(these), to))
		}
		p.Start = append(p.Start, uint32(len(p.Head)))
		p.Record = append(p.Record, w.record[part.Cloud.Order[u]])
	}
	for _, u := range these {
		w.place[u] = 0
	}
	return p
}

// name returns the index of a point in a block of n points. Points of other blocks are added behind it, each
// once.
func (w *pointWriter) name(p *points, other map[uint32]uint32, n int, u uint32) uint32 {
	if at := w.place[u]; at > 0 {
		return at - 1
	}
	at, known := other[u]
	if !known {
		at = uint32(n + len(p.Other))
		other[u] = at
		p.Other = append(p.Other, w.part.ID[u])
	}
	return at
}

// lattice returns the origin of the positions of a cloud, in its units.
func lattice(part *filter.EmbeddedTile) (base [3]int64) {
	o := part.Cloud.Origin
	for a, at := range [3]float64{o.X, o.Y, o.Z} {
		base[a] = int64(math.Round(at / part.Cloud.Unit))
	}
	return base
}

// edgeList has the IDs of the ends of long edges, see plan.Shared.
type edgeList struct{ Own, End []uint64 }

func (l *edgeList) arrays() []any { return []any{&l.Own, &l.End} }

// longEdgesOf returns the edges longer than a length that start at points of the core.
func longEdgesOf(part *filter.EmbeddedTile, core []bool, long float64) (l edgeList) {
	for u, i := range part.Cloud.Order {
		if !core[i] {
			continue
		}
		for _, to := range part.Edges.Of(uint32(u)) {
			x, y, _ := part.Cloud.Offset(uint32(u), to)
			if math.Hypot(float64(x), float64(y)) > long {
				l.Own, l.End = append(l.Own, part.ID[u]), append(l.End, part.ID[to])
			}
		}
	}
	return l
}

// longEdges reads the long edges of all tiles.
func longEdges(v *folder.Survey) (*edgeList, error) {
	marks, _, err := v.Marks("embed")
	if err != nil {
		return nil, err
	}
	all := new(edgeList)
	for n, m := range marks {
		if m.Long == 0 {
			continue
		}
		own := new(edgeList)
		if err := v.ReadArrays(v.File("embed", n, "long"), own.arrays()); err != nil {
			return nil, err
		}
		if len(own.Own) != m.Long || len(own.End) != m.Long {
			return nil, blocks.Damaged(v.File("embed", n, "long"), blocks.ErrMisfit)
		}
		all.Own, all.End = append(all.Own, own.Own...), append(all.End, own.End...)
	}
	return all, nil
}
