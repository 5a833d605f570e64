package filter

import (
	"math"
	"math/rand/v2"
	"testing"
)

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

// TestNoiseLeavesTheOthers: isolated points change the superpoints of the others by
// little, and heights not at all.
func TestNoiseLeavesTheOthers(t *testing.T) {
	t.Parallel()
	const points = 30_000
	measure := func(noise int) (scores [3]float64) {
		f := mustFilter(t, `{"model":"any","truth":"Classification","target_size":100}`)
		mustSegment(t, f, noisy(points, noise))
		truth := f.Summary().Metrics
		return [3]float64{float64(truth.OOA), float64(truth.BRAsCoded), float64(truth.BP)}
	}
	clean := measure(0)
	for noise, most := range map[int]float64{5: 0.005, 30: 0.005, 100: 0.015, 300: 0.03} {
		for k, v := range measure(noise) {
			if math.Abs(v-clean[k]) > most {
				t.Errorf("%d points of noise: %s is %.4f, %.4f without", noise, []string{"OOA", "BR", "BP"}[k], v, clean[k])
			}
		}
	}
}
