// SPDX-License-Identifier: BSD-3-Clause

package backprop

import (
	"math"

	"superpoint/embed"
	"superpoint/partition/base/arrays"
)

// layer is one linear layer: its part of the parameters, and the state of its
// normalisation in the current batch.
type layer[T Real] struct {
	embed.Layer
	at  int // place of the layer's first parameter
	eps float64

	mean, variance []float64 // of Wx over the batch, without the bias, which normalisation removes
	scale, shift   []float64 // the normalisation as s·z + t: γ/σ and β − mean·γ/σ

	groups []moments[T] // with group normalisation: points × groups
}

// part is a layer's slice of a parameter vector or of its gradient.
type part[T Real] struct{ weight, bias, gamma, beta []T }

func (l *layer[T]) part(flat []T) part[T] {
	at := l.at
	next := func(n int) []T {
		at += n
		return flat[at-n : at : at]
	}
	p := part[T]{weight: next(l.Out * l.In), bias: next(l.Out)}
	if l.Norm {
		p.gamma = next(l.Out)
		p.beta = next(l.Out)
	}
	return p
}

// normalise derives scale and shift from the batch's mean and variance.
func (l *layer[T]) normalise(p part[T]) {
	l.scale = arrays.Resized(l.scale, l.Out)
	l.shift = arrays.Resized(l.shift, l.Out)
	for c := range l.Out {
		l.scale[c] = float64(p.gamma[c]) / l.deviation(c)
		l.shift[c] = float64(p.beta[c]) - l.mean[c]*l.scale[c]
	}
}

// deviation returns σ = √(variance + ε).
func (l *layer[T]) deviation(c int) float64 { return math.Sqrt(l.variance[c] + l.eps) }

// moments sets mean and variance of Wx from the moments of x, sums over count rows.
func (l *layer[T]) moments(p part[T], m *sums) {
	l.mean = arrays.Resized(l.mean, l.Out)
	l.variance = arrays.Resized(l.variance, l.Out)
	n := l.In
	centre := make([]float64, n*n)
	for a := range n {
		for b := range n {
			centre[a*n+b] = m.square[a*n+b]/m.count - m.sum[a]/m.count*m.sum[b]/m.count
		}
	}
	for c := range l.Out {
		w := p.weight[c*n : (c+1)*n]
		var mean, variance float64
		for a, x := range w {
			mean += float64(x) * m.sum[a] / m.count
			for b, y := range w {
				variance += float64(x) * float64(y) * centre[a*n+b]
			}
		}
		l.mean[c], l.variance[c] = mean, max(variance, 0)
	}
}

// sums are Σ1, Σx and Σxxᵀ over rows.
type sums struct {
	count       float64
	sum, square []float64
}

// normGradient turns the sparse sums of a layer's output gradient g into the
// gradients of γ and β and of the weights: outer is Σ g xᵀ (out × in), gsum is
// Σ g, both of the gradient after the ReLU's mask. It returns, for the gradient
// at z, the constant and the slope per channel: dz = s·g − k0 − k1·z.
func (l *layer[T]) normGradient(p, grad part[T], m *sums, gsum, outer []float64) (k0, k1 []float64) {
	n := l.In
	k0 = make([]float64, l.Out)
	k1 = make([]float64, l.Out)
	for c := range l.Out {
		w := p.weight[c*n : (c+1)*n]
		along := 0.0
		for a, x := range w {
			along += float64(x) * outer[c*n+a]
		}
		sigma := l.deviation(c)
		dgamma := (along - l.mean[c]*gsum[c]) / sigma
		grad.gamma[c] += T(dgamma)
		grad.beta[c] += T(gsum[c])
		k1[c] = l.scale[c] * dgamma / (m.count * sigma)
		k0[c] = l.scale[c]*gsum[c]/m.count - k1[c]*l.mean[c]
		for a := range n {
			zx := 0.0 // Σ z xᵀ
			for b, y := range w {
				zx += float64(y) * m.square[b*n+a]
			}
			grad.weight[c*n+a] += T(l.scale[c]*outer[c*n+a] - k0[c]*m.sum[a] - k1[c]*zx)
		}
	}
	return k0, k1
}

// kernels are the two loops that take most of the time. The plain ones run everywhere and in float64;
// kernels.c has them for float32 with AVX2.
type kernels[T Real] interface {
	// gemm computes C[i][j] (+)= Σ_t a[i·ar + t·ak] · b[t·ldb + j], n × m.
	gemm(n, m, k int, a []T, ar, ak int, b []T, ldb int, c []T, ldc int, accumulate bool)
	// setMax writes relu(max over the neighbours of w2 a + t2) of n points and which neighbour gave it; w2 is
	// stored c1 × c2.
	setMax(n int, u *setShape, a, w2, t2, out []T, arg []uint8)
}

// setShape holds the sizes of setLayers.
type setShape struct {
	k  int // neighbours
	s  int // channels per neighbour
	c1 int // width of the hidden layer
	c2 int // width of the second layer
}

// Statistics holds the running mean and variance of every layer with batch normalisation, in
// storage order, as inference uses them.
type Statistics struct {
	Mean, Variance [][]float64
	Steps          int
}

// Update moves the running statistics towards the statistics of the last batch by a
// share; the first batch sets them. Early on the share is larger, so that the first
// batches have no more weight in the average than others.
func (n *Net[T]) Update(s *Statistics, share float64) {
	share = max(share, 1/float64(s.Steps+1))
	s.Steps++
	i := 0
	for _, l := range n.layers() {
		if !l.Batch() {
			continue
		}
		if i == len(s.Mean) {
			s.Mean = append(s.Mean, make([]float64, l.Out))
			s.Variance = append(s.Variance, make([]float64, l.Out))
		}
		for c := range l.Out {
			s.Mean[i][c] += share * (l.mean[c] - s.Mean[i][c])
			s.Variance[i][c] += share * (l.variance[c] - s.Variance[i][c])
		}
		i++
	}
}

// Export writes parameters and statistics into a model of the same card.
func (n *Net[T]) Export(params []T, s *Statistics, m *embed.Model) {
	i := 0
	for _, l := range n.layers() {
		w := m.Weights(l.Layer)
		p := l.part(params)
		assign(w.Weight, p.weight)
		assign(w.Bias, p.bias)
		assign(w.Gamma, p.gamma)
		assign(w.Beta, p.beta)
		if !l.Batch() {
			continue
		}
		for c := range l.Out {
			w.Mean[c] = float32(s.Mean[i][c] + float64(p.bias[c])) // the batch's mean is the mean of Wx
			w.Variance[c] = float32(s.Variance[i][c])
		}
		i++
	}
}

// assign converts values.
func assign[A, B Real](to []A, from []B) {
	for i, v := range from {
		to[i] = A(v)
	}
}

// Import reads the parameters of a model of the same card, to train it further,
// and its statistics.
func (n *Net[T]) Import(m *embed.Model) ([]T, *Statistics) {
	params := make([]T, n.parameters)
	s := &Statistics{}
	for _, l := range n.layers() {
		w := m.Weights(l.Layer)
		p := l.part(params)
		assign(p.weight, w.Weight)
		assign(p.bias, w.Bias)
		assign(p.gamma, w.Gamma)
		assign(p.beta, w.Beta)
		if !l.Batch() {
			continue
		}
		mean := make([]float64, l.Out)
		variance := make([]float64, l.Out)
		for c := range l.Out {
			mean[c], variance[c] = float64(w.Mean[c])-float64(w.Bias[c]), float64(w.Variance[c])
		}
		s.Mean = append(s.Mean, mean)
		s.Variance = append(s.Variance, variance)
	}
	s.Steps = 1 << 20
	return params, s
}
