// SPDX-License-Identifier: BSD-3-Clause

package cutpursuit

import (
	"superpoint/partition/base/arrays"
	"superpoint/partition/base/parallel"
	"superpoint/partition/problem/reduced"
)

// merger merges the vertices of a graph in rounds. In a round every component
// finds the neighbor whose merge lowers the energy most,
//
//	gain(A, B) = w_AB − n_A n_B/(n_A+n_B) ‖ȳ_A − ȳ_B‖² (reduced.Components.Loss),
//
// components that choose each other are merged, and others are merged with their choice
// if that still lowers the energy after the merges before; then the reduced graph is built
// again. The merge of the largest gain is always among them, and every merge lowers the
// energy. A round is linear in the number of edges, and the result does not depend on the
// number of threads. Merging best neighbors in rounds is the idea of EZ-SP (Geist,
// Landrieu, Robert 2025, arXiv:2512.00385).
type merger struct {
	reduced.Merger
	union reduced.Components // each union of a round, at its root
	late  [][]uint32         // per block, components whose union reaches out of the block
}

// newMerger returns a merger whose components are the vertices of g.
func newMerger(g *reduced.Graph) *merger { return &merger{Merger: reduced.Merger{Graph: g}} }

// merge runs rounds while they lower the energy.
func (m *merger) merge(run parallel.Run) {
	run = run.Quiet()
	for m.round(run) {
	}
}

// round merges best neighbors once and reports whether there were any.
func (m *merger) round(run parallel.Run) bool {
	m.Graph.Best(run, 0, &m.Choice)
	m.join(run)
	return m.Apply(run, func(label []uint32, count int) *reduced.Components {
		means := m.Graph.New(count)
		for u, c := range label {
			if m.Root[u] == uint32(u) {
				means.Copy(c, &m.union, uint32(u))
			}
		}
		return &means
	})
}

// mergeSmall merges components smaller than least with the neighbour for which the
// energy increases least, until the only small ones have no neighbour, and then merges
// again while that lowers the energy.
func (m *merger) mergeSmall(run parallel.Run, least int) {
	run = run.Quiet()
	for least > 1 && m.MergeSmall(run, float32(least), reduced.MergeOptions{}) {
	}
	m.merge(run)
}

// block is the number of components of one task. Unions within a block are made first,
// then unions between blocks, in order.
const block = 1 << 13

// join makes the unions of a round: of components that chose each other, and then, in the
// order of their indices, of components with their choice if that still lowers the energy.
// Every union lowers the energy.
func (m *merger) join(run parallel.Run) {
	n := m.Graph.Vertices()
	m.union.Dim, m.union.Weighted = m.Graph.Dim, m.Graph.Weighted
	m.union.Resize(n)
	m.Root = arrays.Resized(m.Root, n)
	for len(m.late) < (n+block-1)/block {
		m.late = append(m.late, nil)
	}
	run.Do(n, block, m.joinBlock)
	for b := range (n + block - 1) / block {
		for _, u := range m.late[b] {
			m.follow(u)
		}
	}
}

func (m *merger) joinBlock(lo, hi int) {
	m.union.CopyRange(&m.Graph.Components, lo, hi)
	for u := lo; u < hi; u++ {
		m.Root[u] = uint32(u)
	}
	neighbor := m.Choice.Neighbor
	first := uint32(lo)
	end := uint32(hi)
	for u := first; u < end; u++ {
		v := neighbor[u]
		isPair := v > u && v < end && neighbor[v] == u // counted at its smaller vertex
		if isPair {
			m.unite(u, v)
		}
	}
	late := m.late[lo/block][:0]
	for u := first; u < end; u++ {
		v := neighbor[u]
		if v == reduced.None {
			continue
		}
		if v >= first && v < end {
			m.follow(u)
		} else { // its choice is in another block
			late = append(late, u)
		}
	}
	m.late[lo/block] = late
}

// follow merges the union of u with the union of its choice if the merge still lowers the
// energy. It uses the weight of the edge of u, a lower bound of the weight between the two
// unions.
func (m *merger) follow(u uint32) {
	v := m.Choice.Neighbor[u]
	a := m.Root.Root(u)
	b := m.Root.Root(v)
	if a == b {
		return
	}
	weight := m.Choice.Gain[u] + m.Graph.Loss(u, v)
	if weight-m.union.Loss(a, b) > 0 {
		m.unite(min(a, b), max(a, b))
	}
}

func (m *merger) unite(a, b uint32) {
	m.Root[b] = a
	m.union.Absorb(a, b)
}

const (
	meansRounds = 5    // of k-means per start, as in the authors' code
	meansSample = 4096 // maximum number of members in k-means
)

// means computes two values for the component by k-means with two centres, the best of
// several starts. For large components it uses an evenly spaced sample. It returns false
// if all values are equal.
func (s *splitter) means(random *generator, starts int) bool {
	d := s.graph.Dim
	for _, f := range []*[]float64{&s.pair.a, &s.pair.b, &s.trial.a, &s.trial.b} {
		*f = arrays.Resized(*f, d)
	}
	stride := (s.n + meansSample - 1) / meansSample
	best, found := 0., false
	for range starts {
		if !s.start(random, stride) {
			break
		}
		var cost float64
		for range meansRounds {
			cost = s.round(stride)
		}
		if !found || cost < best {
			best, found = cost, true
			copy(s.pair.a, s.trial.a)
			copy(s.pair.b, s.trial.b)
		}
	}
	return found
}

// start draws a member, and a second one with a probability in proportion to
// its squared distance from the first (k-means++, Arthur and Vassilvitskii
// 2007). It returns false if no member differs from the first.
func (s *splitter) start(random *generator, stride int) bool {
	samples := (s.n + stride - 1) / stride
	first := s.value(int(random.uniform()*float64(samples)) * stride)
	for k, y := range first {
		s.trial.a[k] = float64(y)
	}
	var total float64
	for i := 0; i < s.n; i += stride {
		total += s.Cost(uint32(i), s.trial.a)
	}
	if total == 0 {
		return false
	}
	left := random.uniform() * total
	for i := 0; i < s.n; i += stride {
		w := s.Cost(uint32(i), s.trial.a)
		if w == 0 {
			continue
		}
		for k, y := range s.value(i) {
			s.trial.b[k] = float64(y)
		}
		if left -= w; left < 0 {
			break
		}
	}
	return true
}

// round is one iteration of k-means: it sets the two values to the means of the members
// nearest to them, and returns the cost before.
func (s *splitter) round(stride int) float64 {
	sum := s.zero(2)
	var cost float64
	for i := 0; i < s.n; i += stride {
		da, db := s.Distances(uint32(i), s.trial.a, s.trial.b)
		k := 0
		if db < da {
			k, da = 1, db
		}
		cost += float64(s.Size[i]) * da
		s.AddTo(sum(k), uint32(i))
	}
	for k, f := range [][]float64{s.trial.a, s.trial.b} {
		if sum(k)[s.Dim] > 0 {
			s.Fit(f, sum(k))
		}
	}
	return cost
}

// generator is the random number generator splitmix64 (Steele, Lea and Flood 2014,
// doi:10.1145/2714064.2660195); every seed is suitable.
type generator uint64

func (g *generator) uniform() float64 {
	*g += 0x9e3779b97f4a7c15
	z := uint64(*g)
	z = (z ^ z>>30) * 0xbf58476d1ce4e5b9
	z = (z ^ z>>27) * 0x94d049bb133111eb
	return float64((z^z>>31)>>11) / (1 << 53)
}
