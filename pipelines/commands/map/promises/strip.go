// SPDX-License-Identifier: BSD-3-Clause

package promises

import (
	"fmt"
	"math"
	"slices"

	"github.com/peterstace/simplefeatures/geom"
)

// strip holds some rows of the rasters.
type strip struct {
	grid
	first   int // row
	count   int // of rows
	surface []float32
	terrain []float32 // nil without points of ground
	canopy  []float32
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

// keepTerrain sets the terrain of cells of a strip.
func (s *strip) keepTerrain(inStrip []observed) {
	for k := range inStrip {
		o := &inStrip[k]
		o.terrain = float32(math.NaN())
		if s.terrain != nil {
			o.terrain = s.terrain[o.cell-s.first*s.columns]
		}
	}
}

// place returns the middle of a cell of a strip, for messages.
func (s *strip) place(k int) string { return placeOf(s.centre(s.first*s.columns + k)) }

// placeOf writes a position.
func placeOf(at geom.XY) string { return fmt.Sprintf("%.10g %.10g", at.X, at.Y) }
