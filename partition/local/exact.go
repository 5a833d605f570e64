// SPDX-License-Identifier: BSD-3-Clause

package local

import (
	"math"
	"sync/atomic"

	"superpoint/partition/base/parallel"
	"superpoint/partition/problem"
	"superpoint/partition/problem/reduced"
)

// contractExact returns the reduced graph, in canonical order, of the partition label of g, the graph of p,
// whose ids are dense in [0, count) and numbered by first vertex, and the vertex of each id.
// Sizes, means and weights are computed from sums of integers, so they do not depend on the
// order of points, and sums of tiles can be added. of has these sums, by id.
func contractExact(run parallel.Run, p *problem.Problem, g *reduced.Graph, label []uint32, count int) (
	out *reduced.Graph, up []uint32, of *totals) {
	unit := step(run, []float32{p.Largest(run)}, &g.Components)
	out, _, of = contractSums(run, g, label, count, unit)
	out, up = canonical(run, out)
	return out, up, of
}

// contractSums returns the reduced graph of the partition label of g, the weights of its edges in units of
// 1/quanta, and the totals of its vertices in units of 1/unit. The graph has these sums as means and
// weights, rounded once to float32.
//
// Why two ways: Contract adds the weights of parallel edges in float32, in the order in which it meets them.
// This is fast, and exact as long as no sum is rounded, which exactSums checks afterwards. If a sum was
// rounded, all sums are computed again, as integers (sumWeights). On points nearly no border is long enough
// for this; on graphs of large components most borders are.
func contractSums(run parallel.Run, g *reduced.Graph, label []uint32, count int,
	unit float64) (out *reduced.Graph,
	weight []int64, of *totals) {
	of = newTotals(&g.Components, count, unit)
	of.addAll(run, &g.Components, label)
	c := reduced.Contractor{Exact: true}
	out = c.Contract(run, g, label, count, of.components(run))
	if exactSums(out) {
		weight = make([]int64, len(out.Head))
		run.Each(len(weight), 1<<15, func(k int) { weight[k] = int64(out.Weight[k] * quanta) })
		return out, weight, of
	}
	weight = sumWeights(run, g, out, label)
	run.Each(len(weight), 1<<15, func(k int) { out.Weight[k] = float32(float64(weight[k]) / quanta) })
	return out, weight, of
}

// exactSums reports whether no sum of weights was rounded.
//
// Claim: a sum in float32 that is below 256 in the end was exact, in any order of its terms. Reason: weights
// are not negative, so that all partial sums are below 256 too; they are multiples of 1/65536 = 2⁻¹⁶, and a
// float32 below 2⁸ has 24 bits, the last of at most 2⁻¹⁶.
//
// Between 2⁷ and 2⁸ neighbouring numbers of float32 are 2⁻¹⁶ apart, and below that closer, so each partial
// sum is itself a number of float32, and an addition whose result can be represented is exact (IEEE 754;
// Goldberg 1991, section 4, doi:10.1145/103162.103163).
func exactSums(g *reduced.Graph) bool {
	for u, from := range g.Start {
		for _, w := range g.Weight[from:g.End[u]] {
			if w >= 1<<24/quanta {
				return false
			}
		}
	}
	return true
}

// sumWeights returns the weights of out in units of 1/quanta.
//
// Claim: they do not depend on the number of workers. Reason: each edge of g between two components adds an
// integer to one sum, atomically; sums of integers have no order.
func sumWeights(run parallel.Run, g, out *reduced.Graph, label []uint32) []int64 {
	sum := make([]int64, len(out.Head))
	run.Do(g.Vertices(), parallel.Block(g.Vertices()), func(lo, hi int) {
		for u := lo; u < hi; u++ {
			a := label[u]
			for k := g.Start[u]; k < g.End[u]; k++ {
				if b := label[g.Head[k]]; a != b {
					at := find(out, min(a, b), max(a, b))
					atomic.AddInt64(&sum[at], int64(math.RoundToEven(float64(g.Weight[k])*quanta)))
				}
			}
		}
	})
	return sum
}

// find returns the index of the edge from u to v. Rows are short: a component has few neighbors that come
// after it, so that a search from the start is faster than one by halves, for which rows would have to be
// sorted.
func find(g *reduced.Graph, u, v uint32) uint32 {
	for k := g.Start[u]; k < g.End[u]; k++ {
		if g.Head[k] == v {
			return k
		}
	}
	panic("local: adjacent components have no edge")
}

// newGraph is reduced.New with weights rounded to multiples of 1/quanta. Their sums are exact
// in float32 between components of up to maxInitial points, which have at most 16 × 16 = 256
// edges in common.
//
// Rounding changes a weight by at most 2⁻¹⁷, where weights of Build are in [0, 1].
func newGraph(run parallel.Run, p *problem.Problem) *reduced.Graph {
	g := reduced.New(p)
	g.Weight = p.Rounded(run)
	return g
}
