package metrics

import (
	"fmt"
	"math"
	"slices"

	"superpoint/partition/neighbor"
)

// AdjustedRand returns the adjusted Rand index of two partitions of the same
// points (Hubert and Arabie 1985, doi:10.1007/BF01908075): 1 when they are
// equal, about 0 when they are independent. Points that are negative in either
// are left out. It is NaN for fewer than two points, and 1 when both partitions
// are trivial in the same way.
func AdjustedRand(a, b []int32) (Ratio, error) {
	if len(a) != len(b) {
		return 0, fmt.Errorf("metrics: partitions of %d and %d points; both must cover the same points", len(a), len(b))
	}
	pairs := make([]uint64, 0, len(a))
	second := make([]int32, 0, len(a))
	for i := range a {
		if a[i] >= 0 && b[i] >= 0 {
			pairs = append(pairs, uint64(a[i])<<32|uint64(b[i]))
			second = append(second, b[i])
		}
	}
	slices.Sort(pairs)
	slices.Sort(second)
	both := pairsWithin(pairs, func(p uint64) uint64 { return p })
	first := pairsWithin(pairs, func(p uint64) uint64 { return p >> 32 })
	other := pairsWithin(second, func(l int32) uint64 { return uint64(l) })
	n := float64(len(pairs))
	if n < 2 {
		return Ratio(math.NaN()), nil
	}
	expected := first * other / (n * (n - 1) / 2)
	mean := (first + other) / 2
	if mean == expected {
		return 1, nil
	}
	return Ratio((both - expected) / (mean - expected)), nil
}

// pairsWithin returns the number of pairs of items with equal keys, which are
// sorted. Counts of pairs stay below 2⁶³; the sum is exact.
func pairsWithin[T any](sorted []T, key func(T) uint64) float64 {
	var pairs, length int64
	for i := range sorted {
		if i > 0 && key(sorted[i]) != key(sorted[i-1]) {
			length = 0
		}
		pairs += length
		length++
	}
	return float64(pairs)
}

// EdgeAUC returns how well a contrast (partition.Contrast: in (0, 1], small at
// expected boundaries) tells true transitions from other edges: the probability
// that a random edge between two objects has a smaller value than a random edge
// inside one, ties counting half. Edges at ignored objects take no part. It is
// NaN when one of the two kinds does not occur.
func EdgeAUC(g *neighbor.Graph, object []int32, contrast []float32) (Ratio, error) {
	if len(object) != g.Vertices() || len(contrast) != g.Edges() {
		return 0, fmt.Errorf("metrics: %d objects and %d contrasts for a graph of %d vertices and %d edges",
			len(object), len(contrast), g.Vertices(), g.Edges())
	}
	keys := make([]uint64, 0, len(contrast)) // contrast in sortable bits, then 1 for a transition
	for u := range object {
		for e := g.Start[u]; e < g.Start[u+1]; e++ {
			v := g.Head[e]
			if object[u] < 0 || object[v] < 0 {
				continue
			}
			key := uint64(sortable(contrast[e])) << 1
			if object[u] != object[v] {
				key |= 1
			}
			keys = append(keys, key)
		}
	}
	slices.Sort(keys)
	var inside, between, twice int64 // twice: pairs in the right order, ties once
	for lo := 0; lo < len(keys); {
		var in, cross int64
		hi := lo
		for ; hi < len(keys) && keys[hi]>>1 == keys[lo]>>1; hi++ {
			cross += int64(keys[hi] & 1)
		}
		in = int64(hi-lo) - cross
		twice += in * (2*between + cross)
		inside, between, lo = inside+in, between+cross, hi
	}
	return Ratio(float64(twice) / (2 * float64(inside) * float64(between))), nil
}

// sortable maps floats to integers of the same order.
func sortable(f float32) uint32 {
	b := math.Float32bits(f)
	if b>>31 != 0 {
		return ^b
	}
	return b | 1<<31
}
