// SPDX-License-Identifier: BSD-3-Clause

package rasters

import (
	"testing"

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
