// SPDX-License-Identifier: BSD-3-Clause

package local

import (
	"cmp"
	"slices"
	"sync/atomic"

	"superpoint/partition/base/parallel"
	"superpoint/partition/problem/reduced"
)

// follow merges components with the pair of which they chose one, in descending order of
// gain, if the merge still lowers the energy and the union has at most most points. With it
// a round halves the number of components; without it, it removes a quarter.
func (m *merger) follow(run parallel.Run, most float32) {
	n := m.Graph.Vertices()
	block := parallel.Block(n)
	run.Do(n, block, func(lo, hi int) {
		for u := uint32(lo); u < uint32(hi); u++ {
			if r, v := m.pairOf(u); v != reduced.None && u != r && u != v {
				m.next[u] = atomic.SwapUint32(&m.last[r], u)
			}
		}
	})
	run.Do(n, block, func(lo, hi int) {
		var list []uint32
		union := m.Graph.New(1)
		for r := uint32(lo); r < uint32(hi); r++ {
			list = list[:0]
			for u := m.last[r]; u != reduced.None; u = m.next[u] {
				list = append(list, u)
			}
			if len(list) > 0 {
				m.accept(r, list, most, &union)
			}
		}
	})
}

// pairOf returns the pair in which u is or of which it chose one, the smaller vertex first; None if there is none.
func (m *merger) pairOf(u uint32) (r, v uint32) {
	choice := m.Choice.Neighbor
	if v = choice[u]; v != reduced.None {
		if w := choice[v]; w != reduced.None && choice[w] == v {
			return min(v, w), max(v, w)
		}
	}
	return reduced.None, reduced.None
}

// accept merges the followers of pair r, which are in list, with the pair. Those it merges are then in the
// linked list of r, in this order. union is scratch memory.
func (m *merger) accept(r uint32, list []uint32, most float32, union *reduced.Components) {
	g, gain := m.Graph, m.Choice.Gain
	slices.SortFunc(list, func(u, v uint32) int {
		switch {
		case gain[u] != gain[v]:
			return cmp.Compare(gain[v], gain[u])
		case g.Precedes(u, v):
			return -1
		}
		return 1
	})
	other := m.Choice.Neighbor[r]
	union.Copy(0, &g.Components, r)
	union.Unite(0, &g.Components, other)
	least, end := r, &m.last[r]
	for _, u := range list {
		v := m.Choice.Neighbor[u]
		a, b := g.Size[u], g.Size[v]
		weight := gain[u]*(a*b/(a+b)) + g.Loss(u, v)
		if union.Size[0]+a > most || weight-union.LossOf(0, &g.Components, u) <= 0 {
			continue
		}
		union.Unite(0, &g.Components, u)
		least = min(least, u)
		*end, end = u, &m.next[u]
	}
	*end = reduced.None
	m.Root[r], m.Root[other] = least, least
	for u := m.last[r]; u != reduced.None; u = m.next[u] {
		m.Root[u] = least
	}
}
