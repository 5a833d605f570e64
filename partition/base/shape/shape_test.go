// SPDX-License-Identifier: BSD-3-Clause

package shape

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"

	"superpoint/testdata/must"
)

// clouds returns covariances of random sets of every shape: blobs, planes, lines, nearly
// equal eigenvalues, and sizes from micrometres to kilometres.
func clouds() []Covariance {
	r := rand.New(rand.NewPCG(1, 2))
	var list []Covariance
	for range 3000 {
		scale := math.Pow(10, r.Float64()*9-6)
		flat := [3]float64{1, math.Pow(10, -8*r.Float64()), math.Pow(10, -8*r.Float64())}
		switch r.IntN(4) {
		case 0:
			flat[2] = 0
		case 1:
			flat[1], flat[2] = 0, 0
		case 2:
			flat[1] = 1
		}
		a, b := r.Float64()*math.Pi, r.Float64()*math.Pi
		var m Moments
		for range 20 {
			x, y, z := r.NormFloat64()*scale*flat[0], r.NormFloat64()*scale*flat[1],
				r.NormFloat64()*scale*flat[2]
			x, y = x*math.Cos(a)-y*math.Sin(a), x*math.Sin(a)+y*math.Cos(a)
			y, z = y*math.Cos(b)-z*math.Sin(b), y*math.Sin(b)+z*math.Cos(b)
			m.Add(x, y, z)
		}
		list = append(list, m.Covariance())
	}
	return list
}

func (c Covariance) times(v Vector) Vector {
	return Vector{
		c.XX*v[0] + c.XY*v[1] + c.XZ*v[2],
		c.XY*v[0] + c.YY*v[1] + c.YZ*v[2],
		c.XZ*v[0] + c.YZ*v[1] + c.ZZ*v[2],
	}
}

func TestEigenvaluesAgreeWithGonum(t *testing.T) {
	for _, c := range clouds() {
		var e mat.EigenSym
		e.Factorize(mat.NewSymDense(3, []float64{c.XX, c.XY, c.XZ, c.XY, c.YY, c.YZ, c.XZ, c.YZ, c.ZZ}),
			false)
		want := e.Values(nil)
		got := c.Eigenvalues()
		for i := range got {
			must.Need(t, math.Abs(got[i]-max(want[2-i], 0)) <= 2e-8*want[2],
				"%+v: eigenvalues %v, gonum has %v", c, got, want)
		}
		must.Need(t, got[0] >= got[1], "%v are not in descending order", got)
		must.Need(t, got[1] >= got[2], "%v are not in descending order", got)
		must.Need(t, got[2] >= 0, "%v: the last is below 0", got)
	}
}

func TestVectorsAreUnitEigenvectors(t *testing.T) {
	for _, c := range clouds() {
		l := c.Eigenvalues()
		v := c.Vector(l[2], Vector{0, 0, 1})
		must.Need(t, math.Abs(dot(v, v)-1) <= 1e-12, "%+v: vector %v", c, v)
		w := c.times(v)
		for a := range w {
			// An error of δ in a direction shows as δ times the spread of eigenvalues.
			must.Need(t, math.Abs(w[a]-l[2]*v[a]) <= 1e-6*l[0], "%+v: %v is no eigenvector of %v: %v",
				c, v, l[2], w)
		}
	}
}

func TestAxesAreAnOrthonormalBasis(t *testing.T) {
	for _, c := range append(clouds(), Covariance{}, Covariance{XX: 1, YY: 1, ZZ: 1}, Covariance{ZZ: 3}) {
		l := c.Eigenvalues()
		axes := c.Axes(l)
		for i, v := range axes {
			for j, w := range axes {
				want := 0.0
				if i == j {
					want = 1
				}
				must.Need(t, math.Abs(dot(v, w)-want) <= 3e-6, "%+v: axes %v", c, axes)
			}
			w := c.times(v)
			for a := range w {
				must.Need(t, math.Abs(w[a]-l[i]*v[a]) <= 1e-5*l[0], "%+v: %v is no eigenvector of %v", c, v,
					l[i])
			}
		}
	}
}

func TestVerticalityIsThatOfTheAxes(t *testing.T) {
	for _, c := range clouds() {
		l := c.Eigenvalues()
		got, want := c.Verticality(l), verticality(l, c.Axes(l))
		must.Need(t, math.Abs(float64(got-want)) <= 2e-5, "%+v: %v, from the axes %v", c, got, want)
	}
}

func TestFormsByHand(t *testing.T) {
	set := func(points ...[3]float64) Covariance {
		var m Moments
		for _, p := range points {
			m.Add(p[0], p[1], p[2])
		}
		return m.Covariance()
	}
	line := set([3]float64{0, 0, 0}, [3]float64{1, 1, 1}, [3]float64{2, 2, 2})
	square := set([3]float64{0, 0, 5}, [3]float64{1, 0, 5}, [3]float64{0, 1, 5}, [3]float64{1, 1, 5})
	wall := set([3]float64{3, 0, 0}, [3]float64{3, 0, 1}, [3]float64{3, 1, 0}, [3]float64{3, 1, 1})
	cube := set([3]float64{1, 0, 0}, [3]float64{-1, 0, 0}, [3]float64{0, 1, 0}, [3]float64{0, -1, 0},
		[3]float64{0, 0, 1},
		[3]float64{0, 0, -1})
	up := Vector{0, 0, 1}
	for name, test := range map[string]struct {
		c     Covariance
		want  Ratios
		level float64 // |z| of the normal
		vert  float64 // verticality
	}{
		// the most upright direction across it
		"line":   {line, Ratios{1, 0, 0}, math.Sqrt(2. / 3), 1 / math.Sqrt(3)},
		"square": {square, Ratios{0, 1, 0}, 1, 0},
		"wall":   {wall, Ratios{0, 1, 0}, 0, math.Sqrt(0.5)},
		"cube":   {cube, Ratios{0, 0, 1}, 1, 1 / math.Sqrt(3)},
		"pole":   {set([3]float64{1, 1, 0}, [3]float64{1, 1, 1}, [3]float64{1, 1, 5}), Ratios{1, 0, 0}, 0, 1},
		"pile":   {set([3]float64{1, 2, 3}, [3]float64{1, 2, 3}), Ratios{}, 1, 0},
		"none":   {set(), Ratios{}, 1, 0},
	} {
		l := test.c.Eigenvalues()
		got := Dimensionality(l)
		for _, d := range []float32{got.Linearity - test.want.Linearity, got.Planarity - test.want.Planarity,
			got.Scattering - test.want.Scattering} {
			if math.Abs(float64(d)) > 1e-6 {
				t.Errorf("%s: %+v, want %+v (eigenvalues %v)", name, got, test.want, l)
				break
			}
		}
		z := math.Abs(test.c.Vector(l[2], up)[2])
		must.Hold(t, math.Abs(z-test.level) <= 1e-6, "%s: normal's z %v, want %v", name, z, test.level)
		v := float64(test.c.Verticality(l))
		must.Hold(t, math.Abs(v-test.vert) <= 1e-6, "%s: verticality %v, want %v", name, v, test.vert)
	}
}
