// SPDX-License-Identifier: BSD-3-Clause

package filter

import (
	"math"
	"math/rand/v2"
	"testing"

	"superpoint/testdata/must"
)

// plainMethods are methods without a learned model.
var plainMethods = []string{`{"model":"geometric"}`, `{"method":"vccs"}`, `{"method":"lin"}`,
	`{"method":"ssp-cluster","model":"geometric"}`}

// TestImpossibleCoordinates: points so far away that the unit of positions would be so coarse that the rest falls into
// one place. TestUnusablePoints has coordinates that are not finite.
func TestImpossibleCoordinates(t *testing.T) {
	for _, options := range plainMethods {
		for _, bad := range []float64{1e9, -1e12, 1e300, -math.MaxFloat64} {
			for axis := range 3 {
				view, _ := roof(200, 1)
				[][]float64{view.X, view.Y, view.Z}[axis][150] = bad
				must.Fail(mustFilter(t, options).Segment(Run{}, view))(t, "point 150 ")
			}
		}
		for _, v := range []*View{
			{X: []float64{0, 1e9}, Y: []float64{0, 0}, Z: []float64{0, 0}},
			{X: []float64{-math.MaxFloat64, math.MaxFloat64, 1}, Y: []float64{0, 5e-324, 0},
				Z: []float64{0, 0, math.MaxFloat64}},
			{X: []float64{1e15, 2e15, 3e15, 4e15}, Y: []float64{0, 0, 0, 0}, Z: []float64{0, 1, 0, 1}},
		} {
			must.Fail(mustFilter(t, options).Segment(Run{}, v))(t, "rounded to")
		}
	}
}

// noisy is a village with classes, and isolated points far below and above it, which
// have no class.
func noisy(points, noise int) *View {
	v := village(points)
	class := make([]float64, points)
	for i := range class {
		switch x, u, w := v.X[i], math.Mod(v.X[i], 20), v.Y[i]; {
		case u >= 5 && u < 15 && w > 5 && w < 15:
			class[i] = 6
		case w > 20 && w < 26 && u < 6 && v.Z[i] > x/20+1:
			class[i] = 5
		default:
			class[i] = 2
		}
	}
	v.Dimensions["Classification"] = class
	r := rand.New(rand.NewPCG(3, uint64(noise)))
	for i := range noise {
		z := -2 - 28*r.Float64()
		if i%3 == 0 {
			z = 15 + 30*r.Float64()
		}
		v.X, v.Y, v.Z = append(v.X, 40*r.Float64()), append(v.Y, 30*r.Float64()), append(v.Z, z)
		for name, values := range v.Dimensions {
			v.Dimensions[name] = append(values, 0)
		}
	}
	return v
}

// TestNoiseLeavesTheOthers: isolated points change the superpoints of the others, and their classes, by little.
func TestNoiseLeavesTheOthers(t *testing.T) {
	t.Parallel()
	const points = 30_000
	measure := func(noise int) (scores [3]float64, class []float64) {
		f := mustFilter(t, `{"model":"any","target_size":100,"classes":"aerial",`+
			`"class_dimension":"Guess"}`)
		class = make([]float64, points+noise)
		view := noisy(points, noise)
		s := mustSegment(t, f, view)
		must.OK(t, s.Output("Guess", class))
		truth := measured(t, view, s.ID)
		return [3]float64{float64(truth.OOA), float64(truth.BRAsCoded), float64(truth.BP)}, class[:points]
	}
	clean, classes := measure(0)
	const most = 0.002
	for _, noise := range []int{5, 30, 100, 300} {
		scores, given := measure(noise)
		changed := 0
		for i, class := range classes {
			if given[i] != class {
				changed++
			}
		}
		t.Logf("%d points of noise: %d of %d classes change", noise, changed, points)
		if changed > points/50 {
			t.Errorf("%d points of noise: %d of %d classes change", noise, changed, points)
		}
		for k, v := range scores {
			if math.Abs(v-clean[k]) > most {
				t.Errorf("%d points of noise: %s is %.4f, %.4f without", noise, []string{"OOA", "BR", "BP"}[k], v, clean[k])
			}
		}
	}
}
