// SPDX-License-Identifier: BSD-3-Clause

package raster

import (
	"image"
	"math"
	"testing"

	"superpoint/partition/base/parallel"
	"superpoint/testdata/must"
)

// withUnsure returns level sure ground of 40 × 40 m around a square of unsure ground, which begins at 15 15,
// and a cell of a building.
func withUnsure(side int, above float64, building image.Point) []point {
	in := func(x, y int) bool { return x >= 15 && x < 15+side && y >= 15 && y < 15+side }
	points := flatGround(40, 100, func(x, y int) bool { return !in(x, y) && building != image.Pt(x, y) })
	points = append(points, point{float64(building.X) + 0.5, float64(building.Y) + 0.5, 105, Building})
	for _, p := range flatGround(40, 100+above, in) {
		points = append(points, point{p.x, p.y, p.z, Unsure})
	}
	return points
}

var beside = image.Pt(14, 15) // that square

// TestUnsureGround: small patches of unsure ground beside a building that stand above the sure ground around
// as plants do are no terrain; other unsure ground is.
func TestUnsureGround(t *testing.T) {
	for name, c := range map[string]struct {
		side     int     // of the patch, cells
		above    float64 // the ground around
		want     float64 // its terrain, above the ground around
		plants   int     // cells that are left out
		building image.Point
	}{
		"grass":                 {side: 3, above: 0.3, want: 0, plants: 9, building: beside},
		"a bush":                {side: 3, above: 0.9, want: 0, plants: 9, building: beside},
		"a large patch":         {side: 4, above: 0.3, want: 0, plants: 16, building: beside},
		"a bank":                {side: 6, above: 0.3, want: 0.3, building: beside},
		"a rock":                {side: 3, above: 1.5, want: 1.5, building: beside},
		"noise of heights":      {side: 3, above: 0.05, want: 0.05, building: beside},
		"a ditch":               {side: 3, above: -0.6, want: -0.6, building: beside},
		"grass far from houses": {side: 3, above: 0.3, want: 0.3, building: image.Pt(13, 15)},
		"a house at the south":  {side: 3, above: 0.3, want: 0, plants: 9, building: image.Pt(17, 14)},
		"a house at the north":  {side: 3, above: 0.3, want: 0, plants: 9, building: image.Pt(15, 18)},
		"a house at the east":   {side: 3, above: 0.3, want: 0, plants: 9, building: image.Pt(18, 17)},
		"a house at a corner":   {side: 3, above: 0.3, want: 0, plants: 9, building: image.Pt(18, 18)},
	} {
		t.Run(name, func(t *testing.T) {
			m := build(t, binsOf(1, withUnsure(c.side, c.above, c.building)...))
			must.Equal(t, m.Plants, c.plants, "cells that are left out")
			last := 14 + c.side
			for _, at := range []image.Point{{15, 15}, {last, last}, {15, last}} {
				got := float64(m.at(m.Terrain, at.X, at.Y)) - 100
				must.Hold(t, math.Abs(got-c.want) < 1e-4,
					"terrain at %v is %v above the ground around, not %v", at, got, c.want)
			}
		})
	}
}

// TestUnsureGroundAlone: without sure ground nearby, unsure ground is the terrain.
func TestUnsureGroundAlone(t *testing.T) {
	points := flatGround(10, 100, func(_, _ int) bool { return true })
	for k := range points {
		points[k].kind = Unsure
		points[k].z += points[k].x / 4
	}
	points = append(points, point{8.5, 5.5, 120, Building})
	m := build(t, binsOf(1, points...))
	must.Equal(t, m.Plants, 0, "cells that are left out")
	must.Equal(t, m.at(m.Terrain, 8, 5), float32(102.125), "terrain")
}

// TestSureGroundBesideUnsure: in a cell with both, all points are the terrain, and beside a building the sure
// ones.
func TestSureGroundBesideUnsure(t *testing.T) {
	points := flatGround(10, 100, func(_, _ int) bool { return true })
	points = append(points, point{5.25, 5.25, 100.5, Unsure})
	alone := build(t, binsOf(1, points...))
	must.Equal(t, alone.at(alone.Terrain, 5, 5), float32(100.25), "terrain far from houses")
	points = append(points, point{6.5, 5.5, 105, Building})
	m := build(t, binsOf(1, points...))
	must.Equal(t, m.at(m.Terrain, 5, 5), float32(100), "terrain beside a building")
	must.Equal(t, m.at(m.Surface, 5, 5), float32(100.5), "surface")
}

// TestPlantsAtWalls: the hole under a house is not filled from plants at its walls.
func TestPlantsAtWalls(t *testing.T) {
	inHouse := func(x, y int) bool { return x >= 12 && x < 24 && y >= 12 && y < 24 }
	points := flatGround(40, 100, func(x, y int) bool { return !inHouse(x, y) })
	for _, p := range flatGround(40, 106, func(x, y int) bool { return inHouse(x, y) && x > 12 }) {
		points = append(points, point{p.x, p.y, p.z, Building})
	}
	for _, y := range []float64{14.5, 15.5, 19.5} {
		points = append(points, point{12.5, y, 100.4, Unsure})
	}
	m := build(t, binsOf(1, points...))
	must.Equal(t, m.at(m.Terrain, 18, 18), float32(100), "terrain under the house")
}

// TestUnitsOfUnsureGround: bounds are in metres, whatever the unit of the points is.
func TestUnitsOfUnsureGround(t *testing.T) {
	const foot = 0.3048
	for name, c := range map[string]struct {
		above  float64 // feet
		plants int
	}{
		"2.5 feet": {2.5, 9},
		"4 feet":   {4, 0},
	} {
		t.Run(name, func(t *testing.T) {
			units := Units{Cell: 1, Height: foot, LowVegetation: 0.5}
			m := must.Get(Build(parallel.Run{}, binsOf(1, withUnsure(3, c.above, beside)...), units))(t)
			must.Equal(t, m.Plants, c.plants, "cells that are left out")
		})
	}
}

// TestAreaOfUnsureGround: how wide a patch may be is an area in square metres, whatever a cell is. The ground
// has 1,600 points, in coarse cells of 16 m that cover 4,096, 2,304 and 1,600 cells: a patch has as many
// times the area of its cells.
func TestAreaOfUnsureGround(t *testing.T) {
	for name, c := range map[string]struct {
		cell   float64 // metres
		side   int     // of the patch, cells
		plants int
	}{
		"23 square metres in cells of 0.5 m": {0.5, 6, 36},
		"31 square metres in cells of 0.5 m": {0.5, 7, 0},
		"23 square metres in cells of 1 m":   {1, 4, 16},
		"36 square metres in cells of 1 m":   {1, 5, 0},
		"16 square metres in cells of 2 m":   {2, 2, 4},
		"36 square metres in cells of 2 m":   {2, 3, 0},
	} {
		t.Run(name, func(t *testing.T) {
			units := Units{Cell: c.cell, Height: 1, LowVegetation: 0.5}
			m := must.Get(Build(parallel.Run{}, binsOf(1, withUnsure(c.side, 0.3, beside)...), units))(t)
			must.Equal(t, m.Plants, c.plants, "cells that are left out")
		})
	}
}

// TestPatchesOfSparseGround: where points are sparse, a patch has cells without points in between.
func TestPatchesOfSparseGround(t *testing.T) {
	var points []point
	for x := range 20 {
		for y := range 20 {
			at := point{float64(3*x) + 0.5, float64(3*y) + 0.5, 100, Ground}
			if x >= 8 && x < 12 && y >= 8 && y < 12 {
				at.z = 100.5
				at.kind = Unsure
			}
			points = append(points, at)
		}
	}
	points = append(points, point{24.9, 25.5, 108, Building})
	m := build(t, binsOf(1, points...))
	must.Equal(t, m.Plants, 0, "cells of 144 square metres that are left out")
}
