// SPDX-License-Identifier: BSD-3-Clause

package neighbor

import "math"

// Beyond a gap the ground continues, while openings in walls look the same but lead to
// another surface. So the conditions for level edges are weaker, and level edges across a
// gap may have any length. The numbers were chosen on val and on scan-line artefacts
// (pipelines/commands/compare, TestNoStripes).
const (
	// levelCosine is the cosine of the steepest slope that is treated as level, 26 degrees.
	levelCosine = 0.9
	// minCandidatesLevel is minCandidates for level edges: the least number of neighbours
	// at a border of a seed.
	minCandidatesLevel = 4
	// levelDirection is sameDirection for a level edge across a gap.
	levelDirection = 0.8
)

// level reports whether the plane of the line of point i's neighbours and the edge to j is
// level.
//
// It sets the current point to i, and s.near to its neighbors.
func (s *borderSearch) level(i, j uint32, row []uint32) bool {
	_, axes := planeOf(s.load(i, row))
	edge := s.to(j)
	return level(&axes[0], &edge)
}

// level reports whether the plane of a line and an edge is nearly level. The vertical
// component of the cross product of their directions is the cosine of the plane's slope
// times the sine of the angle between them, so it is false for edges along the line.
func level(line, edge *offset) bool {
	e := edge.unit()
	return math.Abs(line[0]*e[1]-line[1]*e[0]) >= levelCosine
}
