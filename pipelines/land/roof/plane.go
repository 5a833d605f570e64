// SPDX-License-Identifier: BSD-3-Clause

package roof

import (
	"image"
	"maps"
	"math"
	"slices"
)

const (
	flattest = 5 * math.Pi / 180  // of a sloped plane
	steepest = 75 * math.Pi / 180 // of a roof; walls are steeper
	near     = 0.15               // metres: distance of a cell's point from its plane
)

// Cell is a cell of a building seen from above, with its highest point.
type Cell struct {
	At         image.Point
	X, Y, Z    float64 // metres
	Superpoint int32
}

// plane is the plane z = ax + by + c and the cells that are in it.
type plane struct {
	a, b, c float64
	side    float64 // of a cell, metres
	cells   []Cell
}

// fit returns the least squares plane of cells, false if they are nearly on a line.
func fit(cells []Cell) (p plane, ok bool) {
	n := float64(len(cells))
	var x, y, z float64
	for _, c := range cells {
		x += c.X / n
		y += c.Y / n
		z += c.Z / n
	}
	var xx, xy, yy, xz, yz float64
	for _, c := range cells {
		dx, dy := c.X-x, c.Y-y
		xx += dx * dx
		xy += dx * dy
		yy += dy * dy
		xz += dx * (c.Z - z)
		yz += dy * (c.Z - z)
	}
	determinant := xx*yy - xy*xy
	if determinant <= 1e-3*(xx+yy)*(xx+yy) {
		return plane{}, false
	}
	p.a = (xz*yy - yz*xy) / determinant
	p.b = (yz*xx - xz*xy) / determinant
	p.c = z - p.a*x - p.b*y
	return p, p.slope() < steepest
}

// robust returns the plane of most cells: those far from the plane of all are left out three times.
func robust(cells []Cell) (p plane, ok bool) {
	some := cells
	for range 3 {
		if p, ok = fit(some); !ok {
			return p, false
		}
		var all []float64
		for _, c := range cells {
			all = append(all, p.distance(c))
		}
		slices.Sort(all)
		limit := max(near/2, 1.5*all[len(all)/2])
		some = slices.DeleteFunc(slices.Clone(cells), func(c Cell) bool { return p.distance(c) > limit })
		if len(some) < 3 {
			return p, false
		}
	}
	return p, true
}

// at returns the height at a position.
func (p *plane) at(x, y float64) float64 { return p.a*x + p.b*y + p.c }

// gradient returns the tangent of the slope.
func (p *plane) gradient() float64 { return math.Hypot(p.a, p.b) }

// slope returns the angle with the horizontal.
func (p *plane) slope() float64 { return math.Atan(p.gradient()) }

func (p *plane) flat() bool   { return p.slope() < flattest }
func (p *plane) sloped() bool { return !p.flat() }

// distance returns the distance of a cell's point.
func (p *plane) distance(c Cell) float64 {
	return math.Abs(p.at(c.X, c.Y)-c.Z) / math.Sqrt(1+p.a*p.a+p.b*p.b)
}

// middle returns the median height of the plane at its cells.
func (p *plane) middle() float64 { return p.quantile(0.5) }

// quantile returns a quantile of the heights of the plane at its cells.
func (p *plane) quantile(share float64) float64 {
	var all []float64
	for _, c := range p.cells {
		all = append(all, p.at(c.X, c.Y))
	}
	slices.Sort(all)
	return all[int(share*float64(len(all)-1))]
}

// down returns the direction in which the plane falls.
func (p *plane) down() (x, y float64) {
	g := p.gradient()
	return -p.a / g, -p.b / g
}

const (
	strip = 1.0  // metres: width of the strips in which edges are measured
	level = 0.25 // metres: heights of strips that end at one edge
	// share of the mean rise between the points of a strip by which the edge is beyond the last ones, of the
	// strips that end nearest to it
	outside = 1.0 / 3
)

// edges returns the heights of the lower and the upper edge of a sloped plane: those at which most strips
// down the slope end. Others end in a valley, behind a dormer, or on a porch that the plane happens to
// meet. The edge is beyond the last points of strips.
func (p *plane) edges() (low, high float64) {
	dx, dy := p.down()
	type ends struct{ low, high float64 }
	strips := map[int]*ends{}
	for _, c := range p.cells {
		k := int(math.Floor((dx*c.Y - dy*c.X) / strip))
		z := p.at(c.X, c.Y)
		s := strips[k]
		if s == nil {
			s = &ends{z, z}
			strips[k] = s
		}
		s.low = min(s.low, z)
		s.high = max(s.high, z)
	}
	var lows, depths []float64
	rise := 0.0
	for _, k := range slices.Sorted(maps.Keys(strips)) {
		lows = append(lows, strips[k].low)
		depths = append(depths, -strips[k].high)
		rise += strips[k].high - strips[k].low
	}
	beyond := outside * rise / float64(len(p.cells))
	return mode(lows) - beyond, -mode(depths) + beyond
}

// mode returns the median of the most heights within a level, of the lowest of these if several have as many.
func mode(heights []float64) float64 {
	slices.Sort(heights)
	first, last := 0, 0
	for from, to := 0, 0; from < len(heights); from++ {
		for to < len(heights) && heights[to] <= heights[from]+level {
			to++
		}
		if to-from > last-first {
			first, last = from, to
		}
	}
	return heights[(first+last-1)/2]
}
