package patch

import "slices"

// Ring is a closed line without repeated or superfluous positions; the first is
// not repeated at the end. A polygon's outer ring runs counter-clockwise, its
// holes clockwise.
type Ring []Point

// Area2 returns twice the area within, positive when counter-clockwise.
func (r Ring) Area2() int64 {
	sum := int64(0)
	for i := range r {
		if i >= 2 {
			sum += cross(r[0], r[i-1], r[i])
		}
	}
	return sum
}

// Polygon is an outer ring and its holes.
type Polygon []Ring

// Area2 returns twice the area.
func (p Polygon) Area2() int64 {
	sum := int64(0)
	for _, r := range p {
		sum += r.Area2()
	}
	return sum
}

// Polygons returns what the kept triangles fill, one polygon for each set of
// triangles that hang together by edges, in the order of their first triangle.
func (t *Triangulation) Polygons(kept []bool) []Polygon {
	part, count := t.parts(kept)
	outer, holes := make([]Ring, count), make([][]Ring, count)
	done := make([]bool, len(t.Corner))
	for e := range t.Corner {
		e := int32(e)
		if !kept[e/3] || done[e] || !t.border(e, kept) {
			continue
		}
		for _, ring := range t.loops(t.walk(e, kept, done)) {
			if p := part[e/3]; ring.Area2() > 0 {
				outer[p] = ring
			} else {
				holes[p] = append(holes[p], ring)
			}
		}
	}
	all := make([]Polygon, count)
	for p := range all {
		all[p] = append(Polygon{outer[p]}, holes[p]...)
	}
	return all
}

// parts numbers the sets of kept triangles that hang together by edges.
func (t *Triangulation) parts(kept []bool) (part []int32, count int) {
	part = make([]int32, len(kept))
	for i := range part {
		part[i] = -1
	}
	var stack []int32
	for first := range kept {
		if !kept[first] || part[first] >= 0 {
			continue
		}
		part[first] = int32(count)
		stack = append(stack[:0], int32(first))
		for len(stack) > 0 {
			i := stack[len(stack)-1]
			stack = stack[:len(stack)-1]
			for _, twin := range t.Twin[3*i : 3*i+3] {
				if twin >= 0 && kept[twin/3] && part[twin/3] < 0 {
					part[twin/3] = int32(count)
					stack = append(stack, twin/3)
				}
			}
		}
		count++
	}
	return part, count
}

// border tells whether nothing kept lies across half edge e.
func (t *Triangulation) border(e int32, kept []bool) bool {
	return t.Twin[e] < 0 || !kept[t.Twin[e]/3]
}

// walk follows the border from half edge e with the kept triangles on its left
// until it closes. At a corner where triangles meet in a point only, it stays
// with those it came along.
func (t *Triangulation) walk(e int32, kept, done []bool) (corners []int32) {
	for !done[e] {
		done[e] = true
		corners = append(corners, t.Corner[e])
		e = next(e)
		for !t.border(e, kept) {
			e = next(t.Twin[e])
		}
	}
	return corners
}

// loops takes a closed walk apart where it meets itself, and returns each simple
// ring without the positions that lie on a straight line. Of what a walk meets
// again, the part between is a ring of its own: a hole that touches the outer
// ring, or two holes that touch each other.
func (t *Triangulation) loops(walk []int32) []Ring {
	var rings []Ring
	var path []int32
	place := make(map[int32]int) // of a corner on the path
	for _, c := range walk {
		if at, met := place[c]; met {
			rings = append(rings, t.ring(path[at:]))
			for _, gone := range path[at:] {
				delete(place, gone)
			}
			path = path[:at]
		}
		place[c] = len(path)
		path = append(path, c)
	}
	return append(rings, t.ring(path))
}

// ring makes a ring of corners.
func (t *Triangulation) ring(corners []int32) Ring {
	var r Ring
	n := len(corners)
	for i, c := range corners {
		before, after := t.At[corners[(i+n-1)%n]], t.At[corners[(i+1)%n]]
		if cross(before, t.At[c], after) != 0 {
			r = append(r, t.At[c])
		}
	}
	// begin at the least position, so that the ring depends on its shape alone
	least := 0
	for i, p := range r {
		if p.X < r[least].X || p.X == r[least].X && p.Y < r[least].Y {
			least = i
		}
	}
	return slices.Concat(r[least:], r[:least])
}
