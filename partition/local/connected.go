// SPDX-License-Identifier: BSD-3-Clause

package local

import (
	"slices"

	"superpoint/partition/problem/reduced"
)

// neighborhood has the components adjacent to a vertex, and scratch memory of staysConnected.
type neighborhood struct {
	reduced.Adjacent
	same  []uint32
	group []uint32
}

// staysConnected reports whether the neighbours of u in its component are connected by edges
// among themselves: then the component remains connected without u. Each of these edges is in
// the row of one of them.
func (r *refiner) staysConnected(u uint32, near *neighborhood) bool {
	near.same, near.group = near.same[:0], near.group[:0]
	r.neighbors(u, func(v uint32, _ float32) {
		if r.label[v] == r.label[u] {
			near.group = append(near.group, uint32(len(near.same)))
			near.same = append(near.same, v)
		}
	})
	g, same, group := r.graph, near.same, near.group
	groups := len(same)
	for i, v := range same {
		if groups < 2 {
			break
		}
		for _, w := range g.Head[g.Start[v]:g.End[v]] {
			if j := slices.Index(same, w); j >= 0 && group[i] != group[j] {
				rename(group, group[j], group[i])
				groups--
			}
		}
	}
	return groups < 2
}

// rename replaces a number by another.
func rename(all []uint32, from, to uint32) {
	for i, x := range all {
		if x == from {
			all[i] = to
		}
	}
}
