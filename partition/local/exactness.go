// SPDX-License-Identifier: BSD-3-Clause

package local

import (
	"slices"

	"superpoint/partition/problem/reduced"
)

// exactUnions returns a flag for every vertex: whether it is in the same union after a round
// as in the full cloud. right has the vertices that were exact before the round.
//
// Claim: it is if its choice is exact and, unless it has none, the choices of all neighbours
// of the chosen vertex v and of the choice of v are exact. Reason: a choice is exact if the
// vertex and its neighbours are (chosen). v and its choice may be a pair; which followers a
// pair accepts depends on the choices of both and of all their neighbours (taken).
func exactUnions(g *reduced.Graph, choice []uint32, right []bool) []bool {
	chosen := withNeighbors(g, right)
	taken := withNeighbors(g, chosen)
	same := make([]bool, len(right))
	for u := range same {
		// choice[v] is not None: what allows u to merge with v allows v to merge with u, so v has a choice,
		// if not u.
		v := choice[u]
		same[u] = chosen[u] && (v == reduced.None || taken[v] && taken[choice[v]])
	}
	return same
}

// withNeighbors returns a flag for every vertex: whether it and all its neighbours have flag.
//
// The rows of a graph have each edge once, so one pass over them reaches both ends. Applied r times it
// gives the vertices whose surroundings within r edges all have the flag: this is how the proofs of
// README.md, which count edges, become code.
func withNeighbors(g *reduced.Graph, flag []bool) []bool {
	all := append([]bool(nil), flag...)
	for u := range uint32(len(flag)) {
		for _, v := range g.Head[g.Start[u]:g.End[u]] {
			all[u] = all[u] && flag[v]
			all[v] = all[v] && flag[u]
		}
	}
	return all
}

// ofUnions returns a flag for every union: whether all its vertices have flag.
func ofUnions(flag []bool, label []uint32, count int) []bool {
	all := slices.Repeat([]bool{true}, count)
	for u, c := range label {
		all[c] = all[c] && flag[u]
	}
	return all
}
