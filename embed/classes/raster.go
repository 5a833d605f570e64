// SPDX-License-Identifier: BSD-3-Clause

package classes

import (
	"math"
	"slices"

	"superpoint/partition/base/arithmetic"
	"superpoint/partition/neighbor"
)

// raster is a grid of cells of the plane, aligned with the world, row major, each with
// a height in metres from the cloud's origin.
type raster struct {
	rows, columns int
	cell          []int32   // index of the cell of each point
	height        []float32 // of each cell
	known         []bool    // whether a cell has a height
	side          float64   // of a cell, metres
	axes          [2]axis
}

// A raster without gaps has at most cellsPerPoint cells per point; one whose gaps are left out may have
// fewCells.
const cellsPerPoint, fewCells = 4, 1 << 18

// newRaster returns a raster of the lowest point of every cell, of those without out. It ends at the last
// points that are not noise, so that a point far from all others changes nothing about these: it has the
// nearest cell, but no height there.
func newRaster(c *neighbor.Cloud, wanted float64, noise []bool, out func(i int) bool) *raster {
	axes, side := fittingAxes(c, wanted, noise)
	r := &raster{rows: axes[1].lines(), columns: axes[0].lines(), side: float64(side) * c.Unit, axes: axes}
	r.height = make([]float32, r.rows*r.columns)
	r.known = make([]bool, r.rows*r.columns)
	r.cell = make([]int32, c.Len())
	for i, p := range c.XYZ {
		row := int32(r.axes[1].at(p[1]) / side)
		column := int32(r.axes[0].at(p[0]) / side)
		k := row*int32(r.columns) + column
		r.cell[i] = k
		if out(i) || !r.holds(p) {
			continue
		}
		z := float32(float64(p[2]) * c.Unit)
		if !r.known[k] || z < r.height[k] {
			r.height[k] = z
			r.known[k] = true
		}
	}
	return r
}

// fittingAxes returns the axes of a raster and the side of its cells in units of the cloud. The side is the
// one wanted, in metres. Where that would be too many cells, long ranges of rows and columns without points
// are left out, so that another area changes nothing, either; only if that is not enough, as for a long
// diagonal corridor, is the side larger.
func fittingAxes(c *neighbor.Cloud, wanted float64, noise []bool) (axes [2]axis, side int64) {
	side = max(1, int64(math.Round(wanted/c.Unit)))
	some := slices.Contains(noise, false)
	skip := func(i int) bool { return some && noise[i] }
	most := cellsPerPoint * float64(c.Len()+1000)
	axes = newAxes(c, skip, side, false)
	if cellsOf(axes) <= most {
		return axes, side
	}
	most = max(most, fewCells)
	axes = newAxes(c, skip, side, true)
	for cellsOf(axes) > most {
		side *= 2
		axes = newAxes(c, skip, side, true)
	}
	return axes, side
}

// newAxes returns the axes of a raster, with long gaps left out if cut.
func newAxes(c *neighbor.Cloud, skip func(i int) bool, side int64, cut bool) (axes [2]axis) {
	origin := [2]float64{c.Origin.X, c.Origin.Y}
	for k := range axes {
		axes[k] = newAxis(c.XYZ, skip, k, int64(math.Round(origin[k]/c.Unit)), side)
		if cut {
			axes[k].cutGaps(c.XYZ, skip, k)
		}
	}
	return axes
}

// cellsOf returns the number of cells of axes.
func cellsOf(axes [2]axis) float64 { return float64(axes[0].lines()) * float64(axes[1].lines()) }

// holds reports whether a point lies in the raster, and in no line left out.
func (r *raster) holds(p [3]int32) bool { return r.axes[0].holds(p[0]) && r.axes[1].holds(p[1]) }

// axis places coordinates, in units from the cloud's origin, in the lines of a raster: its columns or rows.
type axis struct {
	least     int64   // least coordinate
	low, high int64   // start of the first line, and greatest coordinate
	side      int64   // of a line
	cut       []int64 // units left out before each block of gapLines lines; nil: none
}

// gapLines is the number of lines of a block. Of empty blocks that follow one another two are kept: more
// lines than a window has.
const gapLines = 32

// newAxis returns the axis of a coordinate of points, with lines at multiples of side in the world.
func newAxis(points [][3]int32, skip func(i int) bool, k int, origin, side int64) axis {
	low, high := int64(math.MaxInt64), int64(math.MinInt64)
	for i, p := range points {
		if !skip(i) {
			low, high = min(low, int64(p[k])), max(high, int64(p[k]))
		}
	}
	return axis{least: low, low: arithmetic.FloorDiv(origin+low, side)*side - origin, high: high, side: side}
}

// holds reports whether a coordinate lies within the range of the points that made the axis, and in no line
// that is left out.
func (a *axis) holds(x int32) bool {
	b := (int64(x) - a.low) / (gapLines * a.side)
	return int64(x) >= a.least && int64(x) <= a.high && (int(b)+1 >= len(a.cut) || a.cut[b] == a.cut[b+1])
}

// at returns the distance of a coordinate, or of the nearest that the axis holds, to the start of the first
// line, less what is left out.
func (a *axis) at(x int32) int64 {
	d := min(max(int64(x), a.least), a.high) - a.low
	if a.cut != nil {
		d -= a.cut[d/(gapLines*a.side)]
	}
	return d
}

// lines is the number of lines.
func (a *axis) lines() int { return int(a.at(int32(a.high))/a.side) + 1 }

// cutGaps leaves out lines of long gaps.
func (a *axis) cutGaps(points [][3]int32, skip func(i int) bool, k int) {
	block := gapLines * a.side
	taken := make([]bool, (a.high-a.low)/block+1)
	for i, p := range points {
		if !skip(i) {
			taken[(int64(p[k])-a.low)/block] = true
		}
	}
	a.cut = make([]int64, len(taken))
	left, empty := int64(0), 0
	for b, is := range taken {
		if a.cut[b] = left; is {
			empty = 0
		} else if empty++; empty > 2 {
			left += block
		}
	}
}

// at returns the height at a point, interpolated between the centres of cells. All cells must have a height.
func (r *raster) at(c *neighbor.Cloud, i int) float64 {
	p, lines := c.XYZ[i], [2]int{r.columns, r.rows}
	var cell, next [2]int
	var share [2]float64
	for k := range cell {
		from := float64(r.axes[k].at(p[k]))*c.Unit/r.side - 0.5
		from = min(max(from, 0), float64(lines[k]-1))
		cell[k] = int(from)
		next[k], share[k] = min(cell[k]+1, lines[k]-1), from-float64(cell[k])
	}
	along := func(row int) float64 {
		line := r.height[row*r.columns : (row+1)*r.columns]
		return (1-share[0])*float64(line[cell[0]]) + share[0]*float64(line[next[0]])
	}
	return (1-share[1])*along(cell[1]) + share[1]*along(next[1])
}

// slope returns the slope of the surface at every cell, by central differences.
func (r *raster) slope() []float32 {
	slope := make([]float32, len(r.height))
	for k := range slope {
		row, column := k/r.columns, k%r.columns
		x0, x1 := max(0, column-1), min(r.columns-1, column+1)
		y0, y1 := max(0, row-1), min(r.rows-1, row+1)
		east := float64(r.height[row*r.columns+x1]-r.height[row*r.columns+x0]) / float64(max(1, x1-x0))
		north := float64(r.height[y1*r.columns+column]-r.height[y0*r.columns+column]) / float64(max(1, y1-y0))
		slope[k] = float32(math.Hypot(east, north) / r.side)
	}
	return slope
}

// means returns, for every cell, the mean of the values within half cells in each direction.
func (r *raster) means(values []float64, half int) []float64 {
	wide := r.columns + 1
	sum := make([]float64, wide*(r.rows+1)) // of the cells below and left of a corner
	for k, v := range values {
		at := (k/r.columns+1)*wide + k%r.columns + 1
		sum[at] = v + sum[at-1] + sum[at-wide] - sum[at-wide-1]
	}
	mean := make([]float64, len(values))
	for k := range mean {
		row, column := k/r.columns, k%r.columns
		y0, y1 := max(0, row-half), min(r.rows, row+half+1)
		x0, x1 := max(0, column-half), min(r.columns, column+half+1)
		total := sum[y1*wide+x1] - sum[y0*wide+x1] - sum[y1*wide+x0] + sum[y0*wide+x0]
		mean[k] = total / float64((y1-y0)*(x1-x0))
	}
	return mean
}

// slide replaces every height by the lowest, or the highest, in a square window of
// 2·half + 1 cells: an erosion or dilation, along rows and then along columns.
func (r *raster) slide(height, scratch []float32, half int, highest bool) {
	for row := range r.rows {
		extremes(scratch, height, row*r.columns, 1, r.columns, half, highest)
	}
	for column := range r.columns {
		extremes(height, scratch, column, r.columns, r.rows, half, highest)
	}
}

// extremes does so along a line of n cells, in O(n) by a monotonic queue: it holds the
// indices of cells that may still be the extreme of a window, the best first.
func extremes(to, from []float32, at, step, n, half int, highest bool) {
	queue := make([]int, 0, n)
	first := 0
	for i := range n + half {
		if i < n {
			v := from[at+i*step]
			for len(queue) > first && (from[at+queue[len(queue)-1]*step] >= v) != highest {
				queue = queue[:len(queue)-1]
			}
			queue = append(queue, i)
		}
		if i >= half {
			for queue[first] < i-2*half {
				first++
			}
			to[at+(i-half)*step] = from[at+queue[first]*step]
		}
	}
}

// cross sets to to the lowest, or the highest, height of every cell of from and its four neighbours: radius
// times that is an erosion, or dilation, by a diamond.
func (r *raster) cross(to, from []float32, highest bool) {
	n := r.columns
	for row := range r.rows {
		line, out := from[row*n:(row+1)*n], to[row*n:(row+1)*n]
		above, below := line, line
		if row > 0 {
			below = from[(row-1)*n : row*n]
		}
		if row < r.rows-1 {
			above = from[(row+1)*n : (row+2)*n]
		}
		for k, v := range line {
			left, right := line[max(k-1, 0)], line[min(k+1, n-1)]
			if highest {
				out[k] = max(v, above[k], below[k], left, right)
			} else {
				out[k] = min(v, above[k], below[k], left, right)
			}
		}
	}
}

// fill computes the heights of cells without one: ring by ring from the known cells, the
// mean of the neighbours that have one.
func (r *raster) fill() {
	waiting := slices.Clone(r.known)
	var ring []int
	for k, known := range r.known {
		if known {
			ring = append(ring, k)
		}
	}
	for len(ring) > 0 {
		var next []int
		for _, k := range ring {
			r.neighbors(k, func(o int) {
				if !waiting[o] {
					waiting[o] = true
					next = append(next, o)
				}
			})
		}
		for _, k := range next {
			r.height[k] = r.around(k)
		}
		for _, k := range next {
			r.known[k] = true
		}
		ring = next
	}
	for k := range r.known { // also where no cell was known
		r.known[k] = true
	}
}

// around returns the mean height of the neighbours that are known.
func (r *raster) around(k int) float32 {
	sum, n := 0.0, 0.0
	r.neighbors(k, func(o int) {
		if r.known[o] {
			sum, n = sum+float64(r.height[o]), n+1
		}
	})
	return float32(sum / n)
}

// neighbors calls body for the up to eight neighbours of a cell.
func (r *raster) neighbors(k int, body func(o int)) { r.within(k, 1, body) }

// within calls body for the other cells at most so many rows and columns away.
func (r *raster) within(k, cells int, body func(o int)) {
	row, column := k/r.columns, k%r.columns
	for y := max(0, row-cells); y <= min(r.rows-1, row+cells); y++ {
		for x := max(0, column-cells); x <= min(r.columns-1, column+cells); x++ {
			if o := y*r.columns + x; o != k {
				body(o)
			}
		}
	}
}

// smooth returns for every cell the mean height of it and its neighbours.
func (r *raster) smooth() []float32 {
	all := make([]float32, len(r.height))
	for k, v := range r.height {
		sum, n := float64(v), 1.0
		r.neighbors(k, func(o int) { sum, n = sum+float64(r.height[o]), n+1 })
		all[k] = float32(sum / n)
	}
	return all
}

// Parameters of the ground filter. A cell is not ground if it is higher than groundRise +
// groundSlope × window above the opening by a window; the last window is wider than a large
// roof. The slope suits towns and fields: tops of steep hills are not ground.
const (
	groundSide  = 1.0    // side of a cell, metres
	groundRise  = 0.25   // metres
	groundSlope = 0.0375 // metres per metre of window
)

// groundWindows are the widths of the windows in metres.
var groundWindows = []float64{3, 5, 9, 15, 23, 33}

// aboveGround fills in every point's height above the ground in metres, negative below it.
// The ground is the lowest points of cells that remain after openings by growing windows (a
// progressive morphological filter, Zhang et al. 2003, doi:10.1109/TGRS.2003.810682), with
// the cells between filled in and all smoothed.
func (s *Superpoints) aboveGround(to []float32) {
	if len(to) == 0 {
		return
	}
	r := newRaster(s.Cloud, groundSide, s.Noise, s.ignored)
	r.keepGround()
	r.fill()
	ground := r.smooth()
	for i, p := range s.Cloud.XYZ {
		to[i] = float32(float64(p[2])*s.Cloud.Unit) - ground[r.cell[i]]
	}
}

// keepGround removes the heights of cells whose lowest point is not ground. The lowest
// cell always remains.
func (r *raster) keepGround() {
	occupied := slices.Clone(r.known)
	r.fill()
	surface := slices.Clone(r.height)
	before, scratch := 0, make([]float32, len(surface))
	for _, window := range groundWindows {
		half := max(1, int(math.Round(window/r.side))/2)
		if half == before {
			continue
		}
		before = half
		opened := slices.Clone(surface)
		r.slide(opened, scratch, half, false)
		r.slide(opened, scratch, half, true)
		most := float32(groundRise + groundSlope*float64(2*half+1)*r.side)
		for k, v := range opened {
			occupied[k] = occupied[k] && surface[k]-v <= most
		}
		surface = opened
	}
	r.known = occupied
}

// voidSpacings is the side of the cells of voids in spacings of the points: at random, a cell
// without points has a probability of exp(−4).
const voidSpacings = 2

// Half widths of the windows of voids, in cells.
const voidsNear, voidsWide = 2, 10

// voids returns functions that fill in the share of cells without points around every point, in a window near
// it and in a wide one. Water returns few pulses or none.
func (s *Superpoints) voids() (near, wide func(to []float32)) {
	if s.Cloud.Len() == 0 {
		return func([]float32) {}, func([]float32) {}
	}
	r := newRaster(s.Cloud, voidSpacings*s.spacing(), s.Noise, func(int) bool { return false })
	known := make([]float64, len(r.known))
	for k, is := range r.known {
		if is {
			known[k] = 1
		}
	}
	within := func(half int) func(to []float32) {
		return func(to []float32) {
			full := r.means(known, half)
			for i, k := range r.cell {
				to[i] = float32(1 - full[k])
			}
		}
	}
	return within(voidsNear), within(voidsWide)
}
