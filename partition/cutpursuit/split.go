// SPDX-License-Identifier: BSD-3-Clause

package cutpursuit

import (
	"math"

	"superpoint/partition/base/arrays"
	"superpoint/partition/base/parallel"
	"superpoint/partition/problem/reduced"
)

// schedule is the factor by which the regularization changes from one cut to the next
// (paper, "Implementation details").
const schedule = 0.7

// steps is the number of cuts of a split, as in the authors' code.
const steps = 3

// exhaustiveLimit is the number of members up to which the cut is computed for every start
// of k-means, not only for the best.
const exhaustiveLimit = 32

// splitter cuts components one after the other; each worker has its own.
type splitter struct {
	*pursuit
	run                parallel.Run
	network            network
	n                  int
	reduced.Components // the members
	prefer             []float32
	side               []bool
	kept               []bool // the best side so far
	stack              []uint32
	pair               pair
	trial              pair
	sums               []float64
}

// pair is the two values that a component is cut between.
type pair struct{ a, b []float64 }

// split cuts one component, sets connected for each member and returns the number of connected components:
// the connected components of the two sides, 1 if no cut was found that lowers the energy.
func (s *splitter) split(members []uint32) uint32 {
	s.n = len(members)
	if s.n < 2 {
		return 1
	}
	s.load(members)
	random := generator(members[0])
	if s.n > exhaustiveLimit {
		if !s.means(&random, s.Restarts) || !s.cut() {
			return 1
		}
		parts := s.connect(members)
		if s.gain(members, parts) <= 0 {
			return 1
		}
		return parts
	}
	var best float64
	for range s.Restarts {
		if !s.means(&random, 1) {
			return 1
		}
		if !s.cut() {
			continue
		}
		if gain := s.gain(members, s.connect(members)); gain > best {
			best = gain
			s.kept = append(s.kept[:0], s.side...)
		}
	}
	if best <= 0 {
		return 1
	}
	copy(s.side, s.kept)
	return s.connect(members)
}

// cut alternates between the minimum cut for the two values and the optimal values for the
// two sides. It returns false if all members are on one side.
func (s *splitter) cut() bool {
	for t := range steps {
		if s.run.Err() != nil { // the caller's loop returns the error
			return false
		}
		scale := s.graph.Scale * float32(math.Pow(schedule, float64(steps-1-t)))
		s.preferences()
		s.network.cut(s.prefer, scale, s.side)
		if !s.refit() {
			return false
		}
	}
	return true
}

// load copies the members and builds the network of the edges between them.
func (s *splitter) load(members []uint32) {
	g := s.graph
	s.Dim, s.Weighted = g.Dim, g.Weighted
	s.Resize(s.n)
	s.prefer = arrays.Resized(s.prefer, s.n)
	s.side = arrays.Resized(s.side, s.n)
	s.network.reset(s.n)
	c := s.label[members[0]]
	for i, u := range members {
		s.Copy(uint32(i), &g.Components, u)
		for k := g.Start[u]; k < g.End[u]; k++ {
			if v := g.Head[k]; s.label[v] == c {
				s.network.connect(uint32(i), s.local[v], g.Weight[k])
			}
		}
	}
}

func (s *splitter) value(i int) []float32 {
	return s.Mean[i*s.Dim : (i+1)*s.Dim]
}

// preferences sets for each member the decrease of the fidelity term by value a instead of b.
func (s *splitter) preferences() {
	for i := range s.n {
		a, b := s.Distances(uint32(i), s.pair.a, s.pair.b)
		s.prefer[i] = s.Size[i] * float32(b-a)
	}
}

// refit sets a and b to the optimal values of the two sides. It returns false if one side
// is empty.
func (s *splitter) refit() bool {
	sum := s.zero(2)
	for i := range s.n {
		k := 0
		if s.side[i] {
			k = 1
		}
		s.AddTo(sum(k), uint32(i))
	}
	if sum(0)[s.Dim] == 0 || sum(1)[s.Dim] == 0 {
		return false
	}
	s.Fit(s.pair.b, sum(0))
	s.Fit(s.pair.a, sum(1))
	return true
}

// zero sets n sums to zero and returns the function that returns each, see reduced.Components.AddTo.
func (s *splitter) zero(n int) func(k int) []float64 {
	width := s.SumWidth()
	s.sums = arrays.Zeroed(s.sums, n*width)
	return func(k int) []float64 { return s.sums[k*width : (k+1)*width] }
}

// connect numbers the connected components of the two sides and returns their number.
func (s *splitter) connect(members []uint32) uint32 {
	const unseen = math.MaxUint32
	for _, u := range members {
		s.connected[u] = unseen
	}
	var count uint32
	for i, u := range members {
		if s.connected[u] != unseen {
			continue
		}
		s.connected[u] = count
		s.stack = append(s.stack[:0], uint32(i))
		for len(s.stack) > 0 {
			j := s.stack[len(s.stack)-1]
			s.stack = s.stack[:len(s.stack)-1]
			for _, k := range s.network.neighbors(j) {
				if v := members[k]; s.connected[v] == unseen && s.side[k] == s.side[j] {
					s.connected[v] = count
					s.stack = append(s.stack, k)
				}
			}
		}
		count++
	}
	return count
}

// gain returns the decrease of the energy by separating the components; 0 if it is not larger
// than the rounding errors of float32 capacities.
func (s *splitter) gain(members []uint32, parts uint32) float64 {
	if parts < 2 {
		return 0
	}
	g := s.graph
	sum := s.zero(int(parts + 1))
	whole := int(parts)
	for i, u := range members {
		s.AddTo(sum(int(s.connected[u])), uint32(i))
		s.AddTo(sum(whole), uint32(i))
	}
	for c := range int(parts + 1) {
		s.Fit(sum(c), sum(c))
	}
	var gain, contour float64
	for i, u := range members {
		all, part := s.Distances(uint32(i), sum(whole), sum(int(s.connected[u])))
		gain += float64(s.Size[i]) * (all - part)
		for k := g.Start[u]; k < g.End[u]; k++ {
			if v := g.Head[k]; s.label[v] == s.label[u] && s.connected[v] != s.connected[u] {
				contour += float64(g.Weight[k])
			}
		}
	}
	contour *= float64(g.Scale)
	if gain-contour <= 1e-6*(gain+contour) {
		return 0
	}
	return gain - contour
}
