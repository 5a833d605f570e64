// SPDX-License-Identifier: BSD-3-Clause

package neighbor

import (
	"math"
)

// Around is the maximum number of nearest neighbours by which the border of a line or
// bundle is detected.
const Around = 20

// none is the index that means no point.
//
// It is larger than every index, since a cloud has fewer than 2³¹ points.
const none = math.MaxUint32

// ranks are the bits of candidates among the neighbours; higher bits belong to beside.
const ranks = 1<<Around - 1

// sideLength is the length of a vector in candidates.side.
const sideLength = 127

const (
	// uneven is the greatest ratio of the length of an edge to the length of the shortest candidate
	// of the other end, unless the edge is level. Longer ones are not between scan lines but,
	// for example, from a wire to the ground.
	uneven = 2
	// minCandidates is the least number of points among a point and its neighbours that have
	// candidates. On an isotropic surface it is 4 of 21, beside scan lines most.
	minCandidates = 6
	// sameDirection is the least mean squared cosine between an edge and the candidates of
	// the neighbours: 1/2 in a plane without any order, 1/3 in space.
	sameDirection = 0.9
	// sameSide is the least mean squared cosine between the free side of a point at a gap
	// and the free sides of its neighbours: beside a bundle of lines all are across it, in one of two
	// directions; in foliage they are random. It saves most searches.
	sameSide = 0.6
)
