// SPDX-License-Identifier: BSD-3-Clause

package neighbor

import (
	"math"
	"slices"
	"unsafe"

	"superpoint/partition/base/parallel"
)

// precedes is the total order along an axis: by coordinate, then by the other two coordinates in cyclic
// order, then by input index. Claim: it is a strict total order, so points in a given order have one tree,
// whatever sorts them. Reason: items that agree in three coordinates are duplicates, and no two have the same
// input index.
func precedes(p, q *item, axis int) bool {
	// axis&3 is axis; it shows the compiler that the index is below 4, so that it checks no bounds.
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

// sortItems sorts items by precedes. Leaves have few items, which insertion moves with less overhead than
// slices.SortFunc; its loop looks at the coordinate before it calls precedes, which ties alone need.
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

// selectItem moves the item of rank k along the axis to items[k], smaller ones before it and larger ones
// after it (Floyd and Rivest 1975, algorithm 489, doi:10.1145/360680.360694). It reports whether others have
// its place.
//
// Expected comparisons: n + min(k, n − k) and a term of lower order, against about 3.4 n of quickselect for
// the median.
func selectItem(items []item, k, axis int) (duplicates bool) { return selectBy(items, k, axis, 0) }

// selectBy is selectItem for items that are equal in the first agree numbers that precedes compares. It is
// applied to one number at a time: items are divided by the first number in which they may differ, and where
// several equal the middle one, they alone are divided by the next number. This needs no comparison of whole
// items, and finds duplicates: items that agree in all three coordinates (agree = 2 was the last).
func selectBy(items []item, k, axis, agree int) (duplicates bool) {
	by := 3 // input index
	if agree < 3 {
		by = (axis + agree) % 3
	}
	left, right := 0, len(items)-1
	// Invariant: the item of rank k is between left and right; items before left have smaller numbers, and
	// items after right larger ones.
	for right > left {
		if right-left > 600 {
			// Floyd and Rivest take the pivot from about n^(2/3)/2 items around index k, shifted by sd, so
			// that the smaller part after the division very likely has the rank. The constants are from
			// the paper.
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
		// After divide, those with the number of item k are at first to first+equal. Either k is among them,
		// and the search ends in them, or one side is left.
		first, equal := divide(items[left:right+1], by, items[k][by])
		switch first += left; {
		case k < first:
			right = first - 1
		case k >= first+equal:
			left = first + equal
		default:
			return equal > 1 && (selectBy(items[first:first+equal], k-first, axis, agree+1) || agree == 2)
		}
	}
	return false
}

const (
	pivots = 1 << 10 // items among which a pivot is chosen
	large  = 1 << 15 // items from which on the range of a selection is narrowed
)

// selectItem is the function selectItem, faster for many items. It first narrows the range of the item: it
// divides the items at coordinates of a sample, the first a little above the rank, the second a little below
// it. All items with the coordinate of the item stay in its range, which may have no others. Reason: the
// algorithm of Floyd and Rivest writes most items several times while they are in no cache. Two passes of
// partition read each item once and leave a range of some per cent, which a cache holds. If a sample
// misleads, the range is only larger: the result is the same, since it does not depend on how the item is
// found.
func (s *splitter) selectItem(items []item, k, axis int) (duplicates bool) {
	// A round from above and one from below leave the range between two close coordinates. Eight rounds bound
	// the time where many items have one coordinate, so that no limit divides them.
	for round := 0; len(items) > large && round < 8; round++ {
		if first := s.partition(items, axis, nearRank(items, k, axis, round%2 == 0)); k < first {
			items = items[:first]
		} else {
			items, k = items[first:], k-first
		}
	}
	return selectItem(items, k, axis)
}

// nearRank returns the coordinate of an item of a rank along the axis that is very likely above k, or below
// it, by a few per cent. The rank of the item in a sample of pivots items is binomial with the deviation
// √(rank (1 − rank/pivots)); 2.5 deviations and one rank are added, so that it is missed about once in a
// hundred times.
func nearRank(items []item, k, axis int, above bool) int32 {
	sample := make([]int32, pivots)
	for i := range sample {
		sample[i] = items[i*len(items)/pivots][axis]
	}
	slices.Sort(sample)
	rank := float64(k) / float64(len(items)) * pivots
	margin := 1 + 2.5*math.Sqrt(rank*(1-rank/pivots))
	if !above {
		margin = -margin
	}
	return sample[min(max(int(rank+margin), 1), pivots-1)]
}

// partition moves the items whose coordinate is less than a limit to the front and returns their number.
// Workers do so each within blocks, and then exchange those that are on the wrong sides.
func (s *splitter) partition(items []item, axis int, limit int32) (front int) {
	if s.run == nil {
		return partition(items, axis, limit)
	}
	n := len(items)
	// Blocks depend on the number of workers, and so does the order of items within the two sides; the tree
	// does not, because both sides are divided again by a total order.
	size := s.share(len(items))
	fronts := parallel.Map(*s.run, n, size, func(lo, hi int) int {
		return lo + partition(items[lo:hi], axis, limit)
	})
	for b, end := range fronts {
		front += end - b*size
	}
	type span struct{ from, to int }
	var late, early []span // items after front that belong before it, and items before it that do not
	for b, end := range fronts {
		lo, hi := b*size, min(n, (b+1)*size)
		if from := max(lo, front); from < end {
			late = append(late, span{from, end})
		}
		if to := min(hi, front); end < to {
			early = append(early, span{end, to})
		}
	}
	// There are as many items too late as too early, because front counts all that belong before it. So
	// pairing spans from the left uses both lists up together, and each pair can be exchanged by another
	// worker.
	var swaps [][2]span
	// Invariant: late and early have as many items; their first spans may be used in part.
	for len(late) > 0 {
		a, b := &late[0], &early[0]
		m := min(a.to-a.from, b.to-b.from)
		swaps = append(swaps, [2]span{{a.from, a.from + m}, {b.from, b.from + m}})
		if a.from += m; a.from == a.to {
			late = late[1:]
		}
		if b.from += m; b.from == b.to {
			early = early[1:]
		}
	}
	s.run.Each(len(swaps), 1, func(i int) {
		a, b := items[swaps[i][0].from:swaps[i][0].to], items[swaps[i][1].from:swaps[i][1].to]
		for k := range a {
			a[k], b[k] = b[k], a[k]
		}
	})
	return front
}

// share returns the number of items of a block of a pass that workers share.
//
// Four blocks a worker level out their speeds; with fewer items than 4,096 a block is not worth a task.
func (s *splitter) share(n int) int { return max(1<<12, (n-1)/(4*s.run.Workers())+1) }

// boundingBox returns the tight box of items.
func (s *splitter) boundingBox(items []item) node {
	if s.run == nil {
		return boundingBox(items)
	}
	boxes := parallel.Map(*s.run, len(items), s.share(len(items)), func(lo, hi int) node {
		return boundingBox(items[lo:hi])
	})
	box := boxes[0]
	for _, b := range boxes {
		for a := range b.lo {
			box.lo[a], box.hi[a] = min(box.lo[a], b.lo[a]), max(box.hi[a], b.hi[a])
		}
	}
	return box
}

// chunk is the number of items of which partition lists those on the wrong side.
const chunk = 128

// partition moves the items whose coordinate is less than a limit to the front and returns their number. As
// BlockQuicksort (Edelkamp and Weiß 2016, doi:10.4230/LIPIcs.ESA.2016.38), it lists the items of a chunk at
// each end that are on the wrong side, without a branch, and swaps them in pairs. It reads each item once and
// writes only those that move: with millions of items, which are in no cache, that is half of what divide
// does.
func partition(items []item, axis int, limit int32) (front int) {
	axis &= 3
	var left, right wrongSide
	lo, hi := 0, len(items)
	// Invariant: items before lo are less than the limit, those from hi on are not; the lists have the items
	// of the chunks at lo and before hi that are still on the wrong side. A chunk without any is done.
	for hi-lo >= 2*chunk {
		if left.none() {
			left.listLarge(items[lo:lo+chunk], axis, limit)
		}
		if right.none() {
			right.listSmall(items[hi-chunk:hi], axis, limit)
		}
		swapListed(items[lo:lo+chunk], items[hi-chunk:hi], &left, &right)
		if left.none() {
			lo += chunk
		}
		if right.none() {
			hi -= chunk
		}
	}
	rest, _ := divide(items[lo:hi], axis, limit)
	return lo + rest
}

// wrongSide lists the items of a chunk that are to be on the other side: those with indices at[from:to].
type wrongSide struct {
	at       [chunk]uint8
	from, to int
}

func (w *wrongSide) none() bool { return w.from == w.to }

// Each index is written and n advanced only if the item is to move, without a branch, which would be
// mispredicted for half of the items. n&(chunk-1) is n: after 127 items n is at most 127, and the mask shows
// that the index is in range.
func (w *wrongSide) listLarge(items []item, axis int, limit int32) {
	n := 0
	for i := range items {
		w.at[n&(chunk-1)] = uint8(i)
		wrong := 0
		if items[i][axis&3] >= limit {
			wrong = 1
		}
		n += wrong
	}
	w.from, w.to = 0, n
}

// It is listLarge for the other side. The two loops are separate, since a parameter would be a branch within.
func (w *wrongSide) listSmall(items []item, axis int, limit int32) {
	n := 0
	for i := range items {
		w.at[n&(chunk-1)] = uint8(i)
		wrong := 0
		if items[i][axis&3] < limit {
			wrong = 1
		}
		n += wrong
	}
	w.from, w.to = 0, n
}

// swapListed swaps items of two lists, as many as the shorter one has.
//
// Both lists are used from the front, so the longer one keeps its rest for the next chunk of the other side.
func swapListed(left, right []item, l, r *wrongSide) {
	n := min(l.to-l.from, r.to-r.from)
	for k := range n {
		a := (*pair)(unsafe.Pointer(&left[l.at[l.from+k]]))
		b := (*pair)(unsafe.Pointer(&right[r.at[r.from+k]]))
		*a, *b = *b, *a
	}
	l.from += n
	r.from += n
}

// pair has the bytes of an item: it is copied in two registers, an array of four through memory.
type pair struct{ a, b uint64 }

// divide moves the items whose number by is less than a pivot to the front and those with an equal one after
// them. It returns the index of the first equal one and their number. Whether an item is less is hard to
// predict, so there is no branch on it.
func divide(items []item, by int, pivot int32) (first, equal int) {
	by &= 3
	for i := range items {
		from := (*pair)(unsafe.Pointer(&items[i]))
		to := (*pair)(unsafe.Pointer(&items[first]))
		own := items[i][by]
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
	// From first on there is no smaller number: only equal ones have to be found, and the loop ends with the
	// last of them.
	for i, at := first, first; at < first+equal; i++ {
		if items[i][by] == pivot {
			items[i], items[at] = items[at], items[i]
			at++
		}
	}
	return first, equal
}
