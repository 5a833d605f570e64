// SPDX-License-Identifier: BSD-3-Clause

package roof

import (
	"image"
	"math"
	"math/rand/v2"
	"testing"

	"superpoint/testdata/must"
)

// surface is the height of a roof over x and y from its middle, in metres.
type surface func(x, y float64) float64

// gable has a ridge along x at height 8 over an eave at y = ±5.
func gable(slope float64) surface {
	return func(_, y float64) float64 { return 8 - slope*math.Abs(y) }
}

// lower is the lower of two roofs: the ends of one cut off the other.
func lower(a, b surface) surface {
	return func(x, y float64) float64 { return min(a(x, y), b(x, y)) }
}

// upper is the higher of two roofs: one stands in the other.
func upper(a, b surface) surface {
	return func(x, y float64) float64 { return max(a(x, y), b(x, y)) }
}

// ends slopes to both sides of x beyond a distance.
func ends(from, slope float64) surface {
	return func(x, _ float64) float64 { return 8 - slope*(math.Abs(x)-from) }
}

// cellsOf returns the cells of a roof of 16 × 10 m, turned by an angle, of the superpoints that of numbers.
func cellsOf(roof surface, angle float64, noise float64, of func(x, y float64) int32) (cells []Cell) {
	const side = 0.35
	r := rand.New(rand.NewPCG(1, 2))
	s, c := math.Sincos(angle)
	for row := -40; row < 40; row++ {
		for column := -40; column < 40; column++ {
			x := side * (float64(column) + r.Float64())
			y := side * (float64(row) + r.Float64())
			u, v := c*x+s*y, c*y-s*x
			if math.Abs(u) > 8 || math.Abs(v) > 5 || r.Float64() < 0.3 {
				continue
			}
			z := roof(u, v) + noise*r.NormFloat64()
			cells = append(cells, Cell{At: image.Pt(column, row), X: x, Y: y, Z: z, Superpoint: of(u, v)})
		}
	}
	return cells
}

// quadrants numbers the four corners of a roof, so that most superpoints have more than one plane.
func quadrants(x, y float64) (k int32) {
	if x > 0 {
		k++
	}
	if y > 0 {
		k += 2
	}
	return k
}

func one(float64, float64) int32 { return 0 }

// TestForms has the forms of exact roofs at three directions, with superpoints that are not those of the
// planes.
func TestForms(t *testing.T) {
	mansard := func(_, y float64) float64 { return min(8-0.3*math.Abs(y), 6.95-2.2*(math.Abs(y)-3.5)) }
	addition := func(_, y float64) float64 { return min(8-0.8*math.Abs(y+1.5), 10) }
	annex := func(x, y float64) float64 { return max(addition(x, y), 6-0.25*(y-1)-1e3*max(0, 1-y)) }
	lean := func(_, y float64) float64 { return min(8-0.5*(y+1), 8+0.6*(y+1)) }
	wing := func(x, y float64) float64 { return 8 - 0.8*math.Abs(x-5.5) - 1e3*max(0, -y) }
	for name, c := range map[string]struct {
		roof        surface
		form        Form
		eave, ridge float64
	}{
		"flat":            {func(x, y float64) float64 { return 6 + 0.03*x }, Flat, 6, 6},
		"gable of 40°":    {gable(0.84), Gabled, 8 - 5*0.84, 8},
		"gable of 9°":     {gable(0.16), Gabled, 8 - 5*0.16, 8},
		"hipped":          {lower(gable(0.8), ends(4, 1)), Hipped, 4, 8},
		"steep hips":      {lower(gable(0.8), ends(6.4, 2.5)), Hipped, 4, 8},
		"mansard":         {mansard, Other, 3.65, 8},
		"lower annex":     {annex, Gabled, 5.2, 8},
		"one slope":       {func(_, y float64) float64 { return 6 + 0.4*y }, Other, 4, 8},
		"gable and wing":  {upper(gable(0.8), wing), Gabled, 4, 8},
		"uneven gable":    {lean, Gabled, 5, 8},
		"two flat levels": {func(x, _ float64) float64 { return 6 + 3*math.Floor(x/8+0.5) }, Flat, 6, 6},
		"tent":            {lower(gable(0.9), ends(0, 0.5625)), Hipped, 3.5, 8},
	} {
		for _, of := range []func(x, y float64) int32{one, quadrants} {
			for _, angle := range []float64{0, 0.5, 2} {
				got := Of(cellsOf(c.roof, angle, 0.03, of), 0.35)
				must.Equal(t, got.Form, c.form, "%s at %v: form", name, angle)
				must.Hold(t, math.Abs(got.Eave-c.eave) < 0.3, "%s at %v: eave %v, want %v", name, angle,
					got.Eave, c.eave)
				must.Hold(t, math.Abs(got.Ridge-c.ridge) < 0.3, "%s at %v: ridge %v, want %v", name, angle,
					got.Ridge, c.ridge)
			}
		}
	}
}

// TestUndecided: a roof without planes, or of few cells, is unknown and has no heights.
func TestUndecided(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for name, cells := range map[string][]Cell{
		"leaves": cellsOf(func(float64, float64) float64 { return 6 + 3*r.Float64() }, 0, 0, one),
		"few":    cellsOf(gable(0.8), 0, 0, one)[:fewest-1],
		"none":   nil,
	} {
		got := Of(cells, 0.35)
		must.Equal(t, got.Form, Unknown, "%s: form", name)
		must.Hold(t, math.IsNaN(got.Eave), "%s: eave %v, want none", name, got.Eave)
		must.Hold(t, math.IsNaN(got.Ridge), "%s: ridge %v, want none", name, got.Ridge)
	}
}

// TestDome: planes that a round roof is cut into are no gable.
func TestDome(t *testing.T) {
	dome := func(x, y float64) float64 { return 8 - 0.06*(x*x+y*y) }
	for _, of := range []func(x, y float64) int32{one, quadrants} {
		got := Of(cellsOf(dome, 0, 0.03, of), 0.35)
		must.Equal(t, got.Form, Other, "form of a dome")
	}
}
