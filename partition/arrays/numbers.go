// Package arrays holds the small operations on flat arrays that many rooms need:
// memory that is used again, dense numbers, items listed by group, and the range
// of values without their tails. Results depend on the arguments alone.
package arrays

import (
	"math"
	"slices"
)

// None is the number of what has none.
const None = math.MaxUint32

// Number makes ids dense from 0 in the order of their first item, in place, and
// returns how many there are. Ids must be below limit.
func Number(id []uint32, limit int) int {
	number := make([]uint32, limit)
	for k := range number {
		number[k] = None
	}
	count := uint32(0)
	for i, k := range id {
		if number[k] == None {
			number[k] = count
			count++
		}
		id[i] = number[k]
	}
	return int(count)
}

// Values returns the different values of x, ascending, without those that omit is
// true for; nil omits none.
func Values[T ~int32 | ~uint32](x []T, omit func(v T) bool) []T {
	var values []T
	for i, v := range x {
		if (i == 0 || v != x[i-1]) && (omit == nil || !omit(v)) { // neighbours are mostly alike
			values = append(values, v)
		}
	}
	slices.Sort(values)
	return slices.Clip(slices.Compact(values))
}

// Rank returns the place of v in ascending values, or None.
func Rank[T ~int32 | ~uint32](values []T, v T) uint32 {
	if at, found := slices.BinarySearch(values, v); found {
		return uint32(at)
	}
	return None
}

// Resized returns a slice of n items that reuses x's memory where it is large
// enough; what it holds is arbitrary.
func Resized[T any](x []T, n int) []T {
	if cap(x) < n {
		return make([]T, n)
	}
	return x[:n]
}

// Zeroed is Resized with every item 0.
func Zeroed[T any](x []T, n int) []T {
	x = Resized(x, n)
	clear(x)
	return x
}
