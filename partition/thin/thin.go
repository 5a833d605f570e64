// Package thin leaves one point of every cube of a grid, as the authors of Landrieu
// and Boussaha 2019 do before anything else: by 3 cm in S3DIS, by 5 cm in vKITTI3D.
package thin

import (
	"fmt"
	"math"
	"slices"

	"superpoint/partition/arrays"
)

// Points are a cloud that is thinned in place: coordinates in metres, and values by
// the name of their dimension.
type Points struct {
	X, Y, Z *[]float64
	Values  map[string][]float64
}

// Cubes leaves one point of every cube of side metres, in the order of their first
// points: the mean of positions, colours and intensity, the last two rounded, and of
// everything else what most of its points have, the smallest on ties.
func Cubes(p Points, side float64) error {
	cube := map[[3]int64]int{}
	var members [][]int
	axes := [3]*[]float64{p.X, p.Y, p.Z}
	for i := range *p.X {
		var key [3]int64
		for a, axis := range axes {
			place := math.Floor((*axis)[i] / side)
			if !(math.Abs(place) < 1<<62) {
				return fmt.Errorf("thin: point %d lies at %g, in no cube of %g m", i, (*axis)[i], side)
			}
			key[a] = int64(place)
		}
		at, ok := cube[key]
		if !ok {
			at = len(members)
			cube[key], members = at, append(members, nil)
		}
		members[at] = append(members[at], i)
	}
	for _, axis := range axes {
		*axis = each(*axis, members, mean)
	}
	for name, values := range p.Values {
		how := most
		if slices.Contains([]string{"Red", "Green", "Blue", "Intensity"}, name) {
			how = func(v []float64) float64 { return math.Round(mean(v)) }
		}
		p.Values[name] = each(values, members, how)
	}
	return nil
}

// each returns a value for every list of members.
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
