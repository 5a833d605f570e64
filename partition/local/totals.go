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

// totals are the sizes and sums of values of components. They are integers, so they depend neither
// on the order of vertices nor on the order of tiles.
type totals struct {
	like reduced.Components // its columns
	unit float64            // of sums, see step
	size []int64            // number of original vertices
	sum  []int64            // components × sumWidth, see addTo
}

// newTotals returns count components without points. like is copied for its number of columns only; its
// arrays are not used.
func newTotals(like *reduced.Components, count int, unit float64) *totals {
	return &totals{like: *like, unit: unit, size: make([]int64, count),
		sum: make([]int64, count*sumWidth(like))}
}

// sumWidth returns the number of sums of a component: one a column and, with weights, the mass.
func sumWidth(c *reduced.Components) int { return c.Dim + min(c.Weighted, 1) }

// row returns the sums of component c.
func (t *totals) row(c uint32) []int64 {
	w := sumWidth(&t.like)
	return t.sum[int(c)*w : int(c+1)*w]
}

// addTo adds component u of c to sums: of each column, in units of 1/unit, and of the mass, in
// units of 1/WeightSteps.
//
// Claim: the sum over points of a component is the same, whichever of them are in one tile. Reason: each
// point is rounded to an integer by itself, before it is added; unit is chosen so that no sum overflows
// (step). A mean of points would be rounded again for each tile.
func addTo(sum []int64, c *reduced.Components, u uint32, unit float64) {
	row, p := c.Mean[int(u)*c.Dim:int(u+1)*c.Dim], c.Dim-c.Weighted
	addFixed(sum[:p], row, float64(c.Size[u])*unit)
	if c.Weighted > 0 {
		addFixed(sum[p:c.Dim], row[p:], float64(c.Mass[u])*unit)
		sum[c.Dim] += int64(c.Mass[u] * problem.WeightSteps)
	}
}

// addFixed adds values in units of 1/unit, which are exact except for rounding to an integer, to
// sums.
//
// Claim: a product is exact before it is rounded. Reason: y has 24 bits and the size or mass in unit at most
// 24, together 48 of the 53 bits of a float64; the power of two in unit changes the exponent only.
func addFixed(sum []int64, y []float32, unit float64) {
	y = y[:len(sum)]
	for k := range sum {
		sum[k] += int64(math.RoundToEven(float64(y[k]) * unit))
	}
}

// mean sets mean to the mean of component c. Integers become floating-point numbers only here
// and in mass, after all additions. So a mean has the roundings of three operations, and no
// error that grows with the size of the component.
func (t *totals) mean(mean []float64, c uint32) {
	sum := t.row(c)
	d := t.like.Dim
	// One reciprocal for all columns: a division a column would be slower, and rounded otherwise.
	inverse := 1 / (float64(t.size[c]) * t.unit)
	for k, x := range sum[:d] {
		mean[k] = float64(x) * inverse
	}
	if t.like.Weighted == 0 {
		return
	}
	inverse = 1 / (t.mass(c) * t.unit)
	for k := d - t.like.Weighted; k < d; k++ {
		mean[k] = float64(sum[k]) * inverse
	}
}

// mass returns the sum of weights of component c; 0 if there are none.
func (t *totals) mass(c uint32) float64 {
	if t.like.Weighted == 0 {
		return 0
	}
	return float64(t.row(c)[t.like.Dim]) / problem.WeightSteps
}

// means returns the means of all components.
func (t *totals) means() []float64 {
	d := t.like.Dim
	out := make([]float64, len(t.size)*d)
	for c := range t.size {
		t.mean(out[c*d:(c+1)*d], uint32(c))
	}
	return out
}

// merged returns the totals of count components; part has the new component of each component of t. The
// new sums are sums of the old ones, which are exact.
//
// This is what makes nested levels cheap: the points are not read again for any level.
func (t *totals) merged(part []uint32, count int) *totals {
	out := newTotals(&t.like, count, t.unit)
	for c, to := range part {
		out.size[to] += t.size[c]
		into := out.row(to)
		for k, x := range t.row(uint32(c)) {
			into[k] += x
		}
	}
	return out
}

// components returns sizes, masses and means in float32.
//
// Each worker has one row of float64 for the mean, which is rounded to float32 once, at the end.
func (t *totals) components(run parallel.Run) *reduced.Components {
	out := t.like.New(len(t.size))
	run.Do(len(t.size), parallel.Block(len(t.size)), func(lo, hi int) {
		mean := make([]float64, out.Dim)
		for c := lo; c < hi; c++ {
			out.Size[c] = float32(t.size[c])
			if out.Weighted > 0 {
				out.Mass[c] = float32(t.mass(uint32(c)))
			}
			t.mean(mean, uint32(c))
			for k, x := range mean {
				out.Mean[c*out.Dim+k] = float32(x)
			}
		}
	})
	return &out
}

// add adds sums, or subtracts them with sign −1; workers may add at the same time. A reader sees all of a row
// only after the loop has ended.
func (t *totals) add(c uint32, size int64, sum []int64, sign int64) {
	atomic.AddInt64(&t.size[c], sign*size)
	row := t.row(c)
	for k, x := range sum {
		atomic.AddInt64(&row[k], sign*x)
	}
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
	// Frexp returns the exponent for which the largest magnitude is in [½, 1) times 2 to its power.
	_, exponent := math.Frexp(float64(arrays.Largest(values)))
	return math.Ldexp(1, min(32, 61-exponent-bits.Len64(uint64(total[0]))))
}

// addAll adds the vertices of g to the components label.
//
// Claim: the totals do not depend on how the loop is divided. Reason: a block adds its runs of equal labels
// to shared rows atomically, and sums of integers are the same in any order.
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
