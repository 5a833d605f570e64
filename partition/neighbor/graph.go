package neighbor

// Graph is an undirected graph without loops or double edges. Every edge
// {u, v} is stored once, at its smaller vertex, heads ascending, so an edge's
// index is its place in Head.
type Graph struct {
	Start []uint32 // number of vertices + 1; the edges of u are Head[Start[u]:Start[u+1]]
	Head  []uint32 // larger vertex of each edge
}

// Vertices returns |V|.
func (g *Graph) Vertices() int { return len(g.Start) - 1 }

// Edges returns |E|, every unordered pair counted once.
func (g *Graph) Edges() int { return len(g.Head) }
