// SPDX-License-Identifier: BSD-3-Clause

package embed

import (
	"math"

	"superpoint/partition/base/arrays"
	"superpoint/partition/base/parallel"
	"superpoint/partition/neighbor"
)

// outliers is the number of lowest cells that are ignored.
const outliers = 2

// Limits of an elevation in metres.
const (
	lowestElevation  = -10
	highestElevation = 100
)

// ground holds the heights at corners, in order.
//
// *grid has the edge and the origin of cells. corners is sorted by key: row in the upper 32 bits and column
// in the lower.
type ground struct {
	*grid
	corners []lowest
}

// Measure returns every point's elevation in metres, in the cloud's order. Points that
// are noise (nil: none) have no effect on the ground.
//
// Time: O(n) for points, a sort of cells, and (2·reach)² cells for each corner. Consecutive points are mostly
// in one cell, so that its corners are searched once for all of them (above).
func (e Elevation) Measure(run parallel.Run, cloud *neighbor.Cloud, noise []bool) ([]float32, error) {
	above := make([]float32, cloud.Len())
	if len(above) == 0 {
		return above, nil
	}
	found, err := newLayers(run, cloud, e.Cell, e.LayerHeight(), noise)
	if err != nil {
		return nil, err
	}
	g, err := e.ground(run, found)
	if err != nil {
		return nil, err
	}
	return above, run.For(len(above), 1<<14, func(lo, hi int) {
		// no cell: the first point is in another one
		at := spot{x: math.MaxInt64}
		for i := lo; i < hi; i++ {
			above[i] = g.elevation(cloud, i, &at)
		}
	})
}

// ground computes the ground at the corners of all cells that have points of the cloud.
//
// It needs three sets of cells: all cells with a point, noise included, since each point gets an elevation;
// cells with a point that is no noise; and among the latter the solid cells, which are not isolated. The
// ground is computed from solid cells; others are used only where a window has no solid cell.
func (e Elevation) ground(run parallel.Run, found *layers) (_ *ground, err error) {
	defer parallel.Catch(&err)
	g := &ground{grid: found.grid}
	such := []func(*layer) bool{func(*layer) bool { return true }, func(v *layer) bool { return v.n > 0 },
		func(v *layer) bool { return v.n > 0 && !v.isolated }}
	// Boxes are sorted once for all three. Each task writes a list of its own.
	var cells [3][]lowest
	order := found.sorted(run)
	run.Each(len(such), 1, func(k int) { cells[k] = found.lowest(order, such[k]) })
	return g, g.settle(run, cells[0], cells[1], cells[2], e.reach())
}

// elevation returns the elevation of point i in metres. at is the cell of the point before.
//
// It is clamped, so that a point far above or below has no other effect on a network than one at the limit.
func (g *ground) elevation(cloud *neighbor.Cloud, i int, at *spot) float32 {
	return float32(min(max(g.above(&cloud.XYZ[i], at)*cloud.Unit, lowestElevation), highestElevation))
}

// distinct returns the cells sorted by key, each once and with its least height.
//
// Time: O(n log n) for the sort. The result does not depend on threads, as equal keys are reduced to their
// least height, and which of them comes first has no effect.
func distinct(run parallel.Run, cells []lowest) []lowest {
	order := arrays.Sorted(run, len(cells), func(i int) uint64 { return cells[i].at })
	out := make([]lowest, 0, len(cells))
	// Equal keys follow one another in order: unless a cell is the first of its key, the last cell
	// of out has this key.
	for i, o := range order {
		if i == 0 || o.Key != order[i-1].Key {
			out = append(out, cells[o.Of])
			continue
		}
		last := &out[len(out)-1]
		last.z = min(last.z, cells[o.Of].z)
	}
	return out
}

// settle computes the ground at the four corners of every own cell from the solid cells
// at most reach cells away; from all of them if none is solid; 0 units if there are none.
// Corner (row, col) is the lower left one of cell (row, col).
//
// A corner reads at most (2·reach)² cells, 256 with the default lengths, whatever the density of points. Its
// height depends on cells within reach only, which is the halo that tiles need (Elevation.Halo).
//
// Steps: (1) the corners of own cells, each once; (2) for each corner the third lowest height in its window.
func (g *ground) settle(run parallel.Run, own, all, solid []lowest, reach int64) (err error) {
	defer parallel.Catch(&err)
	// four of each cell, most of which are also corners of neighbors: distinct keeps each once
	corners := make([]lowest, 0, 4*len(own))
	for _, c := range own {
		// d/2 is the row and d%2 the column: lower left, lower right, upper left, upper right.
		for d := range uint64(4) {
			corners = append(corners, lowest{at: c.at + d/2<<32 + d%2})
		}
	}
	// Their heights are not set yet: distinct keeps a height that is replaced below.
	g.corners = distinct(run, corners)
	return run.For(len(g.corners), 1<<10, func(lo, hi int) {
		from := make([]int, 2*reach)
		fresh := true
		for i := lo; i < hi; i++ {
			c := &g.corners[i]
			// from is valid for the next corner of the same row, if it is for the same list of cells: a
			// corner that had to read all cells makes the search start again.
			z, ok := third(solid, c.at, uint64(reach), from, fresh || g.corners[i-1].at>>32 != c.at>>32)
			if fresh = !ok; fresh {
				z, _ = third(all, c.at, uint64(reach), from, true)
			}
			c.z = z
		}
	})
}

// search returns the index of the first cell whose key is at least at.
//
// O(log n) by halves; cells are sorted by at, each once.
func search(cells []lowest, at uint64) int {
	low, high := 0, len(cells)
	for low < high {
		if middle := (low + high) / 2; cells[middle].at < at {
			low = middle + 1
		} else {
			high = middle
		}
	}
	return low
}

// third returns the third lowest height among the cells around a corner, or the highest
// if there are fewer; ok reports whether there are any. Unless fresh is set, from holds
// for each row of cells the index at which the search for the previous corner began:
// corners are visited in ascending order, so the search continues there.
//
// Why the third: the lowest point of a cell may be an echo from below the ground. Two of them in a window are
// tolerated, and a slope costs a little: the third lowest cell is near the lowest one.
//
// The ascending order saves the searches. From one corner to the next in a row the window moves by a cell, so
// each of its rows begins where it did before or shortly after, and from moves forward only.
func third(cells []lowest, corner, reach uint64, from []int, fresh bool) (z int32, ok bool) {
	// Invariant: low has the lowest heights so far, ascending; count is the number of heights so far.
	low := [outliers + 1]int32{math.MaxInt32, math.MaxInt32, math.MaxInt32}
	count := 0
	for r := range from {
		middle := corner + (uint64(r)-reach)<<32
		// middle−reach is the key of the first cell of the window in its row. Rows and columns have an offset
		// (place), so that no subtraction passes from a column into a row.
		if fresh {
			from[r] = search(cells, middle-reach)
		}
		k := from[r]
		for k < len(cells) && cells[k].at < middle-reach {
			k++
		}
		from[r] = k
		for ; k < len(cells) && cells[k].at < middle+reach; k++ {
			count++
			// an insertion into the three lowest
			if z := cells[k].z; z < low[outliers] {
				low[outliers] = z
				for j := outliers; j > 0 && low[j] < low[j-1]; j-- {
					low[j], low[j-1] = low[j-1], low[j]
				}
			}
		}
	}
	if count == 0 {
		return 0, false
	}
	// With fewer than three cells, the highest of them.
	return low[min(count-1, outliers)], true
}

// spot is a cell: its lower left corner, in 1/boxSteps of a unit from the cloud's origin, and the
// heights at its lower left, lower right, upper left and upper right corners.
type spot struct {
	x, y   int64
	height [4]int32
}

// above returns a point's height above the interpolated ground in units. at holds the
// cell of the last point, which is mostly the same.
func (g *ground) above(p *[3]int32, at *spot) float64 {
	if !at.contains(p, g.side[0]) {
		*at = g.spotOf(p)
	}
	return at.above(p, float64(g.side[0]))
}

// offset returns a point's place in the cell, in 1/boxSteps of a unit from its lower left corner.
func (s *spot) offset(p *[3]int32) (x, y int64) {
	x = int64(p[0])*boxSteps - s.x
	y = int64(p[1])*boxSteps - s.y
	return x, y
}

// contains reports whether a point lies in the cell, which has a side.
func (s *spot) contains(p *[3]int32, side int64) bool {
	x, y := s.offset(p)
	// As unsigned numbers, both comparisons also fail for negative offsets.
	return uint64(x) < uint64(side) && uint64(y) < uint64(side)
}

// above returns the height of a point in the cell above the ground.
//
// It is interpolated bilinearly between the four corners: it is continuous across cells, since neighbors
// share their corners.
func (s *spot) above(p *[3]int32, side float64) float64 {
	x, y := s.offset(p)
	east := float64(x) / side
	north := float64(y) / side
	bottom := between(s.over(p, 0), s.over(p, 1), east)
	top := between(s.over(p, 2), s.over(p, 3), east)
	return between(bottom, top, north)
}

// over returns the height of a point above a corner: an exact integer, so only the interpolation is rounded.
func (s *spot) over(p *[3]int32, corner int) float64 {
	return float64(int64(p[2]) - int64(s.height[corner]))
}

// between returns the value at a fraction of the way from a to b.
func between(a, b, fraction float64) float64 { return a + fraction*(b-a) }

// spotOf returns the cell of a point.
func (g *ground) spotOf(p *[3]int32) spot {
	side := g.side[0]
	column := g.cell(0, p[0])
	row := g.cell(1, p[1])
	// Keys of corners follow from keys of boxes, which are counted from the cell of the origin (walker).
	cell := place(row-g.first[1], column-g.first[0])
	// The corners of every cell with a point exist (settle), and the right one follows the left one,
	// because keys of a row are consecutive.
	lower := search(g.corners, cell)
	upper := search(g.corners, cell+1<<32)
	return spot{
		x: column*side - g.origin[0]*boxSteps,
		y: row*side - g.origin[1]*boxSteps,
		height: [4]int32{
			g.corners[lower].z,
			g.corners[lower+1].z,
			g.corners[upper].z,
			g.corners[upper+1].z,
		},
	}
}
