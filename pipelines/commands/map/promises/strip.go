// SPDX-License-Identifier: BSD-3-Clause

package promises

import (
	"fmt"
	"math"
	"slices"

	"github.com/peterstace/simplefeatures/geom"

	"superpoint/pipelines/commands/map/contents"
)

// strip holds some rows of the rasters.
type strip struct {
	grid
	first   int                  // row
	count   int                  // of rows
	heights map[string][]float32 // by the names of rasters
}

// cells returns the number of cells of a strip.
func (s *strip) cells() int { return s.count * s.columns }

// cellsOf returns the cells that are in a strip, from a list in the order of cells.
func (s *strip) cellsOf(seen []observed) []observed {
	before := func(o observed, cell int) int { return o.cell - cell }
	first := s.first * s.columns
	from, _ := slices.BinarySearchFunc(seen, first, before)
	to, _ := slices.BinarySearchFunc(seen, first+s.cells(), before)
	return seen[from:to]
}

// height returns the height of a cell of a strip in a raster; NaN if the raster was not read.
func (s *strip) height(name string, k int) float32 {
	heights := s.heights[name]
	if heights == nil {
		return float32(math.NaN())
	}
	return heights[k]
}

// keepTerrain sets the terrain of cells of a strip.
func (s *strip) keepTerrain(inStrip []observed) {
	for k := range inStrip {
		o := &inStrip[k]
		o.terrain = s.height(contents.Terrain, o.cell-s.first*s.columns)
	}
}

// place returns the middle of a cell of a strip, for messages.
func (s *strip) place(k int) string { return placeOf(s.centre(s.first*s.columns + k)) }

// placeOf writes a position.
func placeOf(at geom.XY) string { return fmt.Sprintf("%.10g %.10g", at.X, at.Y) }
