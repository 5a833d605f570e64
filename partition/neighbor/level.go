package neighbor

import "math"

// Ground goes on beyond a gap, while walls have openings that look alike. So less is
// asked of edges that lie level; across a gap they may have any length, too. The
// numbers were chosen on val and on stripes (filter/compare, TestNoStripes).
const (
	// levelCosine is the cosine of the steepest slope that counts as level, 26 degrees.
	levelCosine = 0.9
	// fewLevel is fewWishes for the neighbours at a border of a point that looks beyond.
	fewLevel = 4
	// levelDirection is sameDirection for an edge across a gap.
	levelDirection = 0.8
)

// level reports whether an edge lies level beside the line of its first point's neighbours.
func (s *sideways) level(i, j uint32, row []uint32) bool {
	_, axes := planeOf(s.look(i, row))
	edge := s.to(j)
	return level(&axes[0], &edge)
}

// level reports whether the line of a point's neighbours and an edge beside it lie in a
// plane that is about level. The vertical part of the cross product of their directions
// is the cosine of the plane's slope times the sine of the angle between them, so that
// no edge along the line does.
func level(line, edge *offset) bool {
	e := edge.unit()
	return math.Abs(line[0]*e[1]-line[1]*e[0]) >= levelCosine
}
