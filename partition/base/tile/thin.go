// SPDX-License-Identifier: BSD-3-Clause

package tile

import (
	"fmt"
	"math"
	"slices"

	"superpoint/partition/base/arrays"
)

// Points is a cloud: coordinates in metres, and the values of other dimensions by
// name. All slices have one value per point. Thin replaces them.
type Points struct {
	X, Y, Z *[]float64
	Values  map[string][]float64
}

// Thin replaces the points of each cube by one point, in the order of the cubes'
// first points; side is the edge length in metres. The point has the mean of the
// positions, the rounded mean of the colours and the intensity, and the most
// frequent value of every other dimension, the smallest on ties. It fails for a
// coordinate that is not finite or is out of the range of cube indices. The authors of
// Landrieu and Boussaha 2019 preprocess their clouds this way, with cubes of 3 cm for S3DIS
// and 5 cm for vKITTI3D.
func Thin(p Points, side float64) error {
	cube := map[[3]int64]int{}
	var members [][]int
	axes := [3]*[]float64{p.X, p.Y, p.Z}
	for i := range *p.X {
		var key [3]int64
		for a, axis := range axes {
			place := math.Floor((*axis)[i] / side)
			if !(math.Abs(place) < 1<<62) {
				return fmt.Errorf("thin: point %d has coordinate %g, outside the grid of cubes of %g m", i,
					(*axis)[i], side)
			}
			key[a] = int64(place)
		}
		at, ok := cube[key]
		if !ok {
			at = len(members)
			cube[key] = at
			members = append(members, nil)
		}
		members[at] = append(members[at], i)
	}
	for _, axis := range axes {
		*axis = each(*axis, members, mean)
	}
	for name, values := range p.Values {
		how := most
		if slices.Contains([]string{"Red", "Green", "Blue", "Infrared", "Intensity"}, name) {
			how = func(v []float64) float64 { return math.Round(mean(v)) }
		}
		p.Values[name] = each(values, members, how)
	}
	return nil
}

// each returns how(values of the members) for every list of members.
func each(values []float64, members [][]int, how func(values []float64) float64) []float64 {
	all := make([]float64, len(members))
	var some []float64
	for at, list := range members {
		some = some[:0]
		for _, i := range list {
			some = append(some, values[i])
		}
		all[at] = how(some)
	}
	return all
}

func mean(values []float64) (m float64) {
	for i, v := range values {
		m += (v - m) / float64(i+1)
	}
	return m
}

func most(values []float64) float64 { return arrays.Mode(values, 0) }
