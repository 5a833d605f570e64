// SPDX-License-Identifier: BSD-3-Clause

package rasters

import (
	"image"
	"testing"

	"superpoint/partition/base/parallel"
	"superpoint/pipelines/land/raster"
	"superpoint/testdata/must"
)

// TestTooManyCells: tiles far from one another, and small cells, have no rasters; the message names what to
// change.
func TestTooManyCells(t *testing.T) {
	for _, c := range []struct {
		width, resolution float64
		want              string
	}{
		{8_000, 1, ""},
		{300_000, 1, "150001 × 150001 cells are too many; give a larger --resolution (it is 1 m)"},
		{300_000, 100, ""}, {40_000, 0.01, "larger --resolution (it is 0.01 m), or map tiles that are far"},
	} {
		heights := raster.NewBins(2 * c.resolution) // units of half a metre
		heights.Add(600000, 5000000, 0, raster.Ground)
		heights.Add(600000+c.width, 5000000+c.width, 0, raster.Ground)
		if err := Check(heights, Settings{Resolution: c.resolution}, Place{}); c.want == "" {
			must.OK(t, err)
		} else {
			must.Fail(err)(t, c.want)
		}
	}
}

// TestCellsAtEdges: the cells of points on the upper edge of a tile, and of a strip below a tenth of a cell,
// are at an edge, unless another tile has their middle.
func TestCellsAtEdges(t *testing.T) {
	const cell = 1000 // lattice steps of a cell of 1 m
	tile := image.Rect(-3*cell, 0, 2*cell+1, 3*cell)
	for _, c := range []struct {
		name string
		more []image.Rectangle
		want raster.Outward
	}{
		{"one tile", nil, raster.Outward{{X: 2}: {{X: 1}}, {X: 2, Y: 1}: {{X: 1}},
			{X: 2, Y: 2}: {{X: 1}}}},
		{"a tile beside it", []image.Rectangle{image.Rect(2*cell, 0, 4*cell, 3*cell)}, raster.Outward{}},
		{"a strip", []image.Rectangle{image.Rect(2*cell, 0, 4*cell, 2*cell+100),
			image.Rect(-5*cell, -50, -4*cell, cell)}, raster.Outward{
			{X: 2, Y: 2}: {{Y: 1}, {X: 1}}, {X: 3, Y: 2}: {{Y: 1}}, {X: -5, Y: -1}: {{Y: -1}}}},
	} {
		at := Place{Metres: [3]float64{1, 1, 1}, Tiles: append(c.more, tile)}
		must.Equal(t, at.edges(1), c.want, "cells of %s", c.name)
	}
}

// TestWaterAtTheEdge: a body at the edge of a tile of 40 m with a point on each of its edges ends there.
func TestWaterAtTheEdge(t *testing.T) {
	heights := raster.NewBins(1)
	for y := range 40 {
		for x := range 40 {
			kind := raster.Ground
			if x >= 10 && y >= 5 {
				kind = raster.Water
			}
			heights.Add(float64(x)+0.5, float64(y)+0.5, 7, kind)
		}
	}
	heights.Add(40, 20.5, 7, raster.Water)
	heights.Add(30.5, 40, 7, raster.Water)
	at := Place{Metres: [3]float64{1, 1, 1}, Stride: [2]float64{0.001, 0.001},
		Tiles: []image.Rectangle{image.Rect(0, 0, 40_001, 40_001)}}
	settings := Settings{Resolution: 1, MinWater: DefaultMinWater}
	m := must.Get(raster.Build(parallel.Run{}, heights, Units(settings, at)))(t)
	water := must.Get(FindWater(parallel.Run{}, m, heights, settings, at))(t)
	must.Need(t, water.Count() == 1, "%d bodies", water.Count())
	must.Equal(t, water.Area(), 30*35-0.5, "area; half a cell is cut off at the corners")
	must.Equal(t, water.lakes[0].edge, 1, "it may go on beyond the edge")
	must.Equal(t, water.lakes[0].points, 30*35+2, "points")
}

// TestUnitOfHeights: the rasters name the unit of the tiles.
func TestUnitOfHeights(t *testing.T) {
	for name, metres := range map[string]float64{"metre": 1, "foot": 0.3048,
		"US survey foot": 1200.0 / 3937, "": 0.5} {
		must.Equal(t, HeightUnit(metres), name, "unit of %v m", metres)
	}
}

// TestUnitOfLevels: the level of a body of water in the report has the unit of heights.
func TestUnitOfLevels(t *testing.T) {
	bodies := []raster.Body{{Cells: 40, Level: 12.5, IsLevel: true}}
	for metres, want := range map[float64]string{
		1:      "water of 10 m² has the level 12.50 m",
		0.3048: "water of 10 m² has the level 12.50 foot",
		7:      "water of 10 m² has the level 12.50",
	} {
		must.Equal(t, waterNotes(bodies, 0.5, metres), []string{want}, "notes with units of %v m", metres)
	}
}

// TestOversampled: a warning names a resolution where many cells lie between two points.
func TestOversampled(t *testing.T) {
	for _, c := range []struct {
		name          string
		side, spacing float64
		warns         bool
	}{
		{"100 m between points", 2000, 100, true},
		{"few cells", 500, 100, false},
		{"a sparse survey", 2000, 3, false},
	} {
		heights := raster.NewBins(1)
		for _, at := range []float64{0, c.side} {
			heights.Add(at, at, 0, raster.Ground)
		}
		text := Oversampled(heights, Settings{Resolution: 1}, c.spacing)
		must.Equal(t, text != "", c.warns, "%s: %q", c.name, text)
		if c.warns {
			must.Say(t, text, "4.0 million cells of 1 m", "--resolution 50 ")
		}
	}
}
