// SPDX-License-Identifier: BSD-3-Clause

package local

import (
	"math/rand/v2"
	"testing"

	"superpoint/partition/base/parallel"
	"superpoint/partition/problem/reduced"
	"superpoint/testdata/must"
)

// TestStrictComponents: which components are strict, and their top candidates, are those of the definition,
// for any order and blocks of candidates: a component is strict if all candidates that leave it would take it
// below the smallest size, or if one of those that leave or enter it has more than 1/heavy of its size.
func TestStrictComponents(t *testing.T) {
	const vertices, components = 40, 5
	random := rand.New(rand.NewPCG(5, 1))
	atTheLimit := 0 // components that become as small as they may
	for range 500 {
		r := &refiner{graph: &reduced.Graph{}}
		r.least = 1 + random.IntN(20)
		r.size = make([]int64, components)
		r.leaving = make([]int64, components)
		r.strict = make([]uint32, components)
		r.top = make([]uint32, components)
		r.candidates = make([][]uint32, 3)
		var left, heaviest [components]int64
		var first [components]int // top candidate and 1, 0 without one
		for u := range vertices {
			n := int64(1 + random.IntN(3))
			from := random.IntN(components)
			to := (from + 1 + random.IntN(components-1)) % components
			r.graph.Size = append(r.graph.Size, float32(n))
			r.label = append(r.label, uint32(from))
			r.to = append(r.to, uint32(to))
			r.fall = append(r.fall, float32(random.IntN(4)))
			r.size[from] += n
			if random.IntN(3) > 0 {
				continue
			}
			block := random.IntN(len(r.candidates))
			r.candidates[block] = append(r.candidates[block], uint32(u))
			left[from] += n
			for _, c := range []int{from, to} {
				heaviest[c] = max(heaviest[c], n)
				if first[c] == 0 || r.fall[u] > r.fall[first[c]-1] {
					first[c] = u + 1
				}
			}
		}
		for _, block := range r.candidates {
			random.Shuffle(len(block), func(i, k int) { block[i], block[k] = block[k], block[i] })
		}
		r.findTop(parallel.Run{Threads: 2})
		for c, size := range r.size {
			isLight := heaviest[c]*heavy <= size
			if isLight && left[c] > 0 && size-left[c] == int64(r.least) {
				atTheLimit++
			}
			becomesSmall := left[c] > 0 && size-left[c] < int64(r.least)
			must.Equal(t, r.strict[c] == 1, becomesSmall || !isLight, "component of %d is strict, %d leave",
				size, left[c])
			must.Equal(t, r.top[c], uint32(first[c])-1, "top candidate")
		}
	}
	must.Hold(t, atTheLimit >= 10, "%d components become as small as they may", atTheLimit)
}
