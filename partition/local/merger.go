// SPDX-License-Identifier: BSD-3-Clause

package local

import (
	"superpoint/partition/base/arrays"
	"superpoint/partition/base/parallel"
	"superpoint/partition/problem/reduced"
)

// merger merges components that choose each other, round by round.
//
// Claim: a round finds the merges that a greedy algorithm would make first, and many others at the same time,
// and each of them can be decided from its surroundings alone. Reason: the edge of the greatest gain of all
// is chosen by both of its ends, so it is always among the pairs; and so is every edge whose gain is above
// the gains of all edges that share an end with it. This depends on these edges only, so no queue over all
// edges is needed, in which a change far away would move an edge up or down.
//
// Such edges are called locally dominant by Preis (1999, doi:10.1007/3-540-49116-3_24), whose matching has
// at least half of the greatest weight; Manne and Bisseling (2008, doi:10.1007/978-3-540-68111-3_74) find
// them in parallel. In clustering they are the reciprocal nearest neighbors of Murtagh (1983,
// doi:10.1093/comjnl/26.4.354). Followers (follow.go) are added, because pairs alone leave three quarters of
// the components.
type merger struct {
	reduced.Merger
	lean bool     // releases memory as early as possible
	last []uint32 // the last of the linked list of the followers of a pair, by its smaller vertex
	next []uint32 // the one before each of a list
}

func newMerger(g *reduced.Graph) *merger {
	return &merger{Merger: reduced.Merger{Graph: g, Contractor: reduced.Contractor{Exact: true}}}
}

// pair sets the root of every vertex: the smaller one of a pair. There is a pair wherever the graph has an
// edge whose merge lowers the energy: the edge with the largest gain of all, with its tie-break, is the
// choice of both its ends. So a round without pairs is the last.
func (m *merger) pair(run parallel.Run) {
	choice := m.Choice.Neighbor
	n := len(choice)
	m.Root = arrays.Resized(m.Root, n)
	m.last = arrays.Resized(m.last, n)
	m.next = arrays.Resized(m.next, n)
	run.Do(n, parallel.Block(n), func(lo, hi int) {
		for u := uint32(lo); u < uint32(hi); u++ {
			m.Root[u], m.last[u] = u, reduced.None
			// The condition v < u also excludes None, which is larger than every vertex. One end of a pair
			// writes its own root only.
			if v := choice[u]; v < u && choice[v] == u {
				m.Root[u] = v
			}
		}
	})
}
