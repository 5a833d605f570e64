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
	unsure  bool
	cell    uint64 // hash
}

// mostSeen is the number of points above which half of the cells are dropped.
const mostSeen = 1 << 15

// mostHeld is the number of points above which half of the cells are dropped within a tile. Cells that are
// dropped then would be dropped at its end, too: the number of points only grows.
const mostHeld = 2 * mostSeen

func newWitness(side float64) *witness {
	return &witness{side: side, every: 1, lowest: math.Inf(1), highest: math.Inf(-1)}
}

// add adds the points of a tile, whose classes have the codes of LAS.
func (w *witness) add(c *command.Columns, class string) {
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
			unsure := confidence != nil && isUnsure(confidence[i])
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
func (w *witness) hash(x, y float64) uint64 {
	column := int64(math.Floor(x / w.side))
	row := int64(math.Floor(y / w.side))
	mixed := uint64(column)*0x9e3779b97f4a7c15 ^ uint64(row)*0xc2b2ae3d27d4eb4f
	return mixed * 0xff51afd7ed558ccd >> 20
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
	cell    int // number in the raster, from the north-west, by rows
	top     float64
	ground  tally // points of ground
	sure    tally // those of them that are sure
	water   int
	lowest  float64
	cover   float64 // lowest point of low vegetation, +Inf without one
	partial bool    // a point may belong to another cell

	terrain float32 // of the file, once it is read
}

// tally has the heights of some points.
type tally struct {
	points int
	sum    float64
}

func (h *tally) add(z float64) {
	h.points++
	h.sum += z
}

// mean returns the mean height, NaN without points.
func (h *tally) mean() float64 { return h.sum / float64(h.points) }

// inCell is a point in a cell of a raster file; without a point, it says that the cell is partial.
type inCell struct {
	cell  int
	point *seen
}

// group returns the cells of a raster file of which all points are kept, in their order. The cell of a point
// follows from the head of the file alone.
func (w *witness) group(head command.Raster) ([]observed, error) {
	points, err := w.place(head)
	if err != nil {
		return nil, err
	}
	slices.SortFunc(points, func(a, b inCell) int { return a.cell - b.cell })
	var all []observed
	for _, p := range points {
		if len(all) == 0 || all[len(all)-1].cell != p.cell {
			all = append(all, newObserved(p.cell))
		}
		o := &all[len(all)-1]
		if p.point == nil {
			o.partial = true
		} else {
			o.add(p.point)
		}
	}
	return all, nil
}

// place returns the cells of the points in a raster file. A point beyond the file is an error.
func (w *witness) place(head command.Raster) ([]inCell, error) {
	columns := newAxis(head.West, head.Width)
	rows := newAxis(head.North-float64(head.Rows)*head.Height, head.Height)
	all := make([]inCell, 0, len(w.points))
	for k := range w.points {
		p := &w.points[k]
		column, left := columns.cellOf(p.x)
		row, below := rows.cellOf(p.y)
		around := [4][2]int{{column, row}, {column + left, row}, {column, row + below},
			{column + left, row + below}}
		inside := slices.DeleteFunc(around[:], func(at [2]int) bool { return !contains(head, at[0], at[1]) })
		if len(inside) == 0 {
			return nil, fmt.Errorf("the point at %.10g %.10g lies outside", p.x, p.y)
		}
		if contains(head, column, row) {
			all = append(all, inCell{cellAt(head, column, row), p})
		}
		if left == 0 && below == 0 {
			continue
		}
		for _, at := range inside {
			all = append(all, inCell{cell: cellAt(head, at[0], at[1])})
		}
	}
	return all, nil
}

// contains reports whether a raster has a column and a row, counted from the south-west.
func contains(head command.Raster, column, row int) bool {
	return column >= 0 && column < head.Columns && row >= 0 && row < head.Rows
}

// cellAt returns the number of the cell in a column and a row, counted from the south-west.
func cellAt(head command.Raster, column, row int) int {
	return (head.Rows-1-row)*head.Columns + column
}

func newObserved(cell int) observed {
	return observed{cell: cell, top: math.Inf(-1), lowest: math.Inf(1), cover: math.Inf(1)}
}

func (o *observed) add(p *seen) {
	o.top = max(o.top, p.z)
	o.lowest = min(o.lowest, p.z)
	switch p.code {
	case groundCode:
		o.ground.add(p.z)
		if !p.unsure {
			o.sure.add(p.z)
		}
	case lowCode:
		o.cover = min(o.cover, p.z)
	case waterCode:
		o.water++
	}
}

// isWater reports whether most of the points of a cell are water.
func (o *observed) isWater() bool { return o.water > o.ground.points }

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
