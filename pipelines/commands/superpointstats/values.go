// SPDX-License-Identifier: BSD-3-Clause

package superpointstats

import (
	"math"

	"gonum.org/v1/gonum/stat"

	"superpoint/partition/base/arrays"
	"superpoint/partition/base/parallel"
	"superpoint/partition/base/shape"
)

// Statistics returns the mean and the population standard deviation of a dimension for every
// superpoint. NaN values are ignored; without other values the result is NaN.
func (g *Groups) Statistics(run parallel.Run, values []float64) (mean, deviation []float64, err error) {
	mean, deviation = make([]float64, g.Len()), make([]float64, g.Len())
	err = g.eachKnown(run, values, func(k int, known []float64) {
		mean[k], deviation[k] = stat.PopMeanStdDev(known, nil)
	})
	return mean, deviation, err
}

// eachKnown calls body once for every superpoint, concurrently, with the values of its points that are not NaN.
func (g *Groups) eachKnown(run parallel.Run, values []float64, body func(k int, known []float64)) error {
	scratch := make([][]float64, run.Workers())
	return run.ForWorker(g.Len(), block, func(worker, lo, hi int) {
		for k := lo; k < hi; k++ {
			own := scratch[worker][:0]
			for _, i := range g.Points(k) {
				if v := values[i]; !math.IsNaN(v) {
					own = append(own, v)
				}
			}
			body(k, own)
			scratch[worker] = own
		}
	})
}

// Majority returns the most frequent value of a dimension in every superpoint, the smallest if
// several are equally frequent, and the share of points with it.
func (g *Groups) Majority(run parallel.Run, values []float64) (class, share []float64, err error) {
	class, share = make([]float64, g.Len()), make([]float64, g.Len())
	err = g.eachKnown(run, values, func(k int, known []float64) {
		class[k] = arrays.Mode(known, math.NaN())
		for _, v := range known {
			if v == class[k] {
				share[k]++
			}
		}
		share[k] /= float64(len(g.Points(k)))
	})
	return class, share, err
}

// Scale returns the metres per unit of X, Y and Z at a given Y.
type Scale func(y float64) [3]float64

// Form has the position and shape of a superpoint.
type Form struct {
	Mean, Min, Max [3]float64   // of X, Y, Z, in the file's units
	Scale          [3]float64   // metres per unit at the mean
	Sigma          [3]float64   // standard deviation along the principal axes, largest first, metres
	Normal         shape.Vector // unit vector of least extent, upwards
	shape.Ratios                // linearity, planarity, scattering
	Verticality    float32      // 0 for level ground, 0.7 for a wall, 1 for a pole
}

// Height returns the height difference of the highest and lowest point in metres.
func (f *Form) Height() float64 { return (f.Max[2] - f.Min[2]) * f.Scale[2] }

// Forms measures every superpoint. x, y and z are in the file's units.
func (g *Groups) Forms(run parallel.Run, x, y, z []float64, scale Scale) ([]Form, error) {
	forms := make([]Form, g.Len())
	err := g.Each(run, func(k int, points []uint32) { forms[k] = form(points, [3][]float64{x, y, z}, scale) })
	return forms, err
}

func form(points []uint32, at [3][]float64, scale Scale) Form {
	var f Form
	for a, values := range at {
		first := values[points[0]]
		sum, low, high := 0.0, first, first
		for _, i := range points {
			v := values[i]
			sum += v - first
			low, high = min(low, v), max(high, v)
		}
		f.Mean[a], f.Min[a], f.Max[a] = first+sum/float64(len(points)), low, high
	}
	f.Scale = scale(f.Mean[1])
	var m shape.Moments
	for _, i := range points {
		m.Add((at[0][i]-f.Mean[0])*f.Scale[0], (at[1][i]-f.Mean[1])*f.Scale[1], (at[2][i]-f.Mean[2])*f.Scale[2])
	}
	c := m.Covariance()
	l := c.Eigenvalues()
	for a := range l {
		f.Sigma[a] = math.Sqrt(l[a])
	}
	f.Ratios, f.Verticality = shape.Dimensionality(l), c.Verticality(l)
	f.Normal = oriented(c.Vector(l[2], shape.Vector{0, 0, 1}))
	return f
}

// level is the z of a unit normal below which it is that of a wall.
const level = 1e-6

// oriented flips a normal so that it points up or, for a wall, so that the component of larger
// magnitude of x and y is positive.
func oriented(v shape.Vector) shape.Vector {
	main := 2
	if math.Abs(v[2]) < level {
		main = 0
		if math.Abs(v[1]) > math.Abs(v[0]) {
			main = 1
		}
	}
	if v[main] < 0 {
		for a := range v {
			v[a] = 0 - v[a] // not −0
		}
	}
	return v
}
