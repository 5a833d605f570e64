package neighbor

// apartReach is how many times as far as its k-th neighbor a point may be from an isolated
// one for an edge to join them. Without any such edge, 5 % of the points of simulated façades
// and 2 % of those of spinning scans are superpoints of one point; noise is farther away.
const apartReach = 3

// Apart returns a graph of points and their lists without the edges between isolated
// points and others that are long for those others: more than apartReach times as long as
// their distance to their k-th neighbor. Sparse points at the rim of denser ones stay
// joined with these, stray points are components of their own.
func (g *Graph) Apart(c *Cloud, l *Lists, k int, isolated []bool) *Graph {
	start, head := keepNear(g.Start, g.Head, c, l, k, isolated)
	return &Graph{Start: start, Head: head}
}

// Apart removes the edges that Graph.Apart does.
func (e *Edges) Apart(c *Cloud, l *Lists, k int, isolated []bool) {
	e.Start, e.Head = keepNear(e.Start, e.Head, c, l, k, isolated)
}

// keepNear returns the rows of edges that stay.
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

// near reports whether v is at most apartReach times as far from u as u's k-th neighbor.
func (c *Cloud) near(l *Lists, u, v uint32, k int) bool {
	row := l.real(int(u), min(k, l.K))
	return len(row) > 0 && c.squared(u, v) <= apartReach*apartReach*c.squared(u, row[len(row)-1])
}
