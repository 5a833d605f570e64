// SPDX-License-Identifier: BSD-3-Clause

package planar

import (
	"image"
	"math"

	"superpoint/partition/base/arithmetic"
)

// One returns the rectangle of one cell.
func One(c image.Point) image.Rectangle { return image.Rectangle{c, c.Add(image.Pt(1, 1))} }

// CellOf returns the cell of a lattice position, for cells of the given lattice steps.
func CellOf(at, steps image.Point) image.Point {
	floor := func(a, b int) int { return int(arithmetic.FloorDiv(int64(a), int64(b))) }
	return image.Pt(floor(at.X, steps.X), floor(at.Y, steps.Y))
}

// Grown returns a rectangle extended by a number of cells on every side, or reduced by a negative one.
func Grown(r image.Rectangle, by image.Point) image.Rectangle {
	return image.Rectangle{r.Min.Sub(by), r.Max.Add(by)}
}

// Lattice returns the position of a point on a lattice with the given number of steps per unit.
func Lattice(x, y, steps float64) image.Point {
	return image.Pt(int(math.Round(x*steps)), int(math.Round(y*steps)))
}

// Bounds returns the smallest rectangle with all cells.
func Bounds(cells ...image.Point) (box image.Rectangle) {
	for _, c := range cells {
		box = box.Union(One(c))
	}
	return box
}
