package neighbor

import "math"

// depths is the number of parts of the distance behind a point, twice the edge
// long, of which two in a row must be free of points.
const depths = 8

// gapBehind tells whether behind a point, on the line of an edge, there is a gap
// half as wide as the edge within twice its length: in a tube of a radius of a
// quarter of the edge or the distance to the k-th neighbour. Beside scan lines
// there is the next gap; a surface goes on.
func (s *sideways) gapBehind(edge offset, kth float64) bool {
	length := math.Sqrt(edge.square())
	t := tube{back: edge.times(-1 / length), length: 2 * length, radius: max(length/4, kth)}
	for a, x := range t.back {
		at, end := float64(s.at[a]), float64(s.at[a])+x*t.length
		t.lo[a] = int32(max(min(at, end)-t.radius-1, math.MinInt32))
		t.hi[a] = int32(min(max(at, end)+t.radius+1, math.MaxInt32))
	}
	taken := uint(0)
	nodes := s.cloud.tree.nodes
	stack := append(s.stack[:0], visit{})
	defer func() { s.stack = stack[:0] }()
	for len(stack) > 0 {
		at := stack[len(stack)-1].node
		stack = stack[:len(stack)-1]
		nd := &nodes[at]
		if !s.meets(nd, &t) {
			continue
		}
		if !nd.leaf() {
			stack = append(stack, visit{node: nd.link}, visit{node: at + 1})
			continue
		}
		for j := nd.start; j < nd.start+nd.places(); j++ {
			o := s.to(j)
			d := o.dot(&t.back)
			if d > 0 && d < t.length && o.square()-d*d <= t.radius*t.radius {
				taken |= 1 << uint(d*depths/t.length)
			}
		}
		if free := ^taken & (1<<depths - 1); free&(free>>1) == 0 {
			return false
		}
	}
	return true
}

// tube is a part of space behind a point.
type tube struct {
	back           offset // unit vector
	length, radius float64
	lo, hi         [3]int32 // of a box around it, in units
}

// meets reports whether a node may reach into a tube that begins at the point.
func (s *sideways) meets(n *node, t *tube) bool {
	for a := range t.lo {
		if n.lo[a] > t.hi[a] || n.hi[a] < t.lo[a] {
			return false
		}
	}
	if n.leaf() { // its points cost no more than its ball
		return true
	}
	var center, half offset
	for a := range center {
		lo, hi := float64(n.lo[a]), float64(n.hi[a])
		center[a], half[a] = (lo+hi)/2-float64(s.at[a]), (hi-lo)/2
	}
	extent := math.Sqrt(half.square()) + 1 // of its ball, rounding included
	d := center.dot(&t.back)
	reach := t.radius + extent
	return d > -extent && d < t.length+extent && center.square()-d*d <= reach*reach
}
