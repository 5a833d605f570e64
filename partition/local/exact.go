// SPDX-License-Identifier: BSD-3-Clause

package local

import (
	"math"
	"math/bits"
	"sync/atomic"

	"superpoint/partition/base/arrays"
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
// 1/quanta, and the totals of its vertices in units of 1/unit. Its means and weights are those sums, rounded
// once to float32.
//
// Why two ways. Contract adds the weights of parallel edges in float32, in the order in which it meets them.
// That is fast, and exact as long as no sum is rounded, which exactSums decides after the fact. Only if one
// was are all sums formed again, as integers (sumWeights). On points nearly no border is so long, but on
// graphs of large components most are.
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

// addAll adds the vertices of g to the components label.
func (t *totals) addAll(run parallel.Run, g *reduced.Components, label []uint32) {
	run.Do(g.Vertices(), parallel.Block(g.Vertices()), func(lo, hi int) {
		// Points of one component are mostly consecutive, so their sums are formed in local memory, and go to
		// the shared row once for a run of equal labels.
		own, size := uint32(math.MaxUint32), int64(0)
		local := make([]int64, sumWidth(g))
		flush := func() {
			if own != math.MaxUint32 {
				t.add(own, size, local, 1)
			}
			clear(local)
			size = 0
		}
		for u := lo; u < hi; u++ {
			if label[u] != own {
				flush()
				own = label[u]
			}
			size += int64(g.Size[u])
			addTo(local, g, uint32(u), t.unit)
		}
		flush()
	})
}

// step returns the reciprocal of the unit of sums of values of points, whose components are g: the
// largest power of two up to 2³² with which the sum of all values fits in 63 bits.
//
// Claim: no sum overflows, in any order of its terms. Reason: |y| < 2^exponent and the sum of the
// weights of points, which are at least 1, is below 2^Len64, so the sum of their |y| in these units is
// below 2^61; rounding adds at most half a unit a vertex, less than 2^61 together.
//
// A power of two, because a product with it only changes the exponent: the value itself is not rounded before
// RoundToEven rounds it to a whole number of units. 2³² is enough: a float32 of 1 has its last bit at 2⁻²³.
func step(run parallel.Run, values []float32, g *reduced.Components) float64 {
	weights := g.Size
	if g.Weighted > 0 {
		weights = g.Mass
	}
	const chunk = 1 << 16
	total := make([]float64, len(weights)/chunk+1)
	run.Do(len(weights), chunk, func(lo, hi int) {
		for _, w := range weights[lo:hi] {
			total[lo/chunk] += float64(w) // exact
		}
	})
	for _, w := range total[1:] {
		total[0] += w
	}
	_, exponent := math.Frexp(float64(arrays.Largest(values)))
	return math.Ldexp(1, min(32, 61-exponent-bits.Len64(uint64(total[0]))))
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
