// SPDX-License-Identifier: BSD-3-Clause

package neighbor

import (
	"math"
	"testing"

	"superpoint/partition/base/parallel"
	"superpoint/testdata/must"
)

// TestSpacingOfASquareLattice: the fourth neighbor of a point is at the edge of the lattice, the fifth at √2
// edges, and four points on a surface of one point a square of side s fill a disc of area 4s².
func TestSpacingOfASquareLattice(t *testing.T) {
	const edge = 0.25
	for _, side := range []int{60, 300} { // all points, and a sample of them
		var c columns
		for i := range side * side {
			c.add(edge*float64(i%side), edge*float64(i/side), 0)
		}
		cloud := mustNew(t, c, 1)
		lists := must.Get(cloud.Nearest(20, parallel.Run{}))(t)
		got, want := cloud.Spacing(lists), edge*math.Sqrt(math.Pi)/2
		must.Hold(t, math.Abs(got-want) <= 1e-6, "side %d: spacing %v m, want %v", side, got, want)
		got = cloud.Scaled(3).Spacing(lists)
		must.Hold(t, math.Abs(got-3*want) <= 1e-6, "side %d, lengths times 3: spacing %v m, want %v",
			side, got, 3*want)
	}
}

// TestSpacingOfFewPoints: with fewer neighbors than four, the last is taken; piles and single points have 1
// m.
func TestSpacingOfFewPoints(t *testing.T) {
	for _, c := range []struct {
		name string
		x    []float64
		want float64
	}{
		{"one point", []float64{7}, 1},
		{"two points 2 m apart", []float64{0, 2}, 2 * math.Sqrt(math.Pi)},
		{"three points in a pile", []float64{5, 5, 5}, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			cloud := mustNew(t, columns{x: c.x, y: make([]float64, len(c.x)), z: make([]float64, len(c.x))},
				1)
			lists := must.Get(cloud.Nearest(20, parallel.Run{}))(t)
			got := cloud.Spacing(lists)
			must.Hold(t, math.Abs(got-c.want) <= 1e-6, "spacing %v m, want %v", got, c.want)
		})
	}
}
