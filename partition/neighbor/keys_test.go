// SPDX-License-Identifier: BSD-3-Clause

package neighbor

import (
	"math/rand/v2"
	"testing"

	"superpoint/testdata/must"
)

// scattered is a cloud of points in some cells of a spacing of 0.3 m.
func scattered(factor int32) *Ordered {
	random := rand.New(rand.NewPCG(9, 9))
	cloud := &Cloud{Unit: Unit, XYZ: make([][3]int32, 300)}
	for i := range cloud.XYZ {
		for a := range 3 {
			cloud.XYZ[i][a] = factor * int32(random.IntN(80000)-40000)
		}
	}
	return cloud.Ordered(.3 * float64(factor))
}

// TestOrderOfKeys: points with different keys are in the order of the keys, and most points of a cell have
// different keys; also with a point far away. The order is the same if lengths and spacing are multiplied by
// ten.
func TestOrderOfKeys(t *testing.T) {
	cloud, large, wide := scattered(1), scattered(10), scattered(1).Cloud
	wide.XYZ[7] = [3]int32{-1 << 31, 1<<31 - 1, 0}
	far := wide.Ordered(.001)
	equal, places := 0, map[uint64]bool{}
	for u := range uint32(300) {
		places[CellOf(cloud.Key(u))] = true
		must.Need(t, CellOf(cloud.Key(u)) == CellOf(large.Key(u)),
			"point %d is in another cell ten times as large", u)
		for v := range uint32(300) {
			for _, order := range []*Ordered{cloud, far} {
				a, b := order.Key(u), order.Key(v)
				if a != b {
					must.Need(t, order.Precedes(u, v) == (a < b),
						"points %v and %v: order.Precedes(u, v) is not a < b", order.XYZ[u], order.XYZ[v])
				}
				must.Need(t, CellOf(a)>>(2*cellBits) == 0,
					"points %v and %v: CellOf(a)>>(2*cellBits): want 0", order.XYZ[u], order.XYZ[v])
			}
			if u != v && cloud.Key(u) == cloud.Key(v) {
				equal++
			}
			must.Need(t, cloud.Precedes(u, v) == large.Precedes(u, v),
				"points %v and %v are in the other order", cloud.XYZ[u], large.XYZ[v])
		}
	}
	must.Hold(t, equal <= 4, "pairs have the same key: got %v, want at most 4", equal)
	must.Equal(t, len(places), 16, "cells")
}
