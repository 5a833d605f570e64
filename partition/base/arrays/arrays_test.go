// SPDX-License-Identifier: BSD-3-Clause

package arrays

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"runtime"
	"runtime/debug"
	"slices"
	"testing"

	"superpoint/partition/base/parallel"
	"superpoint/testdata/must"
)

func TestResizedReusesMemory(t *testing.T) {
	x := []int{1, 2, 3, 4}
	y := Resized(x, 2)
	must.Need(t, len(y) == 2, "smaller: %v", y)
	must.Hold(t, &y[0] == &x[0], "smaller: other memory")
	must.Equal(t, len(Resized(x, 9)), 9, "length, when larger")
	y = Zeroed(x, 3)
	must.Equal(t, y, []int{0, 0, 0}, "zeroed")
	must.Hold(t, &y[0] == &x[0], "zeroed: other memory")
}

func TestNumber(t *testing.T) {
	id := []uint32{7, 7, 2, 7, 5, 2}
	n := Number(id, 8)
	must.Equal(t, n, 3, "numbers")
	must.Equal(t, id, []uint32{0, 0, 1, 0, 2, 1}, "ids")
	must.Equal(t, Number(nil, 0), 0, "numbers of nothing")
}

func TestValuesAndRank(t *testing.T) {
	values := Values([]int32{5, 5, -1, 3, 5, -1, 9}, func(v int32) bool { return v < 0 })
	must.Need(t, slices.Equal(values, []int32{3, 5, 9}), "values %v", values)
	for v, want := range map[int32]uint32{3: 0, 5: 1, 9: 2, 4: None, -1: None} {
		must.Equal(t, Rank(values, v), want, "rank of %d", v)
	}
}

// TestGroups compares with appended lists, also in reused memory.
func TestGroups(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	var used Groups
	for _, c := range [][2]int{{1000, 7}, {20, 40}, {0, 3}, {5, 0}, {400, 1}} {
		key, want := make([]int32, c[0]), make([][]uint32, c[1])
		for i := range key {
			key[i] = int32(random.IntN(c[1]+2)) - 1 // −1 and count are in no group
			if k := int(key[i]); k >= 0 && k < c[1] {
				want[k] = append(want[k], uint32(i))
			}
		}
		fresh := GroupBy(key, c[1])
		GroupInto(&used, key, c[1])
		for _, g := range []*Groups{&fresh, &used} {
			must.Need(t, g.Len() == c[1], "%d groups, want %d", g.Len(), c[1])
			for k := range want {
				must.Hold(t, slices.Equal(g.Of(k), want[k]), "%v, group %d: %v, want %v", c, k,
					g.Of(k), want[k])
			}
		}
	}
	none := GroupBy([]uint32{None, 1, None}, 2)
	must.Equal(t, none.Of(0), nil, "members of group 0, with None")
	must.Equal(t, none.Of(1), []uint32{1}, "members of group 1, with None")
}

func TestBegin(t *testing.T) {
	size := []uint32{3, 0, 4}
	end := Begin(size)
	must.Equal(t, end, 7, "end")
	must.Equal(t, size, []uint32{0, 3, 3}, "starts")
}

func TestRange(t *testing.T) {
	values := make([]float32, 1000)
	for i := range values {
		values[i] = float32((i * 7) % 1000)
	}
	values[500] = float32(math.NaN())
	low, high := Range(values, 0.01)
	must.Equal(t, [2]float32{low, high}, [2]float32{9, 990}, "range")
	low, high = Range(nil, 0.01)
	must.Equal(t, [2]float32{low, high}, [2]float32{}, "range of nothing")
	many := make([]float32, sample+1) // every second value is sampled
	for i := range many {
		many[i] = float32(i % 2)
	}
	low, high = Range(many, 0.01)
	must.Equal(t, [2]float32{low, high}, [2]float32{}, "range of a sample")
}

func TestMedian(t *testing.T) {
	must.Equal(t, Median([]float64{9, 1, 4, 7}), 7, "median")
	must.Equal(t, Median[float32](nil), 0, "median of nothing")
}

func TestLargest(t *testing.T) {
	nan := float32(math.NaN())
	for _, c := range []struct {
		values []float32
		want   float32
	}{{nil, 0}, {[]float32{1, -3, 2}, 3}, {[]float32{0, 1, 2, 3, 4, -7, 5}, 7},
		{[]float32{0, float32(math.Inf(-1)), 1, 2, 3}, float32(math.Inf(1))},
		{[]float32{1, 2, 3, -nan, 1e38}, nan}} {
		got := Largest(c.values)
		// as texts, because NaN equals nothing
		must.Equal(t, fmt.Sprint(got), fmt.Sprint(c.want), "largest of %v", c.values)
	}
}

// TestLeast compares with slices.Min, in one block and in several.
func TestLeast(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for _, n := range []int{1, 2, 1000, 1<<14 + 1, 100_000} {
		values := make([]float64, n)
		for i := range values {
			values[i] = random.NormFloat64()
		}
		must.Equal(t, Least(parallel.Run{Threads: 2}, values), slices.Min(values), "least of %d values", n)
	}
}

func TestMode(t *testing.T) {
	for _, c := range []struct {
		values []int32
		want   int32
	}{{[]int32{4, 9, 4, 1}, 4}, {[]int32{7, 2, 7, 2, 5}, 2}, {[]int32{6}, 6}, {nil, -1}} {
		must.Equal(t, Mode(slices.Clone(c.values), -1), c.want, "most frequent of %v", c.values)
	}
}

// TestSort compares with a stable sort by comparisons.
func TestSorted(t *testing.T) {
	random := rand.New(rand.NewPCG(3, 4))
	for _, n := range []int{0, 1, 1000, 3*partBlock + 7} {
		for _, mask := range []uint64{0, 7, 0xff00, 0x8000_0000_0000_00ff, math.MaxUint64} {
			want := make([]Keyed, n)
			for i := range want {
				want[i] = Keyed{random.Uint64() & mask, uint32(i)}
			}
			keys := slices.Clone(want)
			slices.SortStableFunc(want, func(a, b Keyed) int { return cmp.Compare(a.Key, b.Key) })
			got := Sorted(parallel.Run{Threads: 3}, n, func(i int) uint64 { return keys[i].Key })
			must.Hold(t, slices.Equal(got, want), "%d keys of bits %x are not in order", n, mask)
		}
	}
}

func TestStarts(t *testing.T) {
	size := slices.Repeat([]uint32{3, 0, 1}, 20_000)
	want := slices.Clone(size)
	end := Begin(want)
	got := Starts(parallel.Run{Threads: 3}, size)
	must.Equal(t, got, end, "end")
	must.Equal(t, size, want, "starts")
}

func TestSelect(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for n := 1; n < 60; n++ {
		values := make([]float32, n)
		for i := range values {
			values[i] = float32(r.IntN(1 + n/2))
		}
		sorted, k := slices.Sorted(slices.Values(values)), r.IntN(n)
		got := kth(values, k)
		must.Need(t, got == sorted[k], "place %d of %v: %v, want %v", k, values, got, sorted[k])
		must.Need(t, values[k] == got, "%v is at place %d, want %v", values[k], k, got)
		must.Need(t, slices.Max(values[:k+1]) == got, "a value up to place %d is above %v: %v",
			k, got, values)
		must.Need(t, slices.Min(values[k:]) == got, "a value from place %d is below %v: %v", k, got, values)
		low, high := Range(values, 0.1)
		must.Need(t, low == sorted[n/10], "range from %v of %v", low, sorted)
		must.Need(t, high == sorted[n-1-n/10], "range to %v of %v", high, sorted)
	}
}

// Collect frees what is not used any more, also if Go's own collections are off, and leaves a little garbage.
func TestCollect(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(-1))
	runtime.GC()
	count := func() uint32 {
		var s runtime.MemStats
		runtime.ReadMemStats(&s)
		return s.NumGC
	}
	before := count()
	runtime.KeepAlive(make([]byte, garbage/4)) // on the heap, as it is large
	Collect()
	must.Hold(t, count() == before, "a collection of little garbage")
	runtime.KeepAlive(make([]byte, garbage))
	Collect()
	must.Hold(t, count() == before+1, "%d collections of %d bytes", count()-before, garbage)
}
