// SPDX-License-Identifier: BSD-3-Clause

package reduced

import (
	"slices"

	"superpoint/partition/base/arrays"
	"superpoint/partition/base/parallel"
)

// edge is an edge between two components.
type edge struct {
	row, head uint32 // the smaller, the larger
	weight    float32
}

// edges builds the rows of out: for each block of old vertices the rows of the new ids whose
// first vertex is in the block, from the block's own edges and then from the edges of later
// blocks (late edges), in the order of the blocks, so that sums do not depend on threads.
func (t *Contractor) edges(run parallel.Run, g, out *Graph, label []uint32, count int) {
	out.Start = arrays.Resized(out.Start, count)
	out.End = arrays.Zeroed(out.End, count)
	workers := make([]rows, run.Workers())
	own, late := t.sumOwn(run, workers, g, out.End, label)
	arrived, begin, total := distribute(own, late)
	out.Head = arrays.Resized(out.Head, total)
	out.Weight = arrays.Resized(out.Weight, total)
	parallel.Check(run.ForWorker(len(own), 1, func(worker, b, _ int) {
		mark := &workers[worker].mark
		*mark = arrays.Resized(*mark, count)
		first := t.first[b]
		size := int(t.first[b+1] - first)
		own[b].place(out, first, begin[b], size, slices.Concat(arrived[b]...), *mark)
	}))
}

// sumOwn returns the edges of each block whose rows begin there, parallel ones as one, and its late edges.
// end receives the end of each row.
func (t *Contractor) sumOwn(run parallel.Run, workers []rows, g *Graph, end, label []uint32) (own []block,
	late [][]lateEdges) {
	blocks := len(t.first) - 1
	own = make([]block, blocks)
	late = make([][]lateEdges, blocks)
	n := g.Vertices()
	grain := parallel.Block(n)
	parallel.Check(run.ForWorker(n, grain, func(worker, lo, hi int) {
		b := lo / grain
		first := t.first[b]
		degree := end[first:t.first[b+1]]
		r := &workers[worker]
		others := r.collect(g, label, lo, hi, first, degree)
		late[b] = t.byBlock(others)
		own[b] = r.sum(degree, first, len(end))
	}))
	return own, late
}

// distribute returns the late edges of each block by the block that they came from, where the edges of each
// block begin in the graph, and the number of all, an upper bound: equal edges are not summed yet.
func distribute(own []block, late [][]lateEdges) (arrived [][][]edge, begin []uint32, total int) {
	arrived = make([][][]edge, len(own))
	begin = make([]uint32, len(own))
	for b := range own {
		begin[b] += uint32(len(own[b].head))
		for _, l := range late[b] {
			arrived[l.block] = append(arrived[l.block], l.edges)
			begin[l.block] += uint32(len(l.edges))
		}
	}
	total = int(arrays.Begin(begin))
	return arrived, begin, total
}

// lateEdges are edges of a later block whose rows begin in a block.
type lateEdges struct {
	block int
	edges []edge
}

// byBlock divides the late edges of a block where the block in which their rows begin changes, which is rare.
func (t *Contractor) byBlock(late []edge) (parts []lateEdges) {
	for from, to := 0, 0; from < len(late); from = to {
		next, _ := slices.BinarySearch(t.first, late[from].row+1)
		for to < len(late) && late[to].row >= t.first[next-1] && late[to].row < t.first[next] {
			to++
		}
		parts = append(parts, lateEdges{next - 1, late[from:to]})
	}
	return parts
}

// block has the edges of a block, row by row.
type block struct {
	head   []uint32
	weight []float32
}

// rows is a worker's memory for the rows of one block.
type rows struct {
	list []edge
	next []uint32 // index of the next edge of each row
	mark []uint32 // index of the last edge to each head
	block
}

// collect lists the edges of the vertices [lo, hi) between different components whose rows begin in the
// block, and counts them in degree, by row from first on; it returns the others. Whether an edge is between
// different components is hard to predict, so there is no branch on it: another one is written, too, and then
// overwritten.
func (r *rows) collect(g *Graph, label []uint32, lo, hi int, first uint32, degree []uint32) (late []edge) {
	most := 1
	for u := lo; u < hi; u++ {
		most += int(g.End[u] - g.Start[u])
	}
	r.list = arrays.Resized(r.list, most)
	list := r.list
	scale := g.Scale
	n := 0
	for u := lo; u < hi; u++ {
		a := label[u]
		from, to := g.Start[u], g.End[u]
		weights := g.Weight[from:to]
		for i, v := range g.Head[from:to] {
			b := label[v]
			e := edge{min(a, b), max(a, b), scale * weights[i]}
			if e.row >= first {
				d := differ(a, b)
				degree[e.row-first] += d
				list[n] = e
				n += int(d)
			} else if a != b {
				late = append(late, e)
			}
		}
	}
	r.list = list[:n]
	return late
}

// sum returns the edges row by row, parallel ones as one. degree has the number of edges of each row from
// first on, and receives the end of each row.
func (r *rows) sum(degree []uint32, first uint32, count int) block {
	r.next = append(r.next[:0], degree...)
	total := int(arrays.Begin(r.next))
	r.head = arrays.Resized(r.head, total)
	r.weight = arrays.Resized(r.weight, total)
	head, weight := r.head, r.weight
	for _, e := range r.list {
		at := r.next[e.row-first]
		head[at], weight[at] = e.head, e.weight
		r.next[e.row-first] = at + 1
	}
	r.mark = arrays.Resized(r.mark, count) // entries are verified below, so it need not be cleared
	mark := r.mark
	begin := uint32(0)
	at := uint32(0)
	for i, end := range r.next {
		start := at
		for k := begin; k < end; k++ {
			v, w := head[k], weight[k]
			if m := mark[v]; m >= start && m < at && head[m] == v {
				weight[m] += w
				continue
			}
			mark[v] = at
			head[at], weight[at] = v, w
			at++
		}
		begin, degree[i] = end, at
	}
	return block{slices.Clone(head[:at]), slices.Clone(weight[:at])}
}

// place copies the rows from first on to out, from index at on, and adds the edges of later blocks. out has
// the ends of the rows in own. A large component has very many of both, so mark, whose entries are verified,
// finds its edges.
func (own *block) place(out *Graph, first, at uint32, rows int, arrived []edge, mark []uint32) {
	key := make([]uint32, len(arrived))
	for k, e := range arrived {
		key[k] = e.row - first
	}
	of := arrays.GroupBy(key, rows)
	done := uint32(0)
	begin := uint32(0) // of own: what is copied, the row
	for i := range rows {
		id := first + uint32(i)
		end, start := out.End[id], at+begin
		more := of.Of(i)
		if len(more) > 0 {
			copy(out.Head[at+done:], own.head[done:end])
			copy(out.Weight[at+done:], own.weight[done:end])
			done = end
			for k := start; k < at+end; k++ {
				mark[out.Head[k]] = k
			}
		}
		for _, m := range more {
			e := &arrived[m]
			if k := mark[e.head]; k >= start && k < at+end && out.Head[k] == e.head {
				out.Weight[k] += e.weight
			} else {
				mark[e.head] = at + end
				out.Head[at+end], out.Weight[at+end] = e.head, e.weight
				at++
			}
		}
		out.Start[id] = start
		out.End[id] = at + end
		begin = end
	}
	copy(out.Head[at+done:], own.head[done:])
	copy(out.Weight[at+done:], own.weight[done:])
}

// differ returns 1 if a and b are not equal, else 0.
func differ(a, b uint32) (d uint32) {
	if a != b {
		d = 1
	}
	return d
}
