// SPDX-License-Identifier: BSD-3-Clause

package neighbor

import (
	"math"
	"slices"
	"unsafe"
)

// precedes is the total order along an axis: by coordinate, then by the other
// two coordinates in cyclic order, then by input index.
func precedes(p, q *item, axis int) bool {
	if a, b := p[axis&3], q[axis&3]; a != b {
		return a < b
	}
	for i := 1; i < 3; i++ {
		if a, b := p[(axis+i)%3], q[(axis+i)%3]; a != b {
			return a < b
		}
	}
	return p[3] < q[3]
}

func sortItems(items []item, axis int) {
	if len(items) > leafSize {
		slices.SortFunc(items, func(p, q item) int {
			if precedes(&p, &q, axis) {
				return -1
			}
			return 1
		})
		return
	}
	for i := 1; i < len(items); i++ {
		p := items[i]
		j := i
		for ; j > 0 && p[axis&3] <= items[j-1][axis&3] && precedes(&p, &items[j-1], axis); j-- {
			items[j] = items[j-1]
		}
		items[j] = p
	}
}

// selectItem moves the item of rank k along the axis to items[k], smaller ones before it and
// larger ones after it (Floyd and Rivest 1975, algorithm 489, doi:10.1145/360680.360694).
func selectItem(items []item, k, axis int) { selectBy(items, k, axis, 0) }

// selectBy is selectItem for items that are equal in the first agree numbers that precedes
// compares.
func selectBy(items []item, k, axis, agree int) {
	by := 3 // input index
	if agree < 3 {
		by = (axis + agree) % 3
	}
	left, right := 0, len(items)-1
	for right > left {
		if right-left > 600 {
			n, i := float64(right-left+1), float64(k-left+1)
			z := math.Log(n)
			s := 0.5 * math.Exp(2*z/3)
			sd := 0.5 * math.Sqrt(z*s*(n-s)/n)
			if i < n/2 {
				sd = -sd
			}
			lo := max(left, int(float64(k)-i*s/n+sd))
			hi := min(right, int(float64(k)+(n-i)*s/n+sd))
			selectBy(items[lo:hi+1], k-lo, axis, agree)
		}
		first, equal := divide(items[left:right+1], k-left, by)
		switch first += left; {
		case k < first:
			right = first - 1
		case k >= first+equal:
			left = first + equal
		default:
			if equal > 1 {
				selectBy(items[first:first+equal], k-first, axis, agree+1)
			}
			return
		}
	}
}

// pair has the bytes of an item: it is copied in two registers, an array of four through memory.
type pair struct{ a, b uint64 }

// divide moves the items whose number by is less than that of items[k] to the front and those
// with an equal one after them. It returns the index of the first equal one and their number.
// Whether an item is less is hard to predict, so there is no branch on it.
func divide(items []item, k, by int) (first, equal int) {
	by &= 3
	pivot := items[k][by]
	for i := range items {
		from, to, own := (*pair)(unsafe.Pointer(&items[i])), (*pair)(unsafe.Pointer(&items[first])), items[i][by]
		*from, *to = *to, *from
		less, same := 0, 0
		if own < pivot {
			less = 1
		}
		if own == pivot {
			same = 1
		}
		first += less
		equal += same
	}
	for i, at := first, first; at < first+equal; i++ {
		if items[i][by] == pivot {
			items[i], items[at] = items[at], items[i]
			at++
		}
	}
	return first, equal
}
