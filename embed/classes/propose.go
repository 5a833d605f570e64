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
// without a label of a class, Fit knows of it only what the model found.
func (m *Model) Propose(f *Features, p, hidden []float32, labelled []int, count int) []int {
	n := f.Len()
	width := 2 * m.Card.hidden()
	s := &proposal{size: f.Size, p: p, classes: len(m.Card.Classes), labelled: labelled, width: width,
		x: make([]float32, n*width), worth: make([]float64, n),
		away: slices.Repeat([]float64{math.Inf(1)}, n)}
	for i, d := range deviations(hidden, n, width) {
		for k := range n {
			s.x[k*width+i] = float32(float64(hidden[k*width+i]) / d)
		}
	}
	for k := range s.worth {
		uncertain := leastEntropy + entropy(p[k*s.classes:(k+1)*s.classes])
		s.worth[k] = math.Sqrt(float64(f.Size[k])) * uncertain
	}
	for _, k := range labelled {
		s.approach(k)
	}
	s.taken, s.open = m.taken(f, p, labelled)
	for len(s.chosen) < min(count, n-len(labelled)) {
		best := s.best()
		if best < 0 {
			break
		}
		s.chosen = append(s.chosen, best)
		s.open[s.taken[best]] = false
		s.approach(best)
	}
	return s.chosen
}

// proposal is the state of a search for superpoints to label.
type proposal struct {
	size     []float32 // points of a superpoint
	p        []float32 // probabilities, superpoints × classes
	classes  int
	labelled []int

	x      []float32 // superpoints × width: inputs of the last layer, each divided by its deviation
	width  int
	worth  []float64 // value of a superpoint before its distance counts
	away   []float64 // squared distance to the nearest labelled or chosen superpoint
	taken  []int     // predicted class
	open   []bool    // classes that are predicted and that no labelled or chosen superpoint has
	chosen []int
}

// approach shortens the distances of all superpoints for one that is labelled or chosen.
func (s *proposal) approach(from int) {
	for k := range s.away {
		d := 0.0
		for i := range s.width {
			e := float64(s.x[k*s.width+i] - s.x[from*s.width+i])
			d += e * e
		}
		s.away[k] = min(s.away[k], d)
	}
}

// best returns the most valuable superpoint to label next, the first of equals; −1 if none is left. As long
// as a class has no example, only its examples count.
func (s *proposal) best() int {
	best := -1
	most := -1.0
	wanting := slices.Contains(s.open, true)
	for k := range s.worth {
		needless := wanting && !s.open[s.taken[k]]
		if needless || slices.Contains(s.chosen, k) || slices.Contains(s.labelled, k) {
			continue
		}
		value := s.worth[k]
		if wanting { // the best example of its class
			value = math.Sqrt(float64(s.size[k])) * float64(s.p[k*s.classes+s.taken[k]])
		} else if !math.IsInf(s.away[k], 1) {
			value *= math.Sqrt(s.away[k])
		}
		if value > most {
			best = k
			most = value
		}
	}
	return best
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
