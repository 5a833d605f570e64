// SPDX-License-Identifier: BSD-3-Clause

package survey

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"

	"github.com/golang/geo/r3"

	"superpoint/filter/message"
	"superpoint/filter/method"
	"superpoint/partition/base/tile"
	"superpoint/partition/local"
	"superpoint/partition/neighbor"
	"superpoint/pipelines/commands/survey/folder"
	"superpoint/pipelines/commands/survey/plan"
)

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
	return a, a.resolveEdges(v.Plan.Shared.LongEdge + slack)
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
// point is nearer to the border than the length of a long edge, or an edge that it stores ends
// outside. Long edges are checked by markUnknown.
func (a *haloTile) resolveEdges(long float64) (err error) {
	n := len(a.ID)
	a.Known = make([]bool, n)
	for u := range a.Known {
		a.Known[u] = a.Rim[u] > long
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
