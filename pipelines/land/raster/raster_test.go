// SPDX-License-Identifier: BSD-3-Clause

package raster

import (
	"image"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"superpoint/partition/base/parallel"
	"superpoint/pipelines/shapes/planar"
	"superpoint/testdata/must"
)

var metres = Units{Cell: 1, Height: 1, LowVegetation: 0.5}

// point is a point of a test.
type point struct {
	x, y, z float64
	kind    Kind
}

func binsOf(side float64, points ...point) *Bins {
	b := NewBins(side)
	for _, p := range points {
		b.Add(p.x, p.y, p.z, p.kind)
	}
	return b
}

// flatGround returns a point of ground in the middle of every cell of a square for which has is true.
func flatGround(side int, height float64, has func(x, y int) bool) (all []point) {
	for y := range side {
		for x := range side {
			if has(x, y) {
				all = append(all, point{float64(x) + 0.5, float64(y) + 0.5, height, Ground})
			}
		}
	}
	return all
}

func build(t *testing.T, b *Bins) *Model {
	t.Helper()
	return must.Get(Build(parallel.Run{}, b, metres))(t)
}

// at returns the value of a cell.
func (m *Model) at(values []float32, x, y int) float32 { return values[m.Index(image.Pt(x, y))] }

// gridOf returns a grid that holds all cells of an area.
func gridOf(t *testing.T, side float64, area image.Rectangle) Grid {
	t.Helper()
	held := must.Get(planar.AllOf(turnedArea(area)).Blocks(0))(t)
	return Grid{Side: side, Area: area, held: held}
}

// TestCellOf: a coordinate belongs to the cell whose edges, as products, contain it.
func TestCellOf(t *testing.T) {
	tenth := 0.1
	edge := 6000003 * tenth // a float64 product
	for name, c := range map[string]struct {
		v, side float64
		want    int
	}{
		"edge":                {3, 1, 3},
		"below an edge":       {math.Nextafter(3, 0), 1, 2},
		"negative":            {-0.25, 1, -1},
		"negative edge":       {-2, 1, -2},
		"feet":                {2000003.28, 1 / 0.3048, 609600},
		"edge as a product":   {edge, 0.1, 6000003},
		"before that product": {math.Nextafter(edge, 0), 0.1, 6000002},
	} {
		must.Equal(t, cellOf(c.v, c.side), c.want, "%s", name)
	}
}

// TestPlaces: values are in rows from the north, and a cell and its index are one another's inverse.
func TestPlaces(t *testing.T) {
	g := gridOf(t, 0.5, image.Rect(-3, 10, 4, 15))
	must.Equal(t, g.Index(image.Pt(-3, 14)), 0, "index of the north-western cell")
	must.Equal(t, g.Index(image.Pt(3, 10)), g.Held()-1, "index of the south-eastern cell")
	for k := range g.Held() {
		must.Equal(t, g.Index(g.At(k)), k, "index of cell %v", g.At(k))
	}
	must.Equal(t, g.West(), -1.5, "western edge")
	must.Equal(t, g.North(), 7.5, "northern edge")
}

// TestOrderOfPointsAndTiles: the heights of points do not depend on their order, nor on the tiles that they
// came in.
func TestOrderOfPointsAndTiles(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	var points []point
	for range 20_000 {
		x, y := 200*random.Float64()-100, 150*random.Float64()
		points = append(points, point{x, y, 300 + x/7 + 3*random.NormFloat64(), Kind(random.IntN(4))})
	}
	want := build(t, binsOf(1.5, points...))
	for name, order := range map[string][3]int{"west first": {0, 1, 2}, "east first": {2, 1, 0}} {
		var tiles [3]*Bins
		for k := range tiles {
			tiles[k] = NewBins(1.5)
		}
		random.Shuffle(len(points), func(i, j int) { points[i], points[j] = points[j], points[i] })
		for _, p := range points {
			tiles[int(p.x+100)*3/201].Add(p.x, p.y, p.z, p.kind)
		}
		merged := NewBins(1.5)
		for _, k := range order {
			merged.Merge(tiles[k])
		}
		got := build(t, merged)
		must.Equal(t, got.Grid, want.Grid, "%s: cells", name)
		must.Hold(t, sameValues(got.Terrain, want.Terrain), "%s: terrain differs", name)
		must.Hold(t, sameValues(got.Surface, want.Surface), "%s: surface differs", name)
	}
}

// sameValues compares values bit by bit.
func sameValues(a, b []float32) bool {
	return slices.EqualFunc(a, b,
		func(v, w float32) bool { return math.Float32bits(v) == math.Float32bits(w) })
}

// TestHolesOfAPlane: a plane is filled exactly, whatever part of the plane the raster has, up to the limit of
// empty circles, and which cells are filled does not depend on the parts.
func TestHolesOfAPlane(t *testing.T) {
	const side, radius = 300, 12.0
	random := rand.New(rand.NewPCG(3, 4))
	has := make([]bool, side*side)
	for k := range has {
		dx, dy := float64(k%side-150), float64(k/side-150)
		// one hole that is too wide, and many small ones
		has[k] = random.IntN(3) == 0 && math.Hypot(dx, dy) > 30
	}
	var first []bool
	for _, from := range []image.Point{{0, 0}, {-37, 1000}, {255, -129}} {
		g := gridOf(t, 1, image.Rectangle{from, from.Add(image.Pt(side, side))})
		plane := func(c image.Point) float64 { return 5 + float64(c.X-from.X)/4 - float64(c.Y-from.Y)/8 }
		values := g.empty()
		for k := range values {
			if has[k] {
				values[k] = float32(plane(g.At(k)))
			}
		}
		got := must.Get(fill(parallel.Run{}, g, values, radius, nil))(t)
		must.Hold(t, got.widest > radius/2, "widest circle %v, want more than %v", got.widest, radius/2)
		must.Hold(t, got.widest <= radius, "widest circle %v, want at most %v", got.widest, radius)
		filled := make([]bool, len(got.values))
		for k, v := range got.values {
			filled[k] = !isNone(v)
			if !isNone(v) {
				must.Need(t, math.Abs(float64(v)-plane(g.At(k))) < 1e-4,
					"cell %v has %v, and the plane %v",
					g.At(k), v, plane(g.At(k)))
			}
		}
		middle := g.Index(from.Add(image.Pt(150, 150)))
		must.Hold(t, !filled[middle], "from %v: the middle of the wide hole is filled", from)
		count := len(slices.DeleteFunc(slices.Clone(filled), func(f bool) bool { return !f }))
		must.Hold(t, count > side*side*9/10, "from %v: %d cells are filled", from, count)
		if first == nil {
			first = filled
		}
		must.Hold(t, slices.Equal(filled, first), "from %v: other cells are filled", from)
	}
}

// TestHouse: the ground below a house is filled from around it, and the surface is the roof.
func TestHouse(t *testing.T) {
	inHouse := func(x, y int) bool { return x >= 10 && x < 20 && y >= 12 && y < 22 }
	points := flatGround(40, 100, func(x, y int) bool { return !inHouse(x, y) })
	for _, p := range flatGround(40, 108, inHouse) {
		points = append(points, point{p.x, p.y, p.z, Other})
	}
	m := build(t, binsOf(1, points...))
	must.Equal(t, m.at(m.Terrain, 15, 17), float32(100), "terrain below the roof")
	must.Equal(t, m.at(m.Surface, 15, 17), float32(108), "surface of the roof")
	must.Equal(t, m.at(m.Canopy(), 15, 17), float32(8), "height of the roof")
	must.Equal(t, m.at(m.Surface, 9, 17), float32(100), "surface beside the roof")
	must.Equal(t, m.WithoutTerrain, 0, "cells without terrain")
}

// TestHall: the ground below a wide hall has no data, and so has the canopy; the notes say so.
func TestHall(t *testing.T) {
	inHall := func(x, y int) bool { return x >= 20 && x < 90 && y >= 20 && y < 90 }
	points := flatGround(110, 100, func(x, y int) bool { return !inHall(x, y) })
	for _, p := range flatGround(110, 109, inHall) {
		points = append(points, point{p.x, p.y, p.z, Other})
	}
	m := build(t, binsOf(1, points...))
	must.Hold(t, isNone(m.at(m.Terrain, 55, 55)), "terrain %v in the middle of the hall",
		m.at(m.Terrain, 55, 55))
	must.Hold(t, isNone(m.at(m.Canopy(), 55, 55)), "canopy %v in the middle of the hall",
		m.at(m.Canopy(), 55, 55))
	must.Equal(t, m.at(m.Surface, 55, 55), float32(109), "surface in the middle of the hall")
	must.Hold(t, m.WithoutTerrain > 2500,
		"%d cells without terrain, want more than 2500", m.WithoutTerrain)
	must.Hold(t, m.WithoutTerrain <= 4900,
		"%d cells without terrain, want at most 4900", m.WithoutTerrain)
	for k, c := range m.Canopy() {
		if !isNone(c) {
			must.Need(t, c >= 0, "canopy %v in cell %v: want c at least 0", c, m.At(k))
			must.Need(t, c <= 9, "canopy %v in cell %v: want c at most 9", c, m.At(k))
		}
	}
}

// TestTerrainAboveAPoint: where the filled terrain is above the highest point of a cell, as over a stream
// that is not ground, it is lowered to that point, and so are the cells without points beside it.
func TestTerrainAboveAPoint(t *testing.T) {
	points := flatGround(40, 100, func(x, _ int) bool { return x < 15 || x >= 25 })
	for y := range 40 {
		if y != 20 {
			points = append(points, point{20.5, float64(y) + 0.5, 95, Other})
		}
	}
	m := build(t, binsOf(1, points...))
	must.Equal(t, m.at(m.Terrain, 20, 10), float32(95), "terrain at a point of the stream")
	must.Equal(t, m.at(m.Terrain, 20, 20), float32(95), "terrain of the stream between points")
	must.Equal(t, m.Lowered, 39, "lowered cells")
	must.Equal(t, m.LoweredBy, 5, "most that a cell was lowered by")
}

// TestTerrainAboveTheLowestPoint: filled terrain that is above the lowest point of a cell, where that point
// is, is lowered by half of that.
func TestTerrainAboveTheLowestPoint(t *testing.T) {
	const east = 0.9 // position of the low point in its cell
	for name, c := range map[string]struct{ slope, below, lowered float64 }{
		"below flat ground":     {slope: 0, below: 2, lowered: 1},
		"on a slope":            {slope: 1, below: 0, lowered: 0},
		"below a slope":         {slope: 1, below: 1, lowered: 0.5},
		"above flat ground":     {slope: 0, below: -1, lowered: 0},
		"far below, like noise": {slope: 0, below: 4, lowered: 0},
	} {
		t.Run(name, func(t *testing.T) {
			inWood := func(x, y int) bool { return x >= 15 && x < 25 && y >= 15 && y < 25 }
			points := flatGround(40, 100, func(x, y int) bool { return !inWood(x, y) })
			for k := range points {
				points[k].z += c.slope * points[k].x
			}
			for _, p := range flatGround(40, 160, inWood) {
				points = append(points, point{p.x, p.y, p.z, Other})
			}
			low := point{x: 20 + east, y: 20.5, z: 100 + c.slope*(20+east) - c.below, kind: Other}
			m := build(t, binsOf(1, append(points, low)...))
			want := 100 + c.slope*20.5 - c.lowered
			got := float64(m.at(m.Terrain, 20, 20))
			must.Hold(t, math.Abs(got-want) < 0.01, "terrain at the low point is %v, not %v", got, want)
			beside := float64(m.at(m.Terrain, 20, 21))
			must.Hold(t, math.Abs(beside-want-c.lowered) < 0.01, "terrain beside it is %v", beside)
		})
	}
}

// TestTerrainWithinTheCloud: beside slopes, between few points of ground, the terrain is never below the
// lowest point of the cloud, nor above the highest.
func TestTerrainWithinTheCloud(t *testing.T) {
	random := rand.New(rand.NewPCG(7, 11))
	for cloud := range 300 {
		var points []point
		lowest := math.Inf(1)
		highest := math.Inf(-1)
		slope := random.Float64() * 2
		foot := random.Float64() * 8 // of the slope
		rough := random.Float64()
		for range 40 {
			p := point{x: 12 * random.Float64(), y: 12 * random.Float64(), kind: Ground}
			p.z = 1000 + slope*max(0, p.x-foot) + rough*random.Float64()
			if random.IntN(3) > 0 {
				p.kind = Other
			}
			lowest = min(lowest, p.z)
			highest = max(highest, p.z)
			points = append(points, p)
		}
		m := build(t, binsOf(1, points...))
		for k, height := range m.Terrain {
			if isNone(height) {
				continue
			}
			must.Hold(t, float64(height) >= lowest-1e-3,
				"cloud %d, cell %d: terrain %v is below the lowest point, %v", cloud, k, height, lowest)
			must.Hold(t, float64(height) <= highest+1e-3,
				"cloud %d, cell %d: terrain %v is above the highest point, %v", cloud, k, height, highest)
		}
	}
}

// TestOddGround: ground far below or above all other ground around it is left out; a cliff and a pit of
// several cells are not.
func TestOddGround(t *testing.T) {
	height := func(x, y int) float64 {
		switch {
		case x == 10 && y == 10:
			return 30 // one cell
		case x == 30 && y == 10:
			return 108
		case x >= 10 && x < 14 && y >= 30 && y < 34:
			return 90 // a pit
		case x >= 40:
			return 120 // above a cliff
		}
		return 100
	}
	points := flatGround(50, 0, func(_, _ int) bool { return true })
	for k := range points {
		points[k].z = height(int(points[k].x), int(points[k].y))
	}
	points = append(points, point{10.5, 10.5, 100.5, Other})
	m := build(t, binsOf(1, points...))
	must.Equal(t, m.at(m.Terrain, 10, 10), float32(100), "terrain of odd low ground")
	must.Equal(t, m.at(m.Terrain, 30, 10), float32(100), "terrain of odd high ground")
	must.Equal(t, m.at(m.Terrain, 12, 32), float32(90), "terrain of the pit")
	must.Equal(t, m.at(m.Terrain, 40, 20), float32(120), "terrain above the cliff")
	must.Equal(t, m.at(m.Terrain, 39, 20), float32(100), "terrain below the cliff")
	must.Equal(t, [2]int{m.Pits, m.Hills}, [2]int{1, 1}, "pits and hills")
}

// TestWater: a body of water is level, at the lower quartile of its cells; a bridge and a tree over it are
// surface, and a stream that slopes keeps its heights.
func TestWater(t *testing.T) {
	points := flatGround(60, 102, func(x, y int) bool { return x < 10 || x >= 50 })
	for x := 10; x < 50; x++ {
		for y := range 60 {
			p := point{float64(x) + 0.5, float64(y) + 0.5, 100 + 0.05*float64((x+y)%4), Water}
			switch {
			case y == 30:
				p.z, p.kind = 106, Other // a bridge
			case (x+y)%5 == 0:
				continue // a cell without points
			}
			points = append(points, p)
		}
	}
	m := build(t, binsOf(1, points...))
	must.Need(t, len(m.Bodies) == 1, "len(m.Bodies) is %v, want 1", len(m.Bodies))
	must.Need(t, m.Bodies[0].IsLevel, "m.Bodies[0].IsLevel is false")
	level := float32(m.Bodies[0].Level)
	must.Equal(t, level, float32(100.05), "level")
	for _, c := range []image.Point{{20, 10}, {21, 10}, {22, 10}, {23, 10}, {24, 10}, {30, 30}} {
		must.Equal(t, m.at(m.Terrain, c.X, c.Y), level, "terrain of water at %v", c)
	}
	must.Equal(t, m.at(m.Surface, 30, 30), float32(106), "surface of the bridge")
	must.Equal(t, m.at(m.Surface, 20, 10), level, "surface of a cell without points") // (20 + 10) % 5 == 0
	for k, c := range m.Canopy() {
		if !isNone(c) {
			must.Need(t, c >= 0, "canopy %v in cell %v: want c at least 0", c, m.At(k))
		}
	}

	var stream []point
	for x := range 100 {
		stream = append(stream, point{float64(x) + 0.5, 0.5, 200 - 0.1*float64(x), Water})
		stream = append(stream, point{float64(x) + 0.5, 1.5, 201 - 0.1*float64(x), Ground})
	}
	m = build(t, binsOf(1, stream...))
	must.Need(t, len(m.Bodies) == 1, "len(m.Bodies) is %v, want 1", len(m.Bodies))
	must.Hold(t, !m.Bodies[0].IsLevel, "m.Bodies[0].IsLevel is true")
	must.Equal(t, m.at(m.Terrain, 50, 0), float32(195), "terrain of a stream")
}

// TestLakesApart: bodies of water that are more than their step apart have levels of their own.
func TestLakesApart(t *testing.T) {
	points := flatGround(60, 110, func(x, _ int) bool { return x >= 20 && x < 40 })
	for x := range 60 {
		for y := range 60 {
			p := point{float64(x) + 0.5, float64(y) + 0.5, 100, Water}
			if x >= 40 {
				p.z = 103
			}
			if x < 20 || x >= 40 {
				points = append(points, p)
			}
		}
	}
	m := build(t, binsOf(1, points...))
	must.Equal(t, len(m.Bodies), 2, "bodies")
	must.Equal(t, m.at(m.Terrain, 5, 5), float32(100), "western lake")
	must.Equal(t, m.at(m.Terrain, 55, 5), float32(103), "eastern lake")
}

// TestHeightsBetweenSteps: the surface is the highest point, and the terrain not above it, also where sums
// round heights.
func TestHeightsBetweenSteps(t *testing.T) {
	for name, z := range map[string]float64{"rounded up": 0.33336, "rounded down": 1. / 3,
		"below 0": -7.00004} {
		t.Run(name, func(t *testing.T) {
			m := build(t, binsOf(1, point{0.5, 0.5, z, Ground}))
			surface, terrain := m.at(m.Surface, 0, 0), m.at(m.Terrain, 0, 0)
			must.Equal(t, surface, float32(z), "surface")
			must.Hold(t, terrain <= surface, "terrain %v above %v", terrain, surface)
			must.Hold(t, math.Abs(float64(terrain)-z) <= 0.5/fine+1e-6, "terrain %v", terrain)
			must.Equal(t, m.Lowered, 0, "cells lowered to the point")
		})
	}
}

// TestWithoutGround: without points of ground there is a surface, and no terrain.
func TestWithoutGround(t *testing.T) {
	m := build(t, binsOf(2, point{1, 1, 7, Other}, point{1.5, 1, 8, Other}, point{9, 9, 1, Water}))
	must.Hold(t, m.Terrain == nil, "terrain %v", m.Terrain)
	must.Equal(t, m.at(m.Surface, 0, 0), float32(8), "surface")
}

// TestSpacing: ground that is sparse is filled over wider holes than dense ground.
func TestSpacing(t *testing.T) {
	limits := map[int]float64{}
	for _, step := range []int{1, 4} {
		points := flatGround(200, 50, func(x, y int) bool { return x%step == 0 && y%step == 0 })
		limits[step] = build(t, binsOf(1, points...)).Limit
	}
	must.Equal(t, limits[1], 32, "widest circle of dense ground")
	must.Hold(t, math.Abs(limits[4]-64) < 3, "widest circle of a point in 16 m²: %v", limits[4])
}

// TestSideOfOddGround: a height is odd if it is beyond all others, and these are at least three.
func TestSideOfOddGround(t *testing.T) {
	for others, want := range map[int]int{0: 0, 2: 0, 3: 1, 8: 1} {
		b := &builder{Model: &Model{Grid: gridOf(t, 1, image.Rect(-1, -1, 2, 2))},
			units: Units{Cell: 1, Height: 1}}
		b.raw = b.empty()
		around := ring(1)
		for _, to := range around[:others] {
			b.raw[b.Index(to)] = 100
		}
		must.Equal(t, b.sideOf(image.Point{}, 110, around), want, "10 m above %d others", others)
		must.Equal(t, b.sideOf(image.Point{}, 90, around), -want, "10 m below %d others", others)
		must.Equal(t, b.sideOf(image.Point{}, 101, around), 0, "1 m above %d others", others)
	}
}

// TestTerrainBelowLowVegetation: on a ridge without points of ground, terrain between the cells around it is
// raised to the middle of where the ground below low vegetation may be. It is not raised to vegetation within
// that height, to what is too high to be low, or above the lowest point.
func TestTerrainBelowLowVegetation(t *testing.T) {
	for name, c := range map[string]struct {
		plants float64 // above the ground around the hole
		lowest float64 // of another point in their cell
		want   float64 // terrain there
	}{
		"a ridge":               {plants: 2, lowest: 3, want: 1.75},
		"level ground":          {plants: 0.2, lowest: 3, want: 0},
		"grass":                 {plants: 0.4, lowest: 3, want: 0.15},
		"a tree called low":     {plants: 4, lowest: 5, want: 0},
		"a point below them":    {plants: 2, lowest: 1.2, want: 1.2},
		"a point at the ground": {plants: 2, lowest: 0, want: 0},
	} {
		t.Run(name, func(t *testing.T) {
			inWood := func(x, y int) bool { return x >= 15 && x < 25 && y >= 15 && y < 25 }
			points := flatGround(40, 100, func(x, y int) bool { return !inWood(x, y) })
			for _, p := range flatGround(40, 100, inWood) {
				points = append(points, point{p.x, p.y, 100 + c.plants, LowVegetation},
					point{p.x, p.y, 100 + c.lowest, Other})
			}
			m := build(t, binsOf(1, points...))
			for _, at := range []image.Point{{15, 15}, {20, 20}, {24, 18}} {
				got := float64(m.at(m.Terrain, at.X, at.Y)) - 100
				must.Hold(t, math.Abs(got-c.want) < 1e-4,
					"terrain at %v is %v above the ground around, not %v", at, got, c.want)
			}
		})
	}
}

// TestHolesBesideLowVegetation: what is filled beside low vegetation on a ridge is filled from it.
func TestHolesBesideLowVegetation(t *testing.T) {
	inWood := func(x, y int) bool { return x >= 15 && x < 25 && y >= 15 && y < 25 }
	points := flatGround(40, 100, func(x, y int) bool { return !inWood(x, y) })
	for y := 15; y < 25; y++ {
		points = append(points, point{20.5, float64(y) + 0.5, 102.25, LowVegetation})
	}
	m := build(t, binsOf(1, points...))
	must.Equal(t, m.Raised, 10, "raised cells")
	must.Hold(t, math.Abs(m.RaisedBy-2) < 1e-4, "raised by %v, not 2", m.RaisedBy)
	beside := float64(m.at(m.Terrain, 18, 20))
	must.Hold(t, math.Abs(beside-(100+2*4.0/6)) < 1e-3,
		"terrain two cells beside the ridge is %v, not on the line to the foot", beside)
}

// TestLowVegetationBesideBuildings: plants at the edge of a roof, and walls that were taken for plants, raise
// no terrain, in whatever bins the building is.
func TestLowVegetationBesideBuildings(t *testing.T) {
	for name, c := range map[string]struct {
		plant image.Point // cell of low vegetation 2 m above the ground; the roof has x and y from 15 to 24
		want  float64     // terrain there, above the ground around
	}{
		"on the roof":         {image.Pt(20, 20), 0},
		"at its edge":         {image.Pt(14, 20), 0},
		"at its corner":       {image.Pt(25, 25), 0},
		"two cells beside it": {image.Pt(13, 20), 1.75},
	} {
		t.Run(name, func(t *testing.T) {
			inHole := func(x, y int) bool { return x >= 12 && x < 28 && y >= 12 && y < 28 }
			points := flatGround(40, 100, func(x, y int) bool { return !inHole(x, y) })
			plant := point{float64(c.plant.X) + .5, float64(c.plant.Y) + .5, 102, LowVegetation}
			roof := flatGround(40, 108, func(x, y int) bool { return x >= 15 && x < 25 && y >= 15 && y < 25 })
			for k := range roof {
				roof[k].kind = Building
			}
			bins := binsOf(1, append(points, plant)...)
			bins.Merge(binsOf(1, roof...))
			m := build(t, bins)
			got := float64(m.at(m.Terrain, c.plant.X, c.plant.Y)) - 100
			must.Hold(t, math.Abs(got-c.want) < 1e-4, "terrain is %v above the ground around, not %v", got,
				c.want)
		})
	}
}
