package survey

import (
	"math"
	"slices"

	"github.com/golang/geo/r3"

	"superpoint/embed"
	"superpoint/filter/method"
	"superpoint/partition/neighbor"
	"superpoint/partition/tile"
)

// haloTile has the points of a tile with its halo in the order of their IDs, read from the
// results of all tiles.
type haloTile struct {
	method.Input // with Cloud, Graph, Dim, Embedding and Placed
	ID           []uint64
	Core         []bool
	Record       []uint32  // of points of the core: index of the record
	Rim          []float64 // metres to the border of the halo
	Known        []bool    // points of which all edges are present

	x, y, z []int64 // neighbor.Unit, from 0; nil after sort
	from    []block // blocks of the points, to resolve the ends of edges
}

// block is a block of a file of points.
type block struct {
	points
	place []uint32 // index of each point in the haloTile, or noPlace
}

const noPlace = math.MaxUint32

// readHaloTile reads tile t with a halo, in units of the coordinates, from the results of
// step embed.
func (v *Survey) readHaloTile(t *plannedTile, halo float64) (*haloTile, error) {
	known := v.newRegion(t, halo)
	a := &haloTile{}
	for n := range v.plan.Tiles {
		other := &v.plan.Tiles[n]
		if !touches(v.plan.Grid.Core(other.Column, other.Row), known.box) {
			continue
		}
		if err := v.addTile(a, n, n == t.Index, known); err != nil {
			return nil, err
		}
	}
	a.sort()
	return a, a.resolveEdges(v.plan.Shared.Reach + slack)
}

// addTile adds the points of tile n that lie in known; core: all of them, as core.
func (v *Survey) addTile(a *haloTile, n int, core bool, known *region) error {
	marks, _, err := v.marks("embed")
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
	err = readBlocks(v.tilePoints(n), pointsSummary, func(_ int, summary []float64) bool {
		return touches(tile.Box{West: summary[0], South: summary[1], East: summary[2], North: summary[3]}, known.box)
	}, p.arrays(), func(int) error {
		if err := p.check(a.Dim); err != nil {
			return err
		}
		b := block{points: p, place: make([]uint32, len(p.ID))}
		for i, id := range p.ID {
			b.place[i] = noPlace
			x, y := p.Base[0]+int64(p.X[i]), p.Base[1]+int64(p.Y[i])
			rim := known.rim(float64(x)/metre, float64(y)/metre)
			if !core && !known.box.Contains(float64(x)/metre, float64(y)/metre) {
				continue
			}
			b.place[i] = uint32(len(a.ID))
			a.ID, a.Core, a.Rim = append(a.ID, id), append(a.Core, core), append(a.Rim, rim)
			a.x, a.y, a.z = append(a.x, x), append(a.y, y), append(a.z, p.Base[2]+int64(p.Z[i]))
			a.Embedding = append(a.Embedding, p.Embedding[i*a.Dim:(i+1)*a.Dim]...)
			if len(p.Placed) > 0 {
				a.Placed = append(a.Placed, p.Placed[i*embed.PlacementWidth:][:embed.PlacementWidth]...)
			}
			a.Record = append(a.Record, p.Record[i])
		}
		a.from = append(a.from, b)
		p = points{}
		return nil
	})
	return err
}

// sort sorts the points by ID.
func (a *haloTile) sort() {
	n := len(a.ID)
	order, number := make([]uint32, n), make([]uint32, n)
	for u := range order {
		order[u] = uint32(u)
	}
	slices.SortFunc(order, func(u, v uint32) int {
		if a.ID[u] < a.ID[v] {
			return -1
		}
		return 1
	})
	for at, u := range order {
		number[u] = uint32(at)
	}
	for k := range a.from {
		for i, u := range a.from[k].place {
			if u != noPlace {
				a.from[k].place[i] = number[u]
			}
		}
	}
	a.ID, a.Core, a.Record = permute(a.ID, order, 1), permute(a.Core, order, 1), permute(a.Record, order, 1)
	a.Rim, a.Embedding = permute(a.Rim, order, 1), permute(a.Embedding, order, a.Dim)
	if a.Placed != nil {
		a.Placed = permute(a.Placed, order, embed.PlacementWidth)
	}
	a.Cloud = &neighbor.Cloud{Unit: neighbor.Unit, XYZ: make([][3]int32, n, n+1), Order: order}
	if n == 0 {
		return
	}
	var middle [3]int64
	for k, axis := range [][]int64{a.x, a.y, a.z} {
		middle[k] = (slices.Min(axis) + slices.Max(axis)) / 2
	}
	a.Cloud.Origin = r3.Vector{X: float64(middle[0]) * neighbor.Unit, Y: float64(middle[1]) * neighbor.Unit,
		Z: float64(middle[2]) * neighbor.Unit}
	for at, u := range order {
		a.Cloud.XYZ[at] = [3]int32{int32(a.x[u] - middle[0]), int32(a.y[u] - middle[1]), int32(a.z[u] - middle[2])}
	}
	a.x, a.y, a.z = nil, nil, nil
}

// permute returns rows of width values in another order.
func permute[T any](values []T, order []uint32, width int) []T {
	out := make([]T, 0, len(values))
	for _, u := range order {
		out = append(out, values[int(u)*width:int(u+1)*width]...)
	}
	return out
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
	for k := range a.from {
		b := &a.from[k]
		other := make([]uint32, len(b.Other))
		for i, id := range b.Other {
			other[i] = noPlace
			if place, ok := slices.BinarySearch(a.ID, id); ok {
				other[i] = uint32(place)
			}
		}
		to := func(head uint32) uint32 {
			if int(head) < len(b.place) {
				return b.place[head]
			}
			return other[int(head)-len(b.place)]
		}
		for i, u := range b.place {
			if u == noPlace {
				continue
			}
			for _, head := range b.Head[b.Start[i]:b.Start[i+1]] {
				if v := to(head); v == noPlace {
					a.Known[u] = false
				} else {
					edges = append(edges, [2]uint32{u, v})
				}
			}
		}
		*b = block{}
	}
	a.from = nil
	a.Graph, err = neighbor.FromEdges(n, edges)
	return err
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
func (v *Survey) longEdges() (*edgeList, error) {
	marks, _, err := v.marks("embed")
	if err != nil {
		return nil, err
	}
	all := new(edgeList)
	for n, m := range marks {
		if m.Long == 0 {
			continue
		}
		own := new(edgeList)
		if err := readArrays(v.tileLong(n), own.arrays()); err != nil {
			return nil, err
		}
		if len(own.Own) != m.Long || len(own.End) != m.Long {
			return nil, damaged(v.tileLong(n), errMisfit)
		}
		all.Own, all.End = append(all.Own, own.Own...), append(all.End, own.End...)
	}
	return all, nil
}
