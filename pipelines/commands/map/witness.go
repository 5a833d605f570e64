// SPDX-License-Identifier: BSD-3-Clause

package mapcmd

import (
	"fmt"
	"math"
	"slices"

	"github.com/peterstace/simplefeatures/geom"

	"superpoint/embed/classes"
	"superpoint/pipelines/commands/command"
)

// witness holds what the promises about rasters are checked against: all points of some cells, and the range
// of heights. It shares no code with the rasters.
type witness struct {
	side    float64 // of a cell
	every   uint64  // one of so many cells is kept, a power of two
	points  []seen
	lowest  float64 // of the points that are not noise
	highest float64
	tiles   []extent
}

// extent is the smallest rectangle with the points of a tile.
type extent struct{ west, south, east, north float64 }

// seen is a point of a cell that is kept.
type seen struct {
	x, y, z float64
	code    float64 // of LAS
	cell    uint64  // hash
}

// mostSeen is the number of points above which half of the cells are dropped.
const mostSeen = 1 << 15

func newWitness(side float64) *witness {
	return &witness{side: side, every: 1, lowest: math.Inf(1), highest: math.Inf(-1)}
}

// add adds the points of a tile, whose classes have the codes of LAS.
func (w *witness) add(c *command.Columns, class string) {
	if len(c.X) > 0 {
		w.tiles = append(w.tiles, extent{slices.Min(c.X), slices.Min(c.Y), slices.Max(c.X), slices.Max(c.Y)})
	}
	for i, code := range c.Dimensions[class] {
		if code == classes.Noise || code == classes.HighNoise {
			continue
		}
		z := c.Z[i]
		w.lowest = min(w.lowest, z)
		w.highest = max(w.highest, z)
		column := int64(math.Floor(c.X[i] / w.side))
		row := int64(math.Floor(c.Y[i] / w.side))
		cell := (uint64(column)*0x9e3779b97f4a7c15 ^ uint64(
			row)*0xc2b2ae3d27d4eb4f) * 0xff51afd7ed558ccd >> 20
		if cell&(w.every-1) == 0 {
			w.points = append(w.points, seen{c.X[i], c.Y[i], z, code, cell})
		}
	}
	for len(w.points) > mostSeen {
		w.halve()
	}
}

// halve drops half of the cells.
func (w *witness) halve() {
	w.every *= 2
	kept := w.points[:0]
	for _, p := range w.points {
		if p.cell&(w.every-1) == 0 {
			kept = append(kept, p)
		}
	}
	w.points = kept
}

// nearTile reports whether a position is in a tile, or within a margin of one.
func (w *witness) nearTile(at geom.XY, margin float64) bool {
	return slices.ContainsFunc(w.tiles, func(t extent) bool {
		across := at.X >= t.west-margin && at.X <= t.east+margin
		return across && at.Y >= t.south-margin && at.Y <= t.north+margin
	})
}

// observed has what the points of a cell of a raster file say of it.
type observed struct {
	top     float64
	sum     float64 // of the heights of ground
	ground  int     // points
	water   int
	partial bool // a point may belong to another cell
}

// group returns the cells of a raster file of which all points are kept, by their numbers. The cell of a
// point follows from the head of the file alone.
func (w *witness) group(head command.Raster) (map[int]*observed, error) {
	south := head.North - float64(head.Rows)*head.Height
	all := map[int]*observed{}
	at := func(column, row int) *observed {
		k := (head.Rows-1-row)*head.Columns + column
		if all[k] == nil {
			all[k] = &observed{top: math.Inf(-1)}
		}
		return all[k]
	}
	for _, p := range w.points {
		column, left := cellIn(p.x, head.West, head.Width)
		row, below := cellIn(p.y, south, head.Height)
		if outside := column < 0 || row < 0 || column >= head.Columns || row >= head.Rows; outside {
			return nil, fmt.Errorf("the point at %.10g %.10g lies outside", p.x, p.y)
		}
		at(column, row).add(p)
		for _, beside := range [3][2]int{{column + left, row}, {column, row + below},
			{column + left, row + below}} {
			if left != 0 || below != 0 {
				at(beside[0], beside[1]).partial = true
			}
		}
		if left != 0 || below != 0 {
			at(column, row).partial = true
		}
	}
	return all, nil
}

func (o *observed) add(p seen) {
	o.top = max(o.top, p.z)
	switch p.code {
	case groundCode:
		o.sum += p.z
		o.ground++
	case waterCode:
		o.water++
	}
}

// cellIn returns the number of the cell that contains a coordinate, counted from an edge. beside is −1 or 1
// if rounding may have moved the coordinate over the edge to the cell before or after it. Sides of binary
// fractions are exact.
func cellIn(v, from, side float64) (k, beside int) {
	const rounding, exact = 1e-7, 1024
	cells := (v - from) / side
	whole := math.Floor(cells)
	k = int(whole)
	if math.Mod(side*exact, 1) == 0 && math.Mod(from*exact, 1) == 0 {
		return k, 0
	}
	switch part := cells - whole; {
	case part < rounding:
		return k, -1
	case part > 1-rounding:
		return k, 1
	}
	return k, 0
}
