package reduced

import "superpoint/partition/parallel"

// Incoming lists, for some vertices, the edges that are stored in the rows of
// their smaller neighbours.
type Incoming struct {
	start []uint32
	Tail  []uint32 // the smaller vertex
	Edge  []uint32 // its place in Graph.Head
}

// Of returns the range of u's edges in Tail and Edge.
func (a *Incoming) Of(u uint32) (from, to uint32) { return a.start[u], a.start[u+1] }

// Incoming lists the incoming edges of the members, in the order of their
// tails.
func (g *Graph) Incoming(run parallel.Run, member []bool) (*Incoming, error) {
	n := g.Vertices()
	a := &Incoming{start: make([]uint32, n+2)}
	late := make([][]edge, (n+block-1)/block)
	degree := a.start[2:] // so that filling a row moves its start into place
	err := run.For(n, block, func(lo, hi int) {
		var out []edge
		for u := lo; u < hi; u++ {
			from := g.Start[u]
			for i, v := range g.Head[from:g.End[u]] {
				switch {
				case !member[v]:
				case int(v) < hi:
					degree[v]++
				default:
					out = append(out, edge{uint32(u), v, from + uint32(i)})
				}
			}
		}
		late[lo/block] = out
	})
	if err != nil {
		return nil, err
	}
	next := a.start[1:]
	for _, list := range late {
		for _, e := range list {
			degree[e.head]++
		}
	}
	for u := range n {
		a.start[u+2] += a.start[u+1]
	}
	total := a.start[n+1]
	a.Tail, a.Edge = make([]uint32, total), make([]uint32, total)
	for _, list := range late { // smaller tails than those of the head's own block
		for _, e := range list {
			a.Tail[next[e.head]], a.Edge[next[e.head]] = e.tail, e.index
			next[e.head]++
		}
	}
	return a, run.For(n, block, func(lo, hi int) {
		for u := lo; u < hi; u++ {
			from := g.Start[u]
			for i, v := range g.Head[from:g.End[u]] {
				if int(v) < hi && member[v] {
					a.Tail[next[v]], a.Edge[next[v]] = uint32(u), from+uint32(i)
					next[v]++
				}
			}
		}
	})
}

type edge struct{ tail, head, index uint32 }
