// SPDX-License-Identifier: BSD-3-Clause

// Package arrays has small operations on slices that many packages need: reuse of
// memory and its collection, dense numbering, items by group, sorting, and ranges of values
// without their tails. Results depend on the arguments only.
package arrays

import (
	"cmp"
	"math"
	"runtime"
	"runtime/metrics"
	"slices"

	"superpoint/partition/base/parallel"
)

// sample is the maximum number of values from which a range is computed.
const sample = 1 << 18

// Range returns the range of values without the share tail at each end, from at
// most 2¹⁸ of them, evenly spread in their order; NaN is ignored. It returns 0 and 0
// if there are no values.
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

// Largest returns the largest magnitude, 0 if there are no values, NaN if one of them is NaN.
func Largest(values []float32) float32 {
	const sign = 1 << 31
	var a, b, c, d uint32 // bits without the sign are in the order of magnitudes, NaN last
	for ; len(values) >= 4; values = values[4:] {
		a = max(a, math.Float32bits(values[0])&^sign)
		b = max(b, math.Float32bits(values[1])&^sign)
		c = max(c, math.Float32bits(values[2])&^sign)
		d = max(d, math.Float32bits(values[3])&^sign)
	}
	for _, v := range values {
		a = max(a, math.Float32bits(v)&^sign)
	}
	return math.Float32frombits(max(a, b, c, d))
}

// Least returns the smallest of values without NaN; there must be one. If it is cancelled, it ends the
// computation of the caller, see parallel.Catch.
func Least(run parallel.Run, values []float64) float64 {
	const block = 1 << 14
	return leastOf(parallel.Map(run, len(values), block, func(lo, hi int) float64 {
		return leastOf(values[lo:hi])
	}))
}

// leastOf is slices.Min in half of its time: it does not look for NaN and for the sign of 0.
func leastOf(values []float64) float64 {
	least := values[0]
	for _, v := range values {
		if v < least {
			least = v
		}
	}
	return least
}

// kth returns the value of rank k and moves it to index k, smaller ones before it and
// larger ones after it (quickselect, Hoare 1961, doi:10.1145/366622.366647). values must
// not have NaN.
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

// Median returns the middle value, the upper of two; 0 if there are none. It changes the order of
// values, which must not have NaN.
func Median[T ~float32 | ~float64](values []T) T {
	if len(values) == 0 {
		return 0
	}
	return kth(values, len(values)/2)
}

// Mode sorts values and returns the most frequent one, the smallest if several are; none if
// there are no values.
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

// Groups lists the items of every group: group k has the items
// Item[Start[k]:Start[k+1]], ascending.
type Groups struct {
	Start []uint32 // groups + 1
	Item  []uint32
}

// GroupBy groups the items 0, 1, … by their keys, 0 to count−1; an item with another
// key is in no group. Memory: 4 bytes an item and 4 a group.
func GroupBy[K ~int32 | ~uint32](key []K, count int) Groups {
	var g Groups
	GroupInto(&g, key, count)
	return g
}

// GroupInto is GroupBy into the memory of g.
func GroupInto[K ~int32 | ~uint32](g *Groups, key []K, count int) {
	start := Zeroed(g.Start, count+2)
	next := start[1:] // filling a group moves its start into place
	size := start[2:]
	for _, k := range key {
		if uint32(k) < uint32(count) {
			size[k]++
		}
	}
	for k := range size {
		start[k+2] += start[k+1]
	}
	g.Item = Resized(g.Item, int(start[count+1]))
	for i, k := range key {
		if uint32(k) < uint32(count) {
			g.Item[next[k]] = uint32(i)
			next[k]++
		}
	}
	g.Start = start[:count+1]
}

// Len returns the number of groups.
func (g *Groups) Len() int { return len(g.Start) - 1 }

// Of returns the items of a group.
func (g *Groups) Of(k int) []uint32 { return g.Item[g.Start[k]:g.Start[k+1]] }

// Begin replaces the sizes of consecutive groups by their offsets (exclusive prefix sums),
// and returns the end of the last.
func Begin(size []uint32) (end uint32) {
	for k, n := range size {
		size[k] = end
		end += n
	}
	return end
}

// Starts is Begin by several workers. If it is cancelled, it ends the computation of the caller, see
// parallel.Catch.
func Starts(run parallel.Run, size []uint32) (end uint32) {
	const block = 1 << 14
	begin := parallel.Map(run, len(size), block, func(lo, hi int) (sum uint32) {
		for _, n := range size[lo:hi] {
			sum += n
		}
		return sum
	})
	end = Begin(begin)
	run.Do(len(size), block, func(lo, hi int) {
		next := begin[lo/block]
		for k, n := range size[lo:hi] {
			size[lo+k] = next
			next += n
		}
	})
	return end
}

// Keyed is a sort key and the index of its item.
type Keyed struct {
	Key uint64
	Of  uint32
}

const (
	parts     = 64      // of keys that are sorted at a time
	partBlock = 1 << 12 // items of one task; so many are sorted as one part
	drawn     = 16      // keys of a sample per part
)

// Sorted returns the numbers 0 to n−1 with their keys, by key and then ascending. They are divided into parts
// by a sample of the keys, and workers sort one part each. If it is cancelled, it ends the computation of the
// caller, see parallel.Catch.
func Sorted(run parallel.Run, n int, key func(i int) uint64) []Keyed {
	items := make([]Keyed, n)
	spare := make([]Keyed, n)
	run.Each(n, partBlock, func(i int) { items[i] = Keyed{key(i), uint32(i)} })
	if n <= partBlock {
		sortKeyed(items, spare)
		return items
	}
	sample := make([]uint64, parts*drawn)
	least := [parts]uint64{} // least[p]: keys of part p are not below it
	for k := range sample {
		sample[k] = items[k*n/len(sample)].Key
	}
	slices.Sort(sample)
	for p := 1; p < parts; p++ {
		least[p] = sample[p*drawn]
	}
	part := func(key uint64) (p int) {
		for step := parts / 2; step > 0; step /= 2 {
			if key >= least[p+step] {
				p += step
			}
		}
		return p
	}
	place := parallel.Map(run, n, partBlock, func(lo, hi int) (count [parts]uint32) {
		for _, i := range items[lo:hi] {
			count[part(i.Key)]++
		}
		return count
	})
	var end [parts]uint32
	next := uint32(0)
	for p := range parts {
		for b := range place {
			place[b][p], next = next, next+place[b][p]
		}
		end[p] = next
	}
	run.Do(n, partBlock, func(lo, hi int) {
		at := &place[lo/partBlock]
		for _, i := range items[lo:hi] {
			p := part(i.Key)
			spare[at[p]] = i
			at[p]++
		}
	})
	run.Each(parts, 1, func(p int) {
		begin := uint32(0)
		if p > 0 {
			begin = end[p-1]
		}
		sortKeyed(spare[begin:end[p]], items[begin:end[p]])
	})
	return spare
}

// sortKeyed is a stable radix sort by bytes; it skips bytes in which all keys are equal. spare is
// scratch memory.
func sortKeyed(items, spare []Keyed) {
	var differ uint64
	for _, i := range items {
		differ |= i.Key ^ items[0].Key
	}
	from, to := items, spare
	for shift := 0; shift < 64; shift += 8 {
		if differ>>shift&0xff == 0 {
			continue
		}
		var place [256]uint32
		for _, i := range from {
			place[byte(i.Key>>shift)]++
		}
		Begin(place[:])
		for _, i := range from {
			b := byte(i.Key >> shift)
			to[place[b]] = i
			place[b]++
		}
		from, to = to, from
	}
	copy(items, from)
}

// None is the index or id that means none.
const None = math.MaxUint32

// Number renumbers ids densely from 0, in the order of their first item, in place, and
// returns their number. Ids must be below limit.
func Number(id []uint32, limit int) int {
	number := slices.Repeat([]uint32{None}, limit)
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

// Values returns the distinct values of x, ascending, without the values for which omit
// is true; nil omits none.
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

// Rank returns the index of v in ascending values, or None.
func Rank[T ~int32 | ~uint32](values []T, v T) uint32 {
	if at, found := slices.BinarySearch(values, v); found {
		return uint32(at)
	}
	return None
}

// garbage is how much must have been allocated since the last collection to make one worthwhile, in bytes.
const garbage = 8 << 20

// Collect collects garbage if there may be much. It is called where large arrays end: package
// memory of the filter turns off the collections that Go makes as the heap grows.
func Collect() {
	s := []metrics.Sample{{Name: "/memory/classes/heap/objects:bytes"}, {Name: "/gc/heap/live:bytes"}}
	metrics.Read(s)
	if s[0].Value.Uint64() >= s[1].Value.Uint64()+garbage {
		runtime.GC()
	}
}

// Indices returns the numbers 0 to n−1.
func Indices[T ~int | ~int32 | ~uint32](n int) []T {
	all := make([]T, n)
	for i := range all {
		all[i] = T(i)
	}
	return all
}

// Resized returns a slice of n items with arbitrary content, in the memory of x if that
// is large enough.
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

// Gather returns the elements at the given indices.
func Gather[T any, I int | int32 | uint32](from []T, at []I) []T {
	to := make([]T, len(at))
	for i, k := range at {
		to[i] = from[k]
	}
	return to
}
