package neighbor

import "superpoint/partition/parallel"

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

// keepNear returns the rows without the removed edges.
func keepNear(run parallel.Run, start, head []uint32, c *Cloud, l *Lists, k int, isolated []bool) (s, h []uint32,
	err error) {
	n := len(start) - 1
	s = make([]uint32, len(start))
	kept := make([][]uint32, (n+block-1)/block) // of each block
	if err := run.For(n, block, func(lo, hi int) {
		list := make([]uint32, 0, start[hi]-start[lo])
		for u := uint32(lo); u < uint32(hi); u++ {
			for _, v := range head[start[u]:start[u+1]] {
				switch {
				case isolated[u] == isolated[v],
					isolated[u] && c.near(l, v, u, k), isolated[v] && c.near(l, u, v, k):
					list = append(list, v)
				}
			}
			s[u+1] = uint32(len(list))
		}
		kept[lo/block] = list
	}); err != nil {
		return nil, nil, err
	}
	from := make([]uint32, len(kept)+1)
	for b, list := range kept {
		from[b+1] = from[b] + uint32(len(list))
	}
	h = make([]uint32, from[len(kept)])
	return s, h, run.For(n, block, func(lo, hi int) {
		b := lo / block
		copy(h[from[b]:], kept[b])
		for u := lo; u < hi; u++ {
			s[u+1] += from[b]
		}
	})
}

// near reports whether v is at most isolationReach times as far from u as u's k-th neighbor.
func (c *Cloud) near(l *Lists, u, v uint32, k int) bool {
	row := l.real(int(u), min(k, l.K))
	return len(row) > 0 && c.squared(u, v) <= isolationReach*isolationReach*c.squared(u, row[len(row)-1])
}
