// SPDX-License-Identifier: BSD-3-Clause

package raster

import (
	"image"
	"math"
)

// Grid is the cells of a raster: those of Area, of the given side. Values are in rows from the north, as in
// GeoTIFF.
type Grid struct {
	Side float64         // in the unit of X and Y
	Area image.Rectangle // X from the west, Y from the south
}

// Cells returns the number of cells.
func (g Grid) Cells() int { return g.Area.Dx() * g.Area.Dy() }

// Index returns the index of the value of a cell.
func (g Grid) Index(cell image.Point) int {
	return (g.Area.Max.Y-1-cell.Y)*g.Area.Dx() + cell.X - g.Area.Min.X
}

// At returns the cell of a value.
func (g Grid) At(k int) image.Point {
	return image.Pt(g.Area.Min.X+k%g.Area.Dx(), g.Area.Max.Y-1-k/g.Area.Dx())
}

// West returns the X of the western edge.
func (g Grid) West() float64 { return float64(g.Area.Min.X) * g.Side }

// North returns the Y of the northern edge.
func (g Grid) North() float64 { return float64(g.Area.Max.Y) * g.Side }

// empty returns a raster without values.
func (g Grid) empty() []float32 {
	values := make([]float32, g.Cells())
	for k := range values {
		values[k] = none()
	}
	return values
}

// none is the value of a cell that has none.
func none() float32 { return float32(math.NaN()) }

// isNone reports whether a cell has no value.
func isNone(v float32) bool { return v != v }
