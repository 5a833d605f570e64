// SPDX-License-Identifier: BSD-3-Clause

package neighbor

import "math"

// borderSearch finds the candidates of points, one point after the other.
type borderSearch struct {
	cloud  *Cloud
	fast   bool   // searches in C, with the same results
	own    uint32 // current point
	at     [3]int32
	from   offset          // at, in units
	near   [Around]offset  // to the neighbours
	square [Around]float64 // their squared lengths
	stack  []visit
}

func (c *Cloud) between(i, j uint32) offset {
	p, q := &c.XYZ[i], &c.XYZ[j]
	return offset{float64(q[0]) - float64(p[0]), float64(q[1]) - float64(p[1]), float64(q[2]) - float64(p[2])}
}

func (s *borderSearch) to(j uint32) offset { return s.toward(&s.cloud.XYZ[j]) }

func (s *borderSearch) toward(q *[3]int32) offset {
	return offset{float64(q[0]) - s.from[0], float64(q[1]) - s.from[1], float64(q[2]) - s.from[2]}
}

// stand sets the current point.
//
// It must precede each search: to, toward, nearest and gapBehind are all relative to it.
func (s *borderSearch) stand(i uint32) {
	s.own = i
	s.at = s.cloud.XYZ[i]
	s.from = offset{float64(s.at[0]), float64(s.at[1]), float64(s.at[2])}
}

// load sets the current point and its neighbours, and returns the offsets to these.
//
// Offsets are differences of integers of 32 bits, exact in float64. near belongs to s, so that no memory is
// allocated for a point.
func (s *borderSearch) load(i uint32, row []uint32) []offset {
	s.stand(i)
	for r, j := range row {
		s.near[r] = s.to(j)
		s.square[r] = s.near[r].square()
	}
	return s.near[:len(row)]
}

// around returns the bits of the candidates among a point's neighbours after the k-th; the
// kind of border that it is at, see candidates.border; and the side of the border: the
// direction of the line, or the middle of the free directions.
func (s *borderSearch) around(i uint32, row []uint32, k int) (ranks uint32, beyond uint8, side [3]int8) {
	near := s.load(i, row)
	ranks = s.unblocked(k, len(row))
	switch sides := sidesOf(near); {
	case sides.line:
		return ranks, 2, sides.first.rounded()
	case sides.open:
		return ranks, 1, sides.middle.rounded()
	}
	return ranks, 0, side
}

// rounded returns a unit vector times sideLength, rounded to integers.
//
// RoundToEven in place of a conversion, which rounds toward 0: a side and its opposite then have opposite
// integers in both ways, but the first has half the error.
func (a *offset) rounded() (side [3]int8) {
	for k, x := range a {
		side[k] = int8(math.RoundToEven(x * sideLength))
	}
	return side
}

// unblocked returns the bits of the neighbours of ranks k to m−1 for which no other neighbour
// is nearer to both ends: the edges of the relative neighbourhood graph.
//
// Neighbor r blocks j if it is nearer to the point than j is, and nearer to j than the point is:
//
//	|r|² < |j|²  and  |j − r|² < |j|², which is  2 j·r > |r|²
//
// Only neighbors before j in the list can be nearer to the point, so no other point has to be compared.
func (s *borderSearch) unblocked(k, m int) (ranks uint32) {
next:
	for j := k; j < m; j++ {
		x := 2 * s.near[j][0]
		y := 2 * s.near[j][1]
		z := 2 * s.near[j][2]
		square := s.square[:j]
		for r, near := range s.near[:j] {
			// Neighbors as far away as j are before it in the list by the order of ties; the second condition
			// excludes them.
			if x*near[0]+y*near[1]+z*near[2] > square[r] && square[r] < s.square[j] {
				continue next
			}
		}
		ranks |= 1 << j
	}
	return ranks
}

// exactBelow is the squared distance below which sums of squares of integers are exact.
//
// It is (949 m)² in units of 10 µm. A float64 has all integers up to 2⁵³, and all partial sums of the three
// squares are below the sum. The kernel in C is for such distances only.
const exactBelow = 1 << 53

// 2d² > |o|² with d > 0 means that the cosine between o and the axis is above 1/√2.
func (s *borderSearch) inConeGo(axis *offset, limit float64) uint32 {
	j, _ := s.nearest(limit, axis, func(o offset) bool {
		d := o.dot(axis)
		return d > 0 && 2*d*d > o.square()
	})
	return j
}

// nearest returns the nearest point for which sees is true, within the squared distance
// limit, and its squared distance. Ties are broken by position, as in Nearest. cone is the
// axis of a cone of 45 degrees that contains all points for which sees is true, or nil. It
// only makes the search shorter.
//
// It is the search of search.go for one point with a condition, which is asked last, of points that are near
// enough: it costs more than a distance.
//
// Claim: it returns the nearest of all points of the cloud for which sees is true. Reason: as in search.find,
// a node is left out only if its box is farther than the best point so far, or by cone if no point in it can
// be seen. worst starts at the limit, so that a point at the limit itself is found (d > worst is skipped).
//
// Squared distances are integers below 3·2⁶² (search.scan), which float64 does not have all above exactBelow:
// a box that is farther by less than a rounding would be left out, or not, in the order of the tree.
func (s *borderSearch) nearest(limit float64, cone *offset, sees func(o offset) bool) (found uint32,
	squared float64) {
	found = none
	worst := uint64(min(limit, 3<<62))
	nodes := s.cloud.tree.nodes
	stack := append(s.stack[:0], visit{0, 0})
	for len(stack) > 0 {
		v := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		for v.dist <= worst {
			nd := &nodes[v.node]
			// A box that contains the point (distance 0) may always reach into the cone.
			if cone != nil && v.dist > 0 && s.beside(nd, cone, v.dist) {
				break
			}
			if nd.leaf() {
				worst = s.scan(nd, worst, &found, sees)
				break
			}
			near, far := visit{node: v.node + 1}, visit{node: nd.link}
			near.dist = nodes[near.node].distance(&s.at)
			far.dist = nodes[far.node].distance(&s.at)
			if far.dist < near.dist {
				near, far = far, near
			}
			if far.dist <= worst {
				stack = append(stack, far)
			}
			v = near
		}
	}
	s.stack = stack[:0]
	return found, float64(worst)
}

// beside reports whether a node's box, at squared distance square, is certainly outside a cone
// of 45 degrees: a point in the cone at distance d is at least d/√2 along the axis, and even
// the corner of the box farthest along the axis is not. It may be false for boxes outside.
func (s *borderSearch) beside(n *node, axis *offset, square uint64) bool {
	const rounding = 1e-3
	along := rounding
	for a, x := range axis {
		far := n.hi[a]
		if x < 0 {
			far = n.lo[a]
		}
		along += x * (float64(far) - s.from[a])
	}
	return along <= 0 || 2*along*along < float64(square)*(1-1e-9)
}

// scan updates the nearest point by the points of a leaf. A tie is a tie in space, and before decides it.
func (s *borderSearch) scan(leaf *node, worst uint64, found *uint32, sees func(o offset) bool) uint64 {
	for k, q := range s.cloud.XYZ[leaf.start : leaf.start+leaf.places()] {
		j := leaf.start + uint32(k)
		d := s.cloud.squared(s.own, j)
		if d > worst {
			continue
		}
		isTie := d == worst && *found != none
		if isTie && !s.cloud.before(j, *found) {
			continue
		}
		if !sees(s.toward(&q)) {
			continue
		}
		worst = d
		*found = j
	}
	return worst
}

// places returns the number of points of a leaf at different positions that are searched: 1
// for a leaf of exact duplicates.
func (n *node) places() uint32 {
	if n.point() {
		return 1
	}
	return uint32(n.count())
}
