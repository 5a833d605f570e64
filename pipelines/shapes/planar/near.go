// SPDX-License-Identifier: BSD-3-Clause

package planar

import (
	"fmt"
	"math"

	"superpoint/filter/message"
	"superpoint/partition/base/arrays"
)

// Points of a file that are farther than farAway from all others, and fewer than few together, are noise or
// errors, which no raster or picture has to reach.
const farAway, few = 100.0, 10 // metres; points

// Near returns the points without those far from all others: the connected components of occupied cubes, of
// half the distance and joined if at most one lies between, without those that have few points, unless all
// have. metres is the length of a unit along each axis, 0 for one that does not count.
func Near(x, y, z []float64, metres [3]float64) (components [][]int32) {
	number, in := map[[3]int]uint32{}, make([]uint32, len(x))
	for i := range x {
		var cube [3]int
		for a, v := range [3]float64{x[i], y[i], z[i]} {
			cube[a] = int(math.Floor(v * (metres[a] / (farAway / 2))))
		}
		k, known := number[cube]
		if !known {
			k = uint32(len(number))
			number[cube] = k
		}
		in[i] = k
	}
	sets := arrays.NewForest(len(number))
	for at, k := range number {
		for side := range 62 { // of 125 cubes around it, those before itself
			to := [3]int{at[0] + side%5 - 2, at[1] + side/5%5 - 2, at[2] + side/25 - 2}
			if n, known := number[to]; known {
				sets.Join(k, n)
			}
		}
	}
	component, count := sets.Number()
	points := make([][]int32, count)
	for i, k := range in {
		points[component[k]] = append(points[component[k]], int32(i))
	}
	for _, some := range points {
		if len(some) >= few {
			components = append(components, some)
		}
	}
	if components == nil {
		components = [][]int32{arrays.Indices[int32](len(x))}
	}
	return components
}

// Far says that points are in no object, polygon or other thing, because they are far from all others.
func Far(count int, thing string) string {
	return fmt.Sprintf("%s in no %s: fewer than %d together, and %.0f m or more from all others",
		message.Count(count, "point"), thing, few, farAway)
}
