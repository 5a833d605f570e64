// SPDX-License-Identifier: BSD-3-Clause

package embed

import (
	"math"

	"superpoint/partition/base/arithmetic"
	"superpoint/partition/base/cube"
	"superpoint/partition/base/parallel"
)

// grid divides space into boxes, counted from one point for all tiles, so that a point is in the same
// box in every tile.
//
// Claim: if a cloud is scaled to a reference spacing, its boxes do not change by more than a
// millionth of an edge when all lengths of the cloud are multiplied by a factor. Reason: they are counted
// from the anchor of the cloud, and edges are rounded to 1/boxSteps of a unit. With whole units, or
// counted from 0, thousands of boxes away, the rounding of an edge moves all boxes by up to an edge.
type grid struct {
	side    [3]int64   // in 1/boxSteps of a unit
	inverse [3]float64 // 1/side
	origin  [3]int64   // of the cloud, in units from where boxes are counted
	first   [3]int64   // index of the cell of the origin; keys are relative to it
}

// boxSteps is the number of steps of the edges of boxes in a unit. Coordinates of up to 2⁴⁷ units, a
// million kilometres, fit into 64 bits with it.
const boxSteps = 1 << 16

// newGrid returns the grid of boxes of an edge and a height in metres. They are limited to 1 and 2⁴⁴ units,
// so that indices of boxes and their borders fit their integers.
func newGrid(unit, edge, height float64, origin [3]int64) *grid {
	g := &grid{origin: origin}
	for a, length := range [3]float64{edge, edge, height} {
		// 2⁴⁴ units are 2⁶⁰ steps: with coordinates below 2⁴⁶ units, which are 2⁶² steps, the far border of a
		// cell is below 2⁶³.
		g.side[a] = int64(math.Round(min(max(length/unit, 1), 1<<44) * boxSteps))
		g.inverse[a], g.first[a] = 1/float64(g.side[a]), arithmetic.FloorDiv(origin[a]*boxSteps, g.side[a])
	}
	return g
}

// cell returns ⌊(origin + x)/side⌋, the index of the cell of a coordinate along an axis. The
// product with 1/side, which is faster than a quotient, may be off by one; the loops correct it,
// so the result is exact.
//
// Reason: the quotient is below 2⁴⁷, since an edge has at least boxSteps steps, and four roundings have a
// relative error of about 2⁻⁵¹ at most. So the product is off by at most a sixteenth. The conversion to an
// integer rounds toward 0, which is up for negative coordinates: this takes one more step.
func (g *grid) cell(axis int, x int32) int64 {
	at, side := (g.origin[axis]+int64(x))*boxSteps, g.side[axis]
	cell := int64(float64(at) * g.inverse[axis])
	for at < cell*side {
		cell--
	}
	for at >= (cell+1)*side {
		cell++
	}
	return cell
}

// walker finds the cells of points. It keeps the cell of the last point, because
// consecutive points are mostly in the same one.
type walker struct {
	*grid
	at  cube.Key
	low [3]int64 // of the cell at, relative to the cloud's origin, in 1/boxSteps of a unit
}

// The first point is in no known cell: low is so far away that the differences in method in, which wrap
// around, are near 2⁶³ as unsigned numbers, and edges are at most 2⁶⁰.
func (g *grid) walk() walker {
	w := walker{grid: g}
	for a := range w.low {
		w.low[a] = math.MaxInt64
	}
	return w
}

// in sets at to the cell of a point and reports whether it differs from the cell of the
// point before.
func (w *walker) in(p *[3]int32) (moved bool) {
	x := int64(p[0])*boxSteps - w.low[0]
	y := int64(p[1])*boxSteps - w.low[1]
	z := int64(p[2])*boxSteps - w.low[2]
	// As unsigned numbers, negative differences are larger than each edge: one comparison checks both
	// borders.
	if uint64(x) < uint64(w.side[0]) && uint64(y) < uint64(w.side[1]) && uint64(z) < uint64(w.side[2]) {
		return false
	}
	for a := range 3 {
		// Keys are counted from the cell of the origin, and so fit 32 bits: an edge has at least a unit, and
		// a point is less than 2³¹ units from the origin. Indices counted from the zero of the grid might
		// not.
		cell := w.cell(a, p[a])
		w.at[a], w.low[a] = int32(cell-w.first[a]), cell*w.side[a]-w.origin[a]*boxSteps
	}
	return true
}

// usualPoints is the typical number of points of a cell.
//
// Tables have room for as many cells as follow from it. Another number of points costs memory or another
// rehash, and has no effect on results.
const usualPoints = 32

// collectBlock is the number of points of one task of collect: cells in several blocks are merged, by one
// thread.
//
// It depends on n, not on the number of threads: the blocks, and with them the numbers of cells, are the same
// for any number.
func collectBlock(n int) int { return min(max(n/16, 1<<13), 1<<16) }

// collect returns the cells of n points, and for each block of collectBlock(n) points the
// indices of the block's own cells in that table. add adds the points lo to hi−1 to the cells
// of a block; merge adds the value of another block's cell. Both add integers, so the result
// does not depend on the order.
//
// Claim: cells have the order in which their first points come in the cloud, if add takes points in their
// order. Reason: a table keeps its keys in the order in which they were added, and blocks are merged in their
// order. So all that is numbered by cells has the same numbers for any number of threads.
func collect[T any](run parallel.Run, n int, add func(part *cube.Table[T], lo, hi int), merge func(c,
	other *T)) (*cube.Table[T],
	[][]uint32, error) {
	block := collectBlock(n)
	parts := make([]cube.Table[T], (n+block-1)/block)
	err := run.For(n, block, func(lo, hi int) {
		part := new(cube.Table[T]) // not in parts: workers would write to the same cache lines
		part.Reserve((hi - lo) / usualPoints)
		add(part, lo, hi)
		parts[lo/block] = *part
	})
	if len(parts) == 0 {
		return new(cube.Table[T]), nil, err
	}
	// The table of the first block becomes the table of all blocks. Its own cells are there already:
	// merging them would count their points twice.
	all := &parts[0]
	places := make([][]uint32, len(parts))
	// An upper bound: a cell that is in several blocks is counted in each.
	more := 0
	for p := range parts[1:] {
		more += len(parts[p+1].Keys)
	}
	all.Reserve(more)
	for p := range parts {
		places[p] = make([]uint32, len(parts[p].Keys))
		for i, k := range parts[p].Keys {
			at := i
			if p > 0 {
				at = all.Add(k)
				merge(&all.Values[at], &parts[p].Values[i])
			}
			places[p][i] = uint32(at)
		}
	}
	return all, places, err
}

// lowest is an occupied cell of the plane, or a corner of cells, and a height in units.
type lowest struct {
	at uint64 // see place
	z  int32
}

// place returns a key of a cell of the plane, ascending by rows and then by columns: the
// row is in the upper 32 bits, the column in the lower.
//
// The offset makes both unsigned, so that negative rows come first. The cell to the right has the key + 1,
// the one above it the key + 2³².
func place(row, column int64) uint64 {
	const middle = 1 << 31
	return uint64(row+middle)<<32 | uint64(column+middle)
}

// Elevation has the settings of a point's height above its surroundings. The plane is
// divided into cells, see grid. The ground at a corner of
// cells is the third lowest of the lowest points of the occupied cells within Window
// (if there are fewer than three cells: the highest of these points); between corners it
// is interpolated bilinearly, so that it is continuous. Isolated points, such as echoes
// from below the ground (see outliers.go), are ignored unless there are no others. A
// point's elevation depends only on points within Halo of it.
type Elevation struct {
	Cell   float64 // metres, side of a cell
	Window float64 // metres from a corner to the farthest side of its cells; a multiple of cell
}

// DefaultElevation returns cells large enough to be occupied in an aerial scan of
// 1 point/m², and a window wider than most houses.
func DefaultElevation() Elevation { return Elevation{Cell: 2, Window: 16} }

// LayerHeight returns the height of a box in metres.
func (e Elevation) LayerHeight() float64 { return e.Cell / layerShare }

const layerShare = 4 // edge of a cell / height of a box

// Halo returns the distance in metres along x or y beyond which no point has an effect.
//
// Reason: a point reads the corners of its own cell, at most Cell away. A corner reads cells up to Window
// from it. Whether a box in them is isolated depends on the boxes beside it, which end another Cell farther.
func (e Elevation) Halo() float64 { return e.Window + 2*e.Cell }

// reach returns the window in cells.
func (e Elevation) reach() int64 { return int64(math.Round(e.Window / e.Cell)) }
