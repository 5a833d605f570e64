// SPDX-License-Identifier: BSD-3-Clause

package quantize

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"superpoint/embed"
	"superpoint/partition/base/parallel"
)

// job quantizes one layer.
type job struct {
	run    parallel.Run
	card   *embed.Card
	layer  *embed.IntegerWeights
	float  linear
	in     *values
	pooled int       // number of rows over which the maximum is taken, 0 for none
	next   []float64 // weights of the next layer
	nextIn int       // number of inputs of the next layer
	real   []float32 // outputs of the float network, before a ReLU
}

// searchRows is the number of rows by which units are chosen; biases use all rows. Fewer
// would suffice for the mean error, but rare large activations must be among them.
const searchRows = 80_000

// Units that are tried: 2^(step/perOctave) times the one in which the largest activation is
// the largest integer, for steps from lowest to highest: factors of 0.35 to 1.7.
const lowest, highest, perOctave = -6, 3, 4

// maxEqualization bounds by how much the unit of an activation is enlarged.
const maxEqualization = 8

// quantize computes the layer's weights, biases and shifts, and returns its outputs.
func (j *job) quantize() (*values, error) {
	w := j.layer
	w.Weight = make([]int32, w.Out*w.In)
	w.Bias = make([]int32, w.Out)
	w.Shift = make([]int32, w.Out)
	out := &values{width: w.Out, unit: make([]float64, w.Out)}
	rows := j.rows()
	j.real = make([]float32, rows*w.Out)
	out.fixed = make([]int32, rows*w.Out)
	err := j.run.ForEach(w.Out, 1, func(o int) { j.sums(o, j.real) })
	if err != nil {
		return nil, err
	}
	for _, v := range j.real {
		if !(math.Abs(float64(v)) <= math.MaxFloat32) { // no unit would suffice
			return nil, fmt.Errorf("the network computes %g from the clouds; lower optimise.rate", v)
		}
	}
	out.real = j.real
	if !w.Last() {
		out.real = slices.Clone(j.real)
		for i, v := range out.real {
			out.real[i] = max(v, 0)
		}
	}
	units := j.units()
	err = j.run.ForEach(w.Out, 1, func(o int) { out.unit[o] = j.output(o, units[o], out.fixed) })
	if w.Last() && w.InTransform() && slices.Max(out.unit) > math.Ldexp(1, -embed.PositionExponent) {
		err = errors.New("the spatial transform's entries are too large for 16 bits; train again")
	}
	return out, err
}

// rows returns the number of rows of the layer's outputs.
func (j *job) rows() int { return j.in.rows() / max(j.pooled, 1) }

// sums computes one output of all rows in floats, before a ReLU.
func (j *job) sums(o int, to []float32) {
	w := j.layer
	weight, k := j.float.weight[o*w.In:(o+1)*w.In], max(j.pooled, 1)
	for r := range j.rows() {
		most := math.Inf(-1)
		for i := r * k; i < (r+1)*k; i++ {
			sum := j.float.bias[o]
			for c, v := range j.in.real[i*j.in.width : (i+1)*j.in.width] {
				sum += weight[c] * float64(v)
			}
			most = max(most, sum)
		}
		to[r*w.Out+o] = float32(most)
	}
}

// units returns the units from which the search for every output's unit begins: that in
// which its largest activation is the largest integer, enlarged if the output has small
// weights in the next layer (see the package comment).
func (j *job) units() []float64 {
	w := j.layer
	largest := make([]float64, w.Out)
	counts := make([]float64, w.Out)
	units := make([]float64, w.Out)
	for i, v := range j.real {
		largest[i%w.Out] = max(largest[i%w.Out], float64(v))
	}
	if w.Last() {
		return largest
	}
	for o := range w.Out {
		column := 0.0
		for i := o; i < len(j.next); i += j.nextIn {
			column = max(column, math.Abs(j.next[i]))
		}
		counts[o] = largest[o] * column
	}
	most := slices.Max(counts)
	for o := range w.Out {
		if counts[o] > 0 {
			units[o] = largest[o] / float64(w.Most) * min(math.Sqrt(most/counts[o]), maxEqualization)
		}
	}
	return units
}

// output quantizes one output, computes it for all rows and returns its unit.
func (j *job) output(o int, unit float64, to []int32) float64 {
	w := j.layer
	if w.Last() {
		return j.last(o, to)
	}
	if !(unit > 0) { // it is never active
		w.Shift[o] = 1
		return 1
	}
	best := unit
	least := math.Inf(1)
	rows := min(j.rows(), searchRows/max(j.pooled, 1))
	stride := max(j.rows()/rows, 1)
	sums := make([]int32, rows)
	for step := lowest; step <= highest; step++ {
		u := j.fill(o, unit*math.Exp2(float64(step)/perOctave))
		j.integers(o, stride, sums)
		j.correctBias(o, u, stride, sums)
		mean := 0.0
		for r, sum := range sums {
			d := float64(j.activation(o, sum))*u - max(float64(j.real[r*stride*w.Out+o]), 0)
			mean += d * d
		}
		if mean < least {
			best, least = u, mean
		}
	}
	best = j.fill(o, best)
	sums = make([]int32, j.rows())
	j.integers(o, 1, sums)
	j.correctBias(o, best, 1, sums)
	for r, sum := range sums {
		to[r*w.Out+o] = j.activation(o, sum)
	}
	return best
}

func (j *job) activation(o int, sum int32) int32 {
	return min(max((sum+j.layer.Bias[o])>>j.layer.Shift[o], 0), j.layer.Most)
}

// fill sets an output's weights and its shift, the largest with which the bounds hold. If
// there is none, the unit is doubled until there is one. It returns the unit.
func (j *job) fill(o int, unit float64) float64 {
	most := int32(22)
	if j.layer.Last() {
		most = 14 // room for the identity in the bias
	}
	for ; ; unit *= 2 {
		for shift := most; shift >= 0; shift-- {
			if j.try(o, unit, shift) {
				return unit
			}
		}
	}
}

// try sets an output's weights for a shift and reports whether the bounds of weights hold.
func (j *job) try(o int, unit float64, shift int32) bool {
	w := j.layer
	most := 127.0
	if w.Wide {
		most = 1<<15 - 1
	}
	sum := math.Ldexp(unit, -int(shift)) // unit of a sum
	for c := range w.In {
		v := math.Round(j.float.weight[o*w.In+c] * j.in.unit[c] / sum)
		if math.Abs(v) > most {
			return false
		}
		w.Weight[o*w.In+c] = int32(v)
	}
	w.Shift[o] = shift
	load, bound := w.Load(o, j.card)
	return load <= bound && math.Abs(j.float.bias[o]/sum) < 1<<27
}

// integers computes the sums of one output of every stride-th row, without bias.
func (j *job) integers(o, stride int, to []int32) {
	w := j.layer
	weight, k := w.Weight[o*w.In:(o+1)*w.In], max(j.pooled, 1)
	for r := range to {
		most := int32(math.MinInt32)
		for i := r * stride * k; i < (r*stride+1)*k; i++ {
			sum := int32(0)
			for c, v := range j.in.fixed[i*j.in.width : (i+1)*j.in.width] {
				sum += weight[c] * v
			}
			most = max(most, sum)
		}
		to[r] = most
	}
}

// correctBias sets an output's bias so that the mean error over every stride-th row is 0,
// and adds half of 2^shift, so that the shift rounds to the nearest.
func (j *job) correctBias(o int, unit float64, stride int, sums []int32) {
	w := j.layer
	sum := math.Ldexp(unit, -int(w.Shift[o]))
	error := 0.0
	for r, v := range sums {
		error += float64(j.real[r*stride*w.Out+o]) - float64(v)*sum
	}
	w.Bias[o] = int32(math.Round(error/float64(len(sums))/sum)) + 1<<w.Shift[o]>>1
}

// last quantizes an output of a last layer. Outputs of the spatial transform are in
// fixed point, outputs of the embedding have a common unit.
func (j *job) last(o int, to []int32) float64 {
	w := j.layer
	unit := math.Ldexp(1, -embed.PositionExponent)
	if w.InTransform() {
		unit = j.fill(o, unit)
	} else {
		unit = j.shared()
		j.try(o, unit, embed.LeastShift)
	}
	sums := make([]int32, j.rows())
	j.integers(o, 1, sums)
	j.correctBias(o, unit, 1, sums)
	if w.InTransform() && o%3 == 0 {
		w.Bias[o] += 1 << (embed.PositionExponent + int(w.Shift[o])) // Ω = I + …
	}
	for r, sum := range sums {
		to[r*w.Out+o] = (sum + w.Bias[o]) >> w.Shift[o]
	}
	return unit
}

// shared returns the smallest power of two that can be the unit of all outputs.
func (j *job) shared() float64 {
	w := j.layer
	most, sums := 0.0, 0.0
	for o := range w.Out {
		sum := 0.0
		for c := range w.In {
			v := math.Abs(j.float.weight[o*w.In+c]) * j.in.unit[c]
			most, sum = max(most, v), sum+v
		}
		sums = max(sums, sum)
	}
	// the unit of a sum with which weights fit in 15 bits and the sum of their magnitudes in 17
	unit := max(most/(1<<15-2), sums/(1<<17))
	_, exponent := math.Frexp(unit)
	return math.Ldexp(1, exponent+embed.LeastShift)
}
