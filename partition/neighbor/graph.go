package neighbor

import (
	"fmt"

	"superpoint/partition/base/arrays"
	"superpoint/partition/base/parallel"
)

// Graph is an undirected graph without loops or multiple edges. Every edge
// {u, v} is stored once, in the row of its smaller vertex, heads ascending; the
// index of an edge is that in Head. Memory: 4 bytes a vertex and 4 an edge;
// surfaces have about 3 edges a point for 5 neighbours, 6 for 10.
type Graph struct {
	Start []uint32 // number of vertices + 1; the edges of u are Head[Start[u]:Start[u+1]]
	Head  []uint32 // larger vertex of each edge
}

// Vertices returns |V|.
func (g *Graph) Vertices() int { return len(g.Start) - 1 }

// Edges returns |E|, every unordered pair counted once.
func (g *Graph) Edges() int { return len(g.Head) }

// Of returns the larger neighbours of u, ascending.
func (g *Graph) Of(u int) []uint32 { return g.Head[g.Start[u]:g.Start[u+1]] }

// FromEdges returns the graph of n vertices with the given edges, in any order
// and direction; repeated edges count once. A loop or a vertex outside [0, n)
// is an error. Memory while building: 4 bytes a vertex and 4 an edge given.
func FromEdges(n int, edges [][2]uint32) (*Graph, error) {
	for i, e := range edges {
		if e[0] == e[1] || int(max(e[0], e[1])) >= n {
			return nil, fmt.Errorf("neighbor: edge %d is {%d, %d}; want two different vertices below %d", i, e[0], e[1], n)
		}
	}
	return fromEach(n, func(visit func(u, v uint32)) {
		for _, e := range edges {
			visit(e[0], e[1])
		}
	})
}

// fromEach is FromEdges for edges that are visited twice, to count and to place
// them.
func fromEach(n int, each func(visit func(u, v uint32))) (*Graph, error) {
	g := &Graph{Start: make([]uint32, n+1)}
	each(func(u, v uint32) { g.Start[min(u, v)]++ })
	if err := g.accumulate(2 * maxEdges); err != nil {
		return nil, err
	}
	each(func(u, v uint32) { g.place(min(u, v), max(u, v)) })
	return g.distinct(parallel.Run{Threads: 1})
}

// Union returns the graph with the edges of both. It returns an error if the numbers
// of vertices differ.
func (g *Graph) Union(o *Graph) (*Graph, error) {
	n := g.Vertices()
	if o.Vertices() != n {
		return nil, fmt.Errorf("neighbor: union of graphs with %d and %d vertices; both must be of one cloud", n,
			o.Vertices())
	}
	u := &Graph{Start: make([]uint32, n+1)}
	for i := range n {
		a, b := g.Of(i), o.Of(i)
		u.Start[i] = uint32(len(a) + len(b))
		if len(a) > 0 && len(b) > 0 {
			u.Start[i] = 0
			mergeRows(a, b, func(uint32) { u.Start[i]++ })
		}
	}
	if err := u.accumulate(maxEdges); err != nil {
		return nil, err
	}
	at := 0
	for i := range n {
		u.Start[i] = uint32(at)
		a, b := g.Of(i), o.Of(i)
		if len(a) > 0 && len(b) > 0 {
			mergeRows(a, b, func(v uint32) { u.Head[at] = v; at++ })
			continue
		}
		for _, v := range a {
			u.Head[at] = v
			at++
		}
		for _, v := range b {
			u.Head[at] = v
			at++
		}
	}
	return u, nil
}

// mergeRows visits the values of two ascending rows, ascending, each once.
func mergeRows(a, b []uint32, visit func(uint32)) {
	for len(a) > 0 || len(b) > 0 {
		switch {
		case len(b) == 0 || len(a) > 0 && a[0] < b[0]:
			visit(a[0])
			a = a[1:]
		case len(a) == 0 || b[0] < a[0]:
			visit(b[0])
			b = b[1:]
		default:
			visit(a[0])
			a, b = a[1:], b[1:]
		}
	}
}

// Symmetric returns the graph with both directions of every edge: the
// neighbours of u, ascending, are head[start[u]:start[u+1]], and edge holds the
// index in g.Head of each. Memory: 4 bytes a vertex and 16 an edge.
func (g *Graph) Symmetric() (start, head, edge []uint32) {
	n := g.Vertices()
	start = make([]uint32, n+1)
	for u := range n {
		start[u] += uint32(len(g.Of(u)))
		for _, v := range g.Of(u) {
			start[v]++
		}
	}
	sum := arrays.Begin(start)
	head, edge = make([]uint32, sum), make([]uint32, sum)
	put := func(u, v, e uint32) {
		head[start[u]], edge[start[u]] = v, e
		start[u]++
	}
	// Smaller neighbours come by ascending u; they all precede the larger ones,
	// because row u is placed only when every smaller vertex has been passed.
	for u := range n {
		for e := g.Start[u]; e < g.Start[u+1]; e++ {
			put(uint32(u), g.Head[e], e)
			put(g.Head[e], uint32(u), e)
		}
	}
	copy(start[1:], start[:n])
	start[0] = 0
	return start, head, edge
}
