package neighbor

import (
	"math"
	"slices"
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

// selectItem brings the item of rank k along the axis to items[k], smaller ones
// before it and larger ones after it (Floyd and Rivest 1975, algorithm 489,
// doi:10.1145/360680.360694).
func selectItem(items []item, k, axis int) {
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
			selectItem(items[lo:hi+1], k-lo, axis)
		}
		i, j := divide(items, left, right, k, axis)
		if j < k {
			left = i
		}
		if k < i {
			right = j
		}
	}
}

// divide partitions items[left:right+1] about the item at k. Afterwards items
// up to j do not follow the pivot, items from i on do not precede it, and i > j.
func divide(items []item, left, right, k, axis int) (i, j int) {
	pivot := items[k]
	key := pivot[axis&3]
	i, j = left, right
	for i <= j {
		for items[i][axis&3] < key || items[i][axis&3] == key && precedes(&items[i], &pivot, axis) {
			i++
		}
		for items[j][axis&3] > key || items[j][axis&3] == key && precedes(&pivot, &items[j], axis) {
			j--
		}
		if i <= j {
			items[i], items[j] = items[j], items[i]
			i++
			j--
		}
	}
	return i, j
}
