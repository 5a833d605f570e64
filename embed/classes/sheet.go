// SPDX-License-Identifier: BSD-3-Clause

package classes

import (
	"math"
	"slices"

	"superpoint/partition/base/arrays"
)

// A sheet is a level surface with points below it nearly everywhere, as the surface of clear water has them
// of its bottom. A roof lets no pulse through but at its rim, and a crown is not level.
const (
	sheetSide  = 2.0  // side of a cell, metres; larger where points are far apart
	sheetDepth = 1.0  // least depth of points below it, metres
	sheetStep  = 0.3  // greatest step from cell to cell, metres
	sheetRough = 0.15 // greatest standard deviation of its height, metres
	sheetCells = 50   // least number of cells
	sheetInner = 0.5  // least share of cells that are no rim
	sheetAbove = 0.4  // metres below it from which on points are under it
)

// sheet is a candidate: connected cells with points at two heights.
type sheet struct {
	cells, inner int     // number of cells, and of those with level cells of the sheet all around
	sum, square  float64 // of the heights, metres
}

// height returns the mean height.
func (h *sheet) height() float64 { return h.sum / float64(h.cells) }

// is reports whether the cells are a sheet.
func (h *sheet) is() bool {
	mean := h.height()
	variance := h.square/float64(h.cells) - mean*mean
	return h.cells >= sheetCells && float64(h.inner) >= sheetInner*float64(h.cells) &&
		variance <= sheetRough*sheetRough
}

// sheets finds the superpoints that are of sheets, and those under one.
func (f *Features) sheets(s *Superpoints, m *arrays.Groups, bodies []Body) {
	if s.Cloud.Len() == 0 {
		return
	}
	r := newRaster(s.Cloud, max(sheetSide, 3*s.spacing()), s.Noise, s.ignored)
	highest := s.highest(r)
	double := slices.Clone(r.known)
	for k := range double {
		double[k] = double[k] && float64(highest[k]-r.height[k]) >= sheetDepth
	}
	_, of := r.components(highest, double, double)
	all := findSheets(r, highest, of)
	if !slices.ContainsFunc(all, func(h sheet) bool { return h.is() }) {
		return
	}
	for k := range bodies {
		inside, above := 0, 0.0
		for _, i := range m.Of(k) {
			if id := of[r.cell[i]]; id >= 0 && all[id].is() {
				inside++
				above += float64(s.Cloud.XYZ[i][2])*s.Cloud.Unit - all[id].height()
			}
		}
		if 2*inside > len(m.Of(k)) {
			bodies[k].sheet = above/float64(inside) > -sheetAbove
			bodies[k].sunk = !bodies[k].sheet
		}
	}
}

// highest returns the height of the highest point of each cell.
func (s *Superpoints) highest(r *raster) []float32 {
	highest := slices.Repeat([]float32{-math.MaxFloat32}, len(r.height))
	for i, k := range r.cell {
		if s.Noise != nil && s.Noise[i] || s.ignored(i) {
			continue
		}
		highest[k] = max(highest[k], float32(float64(s.Cloud.XYZ[i][2])*s.Cloud.Unit))
	}
	return highest
}

// findSheets returns the candidates; of has for each cell the index of its candidate, or −1.
func findSheets(r *raster, highest []float32, of []int32) []sheet {
	all := make([]sheet, slices.Max(of)+1)
	for k, id := range of {
		if id < 0 {
			continue
		}
		inner := true
		r.neighbors(k, func(o int) {
			step := max(highest[o]-highest[k], highest[k]-highest[o])
			inner = inner && of[o] == id && step <= sheetStep
		})
		h := &all[id]
		if inner {
			h.inner++
		}
		z := float64(highest[k])
		h.cells++
		h.sum += z
		h.square += z * z
	}
	return all
}
