// SPDX-License-Identifier: BSD-3-Clause

package extraction

import (
	"math"

	"github.com/peterstace/simplefeatures/geom"

	"superpoint/pipelines/shapes/patch"
)

// ring is a closed line of corners in cells or, of walls, in lattice steps, then whole numbers. The first
// corner is not repeated at the end. Outer rings are counter-clockwise, holes are clockwise.
type ring [][2]float64

func (r ring) area() (sum float64) {
	for i, p := range r {
		q := r[(i+1)%len(r)]
		sum += (p[0]*q[1] - q[0]*p[1]) / 2
	}
	return sum
}

const (
	tolerance = 1.5 // cells: largest distance of a wall from the border of the cells
	// walls within this angle of the main direction or its normal are aligned with it
	alignAngle = 12 * math.Pi / 180
)

// line returns the closed line of a ring.
func (r ring) line() geom.LineString {
	var flat []float64
	for i := range len(r) + 1 {
		flat = append(flat, r[i%len(r)][:]...)
	}
	return geom.NewLineString(geom.NewSequence(flat, geom.DimXY))
}

// sharp returns the ring in cells with its right-angled corners restored: the ring joins midpoints of cell
// sides, which cuts off the corners.
func sharp(of patch.Ring) (made ring) {
	n := len(of)
	for i, p := range of {
		last := (i + n - 1) % n // the edge that ends here
		before := of[last]
		if cutsCorner(of, last) {
			dx, _ := edgeOf(of, last-1)
			corner := [2]float64{float64(p.X) / 2, float64(before.Y) / 2}
			if dx == 0 {
				corner = [2]float64{float64(before.X) / 2, float64(p.Y) / 2}
			}
			made = append(made, corner)
		}
		if !cutsCorner(of, i) && !cutsCorner(of, last) {
			made = append(made, [2]float64{float64(p.X) / 2, float64(p.Y) / 2})
		}
	}
	return made
}

// cutsCorner reports whether an edge of a ring is a diagonal between two edges that are perpendicular.
func cutsCorner(of patch.Ring, edge int) bool {
	dx, dy := edgeOf(of, edge)
	if dx*dx != 1 || dy*dy != 1 {
		return false
	}
	ax, ay := edgeOf(of, edge-1)
	bx, by := edgeOf(of, edge+1)
	return ay == 0 && bx == 0 || ax == 0 && by == 0
}

// edgeOf returns the difference of the ends of an edge of a ring; −1 is the last edge.
func edgeOf(of patch.Ring, edge int) (dx, dy int32) {
	n := len(of)
	p := of[(edge+n)%n]
	q := of[(edge+n+1)%n]
	return q.X - p.X, q.Y - p.Y
}

// direction returns the main direction of the border modulo a right angle: the mean of four times
// the angle of the edges between Douglas and Peucker's corners, weighted by their squared length.
func (r ring) direction() float64 {
	var s, c float64
	at := r.corners()
	for k, i := range at {
		p, q := r[i], r[at[(k+1)%len(at)]]
		dx, dy := q[0]-p[0], q[1]-p[1]
		a := 4 * math.Atan2(dy, dx)
		s, c = s+(dx*dx+dy*dy)*math.Sin(a), c+(dx*dx+dy*dy)*math.Cos(a)
	}
	return math.Atan2(s, c) / 4
}

// corners returns the vertices that Douglas and Peucker's algorithm keeps, ascending.
func (r ring) corners() []int {
	far, most := 0, -1.0
	for i, p := range r {
		if d := math.Hypot(p[0]-r[0][0], p[1]-r[0][1]); d > most {
			far, most = i, d
		}
	}
	kept := make([]bool, len(r))
	kept[0], kept[far] = true, true
	r.between(0, far, kept)
	r.between(far, len(r), kept)
	var all []int
	for i, k := range kept {
		if k {
			all = append(all, i)
		}
	}
	return all
}

// between is the recursion of Douglas and Peucker's algorithm. The vertex len(r) is the first.
func (r ring) between(from, to int, kept []bool) {
	best, most := -1, tolerance // the vertex farthest from the line
	for i := from + 1; i < to; i++ {
		if d := r.distance(i, from, to); d > most {
			best, most = i, d
		}
	}
	if best >= 0 {
		kept[best%len(r)] = true
		r.between(from, best, kept)
		r.between(best, to, kept)
	}
}

// distance returns the distance of vertex i from the line through two others; indices are modulo their
// number.
func (r ring) distance(i, from, to int) float64 {
	at := r[i%len(r)]
	p, q := r[from%len(r)], r[to%len(r)]
	dx, dy := q[0]-p[0], q[1]-p[1]
	if length := math.Hypot(dx, dy); length > 0 {
		return math.Abs((at[0]-p[0])*dy-(at[1]-p[1])*dx) / length
	}
	return distance(p, at)
}

// line is a point and a direction.
type line struct{ x, y, angle float64 }

// fitted returns the corners of lines fitted to the ring.
func (r ring) fitted(main float64) (walls ring) {
	kept := r.corners()
	n := len(kept)
	lines := make([]line, n)
	for k, from := range kept {
		to := kept[(k+1)%n]
		if to <= from {
			to += len(r)
		}
		lines[k] = r.fit(from, to)
		if turn := math.Remainder(lines[k].angle-main, math.Pi/2); math.Abs(turn) < alignAngle {
			lines[k].angle -= turn
		}
	}
	for k, l := range lines {
		before, old := lines[(k+n-1)%n], r[kept[k]]
		if p, ok := before.meets(l); ok && math.Hypot(p[0]-old[0], p[1]-old[1]) < 2*tolerance {
			walls = append(walls, p)
		} else { // parallel walls: a step between them
			walls = append(walls, before.foot(old), l.foot(old))
		}
	}
	return walls
}

// thinned returns a ring without corners with an angle of 0° or 180°.
func (r ring) thinned() (walls ring) {
	for i, p := range r {
		before := r[(i+len(r)-1)%len(r)]
		if len(walls) > 0 {
			before = walls[len(walls)-1]
		}
		if cross(before, p, r[(i+1)%len(r)]) != 0 {
			walls = append(walls, p)
		}
	}
	return walls
}

// fit returns the least squares line through the edges between two vertices, weighted by length.
func (r ring) fit(from, to int) line {
	var total float64      // length of the edges
	var x, y float64       // integrals of the coordinates along the edges
	var xx, xy, yy float64 // of their products
	for i := from; i < to; i++ {
		p, q := r[i%len(r)], r[(i+1)%len(r)]
		ex, ey := q[0]-p[0], q[1]-p[1]
		mx, my := (p[0]+q[0])/2, (p[1]+q[1])/2
		length := math.Hypot(ex, ey)
		total += length
		x += length * mx
		y += length * my
		// along an edge: the square of its middle and a twelfth of the square of its extent
		xx += length * (mx*mx + ex*ex/12)
		xy += length * (mx*my + ex*ey/12)
		yy += length * (my*my + ey*ey/12)
	}
	x /= total
	y /= total
	// the direction of the largest variance
	varianceX := xx/total - x*x
	varianceY := yy/total - y*y
	covariance := xy/total - x*y
	angle := math.Atan2(2*covariance, varianceX-varianceY) / 2
	return line{x, y, angle}
}

// meets returns the intersection of two lines, false if their angle is below 11°.
func (l line) meets(m line) ([2]float64, bool) {
	ls, lc := math.Sincos(l.angle)
	ms, mc := math.Sincos(m.angle)
	d := lc*ms - ls*mc
	if math.Abs(d) < 0.2 { // sin 11.5°
		return [2]float64{}, false
	}
	t := ((m.x-l.x)*ms - (m.y-l.y)*mc) / d
	return [2]float64{l.x + t*lc, l.y + t*ls}, true
}

// foot returns the point of the line nearest to another point.
func (l line) foot(p [2]float64) [2]float64 {
	s, c := math.Sincos(l.angle)
	t := (p[0]-l.x)*c + (p[1]-l.y)*s
	return [2]float64{l.x + t*c, l.y + t*s}
}

func cross(a, b, c [2]float64) float64 { return (b[0]-a[0])*(c[1]-a[1]) - (b[1]-a[1])*(c[0]-a[0]) }

// through returns the line through two points.
func through(p, q [2]float64) line { return line{p[0], p[1], math.Atan2(q[1]-p[1], q[0]-p[0])} }

func distance(p, q [2]float64) float64 { return math.Hypot(q[0]-p[0], q[1]-p[1]) }
