// SPDX-License-Identifier: BSD-3-Clause

package patch

import (
	"errors"
	"fmt"
	"math"
	"slices"
)

// errUnfilled is returned for polygons whose rings cross, so that no triangles have them as edges.
var errUnfilled = errors.New("the rings of the polygon cannot be edges of triangles")

// Fill returns triangles that cover a valid polygon once, counter-clockwise, with the vertices of its rings
// as corners. A vertex of one ring on an edge of another one is a corner there, too.
//
// They are a constrained triangulation: the Delaunay triangulation of the vertices, in which edges that
// cross an edge of a ring are flipped until it is there (Sloan 1993, doi:10.1016/0045-7949(93)90239-A).
// Orientations are exact, and the area of the triangles is compared with the polygon's.
func Fill(p Polygon) ([][3]Point, error) {
	least := Point{math.MaxInt32, math.MaxInt32}
	for _, ring := range p {
		for _, at := range ring {
			least = Point{min(least.X, at.X), min(least.Y, at.Y)}
		}
	}
	var vertices []Point
	for _, ring := range p {
		for _, at := range ring {
			vertices = append(vertices, Point{at.X - least.X, at.Y - least.Y})
		}
	}
	t, err := Triangulate(vertices)
	if err != nil {
		return nil, err
	}
	c := constrained{Triangulation: t, fixed: map[[2]int32]bool{}}
	for _, ring := range p {
		for k, from := range ring {
			to := ring[(k+1)%len(ring)]
			err := c.fix(Point{from.X - least.X, from.Y - least.Y}, Point{to.X - least.X, to.Y - least.Y})
			if err != nil {
				return nil, err
			}
		}
	}
	made := c.inside()
	area := int64(0)
	for i := range made {
		area += Cross(made[i][0], made[i][1], made[i][2])
		for k := range made[i] {
			made[i][k] = Point{made[i][k].X + least.X, made[i][k].Y + least.Y}
		}
	}
	if area != p.Area2() {
		return nil, fmt.Errorf("%w: they cover %d of %d", errUnfilled, area, p.Area2())
	}
	return made, nil
}

// Overlap reports whether the insides of two sets of triangles have a point in common. The corners of a
// triangle are counter-clockwise. Two triangles have none if all corners of one are on or beyond an edge of
// the other (the theorem of separating axes).
func Overlap(one, other [][3]Point) bool {
	for _, t := range one {
		for _, u := range other {
			if !isBeyond(t, u) && !isBeyond(u, t) {
				return true
			}
		}
	}
	return false
}

// isBeyond reports whether all corners of u are on or beyond one edge of t.
func isBeyond(t, u [3]Point) bool {
	for k, from := range t {
		to := t[(k+1)%3]
		first := Cross(from, to, u[0]) <= 0
		second := Cross(from, to, u[1]) <= 0
		third := Cross(from, to, u[2]) <= 0
		if first && second && third {
			return true
		}
	}
	return false
}

// constrained is a triangulation with edges that stay.
type constrained struct {
	*Triangulation
	fixed map[[2]int32]bool // directed edges of rings, with the polygon on their left
}

// fix makes a line an edge, or several, where other vertices are on it.
func (c *constrained) fix(from, to Point) error {
	on := []int32{}
	for i, at := range c.At {
		if Cross(from, to, at) == 0 && between(from, to, at) {
			on = append(on, int32(i))
		}
	}
	slices.SortFunc(on, func(i, j int32) int {
		return int(squared(from, c.At[i]) - squared(from, c.At[j]))
	})
	if len(on) < 2 || c.At[on[0]] != from || c.At[on[len(on)-1]] != to {
		return errUnfilled
	}
	for k := 1; k < len(on); k++ {
		if err := c.flipTo(on[k-1], on[k]); err != nil {
			return err
		}
		c.fixed[[2]int32{on[k-1], on[k]}] = true
	}
	return nil
}

// between reports whether a point on the line through a and b is between them, or one of them.
func between(a, b, at Point) bool {
	inX := min(a.X, b.X) <= at.X && at.X <= max(a.X, b.X)
	inY := min(a.Y, b.Y) <= at.Y && at.Y <= max(a.Y, b.Y)
	return inX && inY
}

func squared(a, b Point) int64 {
	dx, dy := int64(a.X-b.X), int64(a.Y-b.Y)
	return dx*dx + dy*dy
}

// flipTo flips the edges that cross the line from corner a to corner b until none does. Edges that still
// cross it after a flip, and those that cannot be flipped yet, wait at the end of the queue.
func (c *constrained) flipTo(a, b int32) error {
	queue := c.crossing(a, b)
	for flips := 0; len(queue) > 0; flips++ {
		if flips > len(c.Corner)*len(c.Corner) {
			return errUnfilled
		}
		edge := queue[0]
		queue = queue[1:]
		if c.fixed[edge] || c.fixed[[2]int32{edge[1], edge[0]}] {
			return errUnfilled
		}
		e := c.halfEdge(edge[0], edge[1])
		if !c.isConvex(e) {
			queue = append(queue, edge)
			continue
		}
		c.flip(e)
		made := [2]int32{c.Corner[e], c.Corner[next(e)]}
		if c.cross(a, b, made[0], made[1]) {
			queue = append(queue, made)
		}
	}
	return nil
}

// crossing returns the edges that cross the line between two corners.
func (c *constrained) crossing(a, b int32) (all [][2]int32) {
	for e, twin := range c.Twin {
		from, to := c.Corner[e], c.Corner[next(int32(e))]
		if twin > int32(e) && c.cross(a, b, from, to) {
			all = append(all, [2]int32{from, to})
		}
	}
	return all
}

// cross reports whether two lines between corners have a point in common that is an end of neither.
func (c *constrained) cross(a, b, p, q int32) bool {
	return c.divides(a, b, p, q) && c.divides(p, q, a, b)
}

// divides reports whether the line through a and b has p on one side and q on the other.
func (c *constrained) divides(a, b, p, q int32) bool {
	one := Cross(c.At[a], c.At[b], c.At[p])
	other := Cross(c.At[a], c.At[b], c.At[q])
	return one < 0 && other > 0 || one > 0 && other < 0
}

// halfEdge returns the half edge between two corners that an edge joins.
func (c *constrained) halfEdge(from, to int32) int32 {
	for e := range c.Corner {
		if c.Corner[e] == from && c.Corner[next(int32(e))] == to {
			return int32(e)
		}
	}
	return -1
}

// isConvex reports whether the triangles on both sides of a half edge are a strictly convex quadrilateral.
func (c *constrained) isConvex(e int32) bool {
	twin := c.Twin[e]
	from, to := c.Corner[e], c.Corner[next(e)]
	left, right := c.Corner[next(next(e))], c.Corner[next(next(twin))]
	return c.cross(left, right, from, to)
}

// flip replaces the edge between two triangles by the other diagonal of their quadrilateral; e is that
// diagonal afterwards.
func (c *constrained) flip(e int32) {
	f := c.Twin[e]
	e1, f1 := next(e), next(f)
	e2, f2 := next(e1), next(f1)
	p, q := c.Corner[e], c.Corner[f]
	left, right := c.Corner[e2], c.Corner[f2]
	toLeft, toP := c.Twin[e1], c.Twin[e2]
	toRight, toQ := c.Twin[f1], c.Twin[f2]
	c.Corner[e], c.Corner[f] = right, left
	c.Corner[e1], c.Corner[f1] = left, right
	c.Corner[e2], c.Corner[f2] = p, q
	c.join(e1, toP)
	c.join(e2, toRight)
	c.join(f1, toQ)
	c.join(f2, toLeft)
}

// join makes two half edges twins; twin is −1 on the hull.
func (c *constrained) join(e, twin int32) {
	c.Twin[e] = twin
	if twin >= 0 {
		c.Twin[twin] = e
	}
}

// inside returns the triangles that are reached from the left of fixed edges without crossing one.
func (c *constrained) inside() (made [][3]Point) {
	reached := make([]bool, len(c.Corner)/3)
	var open []int32 // triangles
	reach := func(triangle int32) {
		if !reached[triangle] {
			reached[triangle] = true
			open = append(open, triangle)
		}
	}
	for e := range c.Corner {
		if c.isFixed(int32(e)) {
			reach(int32(e) / 3)
		}
	}
	for len(open) > 0 {
		triangle := open[len(open)-1]
		open = open[:len(open)-1]
		for e := 3 * triangle; e < 3*triangle+3; e++ {
			if twin := c.Twin[e]; twin >= 0 && !c.isFixed(e) {
				reach(twin / 3)
			}
		}
	}
	for i, is := range reached {
		if is {
			corners := c.Corner[3*i : 3*i+3]
			made = append(made, [3]Point{c.At[corners[0]], c.At[corners[1]], c.At[corners[2]]})
		}
	}
	return made
}

func (c *constrained) isFixed(e int32) bool {
	return c.fixed[[2]int32{c.Corner[e], c.Corner[next(e)]}]
}
