// SPDX-License-Identifier: BSD-3-Clause

package raster

import (
	"fmt"
	"image"
	"math"
	"testing"

	"superpoint/partition/base/parallel"
	"superpoint/pipelines/shapes/patch"
	"superpoint/testdata/must"
)

// lake returns the points of a lake from 10 10 to 50 40 on flat ground, with an island.
func lake() []point {
	isIsland := func(x, y int) bool { return x >= 20 && x < 26 && y >= 20 && y < 26 }
	isLake := func(x, y int) bool { return x >= 10 && x < 50 && y >= 10 && y < 40 && !isIsland(x, y) }
	points := flatGround(60, 101, func(x, y int) bool { return !isLake(x, y) })
	for x := range 60 {
		for y := range 60 {
			if isLake(x, y) {
				points = append(points, point{float64(x) + 0.5, float64(y) + 0.5, 100, Water})
			}
		}
	}
	return points
}

// area returns the area of a shore in cells.
func (s *Shore) area() float64 {
	twice := int64(0)
	for _, polygon := range s.Polygons {
		twice += polygon.Area2()
	}
	return float64(twice) / 8
}

// TestShores: the outline of a lake has its place and area, without those of its island.
func TestShores(t *testing.T) {
	m := build(t, binsOf(1, lake()...))
	shores := must.Get(m.Shores(parallel.Run{}, nil))(t)
	must.Need(t, len(shores) == 1, "%d shores", len(shores))
	s := shores[0]
	must.OK(t, patch.Validate(s.Polygons...))
	must.Need(t, len(s.Polygons) == 1, "%d polygons", len(s.Polygons))
	must.Equal(t, len(s.Polygons[0]), 2, "rings")
	must.Hold(t, math.Abs(s.area()-(40*30-6*6)) < 2, "area %v", s.area())
	var box image.Rectangle
	for _, corner := range s.Polygons[0][0] {
		at := s.Origin.Mul(2).Add(image.Pt(int(corner.X), int(corner.Y)))
		box = box.Union(image.Rectangle{at, at.Add(image.Pt(1, 1))})
	}
	must.Equal(t, box, image.Rect(20, 20, 101, 81), "half cells of the outline")
}

// TestShoreAtAnEdge: a cell with a point on the edge of its tile is no spike of the outline, unless the body
// goes on behind it; a body of such cells alone has no polygon.
func TestShoreAtAnEdge(t *testing.T) {
	onEdge := point{60, 25.5, 100, Water} // of tiles up to 60
	points := append(flatGround(60, 101, func(x, y int) bool { return x < 30 || y < 10 || y >= 40 }), onEdge)
	for x := 30; x < 60; x++ {
		for y := 10; y < 40; y++ {
			points = append(points, point{float64(x) + 0.5, float64(y) + 0.5, 100, Water})
		}
	}
	edges := Outward{{X: 60, Y: 25}: {{X: 1}}}
	for _, c := range []struct {
		name   string
		points []point
		want   float64 // cells between two points of water are filled
	}{
		{"a spike", points, 30 * 30},
		{"water behind the cell", append(points, point{61.5, 25.5, 100, Water}), 30*30 + 9},
		{"no other cell", []point{onEdge}, 0},
	} {
		m := build(t, binsOf(1, c.points...))
		shores := must.Get(m.Shores(parallel.Run{}, edges))(t)
		must.Need(t, len(shores) == 1, "%s: %d shores", c.name, len(shores))
		must.OK(t, patch.Validate(shores[0].Polygons...))
		must.Hold(t, math.Abs(shores[0].area()-c.want) <= 0.5, "%s: area %v, want %v", c.name,
			shores[0].area(), c.want)
	}
}

// TestShoreOfManyCells: the outline of a body with too many cells is drawn on coarser ones, in the same
// place, wherever that is.
func TestShoreOfManyCells(t *testing.T) {
	for _, moved := range []float64{0, 2000, -2000} {
		t.Run(fmt.Sprintf("moved by %v", moved), func(t *testing.T) {
			points := lake()
			for k := range points {
				points[k].x += moved
				points[k].y += 3 * moved
			}
			m := build(t, binsOf(1, points...))
			box := m.boxes()[0]
			s := must.Get(shoreOf(parallel.Run{}, m.cellsOf(1, box), 400))(t)
			must.OK(t, patch.Validate(s.Polygons...))
			must.Equal(t, s.Factor, 2, "factor")
			must.Hold(t, math.Abs(s.area()-(40*30-6*6)) < 250, "area %v of coarse cells", s.area())
			corners := image.Rectangle{Min: box.Min.Mul(2), Max: box.Max.Mul(2).Add(image.Pt(1, 1))}
			near := corners.Inset(-2 * s.Factor)
			for _, corner := range s.Polygons[0][0] {
				at := s.Origin.Mul(2).Add(image.Pt(int(corner.X), int(corner.Y)))
				must.Hold(t, at.In(near), "corner at half cell %v of %v", at, near)
			}
		})
	}
}

// TestBodyWithoutGround: water without any ground is a body, with the cells between its points.
func TestBodyWithoutGround(t *testing.T) {
	var points []point
	for x := range 40 {
		for y := range 40 {
			if (x+y)%3 == 0 {
				points = append(points, point{float64(x) + 0.5, float64(y) + 0.5, 7, Water})
			}
		}
	}
	m := build(t, binsOf(1, points...))
	must.Need(t, len(m.Bodies) == 1, "bodies %+v", m.Bodies)
	s := must.Get(m.Shores(parallel.Run{}, nil))(t)[0]
	must.Hold(t, s.area() > 38*38, "area %v of 1600 cells", s.area())
}

// TestStreamHasCells: water that slopes is a body, too, and its cells keep their heights.
func TestStreamHasCells(t *testing.T) {
	points := flatGround(40, 120, func(_, y int) bool { return y < 10 || y >= 14 })
	for x := range 40 {
		for y := 10; y < 14; y++ {
			points = append(points, point{float64(x) + 0.5, float64(y) + 0.5, 100 + 0.2*float64(x), Water})
		}
	}
	m := build(t, binsOf(1, points...))
	must.Need(t, len(m.Bodies) == 1, "len(m.Bodies) is %v, want 1", len(m.Bodies))
	must.Need(t, !m.Bodies[0].IsLevel, "m.Bodies[0].IsLevel is true")
	must.Hold(t, math.Abs(float64(m.at(m.Terrain, 30, 12))-106) < 1e-4, "terrain %v", m.at(m.Terrain, 30, 12))
	s := must.Get(m.Shores(parallel.Run{}, nil))(t)[0]
	must.Hold(t, math.Abs(s.area()-160) < 2, "area %v", s.area())
}

// TestMeansInWater: means are of the points of water in the cells of a body alone.
func TestMeansInWater(t *testing.T) {
	m := build(t, binsOf(1, lake()...))
	confidence := binsOf(1, point{12.5, 12.5, 0.5, Water}, point{40.5, 30.5, 0.75, Water},
		point{2.5, 2.5, 1, Water})
	means, points := m.MeansInWater(confidence)
	must.Equal(t, means, []float64{0.625}, "means")
	must.Equal(t, points, []int64{2}, "points")
	dry := build(t, binsOf(1, point{1, 1, 1, Ground}))
	means, _ = dry.MeansInWater(confidence)
	must.Equal(t, len(means), 0, "means without water")
}
