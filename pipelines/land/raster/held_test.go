// SPDX-License-Identifier: BSD-3-Clause

package raster

import (
	"image"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"superpoint/partition/base/parallel"
	"superpoint/testdata/must"
)

// strip returns points of a strip along a diagonal: ground with holes, water that leaves it, plants, and some
// points beside it. There are as many metres along each axis as length says.
func strip(seed uint64, length int) (points []point) {
	r := rand.New(rand.NewPCG(seed, 6))
	for range 2 * length {
		along := r.Float64() * float64(length)
		x, y := along+30*r.Float64(), along+30*r.Float64()
		hole := math.Mod(along, 200)
		p := point{x, y, 50 + 8*math.Sin(along/90), Ground}
		switch {
		case hole < 20+10*float64(seed%3):
			continue
		case hole > 150 && x > y:
			p.kind, p.z = Water, 45
		case r.IntN(4) == 0:
			p.kind, p.z = LowVegetation, p.z+r.Float64()
		case r.IntN(4) == 0:
			p.kind, p.z = Other, p.z+6*r.Float64()
		case r.IntN(300) == 0:
			p.x += 90
		}
		points = append(points, p)
	}
	return points
}

// TestHeldCells: heights, bodies of water, notes and outlines are the same whether all cells are held, as in
// a dense raster, or those near points alone; all other cells have no value.
func TestHeldCells(t *testing.T) {
	u := Units{Cell: 1, Height: 1, LowVegetation: 0.5}
	for seed := range uint64(4) {
		bins := binsOf(1, strip(seed, 900)...)
		sparse := must.Get(Build(parallel.Run{}, bins, u))(t)
		b := newBuilder(bins, u)
		b.Grid = gridOf(t, 1, bins.Area())
		dense := must.Get(b.build(parallel.Run{}))(t)
		must.Need(t, sparse.Held() < dense.Held()/2, "%d of %d cells are held", sparse.Held(), dense.Held())
		must.Equal(t, sparse.Notes, dense.Notes, "notes")
		must.Need(t, len(dense.Bodies) > 0, "there is no water")
		for k := range dense.Surface {
			at := sparse.Index(dense.At(k))
			if at < 0 {
				isEmpty := isNone(dense.Surface[k]) && isNone(dense.Terrain[k]) && dense.Body[k] == 0
				must.Need(t, isEmpty, "cell %v has a value, and is not held", dense.At(k))
				continue
			}
			must.Need(t, sameValue(sparse.Surface[at], dense.Surface[k]), "surface of cell %v", dense.At(k))
			must.Need(t, sameValue(sparse.Terrain[at], dense.Terrain[k]), "terrain of cell %v", dense.At(k))
			must.Need(t, sparse.Body[at] == dense.Body[k], "body of cell %v", dense.At(k))
		}
		got := must.Get(sparse.Shores(parallel.Run{}, nil))(t)
		must.Equal(t, got, must.Get(dense.Shores(parallel.Run{}, nil))(t), "outlines of water")
	}
}

// sameValue compares two values bit by bit.
func sameValue(a, b float32) bool { return math.Float32bits(a) == math.Float32bits(b) }

// TestHeldCellsOfStrip: the number of cells that are held grows with the length of a strip along a diagonal,
// and not with the area around it.
func TestHeldCellsOfStrip(t *testing.T) {
	held := func(length int) int {
		return must.Get(Held(binsOf(1, strip(1, length)...), Units{Cell: 1, Height: 1}))(t)
	}
	short := held(2100)
	long := held(8400)
	must.Hold(t, long < 45*short/10, "%d cells of 3 km, and %d of 12 km", short, long)
	must.Hold(t, long < 8400*8400/15, "%d cells of %d", long, 8400*8400)
}

// TestCellsInFile: rectangles of a file have each cell that is held, with its value.
func TestCellsInFile(t *testing.T) {
	m := build(t, binsOf(1, strip(2, 700)...))
	seen := 0
	for _, r := range m.InFile() {
		for y := r.Min.Y; y < r.Max.Y; y++ {
			for x := r.Min.X; x < r.Max.X; x++ {
				k := r.First + (y-r.Min.Y)*r.Stride + x - r.Min.X
				must.Need(t, m.IndexInFile(y*m.Area.Dx()+x) == k, "cell %d %d of the file", x, y)
				must.Need(t, m.At(k) == image.Pt(m.Area.Min.X+x, m.Area.Max.Y-1-y), "place of %d %d", x, y)
				seen++
			}
		}
	}
	must.Equal(t, seen, m.Held(), "cells of the file")
	must.Hold(t, slices.ContainsFunc(m.Terrain, func(v float32) bool { return !isNone(v) }), "no terrain")
}
