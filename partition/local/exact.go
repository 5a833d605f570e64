package local

import (
	"math"
	"math/bits"
	"slices"
	"sync/atomic"

	"superpoint/partition/base/arrays"
	"superpoint/partition/base/parallel"
	"superpoint/partition/problem/reduced"
)

// contractExact returns the reduced graph, in canonical order, of the partition label of g,
// whose ids are dense in [0, count) and numbered by first vertex, and the vertex of each id.
// Sizes, means and weights are computed from sums of integers, so they do not depend on the
// order of points, and sums of tiles can be added. of has these sums, by id.
func contractExact(run parallel.Run, g *reduced.Graph, label []uint32, count int) (out *reduced.Graph, up []uint32,
	of *totals, err error) {
	var c reduced.Contractor
	means, of, err := sumMeans(run, g, label, count)
	if err != nil {
		return nil, nil, nil, err
	}
	if out, err = contract(run, &c, g, label, count, means); err != nil {
		return nil, nil, nil, err
	}
	if !exactSums(out) {
		if err := sumWeights(run, g, out, label); err != nil {
			return nil, nil, nil, err
		}
	}
	out, up, err = canonical(run, out)
	return out, up, of, err
}

// exactSums reports whether no sum of weights was rounded. Weights are multiples of 1/65536;
// in float32, with 24 bits, sums of them are exact while they are below 256.
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

// totals are the sums of the values of components.
type totals struct {
	sum  []int64 // components × (Dim + 1): the sum of each column in units of 1/unit, and then the size
	row  int     // Dim + 1
	unit float64
}

// means returns the means of count components, of which part has that of each component of t.
func (t *totals) means(part []uint32, count int) []float64 {
	sum := make([]int64, count*t.row)
	for c, to := range part {
		for k, x := range t.sum[c*t.row : (c+1)*t.row] {
			sum[int(to)*t.row+k] += x
		}
	}
	out := make([]float64, 0, count*(t.row-1))
	for c := t.row; c <= len(sum); c += t.row {
		size := float64(sum[c-1])
		for _, x := range sum[c-t.row : c-1] {
			out = append(out, float64(x)/(size*t.unit))
		}
	}
	return out
}

// sumMeans returns the sizes and means of components, and the sums that they are computed from.
func sumMeans(run parallel.Run, g *reduced.Graph, label []uint32, count int) (*reduced.Graph, *totals, error) {
	d := g.Dim
	unit, err := step(run, g)
	if err != nil {
		return nil, nil, err
	}
	row := d + 1
	sum := make([]int64, count*row)
	err = run.For(g.Vertices(), block, func(lo, hi int) {
		own := uint32(math.MaxUint32)
		local := make([]int64, row)
		flush := func() {
			if own != math.MaxUint32 {
				for k, x := range local {
					atomic.AddInt64(&sum[int(own)*row+k], x)
				}
			}
			clear(local)
		}
		for u := lo; u < hi; u++ {
			if label[u] != own {
				flush()
				own = label[u]
			}
			for k, y := range g.Mean[u*d : (u+1)*d] {
				local[k] += fixed(g.Size[u], y, unit)
			}
			local[d] += int64(g.Size[u])
		}
		flush()
	})
	if err != nil {
		return nil, nil, err
	}
	out := &reduced.Graph{Dim: d, Mean: make([]float32, count*d), Size: make([]float32, count)}
	return out, &totals{sum, row, unit}, run.For(count, block, func(lo, hi int) {
		for c := lo; c < hi; c++ {
			of := sum[c*row : (c+1)*row]
			out.Size[c] = float32(of[d])
			inverse := 1 / (float64(out.Size[c]) * unit)
			for k, x := range of[:d] {
				out.Mean[c*d+k] = float32(float64(x) * inverse)
			}
		}
	})
}

// fixed returns size·y in units of 1/unit.
func fixed(size, y float32, unit float64) int64 {
	return int64(math.RoundToEven(float64(size) * float64(y) * unit))
}

// step returns the reciprocal of the unit of sums of values: the largest power of two up to
// 2³² with which the sum of all values of g fits in 63 bits.
func step(run parallel.Run, g *reduced.Graph) (float64, error) {
	n := g.Vertices()
	largest := make([]float32, (n+block-1)/block)
	total := make([]float64, len(largest))
	err := run.For(n, block, func(lo, hi int) {
		largest[lo/block] = arrays.Largest(g.Mean[lo*g.Dim : hi*g.Dim])
		for _, s := range g.Size[lo:hi] {
			total[lo/block] += float64(s)
		}
	})
	if err != nil || n == 0 {
		return 1, err
	}
	var points float64
	for _, t := range total {
		points += t
	}
	return stepOf(slices.Max(largest), points), nil
}

// stepOf is step for the largest absolute value and the number of points.
//
// Claim: no sum overflows, in any order of its terms. Reason: |y| < 2^exponent and the number of
// points is below 2^Len64, so the sum of their |y| in these units is below 2^61; rounding adds at
// most half a unit a vertex, less than 2^61 together.
func stepOf(largest float32, points float64) float64 {
	_, exponent := math.Frexp(float64(largest))
	return math.Ldexp(1, min(32, 61-exponent-bits.Len64(uint64(points))))
}

// sumWeights sets the weights of out to sums of integer multiples of 1/quanta.
func sumWeights(run parallel.Run, g, out *reduced.Graph, label []uint32) error {
	sum := make([]int64, len(out.Head))
	err := run.For(g.Vertices(), block, func(lo, hi int) {
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
	if err != nil {
		return err
	}
	return run.For(len(sum), 1<<16, func(lo, hi int) {
		for k := lo; k < hi; k++ {
			out.Weight[k] = float32(float64(sum[k]) / quanta)
		}
	})
}

// find returns the index of the edge from u to v.
func find(g *reduced.Graph, u, v uint32) uint32 {
	for k := g.Start[u]; k < g.End[u]; k++ {
		if g.Head[k] == v {
			return k
		}
	}
	panic("local: adjacent components have no edge")
}
