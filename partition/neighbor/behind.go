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
	back := edge.times(-1 / length)
	radius := max(length/4, kth)
	taken := uint(0)
	nodes := s.cloud.tree.nodes
	stack := append(s.stack[:0], visit{})
	defer func() { s.stack = stack[:0] }()
	for len(stack) > 0 {
		at := stack[len(stack)-1].node
		stack = stack[:len(stack)-1]
		nd := &nodes[at]
		if !s.meets(nd, &back, 2*length, radius) {
			continue
		}
		if !nd.leaf() {
			stack = append(stack, visit{node: nd.link}, visit{node: at + 1})
			continue
		}
		for j := nd.start; j < nd.start+nd.places(); j++ {
			o := s.to(j)
			d := o.dot(&back)
			if d > 0 && d < 2*length && o.square()-d*d <= radius*radius {
				taken |= 1 << uint(d*depths/(2*length))
			}
		}
		if free := ^taken & (1<<depths - 1); free&(free>>1) == 0 {
			return false
		}
	}
	return true
}

// meets tells whether a node may reach into the tube of a length and radius that
// begins at the point.
func (s *sideways) meets(n *node, along *offset, length, radius float64) bool {
	var center, half offset
	for a := range center {
		lo, hi := float64(n.lo[a]), float64(n.hi[a])
		center[a], half[a] = (lo+hi)/2-float64(s.at[a]), (hi-lo)/2
	}
	extent := math.Sqrt(half.square()) + 1 // of its ball, rounding included
	d := center.dot(along)
	return d > -extent && d < length+extent && center.square()-d*d <= (radius+extent)*(radius+extent)
}
