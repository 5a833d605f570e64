// SPDX-License-Identifier: BSD-3-Clause

package train

import (
	"math"

	"superpoint/embed/train/backprop"
)

// adam is the optimiser of Kingma and Ba 2015 (arXiv:1412.6980) with the
// gradient clipped element by element before it enters the moments. gorgonia's
// own keeps its moments to itself, so training with it cannot be resumed.
type adam struct {
	Rate, Clip  float64
	Mean, Power []float32 // running means of the gradient and of its square
	Steps       int
}

// Constants of the paper.
const (
	beta1   = 0.9
	beta2   = 0.999
	epsilon = 1e-8
)

// step changes the weights by their gradient.
func (a *adam) step(weights, gradient []float32) {
	if a.Mean == nil {
		a.Mean = make([]float32, len(weights))
		a.Power = make([]float32, len(weights))
	}
	a.Steps++
	rate := a.Rate / (1 - math.Pow(beta1, float64(a.Steps)))
	unbias := 1 / (1 - math.Pow(beta2, float64(a.Steps)))
	for i, g32 := range gradient {
		g := min(max(float64(g32), -a.Clip), a.Clip)
		m := beta1*float64(a.Mean[i]) + (1-beta1)*g
		v := beta2*float64(a.Power[i]) + (1-beta2)*g*g
		a.Mean[i], a.Power[i] = float32(m), float32(v)
		weights[i] -= float32(rate * m / (math.Sqrt(v*unbias) + epsilon))
	}
}

// average moves the average of the weights (Polyak and Juditsky 1992,
// doi:10.1137/0330046, in its exponential form) towards the weights. The
// gradient of single batches is so noisy that the average of the last few
// hundred steps scores better than any of them. keep is the share of the past;
// early on it is smaller, so that the start is forgotten.
func (s *state) average(keep float64) {
	if keep == 0 {
		return
	}
	if s.Average == nil {
		s.Average = make([]float32, len(s.Params))
	}
	steps := float64(s.Optimiser.Steps)
	share := float32(max(1-keep, 10/(9+steps)))
	for i, p := range s.Params {
		s.Average[i] += share * (p - s.Average[i])
	}
}

// remeasure is the number of batches that the statistics of averaged weights
// are measured on.
const remeasure = 16

// current returns the weights to validate and their normalisation statistics:
// the running ones, or for averaged weights, which no batch was normalised
// with, those of some batches of their own.
func (t *trainer) current() (params []float32, statistics *backprop.Statistics, err error) {
	st := t.state
	if t.o.Recipe.Optimise.Average == 0 {
		return st.Params, &st.Statistics, nil
	}
	var s backprop.Statistics
	for i := range remeasure {
		b, err := t.batcher.make(t.run, 1<<40+i)
		if err != nil {
			return nil, nil, err
		}
		if _, err := t.net.Forward(t.run, st.Average, &b.Batch); err != nil {
			return nil, nil, err
		}
		t.net.Update(&s, 0)
	}
	return st.Average, &s, nil
}
