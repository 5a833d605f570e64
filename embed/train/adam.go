// SPDX-License-Identifier: BSD-3-Clause

package train

import (
	"math"
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
