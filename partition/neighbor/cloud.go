// SPDX-License-Identifier: BSD-3-Clause

// Package neighbor finds each point's nearest neighbours and builds the
// adjacency graph of the partition problem (Landrieu and Boussaha 2019,
// section 2 and appendix: 20 nearest neighbours, 5-nn graph, Delaunay edges).
//
// Positions are integer multiples of Unit (10 µm unless the cloud is too large for
// that). Differences of positions are therefore exact, so neighbours, features and
// embeddings do not depend on the extent of a tile or on a translation by an
// integer number of units, and equal distances are equal numbers. Ties are broken by
// position, then by input order. Lengths are in metres.
package neighbor

import "github.com/golang/geo/r3"

// Cloud is a set of points in an order in which neighbours in space are near
// each other in memory, and exact duplicates are consecutive. All arrays computed
// from a cloud use this order; Order has the input index of each point. Memory: 16
// bytes a point and about 4.5 for the tree.
type Cloud struct {
	Origin r3.Vector  // metres; where XYZ is {0, 0, 0}
	Unit   float64    // metres per integer step, 1e-5 or larger
	Least  [3]int32   // of XYZ along each axis
	XYZ    [][3]int32 // positions in units from Origin, in tree order
	Order  []uint32   // Order[i] is the input index of point i
	tree   tree
}

// Len returns the number of points.
func (c *Cloud) Len() int { return len(c.XYZ) }

// Offset returns p_j − p_i in metres.
func (c *Cloud) Offset(i, j uint32) (dx, dy, dz float32) {
	p, q := &c.XYZ[i], &c.XYZ[j]
	u := float32(c.Unit)
	return float32(q[0]-p[0]) * u, float32(q[1]-p[1]) * u, float32(q[2]-p[2]) * u
}

// Position returns point i in metres from Origin.
func (c *Cloud) Position(i uint32) r3.Vector {
	p := &c.XYZ[i]
	return r3.Vector{X: float64(p[0]) * c.Unit, Y: float64(p[1]) * c.Unit, Z: float64(p[2]) * c.Unit}
}
