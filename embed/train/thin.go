package train

import "math/rand/v2"

// thin keeps one of so many points, the same ones in every run: scans of the
// same things by a sparser instrument, or from farther away.
func (c *Columns) thin(factor float64) {
	rng := rand.New(rand.NewPCG(uint64(len(c.X)), 7))
	var kept []int
	for i := range c.X {
		if rng.Float64() < 1/factor {
			kept = append(kept, i)
		}
	}
	c.X, c.Y, c.Z = pick(c.X, kept), pick(c.Y, kept), pick(c.Z, kept)
	dimensions := make(map[string][]float64, len(c.Dimensions))
	for name, values := range c.Dimensions {
		dimensions[name] = pick(values, kept)
	}
	c.Dimensions = dimensions
}

func pick(from []float64, kept []int) []float64 {
	to := make([]float64, len(kept))
	for i, k := range kept {
		to[i] = from[k]
	}
	return to
}
