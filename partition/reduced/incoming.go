package reduced

// Incoming lists, for some vertices, the edges that are stored in the rows of
// their smaller neighbours.
type Incoming struct {
	start []uint32
	Tail  []uint32 // the smaller vertex
	Edge  []uint32 // its place in Graph.Head
}

// Of returns the range of u's edges in Tail and Edge.
func (a *Incoming) Of(u uint32) (from, to uint32) { return a.start[u], a.start[u+1] }

// Incoming lists the incoming edges of the members.
func (g *Graph) Incoming(member []bool) *Incoming {
	n := g.Vertices()
	a := &Incoming{start: make([]uint32, n+2)}
	degree := a.start[2:] // so that filling a row moves its start into place
	for u := range n {
		for _, v := range g.Head[g.Start[u]:g.End[u]] {
			if member[v] {
				degree[v]++
			}
		}
	}
	for u := range n {
		a.start[u+2] += a.start[u+1]
	}
	a.Tail, a.Edge = make([]uint32, a.start[n+1]), make([]uint32, a.start[n+1])
	next := a.start[1:]
	for u := range n {
		for k := g.Start[u]; k < g.End[u]; k++ {
			if v := g.Head[k]; member[v] {
				a.Tail[next[v]], a.Edge[next[v]] = uint32(u), k
				next[v]++
			}
		}
	}
	return a
}
