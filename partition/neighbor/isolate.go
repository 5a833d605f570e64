package neighbor

// isolationReach is the greatest ratio of the length of an edge between a point and an isolated
// one to the distance of the former to its k-th neighbor. Without any such edge, many points of
// façades and of spinning scanners would be superpoints of one point; noise is farther away.
const isolationReach = 3

// Isolate returns the graph without edges between an isolated point and one that is not
// isolated if the edge is more than isolationReach times as long as the distance of the latter
// to its k-th neighbor. Sparse points at the rim of denser ones remain connected with these;
// noise becomes components of its own. l has the neighbors of the points of c.
func (g *Graph) Isolate(c *Cloud, l *Lists, k int, isolated []bool) *Graph {
	start, head := keepNear(g.Start, g.Head, c, l, k, isolated)
	return &Graph{Start: start, Head: head}
}

// Isolate removes the same edges as Graph.Isolate.
func (e *Edges) Isolate(c *Cloud, l *Lists, k int, isolated []bool) {
	e.Start, e.Head = keepNear(e.Start, e.Head, c, l, k, isolated)
}

// keepNear returns the rows without the removed edges.
func keepNear(start, head []uint32, c *Cloud, l *Lists, k int, isolated []bool) (s, h []uint32) {
	s, h = make([]uint32, 1, len(start)), make([]uint32, 0, len(head))
	for u := range uint32(len(start) - 1) {
		for _, v := range head[start[u]:start[u+1]] {
			switch {
			case isolated[u] == isolated[v],
				isolated[u] && c.near(l, v, u, k), isolated[v] && c.near(l, u, v, k):
				h = append(h, v)
			}
		}
		s = append(s, uint32(len(h)))
	}
	return s, h
}

// near reports whether v is at most isolationReach times as far from u as u's k-th neighbor.
func (c *Cloud) near(l *Lists, u, v uint32, k int) bool {
	row := l.real(int(u), min(k, l.K))
	return len(row) > 0 && c.squared(u, v) <= isolationReach*isolationReach*c.squared(u, row[len(row)-1])
}
