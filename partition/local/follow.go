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
//
// Claim: the result does not depend on the number of workers. Reason: the linked list of a pair has its
// followers in an arbitrary order, in which workers came; accept sorts them by gain and then by the order of
// vertices, which is total. A pair reads and writes only its own list and roots, so that pairs are
// independent of each other.
func (m *merger) follow(run parallel.Run, most float32) {
	n := m.Graph.Vertices()
	block := parallel.Block(n)
	run.Do(n, block, m.listFollowers)
	run.Do(n, block, func(lo, hi int) {
		var followers []uint32
		union := m.Graph.New(1)
		for r := uint32(lo); r < uint32(hi); r++ {
			followers = followers[:0]
			for u := m.last[r]; u != reduced.None; u = m.next[u] {
				followers = append(followers, u)
			}
			if len(followers) > 0 {
				m.accept(r, followers, most, &union)
			}
		}
	})
}

// listFollowers adds the vertices from lo to hi−1 that follow a pair to its list, which other workers add to.
func (m *merger) listFollowers(lo, hi int) {
	for u := uint32(lo); u < uint32(hi); u++ {
		r, v := m.pairOf(u)
		isPaired := v == reduced.None || u == r || u == v
		if !isPaired {
			m.next[u] = atomic.SwapUint32(&m.last[r], u)
		}
	}
}

// pairOf returns the pair in which u is or of which it chose one, the smaller vertex first; None if there is
// none.
//
// A vertex is in one pair at most, because it has one choice; and it follows one pair at most, for the same
// reason.
func (m *merger) pairOf(u uint32) (r, v uint32) {
	choice := m.Choice.Neighbor
	if v = choice[u]; v != reduced.None {
		if w := choice[v]; w != reduced.None && choice[w] == v {
			return min(v, w), max(v, w)
		}
	}
	return reduced.None, reduced.None
}

// accept merges the followers of pair r, which are in list, with the pair. The followers that it merges
// are then in the linked list of r, in this order. union is scratch memory.
//
// The gain of a follower was computed for a merge with the one vertex v that it chose. Its merge with the
// union of the pair and of the followers before it loses another amount of fidelity, but saves at least the
// same weight: the edge to v becomes an edge inside the union. So the weight is recovered from the gain, the
// loss with the union is subtracted, and the follower joins only if that is still above 0. Edges from u to
// others of the union would save more; they are ignored, so that accept reads nothing but sizes and means.
//
// The formula for the weight. With n_A and n_B original vertices, the gain of a merge is (BestOn)
//
//	gain = (weight − loss) / (n_A n_B/(n_A+n_B))
//	loss = n_A n_B/(n_A+n_B) ‖mean_A − mean_B‖²
//
// so weight = gain · n_A n_B/(n_A+n_B) + loss. The loss follows Ward (1963,
// doi:10.1080/01621459.1963.10500845): the increase of the sum of squared distances to the means.
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
	// end is where the index of the next accepted follower is written: the list is rewritten in the order of
	// acceptance while its old order is in list. The root is the least vertex of all, since a forest points
	// to smaller vertices (reduced.Number).
	least, end := r, &m.last[r]
	for _, u := range list {
		v := m.Choice.Neighbor[u]
		a := g.Size[u]
		b := g.Size[v]
		weight := gain[u]*(a*b/(a+b)) + g.Loss(u, v) // gains are divided by a b/(a+b), see BestOn
		tooLarge := union.Size[0]+a > most
		if tooLarge || weight-union.LossOf(0, &g.Components, u) <= 0 {
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
