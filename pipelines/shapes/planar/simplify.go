// SPDX-License-Identifier: BSD-3-Clause

package planar

import (
	"container/heap"
	"slices"

	"superpoint/partition/base/arithmetic"
	"superpoint/pipelines/shapes/patch"
)

// How much simplifying may change: a line stays within half a cell of what it was,
// and leaving out a vertex moves at most half a cell of area. Stairs become
// straight lines, and corners stay.
const (
	tolerance = 1 // half cells
	largest   = 4 // twice an area, in quarter cells
)

// simplify takes vertices out of lines, those first that change least, as long as
// all first vertices stay within the tolerance and no other vertex changes sides.
func (l *lines) simplify(tolerance float64, largest int64) {
	s := &simplification{lines: l, tolerance: tolerance, largest: largest, first: slices.Clone(l.link),
		direct: map[[2]int32]bool{}, least: make([]int64, len(l.at))}
	for v := range l.at {
		if !l.node(int32(v)) {
			s.push(int32(v))
		} else {
			s.least[v] = -1
		}
	}
	for len(s.queue) > 0 {
		top := heap.Pop(&s.queue).(candidate)
		// else an older entry, or one that must stay
		if v := top.vertex; s.least[v] == top.area && s.free(v) {
			s.remove(v)
		}
	}
}

type simplification struct {
	*lines
	tolerance float64
	largest   int64
	first     [][2]int32        // links before
	direct    map[[2]int32]bool // pairs of nodes that are joined without a vertex between
	least     []int64           // current key of a vertex; −1 when it is gone
	queue     queue
}

// candidate is a vertex and twice the area that its removal moves.
type candidate struct {
	area   int64
	vertex int32
}

type queue []candidate

func (q queue) Len() int      { return len(q) }
func (q queue) Swap(i, j int) { q[i], q[j] = q[j], q[i] }
func (q queue) Less(i, j int) bool {
	return q[i].area < q[j].area || q[i].area == q[j].area && q[i].vertex < q[j].vertex
}
func (q *queue) Push(x any) { *q = append(*q, x.(candidate)) }
func (q *queue) Pop() any {
	last := (*q)[len(*q)-1]
	*q = (*q)[:len(*q)-1]
	return last
}

// push gives a vertex its key.
func (s *simplification) push(v int32) {
	a, b := s.link[v][0], s.link[v][1]
	s.least[v] = abs(patch.Cross(s.at[a], s.at[v], s.at[b]))
	if s.least[v] <= s.largest {
		heap.Push(&s.queue, candidate{s.least[v], v})
	}
}

// free reports whether vertex v can go.
func (s *simplification) free(v int32) bool {
	a, b := s.link[v][0], s.link[v][1]
	if a == b || slices.Contains(s.link[a][:], b) || slices.Contains(s.link[b][:], a) ||
		s.direct[pair(a, b)] {
		return false // the line would fold
	}
	return (s.least[v] == 0 || s.within(v, 0, a, b) && s.within(v, 1, a, b)) && s.empty(a, v, b)
}

// within reports whether the first vertices from v on one side, up to its
// neighbour there, are near the straight line from a to b.
func (s *simplification) within(v int32, side int, a, b int32) bool {
	end := s.link[v][side]
	from := s.at[a]
	to := s.at[b]
	dx, dy := float64(to.X-from.X), float64(to.Y-from.Y)
	limit := s.tolerance * s.tolerance * (dx*dx + dy*dy)
	if c := float64(patch.Cross(from, s.at[v], to)); c*c > limit {
		return false
	}
	before, at := v, s.first[v][side] // link[v][side] lies that way
	for at != end {
		if c := float64(patch.Cross(from, s.at[at], to)); c*c > limit {
			return false
		}
		following := s.first[at][0]
		if following == before {
			following = s.first[at][1]
		}
		before, at = at, following
	}
	return true
}

// empty reports whether no vertex but its corners is in a triangle or on its rim.
// As lines cross nowhere, none can then reach into it.
func (s *simplification) empty(a, b, c int32) bool {
	corners := [3]patch.Point{s.at[a], s.at[b], s.at[c]}
	lowest := min(corners[0].Y, corners[1].Y, corners[2].Y)
	highest := max(corners[0].Y, corners[1].Y, corners[2].Y)
	for y := lowest; y <= highest; y++ {
		first, last := rowOf(corners, y)
		for x := first; x <= last; x++ {
			v := s.find(int(x), int(y))
			isCorner := v == a || v == b || v == c
			if v != none && !isCorner {
				return false
			}
		}
	}
	return true
}

// rowOf returns the first and the last position of a row that are in a triangle or on its rim; the last is
// before the first if there is none.
func rowOf(corners [3]patch.Point, y int32) (first, last int64) {
	first = 1 << 40
	last = -1
	for i, p := range corners {
		q := corners[(i+1)%3]
		low, high := p, q
		if low.Y > high.Y {
			low, high = q, p
		}
		switch {
		case y < low.Y || y > high.Y:
			// the side does not reach the row
		case low.Y == high.Y:
			first = min(first, int64(low.X), int64(high.X))
			last = max(last, int64(low.X), int64(high.X))
		default:
			along := int64(y-low.Y) * int64(high.X-low.X)
			rise := int64(high.Y - low.Y)
			first = min(first, int64(low.X)+ceilDiv(along, rise))
			last = max(last, int64(low.X)+arithmetic.FloorDiv(along, rise))
		}
	}
	return first, last
}

// remove joins the neighbours of vertex v.
func (s *simplification) remove(v int32) {
	a, b := s.link[v][0], s.link[v][1]
	s.vertex[s.place(int(s.at[v].X), int(s.at[v].Y))] = none
	s.least[v] = -1
	if s.node(a) && s.node(b) {
		s.direct[pair(a, b)] = true
	}
	for _, end := range [2][2]int32{{a, b}, {b, a}} {
		if s.node(end[0]) {
			continue
		}
		for side, w := range s.link[end[0]] {
			if w == v {
				s.link[end[0]][side] = end[1]
			}
		}
		s.push(end[0])
	}
}

func pair(a, b int32) [2]int32 { return [2]int32{min(a, b), max(a, b)} }

func abs(x int64) int64 { return max(x, -x) }

func ceilDiv(x, y int64) int64 { return -arithmetic.FloorDiv(-x, y) }
