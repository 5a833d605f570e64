// SPDX-License-Identifier: BSD-3-Clause

package objects

import (
	"cmp"
	"image"
	"math"
	"slices"

	"superpoint/pipelines/shapes/patch"
)

// ring is a closed line of corners in cells or, of walls, in lattice steps, then whole numbers. The first corner is not
// repeated at the end. Outer rings are counter-clockwise, holes are clockwise.
type ring [][2]float64

func (r ring) area() (sum float64) {
	for i, p := range r {
		q := r[(i+1)%len(r)]
		sum += (p[0]*q[1] - q[0]*p[1]) / 2
	}
	return sum
}

const (
	tolerance     = 1.5                // cells: largest distance of a wall from the border of the cells
	alignAngle    = 12 * math.Pi / 180 // walls within this angle of the main direction or its normal are aligned with it
	minPart       = 9                  // cells: smaller parts and holes are left out
	maxAreaChange = 0.15               // largest relative change of the area
)

// generalize returns straight walls for the border of a building's cells: lines fitted to the
// border between the corners of Douglas and Peucker (1973), aligned with the main direction if they
// nearly have it, and the corners where lines meet (Sampath and Shan 2007,
// doi:10.14358/PERS.73.7.805). Small parts and holes are left out.
//
// Claim: no two walls cross, and holes are inside their ring. The border of the cells has this property. Walls
// that violate it are replaced: first by straight lines between the corners, then by the border itself, so this ends
// after at most two replacements of each ring. Corners are rounded to the lattice before the tests for crossings:
// these need only the signs of
// sums of two products of integers, which float64 has exactly for edges below 2²⁶ lattice steps.
func generalize(cells []patch.Polygon, steps image.Point) []patch.Polygon {
	var all []*contour
	largest := slices.MaxFunc(cells, func(a, b patch.Polygon) int { return cmp.Compare(a.Area2(), b.Area2()) })
	for _, polygon := range cells {
		if &polygon[0] != &largest[0] && float64(polygon.Area2())/8 < minPart {
			continue
		}
		main := sharp(polygon[0]).direction()
		for hole, border := range polygon {
			if area := math.Abs(sharp(border).area()); hole > 0 && area < minPart {
				continue
			}
			c := newContour(border, main, steps)
			c.hole = hole > 0
			all = append(all, c)
		}
	}
	for resolve(all) {
	}
	var made []patch.Polygon
	for _, c := range all {
		if !c.hole {
			made = append(made, nil)
		}
		walls := make(patch.Ring, len(c.walls))
		for i, p := range c.walls {
			walls[i] = patch.Point{X: int32(p[0]), Y: int32(p[1])}
		}
		made[len(made)-1] = append(made[len(made)-1], walls)
	}
	return made
}

// contour is a ring of the border of cells and its walls.
type contour struct {
	border ring // in cells
	hole   bool
	main   float64     // direction of most walls
	steps  image.Point // of the lattice in a cell
	exact  exactness
	walls  ring
}

// exactness is how close walls are to the border.
type exactness int

const (
	fitted   exactness = iota // lines fitted to the border between its corners
	cornered                  // straight lines between the corners
	stepped                   // the border itself
)

func newContour(of patch.Ring, main float64, steps image.Point) *contour {
	c := &contour{main: main, steps: steps, border: sharp(of)}
	if crossed(c.border.edges(0)) != nil { // at restored corners
		c.border = c.border[:0:0]
		for _, p := range of {
			c.border = append(c.border, [2]float64{float64(p.X) / 2, float64(p.Y) / 2})
		}
	}
	c.build()
	area := c.walls.area() / float64(c.steps.X) / float64(c.steps.Y) // in cells
	if len(c.walls) < 3 || math.Abs(area-c.border.area()) > maxAreaChange*math.Abs(c.border.area()) {
		c.atLeast(cornered)
	}
	return c
}

// atLeast moves walls closer to the border, and reports whether they were farther.
func (c *contour) atLeast(exact exactness) bool {
	if c.exact >= exact {
		return false
	}
	c.exact = exact
	c.build()
	return true
}

// resolve moves the walls of rings that conflict closer to the border, and reports whether there were any.
func resolve(all []*contour) (changed bool) {
	var edges []edge
	for k, c := range all {
		edges = append(edges, c.walls.edges(k)...)
	}
	conflicts := map[int]bool{}
	for _, e := range crossed(edges) {
		conflicts[e.ring] = true
	}
	for k := range conflicts {
		changed = all[k].atLeast(min(all[k].exact+1, stepped)) || changed
	}
	if len(conflicts) > 0 {
		return changed
	}
	for k, c := range all {
		for _, d := range all[:k] {
			if inside(c.walls, d.walls) != inside(c.border, d.border) || inside(d.walls, c.walls) != inside(d.border, c.border) {
				ofC, ofD := c.atLeast(stepped), d.atLeast(stepped)
				changed = changed || ofC || ofD
			}
		}
		if (c.walls.area() > 0) != (c.border.area() > 0) {
			changed = c.atLeast(stepped) || changed
		}
	}
	return changed
}

// inside reports whether a ring lies in another that it does not cross.
func inside(r, in ring) bool {
	odd := false
	at := [2]float64{(r[0][0] + r[1][0]) / 2, (r[0][1] + r[1][1]) / 2} // corners may touch
	for i, a := range in {
		b := in[(i+1)%len(in)]
		if (a[1] > at[1]) != (b[1] > at[1]) && at[0] < a[0]+(at[1]-a[1])*(b[0]-a[0])/(b[1]-a[1]) {
			odd = !odd
		}
	}
	return odd
}

// sharp returns the ring in cells with its right-angled corners restored: the ring joins midpoints of cell
// sides, which cuts off the corners.
func sharp(of patch.Ring) (made ring) {
	n := len(of)
	edge := func(i int) (dx, dy int32) {
		p, q := of[(i+n)%n], of[(i+1)%n]
		return q.X - p.X, q.Y - p.Y
	}
	cut := func(i int) bool { // edge i cuts off a corner
		ax, ay := edge(i - 1)
		dx, dy := edge(i)
		bx, by := edge((i + 1) % n)
		return dx*dx == 1 && dy*dy == 1 && (ay == 0 && bx == 0 || ax == 0 && by == 0)
	}
	for i, p := range of {
		before := of[(i+n-1)%n]
		if ax, _ := edge(i - 2 + n); cut((i + n - 1) % n) { // the corner of the edge that ends here
			if ax == 0 {
				made = append(made, [2]float64{float64(before.X) / 2, float64(p.Y) / 2})
			} else {
				made = append(made, [2]float64{float64(p.X) / 2, float64(before.Y) / 2})
			}
		}
		if !cut(i) && !cut((i+n-1)%n) {
			made = append(made, [2]float64{float64(p.X) / 2, float64(p.Y) / 2})
		}
	}
	return made
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
	best := r.farthest(from, to)
	if best >= 0 && r.distance(best, from, to) > tolerance {
		kept[best%len(r)] = true
		r.between(from, best, kept)
		r.between(best, to, kept)
	}
}

// farthest returns the vertex between two others that is farthest from the line through them, −1 if there is none.
func (r ring) farthest(from, to int) int {
	best, most := -1, -1.0
	for i := from + 1; i < to; i++ {
		if d := r.distance(i, from, to); d > most {
			best, most = i, d
		}
	}
	return best
}

// distance returns the distance of vertex i from the line through two others; indices are modulo their number.
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

// build computes the walls: lines between corners of the border, and the corners where they meet, on the lattice.
func (c *contour) build() {
	corners := c.border
	switch c.exact {
	case fitted:
		corners = c.fitted()
	case cornered:
		corners = nil
		for _, i := range c.border.corners() {
			corners = append(corners, c.border[i])
		}
	}
	c.walls = c.walls[:0]
	for _, p := range corners {
		c.walls = append(c.walls, [2]float64{math.Round(p[0] * float64(c.steps.X)), math.Round(p[1] * float64(c.steps.Y))})
	}
	for n := 0; n != len(c.walls) && len(c.walls) >= 3; { // removing a corner can produce another
		n = len(c.walls)
		c.walls = c.walls.thinned()
	}
}

// fitted returns the corners of lines fitted to the border.
func (c *contour) fitted() (walls ring) {
	kept := c.border.corners()
	n := len(kept)
	lines := make([]line, n)
	for k, from := range kept {
		to := kept[(k+1)%n]
		if to <= from {
			to += len(c.border)
		}
		lines[k] = c.border.fit(from, to)
		if turn := math.Remainder(lines[k].angle-c.main, math.Pi/2); math.Abs(turn) < alignAngle {
			lines[k].angle -= turn
		}
	}
	for k, l := range lines {
		before, old := lines[(k+n-1)%n], c.border[kept[k]]
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

// edge is an edge of a ring.
type edge struct {
	ring, at int // ring, index in it
	a, b     [2]float64
}

func (r ring) edges(number int) (all []edge) {
	for i := range r {
		all = append(all, edge{number, i, r[i], r[(i+1)%len(r)]})
	}
	return all
}

// crossed returns the edges that intersect another one except in a common corner, or that overlap it. Rings of a
// raster may share a corner: such polygons are valid. Edges are sorted by their smallest x, and only those whose
// ranges in x overlap are tested.
func crossed(all []edge) (found []edge) {
	all = slices.Clone(all)
	slices.SortFunc(all, func(e, f edge) int {
		return cmp.Or(cmp.Compare(min(e.a[0], e.b[0]), min(f.a[0], f.b[0])), cmp.Compare(e.ring, f.ring),
			cmp.Compare(e.at, f.at))
	})
	hit := make([]bool, len(all))
	for i, e := range all {
		hit[i] = hit[i] || e.a == e.b // an edge of length 0
		for j := i + 1; j < len(all) && min(all[j].a[0], all[j].b[0]) <= max(e.a[0], e.b[0]); j++ {
			if e.meets(all[j]) {
				hit[i], hit[j] = true, true
			}
		}
	}
	for i, is := range hit {
		if is {
			found = append(found, all[i])
		}
	}
	return found
}

// meets reports whether two edges share more than a corner of both.
func (e edge) meets(f edge) bool {
	for axis := range 2 {
		if max(min(e.a[axis], e.b[axis]), min(f.a[axis], f.b[axis])) >
			min(max(e.a[axis], e.b[axis]), max(f.a[axis], f.b[axis])) {
			return false
		}
	}
	p, q := cross(e.a, e.b, f.a), cross(e.a, e.b, f.b)
	r, s := cross(f.a, f.b, e.a), cross(f.a, f.b, e.b)
	if p*q > 0 || r*s > 0 {
		return false
	}
	shared := e.a == f.a || e.a == f.b || e.b == f.a || e.b == f.b
	if !shared {
		return true
	}
	if p != 0 || q != 0 {
		return false // a common corner, and not collinear
	}
	dot := (e.b[0]-e.a[0])*(f.b[0]-f.a[0]) + (e.b[1]-e.a[1])*(f.b[1]-f.a[1])
	return dot > 0 == (e.a == f.a || e.b == f.b) // collinear: they overlap if both leave the corner in one direction
}
