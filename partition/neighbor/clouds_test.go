// SPDX-License-Identifier: BSD-3-Clause

package neighbor

import (
	"math"
	"math/rand/v2"
)

// columns is a test cloud in metres.
type columns struct{ x, y, z []float64 }

func (c *columns) add(x, y, z float64) {
	c.x, c.y, c.z = append(c.x, x), append(c.y, y), append(c.z, z)
}

func random(seed uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, 2019)) }

func uniform(n int, seed uint64) columns {
	r := random(seed)
	var c columns
	for range n {
		c.add(r.Float64()*10, r.Float64()*10, r.Float64()*10)
	}
	return c
}

// lidar simulates an aerial tile: scan lines over rolling ground with houses and trees,
// about 10 points per square metre, coordinates in cm, 6,000 km from 0.
func lidar(n int, seed uint64) columns {
	r := random(seed)
	side := math.Sqrt(float64(n) / 10)
	centimetre := func(v float64) float64 { return math.Round(v*100) / 100 }
	var c columns
	for range n {
		x, y := r.Float64()*side, math.Floor(r.Float64()*side*2)/2+r.NormFloat64()*0.02
		z := 3*math.Sin(x/40) + 2*math.Cos(y/31)
		switch u, v := math.Mod(x, 30), math.Mod(y, 25); {
		case u > 5 && u < 15 && v > 5 && v < 17:
			z += 6 + 2*math.Abs(u-10)/5
		case math.Hypot(u-22, v-12) < 4:
			z += 2 + 8*r.Float64()
		}
		c.add(centimetre(650_000+x), centimetre(6_000_000+y), centimetre(z+r.NormFloat64()*0.02))
	}
	return c
}

// degenerate returns small clouds with duplicates and degenerate positions.
func degenerate() map[string]columns {
	clouds := map[string]columns{"none": {}, "uniform": uniform(700, 1), "lidar": lidar(900, 2)}
	put := func(name string, n int, f func(i int, r *rand.Rand) (x, y, z float64)) {
		r := random(uint64(len(name)))
		var c columns
		for i := range n {
			c.add(f(i, r))
		}
		clouds[name] = c
	}
	put("one", 1, func(int, *rand.Rand) (x, y, z float64) { return 1, 2, 3 })
	put("two", 2, func(i int, _ *rand.Rand) (x, y, z float64) { return float64(i), 2, 3 })
	put("duplicates", 300, func(int, *rand.Rand) (x, y, z float64) { return 7, 8, 9 })
	put("runs of duplicates", 900, func(i int, r *rand.Rand) (x, y, z float64) {
		return float64(r.IntN(3)), float64(r.IntN(3)), float64(r.IntN(2))
	})
	put("one run among others", 800, func(i int, r *rand.Rand) (x, y, z float64) {
		if i%4 != 0 {
			return 5, 5, 5
		}
		return r.Float64() * 10, r.Float64() * 10, r.Float64() * 10
	})
	put("pairs", 400, func(i int, r *rand.Rand) (x, y, z float64) { return float64(i / 2 % 150), 0, 0 })
	put("collinear", 500, func(_ int, r *rand.Rand) (x, y, z float64) {
		t := r.Float64()
		return t, 2 * t,
			-t
	})
	put("along y", 500, func(i int, r *rand.Rand) (x, y, z float64) { return 1, float64(r.IntN(400)), 1 })
	put("coplanar", 600, func(_ int, r *rand.Rand) (x, y, z float64) { return r.Float64(), r.Float64(), 4 })
	put("lattice", 1000, func(i int, _ *rand.Rand) (x, y, z float64) {
		return float64(i % 10), float64(i / 10 % 10), float64(i / 100)
	})
	put("sphere", 500, func(_ int, r *rand.Rand) (x, y, z float64) {
		x, y, z = r.NormFloat64(), r.NormFloat64(), r.NormFloat64()
		s := math.Sqrt(x*x + y*y + z*z)
		return x / s, y / s, z / s
	})
	put("outliers", 500, func(i int, r *rand.Rand) (x, y, z float64) {
		if i%100 == 99 {
			return 1000 * r.NormFloat64(), 1000, -1000
		}
		return r.Float64(), r.Float64(), r.Float64()
	})
	put("parts", 600, func(i int, r *rand.Rand) (x, y, z float64) {
		return float64(i%3)*500 + r.Float64(), r.Float64(), r.Float64()
	})
	put("far corners", 64, func(i int, r *rand.Rand) (x, y, z float64) {
		return float64(i&1) * 21474.8, float64(i>>1&1) * 21474.8, float64(i>>2&1)*21474.8 + float64(i>>3)*1e-5
	})
	return clouds
}
