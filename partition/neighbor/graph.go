// SPDX-License-Identifier: BSD-3-Clause

package neighbor

import (
	"fmt"
	"math"
	"slices"

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
	return withoutEdges(n).with(parallel.Run{Threads: 1}, func(visit func(u, v uint32)) {
		for _, e := range edges {
			visit(e[0], e[1])
		}
	})
}

func withoutEdges(n int) *Graph { return &Graph{Start: make([]uint32, n+1)} }

// with returns the graph with the edges that each visits, twice, in any order and direction.
func (g *Graph) with(run parallel.Run, each func(visit func(u, v uint32))) (*Graph, error) {
	n := g.Vertices()
	start, visits := make([]uint32, n+1), 0 // of rows that are neither sorted nor distinct
	each(func(u, v uint32) {
		start[min(u, v)]++
		visits++
	})
	if visits > 2*maxEdges {
		return nil, errTooMany
	}
	head := make([]uint32, arrays.Begin(start))
	each(func(u, v uint32) {
		head[start[min(u, v)]] = max(u, v)
		start[min(u, v)]++
	})
	copy(start[1:], start[:n])
	start[0] = 0
	return g.Union(run, &Graph{start, head})
}

// Union returns the graph with the edges of both. It returns an error if the numbers
// of vertices differ.
func (g *Graph) Union(run parallel.Run, o *Graph) (*Graph, error) {
	n := g.Vertices()
	if o.Vertices() != n {
		return nil, fmt.Errorf("neighbor: union of graphs with %d and %d vertices; both must be of one cloud", n,
			o.Vertices())
	}
	most := func(u int) int { return int(g.Start[u]) + int(o.Start[u]) }
	return fromRows(n, run, most, func(u uint32, r *rows) {
		begin := len(r.head)
		r.head = append(append(r.head, g.Of(int(u))...), o.Of(int(u))...)
		r.head = r.head[:begin+sortDistinct(r.head[begin:])]
	})
}

// maxEdges is the most edges of a graph, so that both directions of every edge
// can be counted in 32 bits.
const maxEdges = math.MaxInt32

var errTooMany = fmt.Errorf("neighbor: more than %d edges; use fewer neighbours or split the cloud", maxEdges)

// rows are those of a block of vertices while a graph is built.
type rows struct {
	first uint32   // vertex of the first row
	end   []uint32 // of each row in head
	head  []uint32
}

// of returns a row that is complete.
func (r *rows) of(u uint32) []uint32 {
	if u == r.first {
		return r.head[:r.end[0]]
	}
	return r.head[r.end[u-r.first-1]:r.end[u-r.first]]
}

// fromRows returns the graph of n vertices whose row u has the heads that row appends to
// rows.head. most returns the greatest number of heads of the rows before u together.
func fromRows(n int, run parallel.Run, most func(u int) int, row func(u uint32, r *rows)) (*Graph, error) {
	if most(n) > 2*maxEdges {
		return nil, errTooMany
	}
	g := &Graph{make([]uint32, n+1), make([]uint32, most(n))}
	blocks := make([]rows, (n+block-1)/block)
	if err := run.For(n, block, func(lo, hi int) {
		r := rows{uint32(lo), g.Start[lo+1 : hi+1], g.Head[most(lo):most(lo):most(hi)]}
		for k := range r.end {
			row(r.first+uint32(k), &r)
			r.end[k] = uint32(len(r.head))
		}
		blocks[lo/block] = r
	}); err != nil {
		return nil, err
	}
	begin, edges := make([]uint32, len(blocks)), 0
	for b := range blocks {
		begin[b] = uint32(edges)
		edges += copy(g.Head[edges:], blocks[b].head)
	}
	if g.Head = g.Head[:edges]; edges > maxEdges {
		return nil, errTooMany
	}
	return g, run.For(n, block, func(lo, hi int) {
		for u := lo; u < hi; u++ {
			g.Start[u+1] += begin[lo/block]
		}
	})
}

// short is the greatest length of rows that are sorted by counting.
const short = 32

// sortDistinct sorts a row, removes repeated heads, and returns the number that is left. A short
// row is sorted by counting for each head the smaller ones, without branches on comparisons,
// which would be mispredicted.
func sortDistinct(row []uint32) (n int) {
	var in, rank [short]uint32
	if len(row) > short {
		slices.Sort(row)
		return len(slices.Compact(row))
	}
	for i, x := range row[:min(len(row), short)] {
		in[i] = x
		own := uint32(i)
		ranks := rank[:i]
		for j, y := range in[:len(ranks)] {
			before := uint32(0)
			if x < y {
				before = 1
			}
			ranks[j] += before
			own -= before
		}
		rank[i] = own
	}
	for i, x := range in[:len(row)] {
		row[rank[i]] = x
	}
	last := uint32(none)
	for _, v := range row {
		row[n] = v
		if v != last {
			n++
		}
		last = v
	}
	return n
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
