// SPDX-License-Identifier: BSD-3-Clause

package neighbor

import (
	"math"
)

// gapBehind reports whether there is another gap on the other side of a point, opposite to
// an edge. It looks at a tube twice as long as the edge, whose radius is a quarter of the
// edge's length or the distance to the k-th neighbour, if that is more; a gap is two
// adjacent parts of the tube without points, half the length of the edge. Behind scan lines
// there is the next gap; behind the border of a surface there is none.
//
// Why behind: between two bundles of lines and at the edge of a roof there is the same empty half plane in
// front. What comes behind differs: a bundle is narrow and ends at the next gap, a roof goes on. The tube is
// searched in the tree, since the lists of neighbors end within the bundle.
func (s *borderSearch) gapBehind(edge offset, kth float64) bool {
	// depths parts over two lengths of the edge: each is a quarter of the edge long, and two adjacent ones
	// are half of it.
	length := math.Sqrt(edge.square())
	t := tube{back: edge.times(-1 / length), length: 2 * length, radius: max(length/4, kth),
		per: depths / (2 * length)}
	for a, x := range t.back {
		// The box of the axis, wider by the radius and by 1 for rounding. Positions are integers of 32 bits,
		// so a box that reaches farther is cut there without losing a point.
		at, end := s.from[a], s.from[a]+x*t.length
		t.lo[a] = int32(max(min(at, end)-t.radius-1, math.MinInt32))
		t.hi[a] = int32(min(max(at, end)+t.radius+1, math.MaxInt32))
	}
	if s.fast {
		return s.gapInC(&t)
	}
	return s.isGap(&t)
}

// beyond returns the points that point i, which is at a border, finds beyond it, or none.
//
// side is the direction that around has rounded to integers: points keep 3 bytes instead of 24
// (candidates.side). Its error is below half a degree, against cones of 45 degrees, and the same for every
// kernel.
func (s *borderSearch) beyond(i uint32, row []uint32, k int, border uint8, side [3]int8) (beside [2]uint32) {
	s.stand(i)
	kth := s.to(row[k-1])
	last := s.to(row[len(row)-1])
	axis := offset{float64(side[0]), float64(side[1]), float64(side[2])}
	axis = axis.unit()
	if border == 2 {
		return s.besideLine(&axis, kth.square())
	}
	return [2]uint32{s.beyondGap(&axis, kth.square(), last.square()), none}
}

// besideLine returns the nearest point beside a line, and the nearest on the other side.
//
// Beside is at more than 45 degrees to the line: else the next points of the line itself would be found. The
// second search looks within 60 degrees of the opposite direction, and twice as far at most: what lies
// farther than that is no line of the same scan.
func (s *borderSearch) besideLine(line *offset, kth float64) (beside [2]uint32) {
	off := func(o offset) bool { d := o.dot(line); return 2*d*d < o.square() }
	j, d := s.nearest(lineReach*lineReach*kth, nil, off)
	if j == none {
		return [2]uint32{none, none}
	}
	first := s.to(j)
	first = first.across(line)
	// p and first are perpendicular to the line, so that d is the cosine between them times their lengths. d
	// < 0 and 4d² > |p|²|first|² mean an angle of more than 120 degrees.
	other, _ := s.nearest(uneven*uneven*d, nil, func(o offset) bool {
		p := o.across(line)
		d := p.dot(&first)
		return d < 0 && 4*d*d > p.square()*first.square() && off(o)
	})
	return [2]uint32{j, other}
}

// beyondGap returns the nearest point within 45 degrees of the middle of the free
// directions, if there is another gap behind the current point.
//
// The search reaches gapReach times as far as the farthest neighbor. A wider gap is left open: an edge across
// it would be longer than anything that the point knows of its surface.
func (s *borderSearch) beyondGap(middle *offset, kth, farthest float64) uint32 {
	j := s.inCone(middle, gapReach*gapReach*farthest)
	if j == none || !s.gapBehind(s.to(j), math.Sqrt(kth)) {
		return none
	}
	return j
}

// inCone returns the nearest point within 45 degrees of an axis, within the squared distance
// limit, or none.
//
// Claim: both kernels find the same point. Reason: below exactBelow squared distances are exact integers in
// float64, so that neither order of summation nor ties differ. Above it only Go searches.
func (s *borderSearch) inCone(axis *offset, limit float64) uint32 {
	if s.fast && limit < exactBelow {
		return s.inConeC(axis, limit)
	}
	return s.inConeGo(axis, limit)
}

const (
	// lineReach is the greatest distance of the line beside a line, in distances to
	// the k-th neighbour. On level ground, the lines of a rotating scanner with
	// beams 2 degrees apart are 50 times as far apart as the points of a line.
	lineReach = 25
	// gapReach is the greatest width of a gap beside a bundle of lines, in distances to
	// the farthest of the around neighbours.
	gapReach = 4
)
