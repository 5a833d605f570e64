// SPDX-License-Identifier: BSD-3-Clause

package promises

import (
	"math"
	"slices"

	"superpoint/embed/classes"
	"superpoint/pipelines/commands/command"
	"superpoint/pipelines/commands/map/contents"
)

// Witness holds what the promises are checked against: all points of some cells of the rasters, and the
// bounds of all points. It shares no code with the rasters.
type Witness struct {
	bounds
	side   float64 // of a cell
	every  uint64  // one of so many cells is kept, a power of two
	points []seen
}

// mostSeen is the number of points above which half of the cells are dropped.
const mostSeen = 1 << 15

// mostHeld is the number of points above which half of the cells are dropped within a tile. Cells that are
// dropped then would be dropped at its end, too: the number of points only grows.
const mostHeld = 2 * mostSeen

// NewWitness returns a witness of cells of a side, without points.
func NewWitness(side float64) *Witness {
	none := bounds{lowest: math.Inf(1), highest: math.Inf(-1)}
	return &Witness{bounds: none, side: side, every: 1}
}

// Add adds the points of a tile, whose classes have the codes of LAS.
func (w *Witness) Add(c *command.Columns, class string) {
	if len(c.X) > 0 {
		w.tiles = append(w.tiles, extent{slices.Min(c.X), slices.Min(c.Y), slices.Max(c.X), slices.Max(c.Y)})
	}
	confidence := c.Dimensions[command.ConfidenceDimension]
	for i, code := range c.Dimensions[class] {
		if code == classes.Noise || code == classes.HighNoise {
			continue
		}
		z := c.Z[i]
		w.lowest = min(w.lowest, z)
		w.highest = max(w.highest, z)
		if cell := w.hash(c.X[i], c.Y[i]); cell&(w.every-1) == 0 {
			unsure := confidence != nil && contents.IsUnsure(confidence[i])
			w.points = append(w.points, seen{c.X[i], c.Y[i], z, code, unsure, cell})
		}
		if len(w.points) > mostHeld {
			w.halve()
		}
	}
	for len(w.points) > mostSeen {
		w.halve()
	}
}

// hash returns a hash of the cell of a point.
func (w *Witness) hash(x, y float64) uint64 {
	column := int64(math.Floor(x / w.side))
	row := int64(math.Floor(y / w.side))
	mixed := uint64(column)*0x9e3779b97f4a7c15 ^ uint64(row)*0xc2b2ae3d27d4eb4f
	return mixed * 0xff51afd7ed558ccd >> 20
}

// halve drops half of the cells.
func (w *Witness) halve() {
	w.every *= 2
	kept := w.points[:0]
	for _, p := range w.points {
		if p.cell&(w.every-1) == 0 {
			kept = append(kept, p)
		}
	}
	w.points = kept
}
