// SPDX-License-Identifier: BSD-3-Clause

package neighbor

import (
	"slices"

	"superpoint/partition/base/parallel"
)

// isolationReach is the greatest ratio of the length of an edge between a point and an isolated
// one to the distance of the former to its k-th neighbor. Without any such edge, many points of
// façades and of spinning scanners would be superpoints of one point; noise is farther away.
const isolationReach = 3

// Isolate removes, in place, the edges between an isolated point and one that is not isolated
// that are more than isolationReach times as long as the distance of the latter to its k-th
// neighbor. Sparse points at the rim of denser ones remain connected with these; noise becomes
// components of its own. l has the neighbors of the points of c.
func (g *Graph) Isolate(run parallel.Run, c *Cloud, l *Lists, k int, isolated []bool) error {
	n := g.Vertices()
	removed := make([][]uint32, (n+block-1)/block)
	err := run.For(n, block, func(lo, hi int) {
		for u := uint32(lo); u < uint32(hi); u++ {
			for e := g.Start[u]; e < g.Start[u+1]; e++ {
				v := g.Head[e]
				// Between two isolated points edges stay: a group of noise is one component, not many. The
				// one that is not isolated has the scale, since distances around the isolated one are large
				// by definition.
				if isolated[u] != isolated[v] && !(isolated[u] && c.near(l, v, u, k) || isolated[v] &&
					c.near(l, u, v, k)) {
					removed[lo/block] = append(removed[lo/block], e)
				}
			}
		}
	})
	if err == nil {
		g.remove(slices.Concat(removed...))
	}
	return err
}

// near reports whether v is at most isolationReach times as far from u as u's k-th neighbor.
//
// A list without entries (all points are farther than Farthest) makes every point far. Squares are compared,
// as integers: ⌈d/9⌉ ≤ s says d ≤ 9s, and does not overflow, as 9s would above 14.3 km. So far apart are
// neighbors in opposite corners of a cloud whose sides are shorter than Farthest.
func (c *Cloud) near(l *Lists, u, v uint32, k int) bool {
	row := l.real(int(u), min(k, l.K))
	if len(row) == 0 {
		return false
	}
	const ratio = isolationReach * isolationReach
	return (c.squared(u, v)+ratio-1)/ratio <= c.squared(u, row[len(row)-1])
}
