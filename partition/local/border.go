// SPDX-License-Identifier: BSD-3-Clause

package local

import (
	"superpoint/partition/base/arrays"
	"superpoint/partition/base/parallel"
	"superpoint/partition/problem/reduced"
)

// border has the vertices of a graph at the boundaries of a partition, and of these the edges that are stored in the
// rows of their smaller neighbors.
type border struct {
	member []uint32 // 1 for vertices with a neighbor of another label
	start  []uint32
	tail   []uint32 // the smaller vertices, ascending for each vertex
	weight []float32
}

// newBorder finds the border of the components label.
func newBorder(run parallel.Run, g *reduced.Graph, label []uint32) *border {
	n := len(label)
	block := parallel.Block(n)
	b := &border{member: make([]uint32, n), start: make([]uint32, n+1)}
	next := b.start[1:] // so that filling a row moves its start into place; first the number of edges
	late := parallel.Map(run, n, block, func(lo, hi int) []lateEdges {
		var out []lateEdge
		for u := lo; u < hi; u++ {
			own, outside := label[u], false
			from := g.Start[u]
			for i, v := range g.Head[from:g.End[u]] {
				if label[v] != own {
					outside = true
					set(&b.member[v])
				}
				if int(v) < hi {
					next[v]++
				} else {
					out = append(out, lateEdge{uint32(u), from + uint32(i)})
				}
			}
			if outside {
				set(&b.member[u])
			}
		}
		return byBlock(out, g, block)
	})
	arrived := make([][][]lateEdge, len(late))
	for _, parts := range late {
		for _, p := range parts {
			arrived[p.block] = append(arrived[p.block], p.edges)
		}
	}
	run.Do(n, block, func(lo, hi int) {
		for _, edges := range arrived[lo/block] {
			for _, e := range edges {
				next[g.Head[e.index]]++
			}
		}
		for u := lo; u < hi; u++ {
			next[u] *= b.member[u]
		}
	})
	total := arrays.Starts(run, next)
	b.tail, b.weight = make([]uint32, total), make([]float32, total)
	run.Do(n, block, func(lo, hi int) {
		for _, edges := range arrived[lo/block] { // smaller tails than those of the block
			for _, e := range edges {
				b.add(next, e.tail, e.index, g)
			}
		}
		for u := uint32(lo); u < uint32(hi); u++ {
			for k := g.Start[u]; k < g.End[u]; k++ {
				if int(g.Head[k]) < hi {
					b.add(next, u, k, g)
				}
			}
		}
	})
	return b
}

// add adds edge k of g, from u, if its other vertex is a member, whose next edge has the index in next.
func (b *border) add(next []uint32, u, k uint32, g *reduced.Graph) {
	if v := g.Head[k]; b.member[v] != 0 {
		b.tail[next[v]], b.weight[next[v]] = u, g.Weight[k]
		next[v]++
	}
}

// lateEdge is an edge to a vertex of a later block.
type lateEdge struct{ tail, index uint32 }

// lateEdges are edges to vertices of one block.
type lateEdges struct {
	block int
	edges []lateEdge
}

// byBlock divides late edges where the block of the larger vertex changes.
func byBlock(late []lateEdge, g *reduced.Graph, block int) (parts []lateEdges) {
	for from, to := 0, 0; from < len(late); from = to {
		b := int(g.Head[late[from].index]) / block
		for to < len(late) && int(g.Head[late[to].index])/block == b {
			to++
		}
		parts = append(parts, lateEdges{b, late[from:to]})
	}
	return parts
}

// of returns the edges of u that are in the rows of smaller vertices: these and the weights.
func (b *border) of(u uint32) (tail []uint32, weight []float32) {
	from, end := b.start[u], b.start[u+1]
	return b.tail[from:end], b.weight[from:end]
}
