// SPDX-License-Identifier: BSD-3-Clause

package neighbor

import "superpoint/partition/base/parallel"

// isolationReach is the greatest ratio of the length of an edge between a point and an isolated
// one to the distance of the former to its k-th neighbor. Without any such edge, many points of
// façades and of spinning scanners would be superpoints of one point; noise is farther away.
const isolationReach = 3

// Isolate returns the graph without edges between an isolated point and one that is not
// isolated if the edge is more than isolationReach times as long as the distance of the latter
// to its k-th neighbor. Sparse points at the rim of denser ones remain connected with these;
// noise becomes components of its own. l has the neighbors of the points of c.
func (g *Graph) Isolate(run parallel.Run, c *Cloud, l *Lists, k int, isolated []bool) (*Graph, error) {
	most := func(u int) int { return int(g.Start[u]) }
	return fromRows(g.Vertices(), run, most, func(u uint32, r *rows) {
		for _, v := range g.Of(int(u)) {
			if isolated[u] == isolated[v] || isolated[u] && c.near(l, v, u, k) || isolated[v] && c.near(l, u, v, k) {
				r.head = append(r.head, v)
			}
		}
	})
}

// near reports whether v is at most isolationReach times as far from u as u's k-th neighbor.
func (c *Cloud) near(l *Lists, u, v uint32, k int) bool {
	row := l.real(int(u), min(k, l.K))
	return len(row) > 0 && c.squared(u, v) <= isolationReach*isolationReach*c.squared(u, row[len(row)-1])
}
