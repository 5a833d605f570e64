// SPDX-License-Identifier: BSD-3-Clause

package raster

import (
	"image"
	"math"

	"superpoint/pipelines/shapes/planar"
)

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
