package classes

import (
	"math"
	"slices"
)

// Propose returns count superpoints whose labels help most, the best first: one
// after the other that of the greatest product of its points' root, the
// uncertainty of its class (the entropy of its probabilities) and its distance,
// in what the last layer reads, from those that are labelled or proposed already
// (uncertainty and diversity, Settles 2009, "Active learning literature survey").
func (m *Model) Propose(f *Features, p, hidden []float32, labelled []int, count int) []int {
	n, w, classes := f.Len(), 2*m.Card.Width, len(m.Card.Classes)
	x := scaled(hidden, n, w)
	worth := make([]float64, n)
	for k := range worth {
		worth[k] = math.Sqrt(float64(f.Size[k])) * (leastEntropy + entropy(p[k*classes:(k+1)*classes]))
	}
	away := make([]float64, n)
	for k := range away {
		away[k] = math.Inf(1)
	}
	near := func(from int) {
		for k := range n {
			d := 0.0
			for i := range w {
				e := float64(x[k*w+i] - x[from*w+i])
				d += e * e
			}
			away[k] = min(away[k], d)
		}
	}
	for _, k := range labelled {
		near(k)
	}
	var chosen []int
	for len(chosen) < min(count, n-len(labelled)) {
		best, most := -1, -1.0
		for k := range n {
			if slices.Contains(chosen, k) || slices.Contains(labelled, k) {
				continue
			}
			value := worth[k]
			if !math.IsInf(away[k], 1) {
				value *= math.Sqrt(away[k])
			}
			if value > most {
				best, most = k, value
			}
		}
		if best < 0 {
			break
		}
		chosen = append(chosen, best)
		near(best)
	}
	return chosen
}

// leastEntropy is what a superpoint that the model is sure of counts: surely wrong
// ones are found, too.
const leastEntropy = 0.1

func entropy(p []float32) (sum float64) {
	for _, v := range p {
		if v > 0 {
			sum -= float64(v) * math.Log(float64(v))
		}
	}
	return sum
}

// scaled divides columns by their deviation.
func scaled(x []float32, n, w int) []float32 {
	y := make([]float32, len(x))
	for i := range w {
		var sum, square float64
		for k := range n {
			v := float64(x[k*w+i])
			sum, square = sum+v, square+v*v
		}
		d := math.Sqrt(max(square/float64(n)-sum/float64(n)*sum/float64(n), 0)) + 1e-3
		for k := range n {
			y[k*w+i] = float32(float64(x[k*w+i]) / d)
		}
	}
	return y
}
