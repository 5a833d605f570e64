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
//
// With this index other arrays have a value for each edge, for example Contrast of a problem.
func (g *Graph) Edges() int { return len(g.Head) }

// Of returns the larger neighbours of u, ascending.
func (g *Graph) Of(u int) []uint32 { return g.Head[g.Start[u]:g.Start[u+1]] }

// FromEdges returns the graph of n vertices with the given edges, in any order
// and direction; repeated edges count once. A loop or a vertex outside [0, n)
// is an error. Memory while building: 4 bytes a vertex and 4 an edge given.
func FromEdges(n int, edges [][2]uint32) (*Graph, error) {
	for i, e := range edges {
		if e[0] == e[1] || int(max(e[0], e[1])) >= n {
			return nil, fmt.Errorf("neighbor: edge %d is {%d, %d}; want two different vertices below %d", i,
				e[0], e[1], n)
		}
	}
	return fromVisits(n, func(visit func(u, v uint32)) {
		for _, e := range edges {
			visit(e[0], e[1])
		}
	})
}

// fromVisits returns the graph of n vertices with the edges that each visits, twice, in any order and
// direction.
func fromVisits(n int, each func(visit func(u, v uint32))) (*Graph, error) {
	start := make([]uint32, n+1)
	visits := 0
	each(func(u, v uint32) {
		start[min(u, v)]++
		visits++
	})
	// The counts are in 32 bits: with at most 2·(2³¹−1) visits no prefix sum overflows.
	if visits > 2*maxEdges {
		return nil, errTooMany
	}
	// Filling moves the start of each row to its end, which is the start of the next row; the copy below
	// moves all by one.
	head := make([]uint32, arrays.Begin(start))
	each(func(u, v uint32) {
		head[start[min(u, v)]] = max(u, v)
		start[min(u, v)]++
	})
	copy(start[1:], start[:n])
	start[0] = 0
	return build(n, parallel.Run{Threads: 1},
		func(u uint32, _ []uint32) []uint32 { return head[start[u]:start[u+1]] })
}

// maxEdges is the most edges of a graph, so that both directions of every edge
// can be counted in 32 bits.
const maxEdges = math.MaxInt32

var errTooMany = fmt.Errorf("neighbor: more than %d edges; use fewer neighbours or split the cloud", maxEdges)

// ends returns the ends of the own edges of a vertex, in any order. It may append them to row, which is
// empty.
//
// Memory belongs to the caller: a loop over vertices passes the same row again and again and allocates
// nothing. The result may also be a part of a list, so it is valid until the next call and must not be
// changed.
type ends func(u uint32, row []uint32) []uint32

// build returns the graph of n vertices with the own edges of each; an edge may be an own edge of both its
// ends.
//
// An edge belongs to the row of its smaller vertex. Consecutive points are near one another, so that vertex
// is mostly in the same block as the other one: a block makes its rows from the own edges of its vertices and
// from the few of others that end in it.
//
// Steps: (1) each block counts its edges by row and lists those that end in an earlier block; (2) the lists
// are divided by the block in which they end; (3) each block makes its rows; (4) blocks are put together.
// (1), (3) and (4) are parallel. Time: the own edges, twice, and a sort of each row.
func build(n int, run parallel.Run, own ends) (*Graph, error) {
	g := &Graph{Start: make([]uint32, n+1)}
	blocks := (n + block - 1) / block
	leaving := make([][][2]uint32, blocks)
	incoming := make([][][2]uint32, blocks) // edges, smaller vertex first
	if err := run.For(n, block, func(lo, hi int) {
		var r rows
		var list [][2]uint32
		first, size := uint32(lo), g.Start[lo+1:hi+1]
		// Invariant: size[k] is assigned when the loop is at u and raised afterwards only, since the smaller
		// end of an edge is before the larger one. No worker touches the sizes of another block: edges that
		// end before it are put on a list.
		for k := range size {
			u := first + uint32(k)
			larger, smaller := r.split(u, own)
			size[k] = uint32(len(larger))
			for _, v := range smaller {
				if v < first {
					list = append(list, [2]uint32{v, u})
				} else {
					size[v-first]++
				}
			}
		}
		leaving[lo/block] = list
	}); err != nil {
		return nil, err
	}
	// Serial: few edges lead from one block to another.
	for _, list := range leaving {
		for _, e := range list {
			incoming[e[0]/block] = append(incoming[e[0]/block], e)
		}
	}
	heads := make([][]uint32, blocks)
	workers := make([]rows, run.Workers())
	if err := run.ForWorker(n, block, func(worker, lo, hi int) {
		b := lo / block
		// own is called a second time for each vertex: the own edges of all vertices, more numbers than the
		// graph has, are never in memory together.
		heads[b] = workers[worker].fill(uint32(lo), g.Start[lo+1:hi+1], own, incoming[b])
	}); err != nil {
		return nil, err
	}
	begin := make([]uint32, blocks)
	edges := 0
	for b, h := range heads {
		begin[b] = uint32(edges)
		edges += len(h)
	}
	if edges > maxEdges {
		return nil, errTooMany
	}
	g.Head = make([]uint32, edges)
	return g, run.For(n, block, func(lo, hi int) {
		b := lo / block
		// Until here rows ended relative to their block.
		copy(g.Head[begin[b]:], heads[b])
		for u := lo; u < hi; u++ {
			g.Start[u+1] += begin[b]
		}
	})
}

// rows is the memory in which a worker makes the rows of a block.
type rows struct{ row, larger, smaller, head []uint32 }

// split returns the larger and the smaller ends of a vertex. Half of the branches on them would be
// mispredicted.
func (r *rows) split(u uint32, own ends) (larger, smaller []uint32) {
	row := own(u, r.row[:0])
	r.larger = arrays.Resized(r.larger, len(row))
	r.smaller = arrays.Resized(r.smaller, len(row))
	larger, smaller = r.larger, r.smaller
	a, b := 0, 0
	for _, v := range row {
		// Both are written, and only the right counter is advanced. A loop, v = u, advances none and is
		// overwritten by the next end.
		larger[a], smaller[b] = v, v
		if v > u {
			a++
		}
		if v < u {
			b++
		}
	}
	return larger[:a], smaller[:b]
}

// fill returns the heads of the rows from vertex lo on. end has the number of own edges in each row, of the
// block's vertices, and receives the end of each row.
//
// Steps: (1) sizes become starts; (2) each edge is put into the row of its smaller end, which moves the start
// of the row to its end; (3) each row is sorted, edges that both ends listed are removed, and the rows move
// together. Rows only move forward in (3), since count never exceeds begin, so that it needs no second array.
func (r *rows) fill(lo uint32, end []uint32, own ends, incoming [][2]uint32) []uint32 {
	for _, e := range incoming {
		end[e[0]-lo]++
	}
	r.head = arrays.Resized(r.head, int(arrays.Begin(end)))
	head := r.head
	for k := range end {
		u := lo + uint32(k)
		larger, smaller := r.split(u, own)
		end[k] += uint32(copy(head[end[k]:], larger))
		for _, v := range smaller {
			if v >= lo {
				head[end[v-lo]] = u
				end[v-lo]++
			}
		}
	}
	for _, e := range incoming {
		head[end[e[0]-lo]] = e[1]
		end[e[0]-lo]++
	}
	begin, count := uint32(0), 0
	for k, next := range end { // of the next row, since it was filled
		row := head[begin:next]
		count += copy(head[count:], row[:sortDistinct(row)])
		begin, end[k] = next, uint32(count)
	}
	// r.head is used for the next block, and is longer by the removed edges.
	return slices.Clone(head[:count])
}

// remove removes edges, ascending, in place.
func (g *Graph) remove(edges []uint32) {
	if len(edges) == 0 {
		return
	}
	to := int(edges[0])
	// Invariant: Head[:to] has the edges that stay up to the removed edge e, in order. What is between two
	// removed edges moves as one block.
	for k, e := range edges {
		next := len(g.Head)
		if k+1 < len(edges) {
			next = int(edges[k+1])
		}
		to += copy(g.Head[to:], g.Head[e+1:next])
	}
	g.Head = g.Head[:to]
	before := 0
	// before is the number of removed edges with an index below the start of row u.
	for u, start := range g.Start {
		for before < len(edges) && edges[before] < start {
			before++
		}
		g.Start[u] -= uint32(before)
	}
}

// sortDistinct sorts a row, removes repeated heads, and returns the number that is left.
func sortDistinct(row []uint32) int {
	slices.Sort(row)
	return len(slices.Compact(row))
}

// Symmetric returns the graph with both directions of every edge: Of returns all neighbours of a vertex,
// ascending.
//
// Memory: 4 bytes a vertex and 8 an edge.
func (g *Graph) Symmetric() *Graph {
	s := &Graph{Start: make([]uint32, g.Vertices()+1)}
	next := s.Start[1:] // filling a row moves its start into place
	for u := range next {
		next[u] += uint32(len(g.Of(u)))
		for _, v := range g.Of(u) {
			next[v]++
		}
	}
	s.Head = make([]uint32, arrays.Begin(next))
	// Smaller neighbours come by ascending u; they all precede the larger ones,
	// because row u is placed only when every smaller vertex has been passed.
	for u := range next {
		for _, v := range g.Of(u) {
			s.Head[next[u]], s.Head[next[v]] = v, uint32(u)
			next[u]++
			next[v]++
		}
	}
	return s
}
