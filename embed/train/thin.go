package train

import (
	"math"
	"math/rand/v2"
	"slices"
)

// change makes the second time that a file is drawn another scan of the same things,
// the same one in every run.
func (c *Columns) change(how *Group) {
	rng := rand.New(rand.NewPCG(uint64(len(c.X)), 7))
	switch {
	case how.Lines:
		c.stripes(how.Thin, rng)
	case how.Thin > 1:
		c.keep(func(int) bool { return rng.Float64() < 1/how.Thin })
	}
	if how.Tilt > 0 {
		c.lean(how.Tilt*math.Pi/180*(2*rng.Float64()-1), 2*math.Pi*rng.Float64())
	}
}

// stripes leaves one of so many lines as wide as points seen from above lie apart,
// across some horizontal direction: scan lines far apart.
func (c *Columns) stripes(one float64, rng *rand.Rand) {
	if len(c.X) == 0 {
		return
	}
	area := (slices.Max(c.X) - slices.Min(c.X)) * (slices.Max(c.Y) - slices.Min(c.Y))
	width := math.Sqrt(area / float64(len(c.X)))
	if width == 0 {
		return
	}
	sin, cos := math.Sincos(2 * math.Pi * rng.Float64())
	c.keep(func(i int) bool {
		line := ((c.X[i]-c.X[0])*cos + (c.Y[i]-c.Y[0])*sin) / (width * one)
		return line-math.Floor(line) < 1/one
	})
}

// lean turns the cloud by an angle about a horizontal axis of some direction.
func (c *Columns) lean(angle, direction float64) {
	sin, cos := math.Sincos(angle)
	east, north := math.Sincos(direction)
	for i := range c.X {
		x, y, z := c.X[i]-c.X[0], c.Y[i]-c.Y[0], c.Z[i]-c.Z[0]
		along, across := x*east+y*north, y*east-x*north
		across, z = cos*across-sin*z, sin*across+cos*z
		if i > 0 {
			c.X[i], c.Y[i], c.Z[i] = c.X[0]+along*east-across*north, c.Y[0]+along*north+across*east, c.Z[0]+z
		}
	}
}

// keep leaves the points that it is told to.
func (c *Columns) keep(which func(i int) bool) {
	var kept []int
	for i := range c.X {
		if which(i) {
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
