package cutpursuit

import (
	"math"

	"superpoint/partition/base/arithmetic"
	"superpoint/partition/base/arrays"
	"superpoint/partition/base/parallel"
	"superpoint/partition/problem"
)

// schedule is the factor between the regularization of one cut and that of the
// next (paper, "Implementation details").
const schedule = 0.7

// exhaustiveLimit is the number of members up to which the cut is computed for every start
// of k-means, not only for the best.
const exhaustiveLimit = 32

// splitter cuts components one after the other; each worker has its own.
type splitter struct {
	*pursuit
	run     parallel.Run
	network network
	n       int
	values  []float32 // n × Dim, means of the members
	size    []float32
	prefer  []float32
	side    []bool
	kept    []bool // the best side so far
	stack   []uint32
	pair    pair
	trial   pair
	sums    []float64
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
	for t := range s.Steps {
		if s.run.Err() != nil { // the caller's loop returns the error
			return false
		}
		scale := s.graph.Scale * float32(math.Pow(schedule, float64(s.Steps-1-t)))
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
	g, d := s.graph, s.graph.Dim
	s.values, s.size = arrays.Resized(s.values, s.n*d), arrays.Resized(s.size, s.n)
	s.prefer, s.side = arrays.Resized(s.prefer, s.n), arrays.Resized(s.side, s.n)
	s.network.reset(s.n)
	c := s.label[members[0]]
	for i, u := range members {
		copy(s.values[i*d:(i+1)*d], g.Mean[int(u)*d:])
		s.size[i] = g.Size[u]
		for k := g.Start[u]; k < g.End[u]; k++ {
			if v := g.Head[k]; s.label[v] == c {
				s.network.connect(uint32(i), s.local[v], g.Weight[k])
			}
		}
	}
}

func (s *splitter) value(i int) []float32 {
	d := s.graph.Dim
	return s.values[i*d : (i+1)*d]
}

// preferences sets for each member the decrease of the fidelity term by value a instead of b.
func (s *splitter) preferences() {
	for i := range s.n {
		y := s.value(i)
		s.prefer[i] = s.size[i] * float32(arithmetic.SquaredDistance(y, s.pair.b)-arithmetic.SquaredDistance(y, s.pair.a))
	}
}

// refit sets a and b to the optimal values of the two sides. It returns false if one side
// is empty.
func (s *splitter) refit() bool {
	d := s.graph.Dim
	s.sums = append(s.sums[:0], make([]float64, 2*d+2)...)
	sum := [2][]float64{s.sums[:d], s.sums[d : 2*d]}
	count := s.sums[2*d:]
	for i := range s.n {
		k := 0
		if s.side[i] {
			k = 1
		}
		n := float64(s.size[i])
		count[k] += n
		for j, y := range s.value(i) {
			sum[k][j] += n * float64(y)
		}
	}
	if count[0] == 0 || count[1] == 0 {
		return false
	}
	s.fit(s.pair.b, sum[0], count[0])
	s.fit(s.pair.a, sum[1], count[1])
	return true
}

// fit sets f to the optimal value of n vertices with the given sum.
func (s *splitter) fit(f, sum []float64, n float64) {
	for k, x := range sum {
		f[k] = x / n
	}
	problem.Project(f[:s.graph.Sphere])
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
	g, d := s.graph, s.graph.Dim
	width := d + 1
	s.sums = append(s.sums[:0], make([]float64, int(parts+1)*width)...)
	whole := s.sums[int(parts)*width:]
	for i, u := range members {
		part := s.sums[int(s.connected[u])*width:]
		n := float64(s.size[i])
		for k, y := range s.value(i) {
			part[k] += n * float64(y)
			whole[k] += n * float64(y)
		}
		part[d] += n
		whole[d] += n
	}
	for c := 0; c < len(s.sums); c += width {
		s.fit(s.sums[c:c+d], s.sums[c:c+d], s.sums[c+d])
	}
	var gain, contour float64
	for i, u := range members {
		part := s.sums[int(s.connected[u])*width:]
		v := s.value(i)
		gain += float64(s.size[i]) * (arithmetic.SquaredDistance(v, whole[:d]) - arithmetic.SquaredDistance(v, part[:d]))
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
