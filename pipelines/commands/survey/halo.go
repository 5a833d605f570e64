// SPDX-License-Identifier: BSD-3-Clause

package survey

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/golang/geo/r3"

	"superpoint/filter"
	"superpoint/filter/host"
	"superpoint/filter/message"
	"superpoint/filter/method"
	"superpoint/partition/base/tile"
	"superpoint/partition/local"
	"superpoint/partition/neighbor"
	"superpoint/pipelines/commands/survey/blocks"
	"superpoint/pipelines/commands/survey/folder"
	"superpoint/pipelines/commands/survey/plan"
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
func writePoints(v *folder.Survey, m *folder.Mark, path string, part *filter.Embedded, core []bool,
	read *host.Columns) (uint32, error) {
	w := &pointWriter{part: part, read: read, base: lattice(part), place: make([]uint32, len(part.ID)),
		record: recordsBefore(core)}
	var own []uint32
	for u, i := range part.Cloud.Order {
		if core[i] {
			own = append(own, uint32(u))
		}
	}
	slices.SortFunc(own, func(a, b uint32) int { return cmp.Compare(part.ID[a], part.ID[b]) })
	count := (len(own) + blockPoints - 1) / blockPoints
	return v.SaveBlocks(m, path, count, func(k int) ([]any, []float64) {
		these := own[k*blockPoints : min(len(own), (k+1)*blockPoints)]
		box := w.box(these)
		return w.block(these).arrays(), []float64{box.West, box.South, box.East, box.North}
	})
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
	part   *filter.Embedded
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
func lattice(part *filter.Embedded) (base [3]int64) {
	o := part.Cloud.Origin
	for a, at := range [3]float64{o.X, o.Y, o.Z} {
		base[a] = int64(math.Round(at / part.Cloud.Unit))
	}
	return base
}

// haloTile has the points of a tile with its halo in the order of their IDs, read from the
// results of all tiles.
type haloTile struct {
	method.Input // with Cloud, Graph, Dim, Embedding and Scattering
	ID           []uint64
	Core         []bool
	Record       []uint32  // of points of the core: index of the record
	Rim          []float64 // metres to the border of the halo
	Known        []bool    // points of which all edges are present

	blocks  []block // of the files of points, to resolve the ends of edges
	located []located
}

// block is a block of a file of points.
type block struct {
	points
	core  bool
	place []uint32 // index of each point in the haloTile, or noPlace
}

const noPlace = math.MaxUint32

// located is a point of the haloTile and its place in the blocks.
type located struct {
	id           uint64
	rim          float64
	block, index uint32
}

// readHaloTile reads tile t with a halo, in units of the coordinates, from the results of
// step embed.
func readHaloTile(v *folder.Survey, t *plan.Tile, halo float64) (*haloTile, error) {
	known := newRegion(v, t, halo)
	a := &haloTile{}
	for n := range v.Plan.Tiles {
		other := &v.Plan.Tiles[n]
		if !v.Plan.Grid.Core(other.Column, other.Row).Touches(known.box) {
			continue
		}
		if err := addTile(v, a, n, n == t.Index, known); err != nil {
			return nil, err
		}
	}
	a.sort()
	return a, a.resolveEdges(v.Plan.Shared.Reach + slack)
}

// addTile adds the points of tile n that lie in known; core: all of them, as core.
func addTile(v *folder.Survey, a *haloTile, n int, core bool, known *region) error {
	marks, _, err := v.Marks("embed")
	if err != nil {
		return err
	}
	mark := marks[n]
	if mark.Points == 0 {
		return nil
	}
	a.Dim = mark.Dim
	metre := known.unit / neighbor.Unit
	var p points
	err = v.ReadBlocks(v.File("embed", n, "points"), pointsSummary, func(_ int, summary []float64) bool {
		box := tile.Box{West: summary[0], South: summary[1], East: summary[2], North: summary[3]}
		return box.Touches(known.box)
	}, p.arrays(), func(int) error {
		if err := p.check(a.Dim); err != nil {
			return err
		}
		b := block{points: p, core: core, place: make([]uint32, len(p.ID))}
		for i, id := range p.ID {
			b.place[i] = noPlace
			at := p.at(i)
			x, y := float64(at[0])/metre, float64(at[1])/metre
			if core || known.box.Contains(x, y) {
				a.located = append(a.located, located{id, known.rim(x, y), uint32(len(a.blocks)), uint32(i)})
			}
		}
		a.blocks = append(a.blocks, b)
		p = points{}
		return nil
	})
	return err
}

// sort sorts the points by ID.
func (a *haloTile) sort() {
	slices.SortFunc(a.located, func(p, q located) int { return cmp.Compare(p.id, q.id) })
	n := len(a.located)
	a.Cloud = &neighbor.Cloud{Unit: neighbor.Unit, XYZ: make([][3]int32, n, n+1), Order: make([]uint32, n)}
	var low, high, middle [3]int64
	for to, l := range a.located {
		b, i := &a.blocks[l.block], int(l.index)
		b.place[i], a.Cloud.Order[to] = uint32(to), uint32(to)
		a.ID = append(a.ID, l.id)
		a.Core = append(a.Core, b.core)
		a.Rim = append(a.Rim, l.rim)
		a.Record = append(a.Record, b.Record[i])
		a.Embedding = append(a.Embedding, b.Embedding[i*a.Dim:(i+1)*a.Dim]...)
		if len(b.Scattering) > 0 {
			a.Scattering = append(a.Scattering, b.Scattering[i])
		}
		at := b.at(i)
		if to == 0 {
			low, high = at, at
		}
		for k := range at {
			low[k], high[k] = min(low[k], at[k]), max(high[k], at[k])
		}
	}
	for k := range middle {
		middle[k] = (low[k] + high[k]) / 2
	}
	a.Cloud.Origin = r3.Vector{X: float64(middle[0]) * neighbor.Unit, Y: float64(middle[1]) * neighbor.Unit,
		Z: float64(middle[2]) * neighbor.Unit}
	for to, l := range a.located {
		for k, v := range a.blocks[l.block].at(int(l.index)) {
			a.Cloud.XYZ[to][k] = int32(v - middle[k])
		}
	}
	a.located = nil
}

// resolveEdges finds the ends of edges and sets Known. An edge is stored with one of its ends
// only. So edges of a point may be missing if its other end can lie outside the halo: if the
// point is within reach of the border, or an edge that it stores ends outside. Edges longer
// than reach are checked by markUnknown.
func (a *haloTile) resolveEdges(reach float64) (err error) {
	n := len(a.ID)
	a.Known = make([]bool, n)
	for u := range a.Known {
		a.Known[u] = a.Rim[u] > reach
	}
	var edges [][2]uint32
	for k := range a.blocks {
		edges = append(edges, a.edgesOf(&a.blocks[k])...)
		a.blocks[k] = block{}
	}
	a.blocks = nil
	a.Graph, err = neighbor.FromEdges(n, edges)
	return err
}

// edgesOf returns the edges of a block between points of the tile. A point with an edge to another one is not
// known.
func (a *haloTile) edgesOf(b *block) (edges [][2]uint32) {
	other := make([]uint32, len(b.Other))
	for i, id := range b.Other {
		other[i] = noPlace
		if place, ok := slices.BinarySearch(a.ID, id); ok {
			other[i] = uint32(place)
		}
	}
	for i, u := range b.place {
		if u == noPlace {
			continue
		}
		for _, head := range b.Head[b.Start[i]:b.Start[i+1]] {
			var v uint32
			if int(head) < len(b.place) {
				v = b.place[head]
			} else {
				v = other[int(head)-len(b.place)]
			}
			if v == noPlace {
				a.Known[u] = false
			} else {
				edges = append(edges, [2]uint32{u, v})
			}
		}
	}
	return edges
}

// markUnknown clears Known where a long edge ends whose other end is not in the tile.
func (a *haloTile) markUnknown(l *edgeList) {
	for k, end := range l.End {
		u, ok := slices.BinarySearch(a.ID, end)
		if !ok {
			continue
		}
		if _, ok := slices.BinarySearch(a.ID, l.Own[k]); !ok {
			a.Known[u] = false
		}
	}
}

// longEdges reads the edges longer than the reach of all tiles.
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

// edgeList has the IDs of the ends of edges longer than the reach.
type edgeList struct{ Own, End []uint64 }

func (l *edgeList) arrays() []any { return []any{&l.Own, &l.End} }

// haloGrowth is the factor by which a halo that is too narrow is widened.
const haloGrowth = 1.5

// untilExact computes something of a tile with a halo that grows until it is exact. again is false at first.
func untilExact(v *folder.Survey, t *plan.Tile, halo *float64, compute func(again bool) error) error {
	for again := false; ; again = true {
		err := compute(again)
		var narrow *local.HaloError
		if !errors.As(err, &narrow) {
			return err
		}
		*halo *= haloGrowth
		v.Host.Log(message.Debug, fmt.Sprintf("tile %d: %s not yet exact; again with a halo of %.3g m",
			t.Index, message.Count(narrow.Points, "point"), *halo*v.Plan.Unit))
	}
}
