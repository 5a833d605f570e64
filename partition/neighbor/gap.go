// SPDX-License-Identifier: BSD-3-Clause

package neighbor

import "math"

// depths is the number of equal parts of a tube, of which two adjacent ones must have no
// points.
//
// Parts begin at multiples of their length: a gap of three parts, which are three quarters of the edge,
// contains two whole ones wherever it is.
const depths = 8

// isGap reports whether two adjacent parts of a tube have no points.
//
// A bit for each of the eight parts says whether it has a point. A node is read only if it may reach a part
// whose bit is not set. free&(free>>1) has a bit for each pair of adjacent free parts: when there is none any
// more, the answer is certain and the search ends.
func (s *borderSearch) isGap(t *tube) bool {
	taken := uint64(0)
	nodes := s.cloud.tree.nodes
	// The number of a visit is here a set of parts, not a distance: those that the node may reach.
	stack := append(s.stack[:0], visit{t.parts(0, t.length), 0})
	defer func() { s.stack = stack[:0] }()
	for len(stack) > 0 {
		at := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		if at.dist&^taken == 0 {
			continue // all parts that it may reach have points
		}
		nd := &nodes[at.node]
		if !nd.leaf() {
			for _, child := range [2]uint32{nd.link, at.node + 1} {
				if parts := s.reaches(&nodes[child], t) &^ taken; parts != 0 {
					stack = append(stack, visit{parts, child})
				}
			}
			continue
		}
		for _, q := range s.cloud.XYZ[nd.start : nd.start+nd.places()] {
			o := s.toward(&q)
			d := o.dot(&t.back)
			// o·o − d² is the squared distance from the axis (Pythagoras), with d the distance along it.
			if d > 0 && d < t.length && o.square()-d*d <= t.radius*t.radius {
				taken |= 1 << uint(d*depths/t.length)
			}
		}
		// Taken parts are only added, so that pairs of free parts only become fewer: the answer cannot change
		// back.
		if free := ^taken & (1<<depths - 1); free&(free>>1) == 0 {
			return false
		}
	}
	return true
}

// tube is a cylinder behind a point, divided into parts along its axis.
type tube struct {
	back           offset // unit vector
	length, radius float64
	per            float64  // parts per unit of length
	lo, hi         [3]int32 // bounding box, in units
}

// parts returns a bit for each part of the tube between two distances.
func (t *tube) parts(from, to float64) uint64 {
	// Ranges of nodes are widened by 1 for rounding (reaches), so that no part is missed.
	if to < 0 || from > t.length {
		return 0
	}
	// 2<<last − 1<<first has the bits first to last.
	first := uint(max(from*t.per, 0))
	last := uint(min(to*t.per, depths-1))
	return 2<<last - 1<<min(first, last)
}

// reaches returns a superset of the parts of the tube in which a node has points.
//
// The ball around a box has to come within the radius of the axis, and the projection of the box on the axis
// within the part. Both tests are cheap and on the safe side. That is enough: a part counts as taken only
// when a point is found in it.
func (s *borderSearch) reaches(n *node, t *tube) uint64 {
	for a := range t.lo {
		if n.lo[a] > t.hi[a] || n.hi[a] < t.lo[a] {
			return 0
		}
	}
	var center, half offset
	for a := range center {
		lo, hi := float64(n.lo[a]), float64(n.hi[a])
		center[a], half[a] = (lo+hi)/2-s.from[a], (hi-lo)/2
	}
	d := center.dot(&t.back)
	// Half of its length along the tube, and rounding.
	extent := 1 + half[0]*math.Abs(t.back[0]) + half[1]*math.Abs(t.back[1]) + half[2]*math.Abs(t.back[2])
	if n.leaf() { // its points cost no more than its ball
		return t.parts(d-extent, d+extent)
	}
	// The squared distance of the centre from the axis is compared; the 1 is for rounding.
	reach := t.radius + math.Sqrt(half.square()) + 1
	if center.square()-d*d > reach*reach {
		return 0
	}
	return t.parts(d-extent, d+extent)
}
