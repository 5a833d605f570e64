// SPDX-License-Identifier: BSD-3-Clause

// Package paint colours superpoints so that adjacent ones differ, and finds their most frequent
// label.
package paint

import (
	"math/bits"
	"slices"

	"superpoint/partition/base/arrays"
	"superpoint/partition/neighbor"
)

// paletteSize is the number of colours of SuperpointColor.
const paletteSize = 32

// Colors returns one of 32 colours for every superpoint, by greedy colouring in the order of ids:
// one that no adjacent superpoint has, or, if these have all 32, the one they have least.
func Colors(g *neighbor.Graph, component []uint32, count int) []uint8 {
	color := make([]uint8, count)
	pairs := touching(g, component)
	for c, at := 0, 0; c < count; c++ {
		var used [paletteSize]int
		var taken uint32
		for ; at < len(pairs) && pairs[at]>>32 == uint64(c); at++ {
			k := color[uint32(pairs[at])]
			used[k]++
			taken |= 1 << k
		}
		color[c] = pick(uint32(c), taken, used)
	}
	return color
}

// pick returns the first free colour from a start that depends on the superpoint.
func pick(c, taken uint32, used [paletteSize]int) uint8 {
	const golden = 2654435769 // 2³² over the golden ratio: Knuth, TAOCP 3, 6.4
	start := int(c * golden >> 27)
	if taken != 1<<paletteSize-1 {
		return uint8((start + bits.TrailingZeros32(^bits.RotateLeft32(taken, -start))) % paletteSize)
	}
	least := 0
	for k := range used {
		if used[k] < used[least] {
			least = k
		}
	}
	return uint8(least)
}

// touching returns the pairs of adjacent superpoints, each once, as larger<<32 | smaller,
// ascending.
func touching(g *neighbor.Graph, component []uint32) []uint64 {
	var pairs []uint64
	for u := range g.Vertices() {
		last := uint64(0)
		for _, v := range g.Of(u) {
			a, b := component[u], component[v]
			if a == b {
				continue
			}
			pair := uint64(max(a, b))<<32 | uint64(min(a, b))
			if pair != last {
				pairs = append(pairs, pair)
			}
			last = pair
		}
	}
	slices.Sort(pairs)
	return slices.Compact(pairs)
}

// Majority returns the most frequent label of each component, the smallest if several are equally
// frequent, or −1 without labels. Labels below 0 are ignored.
func Majority(label []int32, component []uint32, count int) []int32 {
	members := arrays.GroupBy(component, count)
	winner := make([]int32, count)
	var votes []int32
	for c := range winner {
		votes = votes[:0]
		for _, i := range members.Of(c) {
			if label[i] >= 0 {
				votes = append(votes, label[i])
			}
		}
		winner[c] = arrays.Mode(votes, -1)
	}
	return winner
}
