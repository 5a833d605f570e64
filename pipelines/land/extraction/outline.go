// SPDX-License-Identifier: BSD-3-Clause

package extraction

import (
	"cmp"
	"image"
	"math"
	"slices"

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
	alignAngle    = 12 * math.Pi / 180
	minPart       = 9    // cells: smaller parts, and holes in any case, are left out
	maxAreaChange = 0.15 // largest relative change of the area
)

// generalize returns straight walls for the border of a building's cells: lines fitted to the
// border between the corners of Douglas and Peucker (1973), aligned with the main direction if they
// nearly have it, and the corners where lines meet (Sampath and Shan 2007,
// doi:10.14358/PERS.73.7.805). Small parts and holes are left out.
//
// Claim: the polygons are valid (OGC 06-103r4): no two walls cross, and holes are inside their ring. The
// border of the cells is valid. Walls of a part that are not are replaced: first by straight lines between
// the corners, then by the border itself; and so are those of all parts if parts overlap. Corners are rounded
// to the lattice before the test, which needs only the signs of sums of two products of integers, which
// float64 has exactly for edges below 2²⁶ lattice steps.
func generalize(cells []patch.Polygon, steps image.Point, least detail) []patch.Polygon {
	made, _ := newParts(cells, steps, least).outline(fitted)
	return made
}

// parts are the connected components of a building that are large enough.
type parts []component

func newParts(cells []patch.Polygon, steps image.Point, least detail) (kept parts) {
	largest := slices.MaxFunc(cells, func(a, b patch.Polygon) int {
		return cmp.Compare(a.Area2(),
			b.Area2())
	})
	for _, polygon := range cells {
		if &polygon[0] == &largest[0] || float64(polygon.Area2())/8 >= minPart {
			kept = append(kept, newComponent(polygon, steps, least))
		}
	}
	return kept
}

// outline returns the first valid polygons of walls that are at least so close to the border, and how close
// they are.
func (p parts) outline(least exactness) (made []patch.Polygon, reached exactness) {
	for exact := least; ; exact++ {
		made = nil
		for k := range p {
			made = append(made, p[k].outline(exact))
		}
		if exact >= stepped || patch.Validate(made...) == nil {
			return made, exact
		}
	}
}

// detail are the limits below which walls and holes are left out.
type detail struct {
	edge float64 // shortest wall, cells
	hole float64 // smallest hole, cells
}

// exactness is how close walls are to the border.
type exactness int

const (
	fitted   exactness = iota // lines fitted to the border between its corners
	cornered                  // straight lines between the corners
	stepped                   // the border itself
	complete                  // the border itself, with small holes
)

// line returns the closed line of a ring.
func (r ring) line() geom.LineString {
	var flat []float64
	for i := range len(r) + 1 {
		flat = append(flat, r[i%len(r)][:]...)
	}
	return geom.NewLineString(geom.NewSequence(flat, geom.DimXY))
}

// component is a connected component of the cells of a building.
type component struct {
	borders []ring      // of its cells, the outer one first, in cells
	small   []ring      // of small holes
	main    float64     // direction of most walls
	steps   image.Point // of the lattice in a cell
	edge    float64     // shortest wall, cells
}

func newComponent(polygon patch.Polygon, steps image.Point, least detail) component {
	c := component{main: sharp(polygon[0]).direction(), steps: steps, edge: least.edge}
	for hole, of := range polygon {
		border := sharp(of)
		isSmall := hole > 0 && math.Abs(border.area()) < max(minPart, least.hole)
		if !border.line().IsSimple() { // at restored corners
			border = nil
			for _, at := range of {
				border = append(border, [2]float64{float64(at.X) / 2, float64(at.Y) / 2})
			}
		}
		if isSmall {
			c.small = append(c.small, border)
		} else {
			c.borders = append(c.borders, border)
		}
	}
	return c
}

// outline returns the first valid polygon of walls that are at least so close to the border.
func (c *component) outline(least exactness) (made patch.Polygon) {
	for exact := least; ; exact++ {
		made = nil
		borders := c.borders
		if exact == complete {
			borders = slices.Concat(c.borders, c.small)
		}
		for _, border := range borders {
			made = append(made, c.ring(border, min(exact, stepped)))
		}
		if exact >= stepped || patch.Validate(made) == nil {
			return made
		}
	}
}

// ring returns the walls of a border in lattice steps: the first, at least so close to it, that fit.
func (c *component) ring(border ring, exact exactness) (made patch.Ring) {
	walls := c.walls(border, exact)
	for ; exact < stepped && !c.fits(walls, border); exact++ {
		walls = c.walls(border, exact+1)
	}
	for _, at := range walls {
		made = append(made, patch.Point{X: int32(at[0]), Y: int32(at[1])})
	}
	return made
}

// fits reports whether walls, in lattice steps, keep the area of a border, in cells, and have all corners
// near it: a long wall that is aligned with the main direction turns about its middle, so its ends may move
// far.
func (c *component) fits(walls, border ring) bool {
	x, y := float64(c.steps.X), float64(c.steps.Y)
	area := border.area() * x * y
	if math.Abs(walls.area()-area) > maxAreaChange*math.Abs(area) {
		return false
	}
	return !slices.ContainsFunc(walls, func(p [2]float64) bool {
		return border.far([2]float64{p[0] / x, p[1] / y}) > reach
	})
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
	at, p, q := r[i%len(r)], r[from%len(r)], r[to%len(r)]
	dx, dy := q[0]-p[0], q[1]-p[1]
	if length := math.Hypot(dx, dy); length > 0 {
		return math.Abs((at[0]-p[0])*dy-(at[1]-p[1])*dx) / length
	}
	return math.Hypot(at[0]-p[0], at[1]-p[1])
}

// line is a point and a direction.
type line struct{ x, y, angle float64 }

// walls returns lines between corners of a border, on the lattice.
func (c *component) walls(border ring, exact exactness) (walls ring) {
	corners := border
	switch exact {
	case fitted:
		corners = border.fitted(c.main).withoutShort(c.edge, border)
	case cornered:
		corners = nil
		for _, i := range border.corners() {
			corners = append(corners, border[i])
		}
	}
	for _, at := range corners {
		walls = append(walls, [2]float64{math.Round(at[0] * float64(c.steps.X)),
			math.Round(at[1] * float64(c.steps.Y))})
	}
	for n := 0; n != len(walls) && len(walls) >= 3; { // removing a corner can produce another
		n = len(walls)
		walls = walls.thinned()
	}
	return walls
}

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
	var w, x, y, xx, xy, yy float64
	for i := from; i < to; i++ {
		p, q := r[i%len(r)], r[(i+1)%len(r)]
		d := math.Hypot(q[0]-p[0], q[1]-p[1])
		mx, my := (p[0]+q[0])/2, (p[1]+q[1])/2
		ex, ey := q[0]-p[0], q[1]-p[1]
		w, x, y = w+d, x+d*mx, y+d*my
		xx, xy, yy = xx+d*(mx*mx+ex*ex/12), xy+d*(mx*my+ex*ey/12), yy+d*(my*my+ey*ey/12)
	}
	x, y = x/w, y/w
	angle := math.Atan2(2*(xy/w-x*y), xx/w-x*x-(yy/w-y*y)) / 2
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
