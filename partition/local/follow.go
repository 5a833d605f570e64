// SPDX-License-Identifier: BSD-3-Clause

package local

import (
	"cmp"
	"slices"
	"sync/atomic"

	"superpoint/partition/base/arrays"
	"superpoint/partition/base/parallel"
	"superpoint/partition/problem/reduced"
)

// follow merges components with the pair of which they chose one, in descending order of
// gain, if the merge still lowers the energy and the union has at most most points. With it
// a round halves the number of components; without it, it removes a quarter.
func (m *merger) follow(run parallel.Run, most float32) error {
	n := m.graph.Vertices()
	m.last, m.next = arrays.Resized(m.last, len(m.union.Size)), arrays.Resized(m.next, n)
	for u := range m.last {
		m.last[u] = reduced.None
	}
	choice := m.choice.Neighbor
	if err := run.For(n, block, func(lo, hi int) {
		for u := uint32(lo); u < uint32(hi); u++ {
			v := choice[u]
			if v == reduced.None || choice[v] == u || choice[choice[v]] != v {
				continue
			}
			m.next[u] = atomic.SwapUint32(&m.last[m.row[m.root[v]]], u)
		}
	}); err != nil {
		return err
	}
	return run.For(n, block, func(lo, hi int) {
		var list []uint32
		for r := uint32(lo); r < uint32(hi); r++ {
			if choice[r] == reduced.None || choice[choice[r]] != r || choice[r] < r {
				continue // not the root of a pair
			}
			list = list[:0]
			for u := m.last[m.row[r]]; u != reduced.None; u = m.next[u] {
				list = append(list, u)
			}
			if len(list) > 0 {
				m.accept(r, list, most)
			}
		}
	})
}

// accept merges the followers of pair r, which are in list, with the pair.
func (m *merger) accept(r uint32, list []uint32, most float32) {
	g, gain := m.graph, m.choice.Gain
	slices.SortFunc(list, func(u, v uint32) int {
		switch {
		case gain[u] != gain[v]:
			return cmp.Compare(gain[v], gain[u])
		case g.Precedes(u, v):
			return -1
		}
		return 1
	})
	row, pair := m.row[r], [2]uint32{r, m.choice.Neighbor[r]}
	least, joined := r, list[:0]
	for _, u := range list {
		v := m.choice.Neighbor[u]
		a, b := g.Size[u], g.Size[v]
		weight := gain[u]*(a*b/(a+b)) + g.Loss(u, v)
		if m.union.Size[row]+a > most || weight-m.union.LossOf(row, &g.Components, u) <= 0 {
			continue
		}
		m.union.Unite(row, &g.Components, u)
		joined, least = append(joined, u), min(least, u)
	}
	for _, u := range append(joined, pair[:]...) {
		m.root[u] = least
	}
	m.row[r], m.row[least] = reduced.None, row
}
