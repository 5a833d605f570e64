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
	cut := int(tail * float64(len(some)))
	high = kth(some, len(some)-1-cut)
	return kth(some[:len(some)-cut], cut), high
}

// kth returns the value that stands at place k once values are sorted, and moves
// it there, what is less before it and what is more behind (Hoare 1961,
// doi:10.1145/366622.366647). Values hold no NaN.
func kth[T ~float32 | ~float64](values []T, k int) T {
	for low, high := 0, len(values)-1; low < high; {
		pivot := middle(values[low], values[(low+high)/2], values[high])
		i, j := low, high
		for i <= j {
			for values[i] < pivot {
				i++
			}
			for values[j] > pivot {
				j--
			}
			if i <= j {
				values[i], values[j] = values[j], values[i]
				i, j = i+1, j-1
			}
		}
		switch {
		case k <= j:
			high = j
		case k >= i:
			low = i
		default:
			return values[k]
		}
	}
	return values[k]
}

// middle returns the second of three values in order.
func middle[T ~float32 | ~float64](a, b, c T) T { return max(min(a, b), min(max(a, b), c)) }

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
