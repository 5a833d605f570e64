package arrays

import (
	"cmp"
	"slices"
)

// sample is the number of values, at most, that a range is taken from.
const sample = 1 << 18

// Range returns the range of values without the share tail at each end, from at
// most 2¹⁸ of them, evenly spread in their order; NaN is left out. It is 0 and 0
// when there is none.
func Range(values []float32, tail float64) (low, high float32) {
	var some []float32
	for i := 0; i < len(values); i += (len(values) + sample - 1) / sample {
		if v := values[i]; v == v {
			some = append(some, v)
		}
	}
	if len(some) == 0 {
		return 0, 0
	}
	slices.Sort(some)
	cut := int(tail * float64(len(some)))
	return some[cut], some[len(some)-1-cut]
}

// Median sorts values and returns the middle one, the upper of two; 0 of none.
func Median[T ~float32 | ~float64](values []T) T {
	if len(values) == 0 {
		return 0
	}
	slices.Sort(values)
	return values[len(values)/2]
}

// Mode sorts values and returns the most frequent one, the smallest of equals; none
// when there is no value.
func Mode[T cmp.Ordered](values []T, none T) T {
	slices.Sort(values)
	best, longest := none, 0
	for from := 0; from < len(values); {
		to := from + 1
		for to < len(values) && values[to] == values[from] {
			to++
		}
		if to-from > longest {
			best, longest = values[from], to-from
		}
		from = to
	}
	return best
}
