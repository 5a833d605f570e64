// SPDX-License-Identifier: BSD-3-Clause

package neighbor

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"superpoint/testdata/must"
)

// TestNearestBeyondExactFloats: the nearest point is that of exact squared distances, with ties broken by
// position, also where a float64 rounds them: from 949 m on. All points around the first one are at the same
// distance, or at one that differs by less than that rounding.
func TestNearestBeyondExactFloats(t *testing.T) {
	for _, kilometres := range []float64{0.4, 0.9, 3, 11} {
		r := random(uint64(10 * kilometres))
		for range 20 {
			cloud := mustNew(t, sphere(r, 1000*kilometres), 2)
			self := uint32(slices.Index(cloud.Order, 0))
			want := uint32(none)
			least := ^uint64(0)
			for j := range uint32(cloud.Len()) {
				d := cloud.squared(self, j)
				if d == 0 || d > least || d == least && want != none && !cloud.before(j, want) {
					continue
				}
				want, least = j, d
			}
			s := &borderSearch{cloud: cloud}
			s.stand(self)
			found, squared := s.nearest(float64(1<<63), nil, func(o offset) bool { return o != offset{} })
			must.Equal(t, found, want, "%v km: nearest point", kilometres)
			must.Equal(t, squared, float64(least), "%v km: its squared distance", kilometres)
		}
	}
}

// sphere returns a point and points around it, whose squared distances from it are equal or differ by 2:
// their offsets are (a, a, c), (a+1, a−1, c) and (a, b, c) in units, in any order and with any signs.
func sphere(random *rand.Rand, radius float64) (around columns) {
	const unit = 1e-5
	a := 0.5 + 0.1*random.Float64()
	b := 0.5 + 0.1*random.Float64()
	c := 0.6 + 0.1*random.Float64()
	around.add(0, 0, 0)
	step := unit / radius
	for _, p := range [][3]float64{{a, a, c}, {a + step, a - step, c}, {a, b, math.Sqrt(a*a + c*c - b*b)}} {
		for _, order := range [][3]int{{0, 1, 2}, {0, 2, 1}, {1, 0, 2}, {1, 2, 0}, {2, 0, 1}, {2, 1, 0}} {
			for signs := range 8 {
				var q [3]float64
				for k, axis := range order {
					q[k] = radius * p[axis]
					if signs>>k&1 == 1 {
						q[k] = -q[k]
					}
				}
				around.add(q[0], q[1], q[2])
			}
		}
	}
	return around
}
