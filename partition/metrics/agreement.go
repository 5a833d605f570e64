package metrics

import (
	"fmt"
	"math"
	"slices"
)

// AdjustedRand returns the adjusted Rand index of two partitions of the same
// points (Hubert and Arabie 1985, doi:10.1007/BF01908075): 1 when they are
// equal, and 0 in expectation when they are independent. Points with a negative
// label in a or b are ignored. It is NaN for fewer than two points, and 1 when
// both partitions have one segment or both have only segments of one point. It
// fails if the lengths differ.
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

// pairsWithin returns the number of pairs of items with equal keys; the items
// are sorted by key. The sum is an integer below 2⁶³, rounded once at the end.
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
