// SPDX-License-Identifier: BSD-3-Clause

package promises

import (
	"fmt"
	"math"
	"slices"

	"superpoint/pipelines/commands/map/contents"
)

// seen is a point of a cell that is kept.
type seen struct {
	x, y, z float64
	code    float64 // of LAS
	unsure  bool
	cell    uint64 // hash
}

// observed has what the points of a cell of a raster file say of it.
type observed struct {
	cell        int // number in the raster, from the north-west, by rows
	top         float64
	ground      tally // points of ground
	sure        tally // points of ground that are sure
	water       int
	lowest      float64
	lowestPlant float64 // lowest point of low vegetation, +Inf without one
	partial     bool    // a point may belong to another cell

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

func newObserved(cell int) observed {
	return observed{cell: cell, top: math.Inf(-1), lowest: math.Inf(1), lowestPlant: math.Inf(1)}
}

func (o *observed) add(p *seen) {
	o.top = max(o.top, p.z)
	o.lowest = min(o.lowest, p.z)
	switch p.code {
	case contents.Ground:
		o.ground.add(p.z)
		if !p.unsure {
			o.sure.add(p.z)
		}
	case contents.LowVegetation:
		o.lowestPlant = min(o.lowestPlant, p.z)
	case contents.Water:
		o.water++
	}
}

// isWater reports whether most of the points of a cell are water.
func (o *observed) isWater() bool { return o.water > o.ground.points }

// hasWater reports whether a cell has mostly water.
func hasWater(cells []observed) bool {
	for k := range cells {
		if cells[k].isWater() {
			return true
		}
	}
	return false
}

// inCell is a point in a cell of a raster file; without a point, it says that the cell is partial.
type inCell struct {
	cell  int
	point *seen
}

// group returns the cells of a raster file that have some points, in their order. All points of such a cell
// are among these. The cell of a point follows from the grid of the file alone.
func group(points []seen, g grid) ([]observed, error) {
	placed, err := place(points, g)
	if err != nil {
		return nil, err
	}
	slices.SortFunc(placed, func(a, b inCell) int { return a.cell - b.cell })
	var all []observed
	for _, p := range placed {
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
func place(points []seen, g grid) ([]inCell, error) {
	columns := newAxis(g.west, g.width)
	rows := newAxis(g.north-float64(g.rows)*g.height, g.height)
	all := make([]inCell, 0, len(points))
	for k := range points {
		p := &points[k]
		column, left := columns.cellOf(p.x)
		row, below := rows.cellOf(p.y)
		around := [4][2]int{{column, row}, {column + left, row}, {column, row + below},
			{column + left, row + below}}
		inside := slices.DeleteFunc(around[:], func(at [2]int) bool { return !g.contains(at[0], at[1]) })
		if len(inside) == 0 {
			return nil, fmt.Errorf("the point at %.10g %.10g lies outside", p.x, p.y)
		}
		if g.contains(column, row) {
			all = append(all, inCell{g.cellAt(column, row), p})
		}
		if left == 0 && below == 0 {
			continue
		}
		for _, at := range inside {
			all = append(all, inCell{cell: g.cellAt(at[0], at[1])})
		}
	}
	return all, nil
}
