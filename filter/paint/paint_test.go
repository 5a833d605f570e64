// SPDX-License-Identifier: BSD-3-Clause

package paint

import (
	"slices"
	"testing"

	"superpoint/partition/base/arrays"
	"superpoint/partition/neighbor"
	"superpoint/testdata/must"
)

func TestColorsOfSmallGraphs(t *testing.T) {
	// a complete graph of 40 superpoints has no proper colouring with 32
	var edges [][2]uint32
	for a := range uint32(40) {
		for b := range a {
			edges = append(edges, [2]uint32{a, b})
		}
	}
	g := must.Get(neighbor.FromEdges(40, edges))(t)
	component := arrays.Indices[uint32](40)
	color := Colors(g, component, 40)
	first := slices.Clone(color[:32])
	slices.Sort(first)
	must.Hold(t, len(slices.Compact(first)) == 32, "the first 32 share colours: %v", color)
	must.Equal(t, len(touching(g, component)), 40*39/2, "pairs that touch")
}

func TestMajority(t *testing.T) {
	label := []int32{3, 3, 5, -1, -1, 7, 6, 6, 7, 0, 0, 4}
	component := []uint32{0, 0, 0, 0, 1, 2, 2, 2, 2, 4, 4, 4}
	must.Equal(t, Majority(label, component, 5), []int32{3, -1, 6, -1, 0}, "majority")
}
