package neighbor

import (
	"slices"

	"superpoint/partition/base/arrays"
	"superpoint/partition/base/parallel"
)

// isolationReach is the greatest ratio of the length of an edge between a point and an isolated
// one to the distance of the former to its k-th neighbor. Without any such edge, many points of
// façades and of spinning scanners would be superpoints of one point; noise is farther away.
const isolationReach = 3

// Isolate returns the graph without edges between an isolated point and one that is not
// isolated if the edge is more than isolationReach times as long as the distance of the latter
// to its k-th neighbor. Sparse points at the rim of denser ones remain connected with these;
// noise becomes components of its own. l has the neighbors of the points of c.
func (g *Graph) Isolate(run parallel.Run, c *Cloud, l *Lists, k int, isolated []bool) (*Graph, error) {
	start, head, err := keepNear(run, g.Start, g.Head, c, l, k, isolated)
	return &Graph{Start: start, Head: head}, err
}

// Isolate removes the same edges as Graph.Isolate.
func (e *Edges) Isolate(run parallel.Run, c *Cloud, l *Lists, k int, isolated []bool) (err error) {
	e.Start, e.Head, err = keepNear(run, e.Start, e.Head, c, l, k, isolated)
	return err
}

// keepNear returns the rows without the removed edges; start and head if none is removed.
func keepNear(run parallel.Run, start, head []uint32, c *Cloud, l *Lists, k int, isolated []bool) (s, h []uint32,
	err error) {
	n := len(start) - 1
	near := func(u, v uint32) bool { // of two points of which one is isolated
		return isolated[u] && c.near(l, v, u, k) || isolated[v] && c.near(l, u, v, k)
	}
	s, kept := make([]uint32, len(start)), make([]uint32, (n+block-1)/block) // edges of rows, of blocks
	if err := run.For(n, block, func(lo, hi int) {
		for u := uint32(lo); u < uint32(hi); u++ {
			own, count := isolated[u], start[u+1]-start[u]
			for _, v := range head[start[u]:start[u+1]] {
				if isolated[v] != own && !near(u, v) {
					count--
				}
			}
			s[u+1] = count
			kept[lo/block] += count
		}
	}); err != nil {
		return nil, nil, err
	}
	from := slices.Clone(kept)
	edges := arrays.Begin(from)
	if int(edges) == len(head) {
		return start, head, nil
	}
	h = make([]uint32, edges)
	return s, h, run.For(n, block, func(lo, hi int) {
		at := from[lo/block]
		if first, end := start[lo], start[hi]; kept[lo/block] == end-first {
			copy(h[at:], head[first:end])
		} else {
			to := h[at:at:len(h)]
			for u := uint32(lo); u < uint32(hi); u++ {
				for _, v := range head[start[u]:start[u+1]] {
					if isolated[u] == isolated[v] || near(u, v) {
						to = append(to, v)
					}
				}
			}
		}
		for u := lo; u < hi; u++ {
			at += s[u+1]
			s[u+1] = at
		}
	})
}

// near reports whether v is at most isolationReach times as far from u as u's k-th neighbor.
func (c *Cloud) near(l *Lists, u, v uint32, k int) bool {
	row := l.real(int(u), min(k, l.K))
	return len(row) > 0 && c.squared(u, v) <= isolationReach*isolationReach*c.squared(u, row[len(row)-1])
}
