// SPDX-License-Identifier: BSD-3-Clause

package classes

import (
	"fmt"
	"math"

	"superpoint/partition/base/parallel"
)

// Standard fills x with the inputs of the first layer for superpoint k: the features
// standardised to mean 0 and deviation 1 and limited to ±far, 0 for absent ones; then for
// each feature 1 if it is absent.
func (m *Model) Standard(f *Features, k int, x []float32) {
	row := f.Row(k)
	mean := m.tensors["mean"]
	deviation := m.tensors["deviation"]
	n := len(row)
	for i, v := range row {
		x[i], x[n+i] = 0, 1
		if f.Present[i] {
			x[i], x[n+i] = min(max((v-mean[i])/deviation[i], -far), far), 0
		}
	}
}

// far is the limit of standardised features, in standard deviations.
const far = 5

// Inputs returns the width of the first layer's input.
func (m *Model) Inputs() int { return 2 * len(m.tensors["mean"]) }

// Probabilities returns the classes' probabilities, superpoints × classes, and the inputs of
// the last layer, superpoints × 2·width of all networks, both row major. It returns an error
// if f has other features than the model.
//
//	h₀ = relu(W x + b),  h_r = relu(W_r [h, mean h of touching, mean h of near] + b_r),
//	p = softmax((W_o [h₀, h_R] + b_o)/T), corrected by the evidence of water
func (m *Model) Probabilities(run parallel.Run, f *Features, g *Graph) (p, hidden []float32, err error) {
	hidden, err = m.hidden(run, f, g)
	if err != nil {
		return nil, nil, err
	}
	p, err = m.Last(run, f, hidden)
	return p, hidden, err
}

// hidden returns the inputs of the last layer.
func (m *Model) hidden(run parallel.Run, f *Features, g *Graph) (hidden []float32, err error) {
	if len(m.tensors["mean"]) != len(f.Names) {
		return nil, fmt.Errorf("classes: %d features where %q reads %d", len(f.Names), m.Card.Name,
			len(m.tensors["mean"]))
	}
	n, w := f.Len(), m.Card.hidden()
	hidden = make([]float32, n*2*w)
	err = m.rows(run, n, m.Inputs(), func(k int, x []float32) {
		m.Standard(f, k, x)
		row := hidden[k*2*w : (k+1)*2*w]
		rectified(row[:w], x, m.tensors["in.weight"], m.tensors["in.bias"])
		copy(row[w:], row[:w])
	})
	for r := range m.Card.Rounds {
		if err == nil {
			err = m.round(run, r, hidden, g)
		}
	}
	return hidden, err
}

// Last returns the probabilities, superpoints × classes, from the inputs of the last layer.
func (m *Model) Last(run parallel.Run, f *Features, hidden []float32) ([]float32, error) {
	p, _, err := m.last(run, f, hidden)
	return p, err
}

// last also returns the rule of each superpoint.
func (m *Model) last(run parallel.Run, f *Features, hidden []float32) (p []float32, ruled []int8, err error) {
	p, err = m.Uncorrected(run, hidden)
	if err != nil {
		return nil, nil, err
	}
	return p, m.weigh(f, p), nil
}

// Uncorrected returns the probabilities of the network alone, without the corrections by evidence: labels
// change these.
func (m *Model) Uncorrected(run parallel.Run, hidden []float32) ([]float32, error) {
	w, classes := 2*m.Card.hidden(), len(m.Card.Classes)
	p := make([]float32, len(hidden)/w*classes)
	return p, run.ForEach(len(hidden)/w, 64, func(k int) {
		out := p[k*classes : (k+1)*classes]
		dense(out, hidden[k*w:(k+1)*w], m.tensors["out.weight"], m.tensors["out.bias"])
		Softmax(out, float32(m.Card.Temperature))
	})
}

// round is one round of message passing, in the second half of the rows of hidden: the units of every network
// receive messages from the units of the same network at neighbouring superpoints.
func (m *Model) round(run parallel.Run, r int, hidden []float32, g *Graph) error {
	w, one := m.Card.hidden(), m.Card.Width
	weight, bias := m.tensors[fmt.Sprintf("round.%d.weight", r)], m.tensors[fmt.Sprintf("round.%d.bias", r)]
	to := make([]float32, len(hidden)/(2*w)*one)
	for a := 0; a < w; a += one {
		units := hidden[w+a:] // of the network
		err := m.rows(run, len(to)/one, 3*one, func(k int, x []float32) {
			copy(x, units[k*2*w:][:one])
			mean(x[one:2*one], units, 2*w, g.Touching[k*Fan:(k+1)*Fan])
			mean(x[2*one:], units, 2*w, g.Near[k*Fan:(k+1)*Fan])
			rectified(to[k*one:(k+1)*one], x, weight[3*a*one:3*(a+one)*one], bias[a:a+one])
		})
		if err != nil {
			return err
		}
		for k := range len(to) / one {
			copy(units[k*2*w:][:one], to[k*one:])
		}
	}
	return nil
}

// rows calls body for every superpoint, with width numbers of scratch memory.
func (m *Model) rows(run parallel.Run, n, width int, body func(k int, x []float32)) error {
	scratch := make([][]float32, run.Workers())
	return run.ForWorker(n, 64, func(worker, lo, hi int) {
		if scratch[worker] == nil {
			scratch[worker] = make([]float32, width)
		}
		for k := lo; k < hi; k++ {
			body(k, scratch[worker])
		}
	})
}

// mean sets y to the mean of Fan rows of h, which begin stride numbers apart.
func mean(y, h []float32, stride int, rows []int32) {
	var all [Fan][]float32
	for r := range all {
		all[r] = h[int(rows[r])*stride:][:len(y)]
	}
	a := all[0]
	b := all[1]
	c := all[2]
	d := all[3]
	e := all[4]
	f := all[5]
	g := all[6]
	k := all[7]
	for i := range y {
		y[i] = (a[i] + b[i] + c[i] + d[i] + e[i] + f[i] + g[i] + k[i]) / Fan
	}
}

func rectified(y, x, weight, bias []float32) {
	dense(y, x, weight, bias)
	for i, v := range y {
		y[i] = max(v, 0)
	}
}

// Softmax replaces logits by the probabilities softmax(y/temperature).
func Softmax(y []float32, temperature float32) {
	top := y[0]
	for _, v := range y {
		top = max(top, v)
	}
	sum := 0.0
	for i, v := range y {
		e := math.Exp(float64((v - top) / temperature))
		y[i] = float32(e)
		sum += e
	}
	for i := range y {
		y[i] = float32(float64(y[i]) / sum)
	}
}

// plainDense sets y to Wᵀx + b; W is len(x) × len(y), row major. It adds the rows of W four at a time, and
// skips rows of inputs that are 0: after a ReLU, half of the inputs are.
func plainDense(y, x, weight, bias []float32) {
	copy(y, bias)
	var inputs []int
	for i, v := range x {
		if v != 0 {
			inputs = append(inputs, i)
		}
	}
	term := func(k, o int) float32 { return x[inputs[k]] * weight[inputs[k]*len(y)+o] }
	for ; len(inputs) >= 4; inputs = inputs[4:] {
		for o := range y {
			y[o] += term(0, o) + term(1, o) + term(2, o) + term(3, o)
		}
	}
	for k := range inputs {
		for o := range y {
			y[o] += term(k, o)
		}
	}
}
