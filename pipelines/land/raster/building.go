// SPDX-License-Identifier: BSD-3-Clause

package raster

import "math"

// building holds what the steps of Build share.
type building struct {
	*Model
	units Units
	bins  *Bins
	top   []float32 // highest point of each cell
	raw   []float32 // terrain of cells with points of ground or water

	ground, water, all *spread
}

// newBuilding returns what Build needs to know of the points in bins.
func newBuilding(bins *Bins, u Units) *building {
	b := &building{
		Model:  &Model{Buildings: bins.buildings},
		units:  u,
		bins:   bins,
		ground: newSpread(u),
		water:  newSpread(u),
		all:    newSpread(u),
	}
	b.measure()
	return b
}

// Limits of the circles that may be empty in a hole that is filled: radii.
const (
	house    = 16.0 // metres: a house hides the ground below
	spacings = 8.0  // times the spacing of the points
	fewCells = 2.0  // cells
)

// measure measures the spacing of the points.
func (b *building) measure() {
	b.bins.each(func(c column) {
		b.ground.add(c.cell, c.ground.count+c.unsure.count)
		b.water.add(c.cell, c.water.count)
		b.all.add(c.cell, 1)
	})
}

// radius returns the largest radius of an empty circle in holes of the terrain that are filled, in cells.
func (b *building) radius() float64 {
	return max(house/b.units.Cell, spacings*b.ground.spacing(), fewCells)
}

// radiusOf returns the same for holes of the surface and of water.
func radiusOf(s *spread) float64 { return max(spacings*s.spacing(), fewCells) }

// margin returns how far a cell that is filled may be from the next cell with points: a cell in a triangle is
// at most the radius of the circumcircle from one of its corners.
func (b *building) margin() int {
	return int(math.Ceil(max(b.radius(), radiusOf(b.water), radiusOf(b.all))))
}

// inWater reports whether a cell belongs to a body of water that is level.
func (b *building) inWater(k int) bool {
	return b.Body != nil && b.Body[k] > 0 && b.Bodies[b.Body[k]-1].IsLevel
}
