// SPDX-License-Identifier: BSD-3-Clause

package neighbor

import (
	"math"
	"slices"

	"superpoint/partition/base/arrays"
)

// farSpacings is the ratio to the median above which distances are ignored, so that noise has
// no effect.
const farSpacings = 4

// Spacing returns the distance of neighbouring points in metres: the side of a square that
// has one point on a surface of the cloud's median density. It is computed from at most a
// hundred thousand points, and is 1 if all points coincide.
//
// It is the median of the distances to the fourth neighbor: a mean would follow the far points of sparse
// regions.
func (c *Cloud) Spacing(lists *Lists) float64 {
	k := min(4, lists.K)
	if k == 0 {
		return 1
	}
	const sample = 1 << 16
	step := max(1, c.Len()/sample)
	var all []float64
	for i := 0; i < c.Len(); i += step {
		// in float64: multiplied by a factor, a cloud has the spacing multiplied by it to the last digits
		p := &c.XYZ[i]
		q := &c.XYZ[lists.Of(i)[k-1]]
		dx := float64(q[0] - p[0])
		dy := float64(q[1] - p[1])
		dz := float64(q[2] - p[2])
		all = append(all, c.Unit*math.Sqrt(dx*dx+dy*dy+dz*dz))
	}
	// Median changes the order of all, on which nothing depends.
	far := farSpacings * arrays.Median(all)
	all = slices.DeleteFunc(all, func(d float64) bool { return d > far })
	// k points on a surface of one point a square of side s fill a disc of area k·s²
	s := arrays.Median(all) * math.Sqrt(math.Pi/float64(k))
	if s == 0 {
		return 1
	}
	return s
}

// Scaled returns the same points with all lengths multiplied by factor: in the same
// order, with the same neighbours. It shares the cloud's memory.
//
// XYZ are integers and stay as they are, so that order, tree and lists are the same bits.
func (c *Cloud) Scaled(factor float64) *Cloud {
	scaled := *c
	scaled.Unit *= factor
	scaled.Origin = c.Origin.Mul(factor)
	return &scaled
}
