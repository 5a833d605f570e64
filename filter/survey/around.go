package survey

import (
	"math"
	"slices"

	"github.com/golang/geo/r3"

	"superpoint/embed"
	"superpoint/filter"
	"superpoint/partition/neighbor"
	"superpoint/partition/tile"
)

// around are the points of a tile and those around it, in the order of their IDs,
// as all tiles have found them.
type around struct {
	filter.Gathered
	ID     []uint64
	Core   []bool
	Record []uint32  // of points of the core: place among its records
	Rim    []float64 // metres to where the view ends
	Known  []bool    // points whose edges are all there

	x, y, z []int64 // while points are gathered: units from 0
	from    []block // where the points of each block lie, to name the ends of edges
}

// block is a block of points of which some are seen.
type block struct {
	points
	place []uint32 // of its points in the view, or none
}

const none = math.MaxUint32

// gatherPoints collects what tile t sees with a halo, from what was found of all
// points of the tiles that lie within.
func (v *Survey) gatherPoints(t *planned, halo float64) (*around, error) {
	see := v.see(t, halo)
	a := &around{}
	for n := range v.plan.Tiles {
		other := &v.plan.Tiles[n]
		if !touches(v.plan.Grid.Core(other.Column, other.Row), see.box) {
			continue
		}
		if err := v.gatherFrom(a, n, n == t.Index, see); err != nil {
			return nil, err
		}
	}
	a.sort()
	return a, a.name(v.plan.Exact.Reach + slack)
}

// gatherFrom adds the points of tile n that are seen.
func (v *Survey) gatherFrom(a *around, n int, core bool, see *view) error {
	marks, _, err := v.marks("embed")
	if err != nil {
		return err
	}
	mark := marks[n]
	if mark.Points == 0 {
		return nil
	}
	a.Dim = mark.Dim
	metre := see.unit / neighbor.Unit
	var p points
	_, err = readBlocks(v.tilePoints(n), aboutPoints, func(_ int, about []float64) bool {
		return touches(tile.Box{West: about[0], South: about[1], East: about[2], North: about[3]}, see.box)
	}, p.arrays(), func(int) error {
		if err := p.check(a.Dim); err != nil {
			return err
		}
		b := block{points: p, place: make([]uint32, len(p.ID))}
		for i, id := range p.ID {
			b.place[i] = none
			x, y := p.Base[0]+int64(p.X[i]), p.Base[1]+int64(p.Y[i])
			rim := see.rim(float64(x)/metre, float64(y)/metre)
			if !core && !see.box.Contains(float64(x)/metre, float64(y)/metre) {
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

// sort brings the points into the order of their IDs.
func (a *around) sort() {
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
			if u != none {
				a.from[k].place[i] = number[u]
			}
		}
	}
	a.ID, a.Core, a.Record = permuted(a.ID, order, 1), permuted(a.Core, order, 1), permuted(a.Record, order, 1)
	a.Rim, a.Embedding = permuted(a.Rim, order, 1), permuted(a.Embedding, order, a.Dim)
	if a.Placed != nil {
		a.Placed = permuted(a.Placed, order, embed.PlacementWidth)
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

// permuted returns rows of values in another order.
func permuted[T any](values []T, order []uint32, width int) []T {
	out := make([]T, 0, len(values))
	for _, u := range order {
		out = append(out, values[int(u)*width:int(u+1)*width]...)
	}
	return out
}

// name gives edges the places of their ends, and finds whose edges are all there. A
// point that is not seen begins no edge longer than the reach unnoticed.
func (a *around) name(reach float64) (err error) {
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
			other[i] = none
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
			if u == none {
				continue
			}
			for _, head := range b.Head[b.Start[i]:b.Start[i+1]] {
				if v := to(head); v == none {
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

// doubt marks points as not known where long edges end whose beginning is not seen.
func (a *around) doubt(l *long) {
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

// longEdges reads the long edges of all tiles.
func (v *Survey) longEdges() (*long, error) {
	marks, _, err := v.marks("embed")
	if err != nil {
		return nil, err
	}
	all := new(long)
	for n, m := range marks {
		if m.Long == 0 {
			continue
		}
		own := new(long)
		if _, err := readArrays(v.tileLong(n), own.arrays()); err != nil {
			return nil, err
		}
		if len(own.Own) != m.Long || len(own.End) != m.Long {
			return nil, damaged(v.tileLong(n), errMisfit)
		}
		all.Own, all.End = append(all.Own, own.Own...), append(all.End, own.End...)
	}
	return all, nil
}
