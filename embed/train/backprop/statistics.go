package backprop

import "superpoint/embed"

// Statistics holds the running mean and variance of every normalised layer, in
// storage order, as inference uses them.
type Statistics struct {
	Mean, Variance [][]float64
	Steps          int
}

// Update moves the running statistics towards those of the last batch by a
// share; the first batch sets them. Early on the share is larger, so that the
// average never leans on the first batches.
func (n *Net[T]) Update(s *Statistics, share float64) {
	share = max(share, 1/float64(s.Steps+1))
	s.Steps++
	i := 0
	for _, l := range n.layers() {
		if !l.Norm {
			continue
		}
		if i == len(s.Mean) {
			s.Mean, s.Variance = append(s.Mean, make([]float64, l.Out)), append(s.Variance, make([]float64, l.Out))
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
		w, p := m.Weights(l.Layer), l.part(params)
		put(w.Weight, p.weight)
		put(w.Bias, p.bias)
		if !l.Norm {
			continue
		}
		put(w.Gamma, p.gamma)
		put(w.Beta, p.beta)
		for c := range l.Out {
			w.Mean[c] = float32(s.Mean[i][c] + float64(p.bias[c])) // the batch's mean is that of Wx
			w.Variance[c] = float32(s.Variance[i][c])
		}
		i++
	}
}

func put[T Real](to []float32, from []T) {
	for i, v := range from {
		to[i] = float32(v)
	}
}

// Import reads the parameters of a model of the same card, to train it further,
// and its statistics.
func (n *Net[T]) Import(m *embed.Model) ([]T, *Statistics) {
	params, s := make([]T, n.parameters), &Statistics{}
	for _, l := range n.layers() {
		w, p := m.Weights(l.Layer), l.part(params)
		take(p.weight, w.Weight)
		take(p.bias, w.Bias)
		if !l.Norm {
			continue
		}
		take(p.gamma, w.Gamma)
		take(p.beta, w.Beta)
		mean, variance := make([]float64, l.Out), make([]float64, l.Out)
		for c := range l.Out {
			mean[c], variance[c] = float64(w.Mean[c])-float64(w.Bias[c]), float64(w.Variance[c])
		}
		s.Mean, s.Variance = append(s.Mean, mean), append(s.Variance, variance)
	}
	s.Steps = 1 << 20
	return params, s
}

func take[T Real](to []T, from []float32) {
	for i, v := range from {
		to[i] = T(v)
	}
}
