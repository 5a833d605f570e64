// SPDX-License-Identifier: BSD-3-Clause

package promises

import (
	"github.com/peterstace/simplefeatures/geom"
)

// grid is the lattice of the cells of a raster file.
type grid struct {
	columns int
	rows    int
	west    float64 // edge of the first column
	north   float64 // edge of the first row
	width   float64 // of a cell
	height  float64
}

// contains reports whether a raster has a column and a row, counted from the south-west.
func (g grid) contains(column, row int) bool {
	return column >= 0 && column < g.columns && row >= 0 && row < g.rows
}

// cellAt returns the number of the cell in a column and a row, counted from the south-west.
func (g grid) cellAt(column, row int) int {
	return (g.rows-1-row)*g.columns + column
}

// centre returns the middle of a cell, by its number.
func (g grid) centre(cell int) geom.XY {
	return geom.XY{
		X: g.west + (float64(cell%g.columns)+0.5)*g.width,
		Y: g.north - (float64(cell/g.columns)+0.5)*g.height,
	}
}
