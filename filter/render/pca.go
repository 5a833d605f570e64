package render

import (
	"math"

	"gonum.org/v1/gonum/mat"
)

// Projected colours an embedding, given as columns of equal length, by its first
// three principal components as red, green and blue.
func Projected(columns [][]float64) func(int) RGB {
	m := len(columns)
	if m == 0 || len(columns[0]) == 0 {
		return func(int) RGB { return ungrouped }
	}
	mean, axes := components(columns)
	n := len(columns[0])
	step := max(1, n/100_000)
	value := func(i, k int) float64 {
		sum := 0.0
		for a := range m {
			sum += (columns[a][i] - mean[a]) * axes.At(a, m-1-k)
		}
		return sum
	}
	shown := min(3, m)
	from, to := [3]float64{}, [3]float64{}
	for k := range shown {
		var sample []float64
		for i := 0; i < n; i += step {
			sample = append(sample, value(i, k))
		}
		from[k], to[k] = span(sample, .02, .98)
	}
	return func(i int) RGB {
		c := RGB{128, 128, 128}
		for k := range shown {
			t := math.Max(0, math.Min(1, (value(i, k)-from[k])/(to[k]-from[k])))
			c[k] = uint8(35 + 215*t)
		}
		return c
	}
}

// components returns the mean of a sample and the eigenvectors of its
// covariance, ascending, each with its largest entry positive.
func components(columns [][]float64) ([]float64, *mat.Dense) {
	m, n := len(columns), len(columns[0])
	step := max(1, n/100_000)
	mean := make([]float64, m)
	cov := mat.NewSymDense(m, nil)
	count := 0.0
	for i := 0; i < n; i += step {
		for a := range m {
			mean[a] += columns[a][i]
		}
		count++
	}
	for a := range m {
		mean[a] /= count
	}
	for i := 0; i < n; i += step {
		for a := range m {
			for b := a; b < m; b++ {
				cov.SetSym(a, b, cov.At(a, b)+(columns[a][i]-mean[a])*(columns[b][i]-mean[b]))
			}
		}
	}
	var e mat.EigenSym
	axes := mat.NewDense(m, m, nil)
	if !e.Factorize(cov, true) {
		for a := range m {
			axes.Set(a, a, 1)
		}
		return mean, axes
	}
	e.VectorsTo(axes)
	for k := range m {
		large := 0
		for a := range m {
			if math.Abs(axes.At(a, k)) > math.Abs(axes.At(large, k))+1e-12 {
				large = a
			}
		}
		if axes.At(large, k) < 0 {
			for a := range m {
				axes.Set(a, k, -axes.At(a, k))
			}
		}
	}
	return mean, axes
}
