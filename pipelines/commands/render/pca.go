// SPDX-License-Identifier: BSD-3-Clause

package render

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
	"gonum.org/v1/gonum/stat"
)

// Projected colours an embedding, given as columns of equal length, by its first
// three principal components as red, green and blue.
func Projected(columns [][]float64) func(int) RGB {
	m := len(columns)
	if m == 0 || len(columns[0]) == 0 {
		return func(int) RGB { return unprocessed }
	}
	step := max(1, len(columns[0])/100_000)
	sample := mat.NewDense((len(columns[0])-1)/step+1, m, nil)
	sample.Apply(func(i, a int, _ float64) float64 { return columns[a][i*step] }, sample)
	axes := components(sample)
	_, shown := axes.Dims()
	shown = min(3, shown)
	from, to := [3]float64{}, [3]float64{}
	for k := range shown {
		var values mat.VecDense
		values.MulVec(sample, axes.ColView(k))
		from[k], to[k] = span(values.RawVector().Data, .02, .98)
	}
	return func(i int) RGB {
		c := RGB{128, 128, 128}
		for k := range shown {
			value := 0.0
			for a := range m {
				value += columns[a][i] * axes.At(a, k)
			}
			c[k] = uint8(35 + 215*math.Max(0, math.Min(1, (value-from[k])/(to[k]-from[k]))))
		}
		return c
	}
}

// components returns the principal components of the rows of a sample, each with its
// largest entry positive; the axes if there are none, as for values that are not finite.
func components(sample *mat.Dense) *mat.Dense {
	_, m := sample.Dims()
	axes, pc := new(mat.Dense), new(stat.PC)
	if !pc.PrincipalComponents(sample, nil) {
		axes.CloneFrom(mat.NewDiagDense(m, slices.Repeat([]float64{1}, m)))
		return axes
	}
	pc.VectorsTo(axes)
	_, count := axes.Dims()
	for k := range count {
		large := 0.0
		for a := range m {
			if v := axes.At(a, k); math.Abs(v) > math.Abs(large)+1e-12 {
				large = v
			}
		}
		for a := range m {
			axes.Set(a, k, math.Copysign(1, large)*axes.At(a, k))
		}
	}
	return axes
}
