// SPDX-License-Identifier: BSD-3-Clause

package raster

import (
	"image"
	"math"

	"superpoint/pipelines/shapes/planar"
)

// builder holds what the steps of Build share.
type builder struct {
	*Model
	units Units
	bins  *Bins
	top   []float32 // highest point of each cell
	raw   []float32 // terrain of cells with points of ground or water

	ground, water, all *spread
}

// newBuilder returns what Build needs to know of the points in bins.
func newBuilder(bins *Bins, u Units) *builder {
	b := &builder{
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
func (b *builder) measure() {
	b.bins.each(func(c bin) {
		b.ground.add(c.cell, c.ground.count+c.unsure.count)
		b.water.add(c.cell, c.water.count)
		b.all.add(c.cell, 1)
	})
}

// radius returns the largest radius of an empty circle in holes of the terrain that are filled, in cells.
func (b *builder) radius() float64 {
	return max(house/b.units.Cell, spacings*b.ground.spacing(), fewCells)
}

// radiusOf returns the same for holes of the surface and of water.
func radiusOf(s *spread) float64 { return max(spacings*s.spacing(), fewCells) }

// margin returns how far a cell that is filled may be from the next cell with points: a cell in a triangle is
// at most the radius of the circumcircle from one of its corners.
func (b *builder) margin() int {
	return int(math.Ceil(max(b.radius(), radiusOf(b.water), radiusOf(b.all))))
}

// inWater reports whether a cell belongs to a body of water that is level.
func (b *builder) inWater(k int) bool {
	return b.Body != nil && b.Body[k] > 0 && b.Bodies[b.Body[k]-1].IsLevel
}

// coarse is the side in metres of the cells in which the area of points is measured.
const coarse = 16.0

// spread measures the spacing of points.
type spread struct {
	side   int // cells along a coarse cell
	coarse map[image.Point]struct{}
	points int64
}

func newSpread(u Units) *spread {
	return &spread{side: max(1, int(math.Ceil(coarse/u.Cell))), coarse: map[image.Point]struct{}{}}
}

// add adds the points of a cell.
func (s *spread) add(cell image.Point, points int64) {
	if points == 0 {
		return
	}
	s.points += points
	s.coarse[planar.CellOf(cell, image.Pt(s.side, s.side))] = struct{}{}
}

// spacing returns the side of a square with the mean area per point, in cells. The coarse cells with points
// make up the area.
func (s *spread) spacing() float64 {
	area := float64(len(s.coarse)) * float64(s.side) * float64(s.side)
	return math.Sqrt(area / float64(max(1, s.points)))
}
