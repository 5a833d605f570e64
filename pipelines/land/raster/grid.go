// SPDX-License-Identifier: BSD-3-Clause

package raster

import (
	"image"
	"math"

	"superpoint/pipelines/shapes/planar"
)

// Units are the lengths of the units of a raster, and how high low vegetation is.
type Units struct {
	Cell          float64 // metres along a side of a cell
	Height        float64 // metres per unit of heights
	LowVegetation float64 // its greatest height, metres
}

// Grid has the cells of a raster: the cells of Area, of the given side. Cells that it holds have values, in
// rows from the north, as in GeoTIFF; the other cells have none.
type Grid struct {
	Side float64         // in the unit of X and Y
	Area image.Rectangle // X from the west, Y from the south

	held *planar.Blocks // Y from the north, opposite to Area, see turned
}

// newGrid returns the grid of the cells within a margin of the points of bins. Its area has the cells with
// points.
func newGrid(bins *Bins, margin int) (Grid, error) {
	occupied := new(planar.Occupied)
	bins.each(func(c bin) { occupied.Add(turned(c.cell)) })
	held, err := occupied.BlocksIn(turnedArea(bins.Area()), margin)
	if err != nil {
		return Grid{}, err
	}
	return Grid{Side: bins.Side, Area: bins.Area(), held: held}, nil
}

// turned returns a cell with its Y counted from the north in place of the south, or the other way round.
func turned(cell image.Point) image.Point { return image.Pt(cell.X, -1-cell.Y) }

// turnedArea returns an area whose cells are turned.
func turnedArea(r image.Rectangle) image.Rectangle {
	return image.Rect(r.Min.X, -r.Max.Y, r.Max.X, -r.Min.Y)
}

// Held returns the number of cells that have a value in rasters.
func (g Grid) Held() int { return g.held.Len() }

// Index returns the index of the value of a cell, −1 if it is not held.
func (g Grid) Index(cell image.Point) int { return g.held.Index(turned(cell)) }

// At returns the cell of a value.
func (g Grid) At(k int) image.Point { return turned(g.held.At(k)) }

// Rectangle is a rectangle of cells that are held.
type Rectangle = planar.Rectangle

// InFile returns rectangles with all cells that are held, by their columns and rows in a file.
func (g Grid) InFile() []Rectangle {
	all := g.held.Rectangles()
	for k := range all {
		all[k].Rectangle = all[k].Sub(g.held.Area.Min)
	}
	return all
}

// IndexInFile returns the index of the value of a cell of a file, which has all cells; −1 if it is not held.
func (g Grid) IndexInFile(cell int) int { return g.Index(g.CellInFile(cell)) }

// CellInFile returns a cell of a file.
func (g Grid) CellInFile(cell int) image.Point {
	columns := g.Area.Dx()
	return image.Pt(g.Area.Min.X+cell%columns, g.Area.Max.Y-1-cell/columns)
}

// West returns the X of the western edge.
func (g Grid) West() float64 { return float64(g.Area.Min.X) * g.Side }

// North returns the Y of the northern edge.
func (g Grid) North() float64 { return float64(g.Area.Max.Y) * g.Side }

// empty returns a raster without values.
func (g Grid) empty() []float32 {
	values := make([]float32, g.Held())
	for k := range values {
		values[k] = none()
	}
	return values
}

// none is the value of a cell that has none.
func none() float32 { return float32(math.NaN()) }

// isNone reports whether a cell has no value.
func isNone(v float32) bool { return v != v }
