// SPDX-License-Identifier: BSD-3-Clause

package classes

import (
	"math"
	"slices"
)

// Propose returns at most count superpoints to label next (active learning by uncertainty
// and diversity, Settles 2009, "Active learning literature survey"). They are chosen one
// after the other, each with the greatest product of the root of its number of points, its
// uncertainty (the entropy of its probabilities) and its distance from all that are labelled
// or chosen, in the space of the last layer's inputs.
//
// The probabilities p are Uncorrected, so that limits of confidence for whole fields do not decide.
//
// Before these, one superpoint is chosen for every predicted class that no labelled
// superpoint has, with the greatest product of the root of its size and its probability:
// without a label of a class, Fit would lose that class.
func (m *Model) Propose(f *Features, p, hidden []float32, labelled []int, count int) []int {
	n := f.Len()
	w := 2 * m.Card.hidden()
	classes := len(m.Card.Classes)
	x := make([]float32, n*w)
	for i, d := range deviations(hidden, n, w) {
		for k := range n {
			x[k*w+i] = float32(float64(hidden[k*w+i]) / d)
		}
	}
	worth := make([]float64, n)
	for k := range worth {
		worth[k] = math.Sqrt(float64(f.Size[k])) * (leastEntropy + entropy(p[k*classes:(k+1)*classes]))
	}
	away := slices.Repeat([]float64{math.Inf(1)}, n)
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
	taken, open := m.taken(f, p, labelled)
	var chosen []int
	for len(chosen) < min(count, n-len(labelled)) {
		best := -1
		most := -1.0
		wanting := slices.Contains(open, true)
		for k := range n {
			if wanting && !open[taken[k]] || slices.Contains(chosen, k) || slices.Contains(labelled, k) {
				continue
			}
			value := worth[k]
			if wanting { // the best example of its class
				value = math.Sqrt(float64(f.Size[k])) * float64(p[k*classes+taken[k]])
			} else if !math.IsInf(away[k], 1) {
				value *= math.Sqrt(away[k])
			}
			if value > most {
				best, most = k, value
			}
		}
		if best < 0 {
			break
		}
		chosen, open[taken[best]] = append(chosen, best), false
		near(best)
	}
	return chosen
}

// leastTaken is the share of points below which a predicted class is ignored.
const leastTaken = 0.01

// taken returns the most probable class of every superpoint, and a flag for every class:
// whether it is predicted, but not for a labelled superpoint.
func (m *Model) taken(f *Features, p []float32, labelled []int) (class []int, open []bool) {
	classes := len(m.Card.Classes)
	class, open = make([]int, f.Len()), make([]bool, classes)
	points, all := make([]float64, classes), 0.0
	for k := range class {
		row := p[k*classes : (k+1)*classes]
		class[k] = slices.Index(row, slices.Max(row))
		points[class[k]] += float64(f.Size[k])
		all += float64(f.Size[k])
	}
	for c := range open {
		open[c] = points[c] > 0 && points[c] >= leastTaken*all
	}
	for _, k := range labelled {
		open[class[k]] = false
	}
	return class, open
}

// leastEntropy is added to the entropy, so that large superpoints with a confident but wrong
// class are proposed, too.
const leastEntropy = 0.1

func entropy(p []float32) (sum float64) {
	for _, v := range p {
		if v > 0 {
			sum -= float64(v) * math.Log(float64(v))
		}
	}
	return sum
}

// deviations returns the standard deviation of every column of x, n × w, and a little, so that none is 0.
func deviations(x []float32, n, w int) (all []float64) {
	for i := range w {
		var sum, square float64
		for k := range n {
			v := float64(x[k*w+i])
			sum, square = sum+v, square+v*v
		}
		all = append(all, math.Sqrt(max(square/float64(n)-sum/float64(n)*sum/float64(n), 0))+1e-3)
	}
	return all
}
