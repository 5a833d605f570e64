package objects

import (
	"math"

	"superpoint/filter/patch"
)

// Ring is a closed line of corners in cells from Found.Origin; the first is not
// repeated at the end. A polygon's first ring runs counter-clockwise, its holes
// clockwise.
type Ring [][2]float64

// Polygon is an outer ring and its holes.
type Polygon []Ring

func (r Ring) area() (sum float64) {
	for i, p := range r {
		q := r[(i+1)%len(r)]
		sum += (p[0]*q[1] - q[0]*p[1]) / 2
	}
	return sum
}

func (p Polygon) area() (sum float64) {
	for _, r := range p {
		sum += r.area()
	}
	return sum
}

const (
	straight  = 1.5                // cells: how far a wall is from the border that it stands for
	right     = 12 * math.Pi / 180 // walls within this of the main direction, or square to it, have it
	speck     = 9                  // cells: smaller parts and holes are left out
	areaMoved = 0.15               // share of the area by which generalising may change it
)

// generalize makes straight walls of the border of a building's cells: the corners of
// Douglas and Peucker (1973), between each two the best line through the border,
// lines turned to the main direction where they nearly have it, and the corners where
// lines meet (Sampath and Shan 2007, doi:10.14358/PERS.73.7.805). Parts and holes that
// are smaller than what walls may move are left out. If walls cross then, the border
// stays as it was.
func generalize(cells []patch.Polygon) []Polygon {
	var made, plain []Polygon
	for k, polygon := range cells {
		if k != largestOf(cells) && float64(polygon.Area2())/8 < speck {
			continue
		}
		p, q := walled(polygon)
		made, plain = append(made, p), append(plain, q)
	}
	if crosses(made) {
		return plain
	}
	return made
}

func largestOf(cells []patch.Polygon) int {
	best := 0
	for k, p := range cells {
		if p.Area2() > cells[best].Area2() {
			best = k
		}
	}
	return best
}

// walled generalises one polygon, and returns it also as it was.
func walled(cells patch.Polygon) (made, plain Polygon) {
	main := sharp(cells[0]).direction()
	for k, ring := range cells {
		var as Ring
		for _, p := range ring {
			as = append(as, [2]float64{float64(p.X) / 2, float64(p.Y) / 2})
		}
		plain = append(plain, as)
		raw := sharp(ring)
		walls := raw.walls(raw.corners(), main)
		if len(walls) < 3 || math.Abs(walls.area()-raw.area()) > areaMoved*math.Abs(raw.area()) {
			walls = as
		}
		if k == 0 || math.Abs(raw.area()) >= speck {
			made = append(made, walls)
		}
	}
	return made, plain
}

// sharp puts corners back that lines through the middles of cells' sides cut off:
// where a side of cells turns once, by a right angle.
func sharp(ring patch.Ring) (made Ring) {
	n := len(ring)
	edge := func(i int) (dx, dy int32) {
		p, q := ring[(i+n)%n], ring[(i+1)%n]
		return q.X - p.X, q.Y - p.Y
	}
	cut := func(i int) bool { // edge i is such a cut
		ax, ay := edge(i - 1)
		dx, dy := edge(i)
		bx, by := edge((i + 1) % n)
		return dx*dx == 1 && dy*dy == 1 && (ay == 0 && bx == 0 || ax == 0 && by == 0)
	}
	for i, p := range ring {
		before := ring[(i+n-1)%n]
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

// direction is the direction of most of the border, modulo a right angle: the mean
// of four times the angle, over edges between Douglas and Peucker's corners, each by
// its squared length.
func (r Ring) direction() float64 {
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

// corners returns the vertices that Douglas and Peucker keep, ascending.
func (r Ring) corners() []int {
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

// between keeps the vertex that is farthest from the line between two, and so on.
// The vertex len(r) is the first.
func (r Ring) between(from, to int, kept []bool) {
	p, q := r[from], r[to%len(r)]
	dx, dy := q[0]-p[0], q[1]-p[1]
	length := math.Hypot(dx, dy)
	best, most := -1, straight
	for i := from + 1; i < to; i++ {
		d := math.Hypot(r[i][0]-p[0], r[i][1]-p[1])
		if length > 0 {
			d = math.Abs((r[i][0]-p[0])*dy-(r[i][1]-p[1])*dx) / length
		}
		if d > most {
			best, most = i, d
		}
	}
	if best >= 0 {
		kept[best] = true
		r.between(from, best, kept)
		r.between(best, to, kept)
	}
}

// line is a point and a direction.
type line struct{ x, y, angle float64 }

// walls returns the ring of the lines between corners.
func (r Ring) walls(at []int, main float64) Ring {
	lines := make([]line, len(at))
	for k, from := range at {
		to := at[(k+1)%len(at)]
		if to <= from {
			to += len(r)
		}
		lines[k] = r.fit(from, to)
		if turn := math.Remainder(lines[k].angle-main, math.Pi/2); math.Abs(turn) < right {
			lines[k].angle -= turn
		}
	}
	var made Ring
	for k, l := range lines {
		before := lines[(k+len(lines)-1)%len(lines)]
		old := r[at[k]]
		if p, ok := before.meets(l); ok && math.Hypot(p[0]-old[0], p[1]-old[1]) < 2*straight {
			made = append(made, p)
		} else { // parallel walls: a step between them
			made = append(made, before.foot(old), l.foot(old))
		}
	}
	return made.plain()
}

// fit is the line of least squares through the edges between two vertices, each
// edge by its length.
func (r Ring) fit(from, to int) line {
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

func (l line) meets(m line) ([2]float64, bool) {
	ls, lc := math.Sincos(l.angle)
	ms, mc := math.Sincos(m.angle)
	d := lc*ms - ls*mc
	if math.Abs(d) < 0.2 { // 11°
		return [2]float64{}, false
	}
	t := ((m.x-l.x)*ms - (m.y-l.y)*mc) / d
	return [2]float64{l.x + t*lc, l.y + t*ls}, true
}

// foot is the point of the line nearest to another.
func (l line) foot(p [2]float64) [2]float64 {
	s, c := math.Sincos(l.angle)
	t := (p[0]-l.x)*c + (p[1]-l.y)*s
	return [2]float64{l.x + t*c, l.y + t*s}
}

// plain leaves out corners that a wall passes straight, and rounds to 1/64 of a cell.
func (r Ring) plain() Ring {
	for i := range r {
		r[i] = [2]float64{math.Round(r[i][0]*64) / 64, math.Round(r[i][1]*64) / 64}
	}
	var made Ring
	for i, p := range r {
		a, b := r[(i+len(r)-1)%len(r)], r[(i+1)%len(r)]
		if cross(a, p, b) != 0 {
			made = append(made, p)
		}
	}
	return made
}

func cross(a, b, c [2]float64) float64 { return (b[0]-a[0])*(c[1]-a[1]) - (b[1]-a[1])*(c[0]-a[0]) }

// edge is one of a ring.
type edge struct {
	ring, at, of int // ring, place in it, number of edges of the ring
	a, b         [2]float64
}

// crosses tells whether any two edges of polygons meet but in the corner between
// them, or one polygon lies in another.
func crosses(polygons []Polygon) bool {
	var all []edge
	rings := 0
	for _, p := range polygons {
		for _, r := range p {
			for i := range r {
				all = append(all, edge{rings, i, len(r), r[i], r[(i+1)%len(r)]})
			}
			rings++
		}
	}
	for i, e := range all {
		for _, f := range all[:i] {
			if e.ring == f.ring && (e.at == f.at+1 || f.at == 0 && e.at == e.of-1) {
				if cross(e.a, e.b, f.a) == 0 && cross(e.a, e.b, f.b) == 0 {
					return true // it turns back, or has no length
				}
				continue
			}
			if e.meets(f) {
				return true
			}
		}
	}
	for k, p := range polygons {
		for _, q := range polygons[:k] {
			if p.holds(q[0][0]) || q.holds(p[0][0]) {
				return true
			}
		}
	}
	return false
}

func (e edge) meets(f edge) bool {
	for axis := range 2 {
		if max(min(e.a[axis], e.b[axis]), min(f.a[axis], f.b[axis])) > min(max(e.a[axis], e.b[axis]), max(f.a[axis],
			f.b[axis])) {
			return false
		}
	}
	return cross(e.a, e.b, f.a)*cross(e.a, e.b, f.b) <= 0 && cross(f.a, f.b, e.a)*cross(f.a, f.b, e.b) <= 0
}

// holds tells whether a place is in the polygon.
func (p Polygon) holds(at [2]float64) bool {
	in := false
	for _, r := range p {
		for i, a := range r {
			b := r[(i+1)%len(r)]
			if (a[1] > at[1]) != (b[1] > at[1]) && at[0] < a[0]+(at[1]-a[1])*(b[0]-a[0])/(b[1]-a[1]) {
				in = !in
			}
		}
	}
	return in
}
