// SPDX-License-Identifier: BSD-3-Clause

package promises

import (
	"math"
)

// axis has the edges of cells in one direction.
type axis struct {
	from, side float64
	exact      bool // edges are binary fractions, so that no coordinate is rounded over one
}

func newAxis(from, side float64) axis {
	const fraction = 1024
	exact := math.Mod(side*fraction, 1) == 0 && math.Mod(from*fraction, 1) == 0
	return axis{from, side, exact}
}

// cellOf returns the number of the cell that contains a coordinate. beside is −1 or 1 if rounding may have
// moved the coordinate over the edge to the cell before or after it.
func (a axis) cellOf(v float64) (k, beside int) {
	const rounding = 1e-7
	cells := (v - a.from) / a.side
	whole := math.Floor(cells)
	part := cells - whole
	switch {
	case a.exact:
	case part < rounding:
		beside = -1
	case part > 1-rounding:
		beside = 1
	}
	return int(whole), beside
}
