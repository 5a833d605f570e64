// SPDX-License-Identifier: BSD-3-Clause

// Package quantize computes the integer network (embed.Integer) of a trained model: weights
// of 8 bits for activations of 7 bits, calibrated on clouds of every kind that the model is
// for, without training.
//
// Layers are quantized from the first to the last. The unit of an output's activation, which
// determines the scale of its weights and its shift, is the unit of least mean squared error
// over the clouds' points, among units near the unit of the largest activation. The bias
// makes the mean error 0. The inputs of a layer are the outputs of the quantized layers
// before it, so a constant error of these is corrected. Units of activations with small
// weights in the next layer are enlarged, by the square root of the ratio, so that the
// weights of the others use more of the 8 bits (cross-layer equalisation, Nagel et al. 2019,
// doi:10.1109/ICCV.2019.00141). Weights are computed in floats, so they may differ between
// processors, as after training; the embeddings of a given integer network do not.
package quantize

import (
	"errors"
	"fmt"
	"math"

	"superpoint/embed"
	"superpoint/embed/layout"
	"superpoint/partition/base/parallel"
)

// Samples is the number of points of a cloud that are used.
const Samples = 400

// Model sets a model's integer network, calibrated on the inputs of clouds. It returns an error
// without points, and if the spatial transform's entries exceed the range of integers.
func Model(run parallel.Run, m *embed.Model, clouds []*embed.Inputs) error {
	if m.Card.Network.InFloats() {
		return fmt.Errorf(
			"model %q has norm: group or sphere: false and is computed in floats; leave it as it is",
			m.Card.Name)
	}
	q := &quantizer{run: parallel.Run{Context: run.Context, Threads: run.Threads}, card: m.Card,
		integer: &embed.Integer{Activations: 7, Weights: 8, Exponents: map[string]int{}}}
	if q.gather(clouds); q.points == 0 {
		return errors.New("no points to quantize with; give clouds of every kind that the model is for")
	}
	q.layers = m.Card.IntegerLayers()
	for i, l := range m.Card.Layers().All() {
		weight, bias := folded(m.Weights(l), m.Card.Network.Epsilon)
		q.float = append(q.float, linear{weight, bias})
		q.layers[i].Layer = l
	}
	if err := q.all(); err != nil {
		return err
	}
	return m.SetIntegers(q.integer, q.layers)
}

// folded returns weights and biases that include the normalisation.
func folded(w embed.Weights, epsilon float64) (weight, bias []float64) {
	for o := range w.Out {
		scale, shift := 1.0, float64(w.Bias[o])
		if w.Norm {
			scale = float64(w.Gamma[o]) / math.Sqrt(float64(w.Variance[o])+epsilon)
			shift = scale*(float64(w.Bias[o])-float64(w.Mean[o])) + float64(w.Beta[o])
		}
		for i := range w.In {
			weight = append(weight, scale*float64(w.Weight[o*w.In+i]))
		}
		bias = append(bias, shift)
	}
	return weight, bias
}

type quantizer struct {
	run        parallel.Run
	card       *embed.Card
	integer    *embed.Integer
	layers     []embed.IntegerWeights
	float      []linear
	points, k  int
	set, point values // channels of neighbours, and of points
}

// gather selects points of the clouds and converts their channels to fixed point.
func (q *quantizer) gather(clouds []*embed.Inputs) {
	ch := &q.card.Inputs
	q.k = ch.Neighbors
	q.set.width, q.point.width = len(ch.Neighbor), len(ch.Point)
	for _, in := range clouds {
		n := min(in.Len(), Samples)
		var chosen []uint32
		for i := range n {
			chosen = append(chosen, uint32((2*i+1)*in.Len()/(2*n)))
		}
		set := make([]float32, n*q.k*q.set.width)
		point := make([]float32, n*q.point.width)
		in.GatherBatch(chosen, set, point)
		q.set.real = append(q.set.real, set...)
		q.point.real = append(q.point.real, point...)
		q.points += n
	}
	if q.points == 0 {
		return
	}
	neighbor, point := ch.Sources()
	q.measure(neighbor, ch.Neighbor, &q.set)
	q.measure(point, ch.Point, &q.point)
	q.set.fix(q.integer, ch.Neighbor)
	q.point.fix(q.integer, ch.Point)
}

// measure computes the exponents: the largest value is below half of the 16-bit range.
func (q *quantizer) measure(sources []layout.Source, names []string, v *values) {
	for _, name := range q.card.Inputs.Measured() {
		if _, ok := q.integer.Exponents[name]; !ok {
			q.integer.Exponents[name] = 14
		}
	}
	for c, s := range sources {
		name := names[c]
		most := 0.0
		for i := c; i < len(v.real); i += v.width {
			most = max(most, math.Abs(float64(v.real[i])))
		}
		if s.Channel == layout.DColumn {
			name = name[len(layout.DColumn.String()):]
			most = most / 2 // a difference can be twice as large as a value
		}
		if e, ok := q.integer.Exponents[name]; ok && most > 0 {
			_, of := math.Frexp(most)
			q.integer.Exponents[name] = min(e, 14-of)
		}
	}
}

// all quantizes every layer.
func (q *quantizer) all() error {
	l := q.card.Layers()
	at := 0
	if q.card.Transforms() {
		xy := q.set.columns(0, 2)
		omega, err := q.unit(&at, len(l.STConv), len(l.STFC), xy, nil)
		if err != nil {
			return err
		}
		q.turn(omega)
	}
	_, err := q.unit(&at, len(l.LPEConv), len(l.LPEFC), &q.set, &q.point)
	return err
}

// unit quantizes a PointNet, whose layers begin at *at, with conv layers before the maximum
// and fc after it, and returns the outputs of the last one.
func (q *quantizer) unit(at *int, conv, fc int, x, point *values) (*values, error) {
	for i := range conv + fc {
		j := &job{run: q.run, layer: &q.layers[*at], float: q.float[*at], in: x, card: q.card}
		if i == conv-1 {
			j.pooled = q.k
		}
		if i == conv && point != nil {
			j.in = x.concatenated(point)
		}
		if i < conv+fc-1 {
			j.next = q.float[*at+1].weight
			j.nextIn = q.layers[*at+1].In
		}
		var err error
		if x, err = j.quantize(); err != nil {
			return nil, err
		}
		*at++
	}
	return x, nil
}

// turn multiplies x and y by Ω and writes its entries to the point channels.
func (q *quantizer) turn(omega *values) {
	const one = 1 << embed.PositionExponent
	clamped := func(v int32) int32 { return min(max(v, -1<<15+1), 1<<15-1) }
	for p := range q.points {
		real, fixed := omega.real[4*p:4*p+4], omega.fixed[4*p:4*p+4]
		real[0]++
		real[3]++
		for k := range 4 {
			fixed[k] = clamped(fixed[k])
			if h := q.card.OmegaAt(k); h >= 0 {
				q.point.real[p*q.point.width+h], q.point.fixed[p*q.point.width+h] = real[k], fixed[k]
			}
		}
		for r := p * q.k; r < (p+1)*q.k; r++ {
			x, n := q.set.real[r*q.set.width:], q.set.fixed[r*q.set.width:]
			x[0], x[1] = x[0]*real[0]+x[1]*real[2], x[0]*real[1]+x[1]*real[3]
			n[0], n[1] = clamped((n[0]*fixed[0]+n[1]*fixed[2]+one/2)>>embed.PositionExponent),
				clamped((n[0]*fixed[1]+n[1]*fixed[3]+one/2)>>embed.PositionExponent)
		}
	}
}
