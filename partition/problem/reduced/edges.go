// SPDX-License-Identifier: BSD-3-Clause

package reduced

import (
	"superpoint/partition/base/arrays"
	"superpoint/partition/base/parallel"
)

// edges builds the rows of out: for each block of old vertices the rows of the new ids whose
// first vertex is in the block, from the block's own edges and then from the strays of later
// blocks, in their order, so that sums do not depend on threads. A block's rows are
// assembled in a worker's memory and stored at an offset that leaves room for all edges
// between components before parallel ones are summed; memory that remains unused is not
// touched.
func (t *Contractor) edges(run parallel.Run, g, out *Graph, label []uint32, count int) {
	n := g.Vertices()
	block := parallel.Block(n)
	room := make([]uint32, len(t.strays)+1)
	out.Start, out.End = arrays.Resized(out.Start, count), arrays.Zeroed(out.End, count)
	run.Do(n, block, func(lo, hi int) {
		b := lo / block
		room[b+1], t.strays[b] = t.survey(g, out.End, label, b, lo, hi)
	})
	t.deliver(room)
	for b := range t.strays {
		room[b+1] += room[b]
	}
	total := int(room[len(t.strays)])
	out.Head, out.Weight = arrays.Resized(out.Head, total), arrays.Resized(out.Weight, total)
	parallel.Check(run.ForWorker(n, block, func(worker, lo, hi int) {
		b := lo / block
		r := &t.rows[worker]
		r.collect(g, out.End[t.first[b]:t.first[b+1]], label, lo, hi, t.first[b], t.arrived[b])
		r.store(out, t.first[b], room[b], count)
	}))
}

// survey counts the edges of the vertices [lo, hi) between different components, in the rows
// of the ids that begin in the block, and returns their number, and the edges whose row
// begins in an earlier block. Whether an edge is between different components is hard to
// predict, so there is no branch on it.
func (t *Contractor) survey(g *Graph, degree, label []uint32, b, lo, hi int) (edges uint32, strays []stray) {
	first, strays := t.first[b], t.strays[b][:0]
	degree = degree[first:t.first[b+1]]
	for u := lo; u < hi; u++ {
		a := label[u]
		from, to := g.Start[u], g.End[u]
		for i, v := range g.Head[from:to] {
			b := label[v]
			if row := min(a, b); row >= first {
				degree[row-first] += differ(a, b)
			} else if a != b {
				strays = append(strays, stray{row, max(a, b), g.Scale * g.Weight[int(from)+i]})
			}
		}
	}
	for _, n := range degree {
		edges += n
	}
	return edges, strays
}

// deliver appends every stray to the list of the block in which its row begins.
func (t *Contractor) deliver(room []uint32) {
	for b := range t.arrived {
		t.arrived[b] = t.arrived[b][:0]
	}
	for source, list := range t.strays {
		for _, e := range list {
			b := t.home(e.row, source)
			t.arrived[b] = append(t.arrived[b], e)
			room[b+1]++
		}
	}
}

// home returns the block before b in which id begins.
func (t *Contractor) home(id uint32, b int) int {
	low, high := 0, b // first[low] ≤ id < first[high]
	for high-low > 1 {
		if middle := (low + high) / 2; t.first[middle] <= id {
			low = middle
		} else {
			high = middle
		}
	}
	return low
}

// rows is a worker's memory for the rows of one block.
type rows struct {
	start  []uint32 // start of each row in head, while filling the next free index
	head   []uint32
	weight []float32
	mark   []uint32 // index in out of the last edge to each head
}

// collect sorts a block's edges into the rows of the new ids from first on. degree has the
// number of the block's own edges of each row, and is increased by those of arrived.
func (r *rows) collect(g *Graph, degree, label []uint32, lo, hi int, first uint32, arrived []stray) {
	for _, e := range arrived {
		degree[e.row-first]++
	}
	width := len(degree)
	r.start = arrays.Resized(r.start, width+2)
	r.start[0], r.start[1] = 0, 0 // filling a row moves its start into place
	for i, n := range degree {
		r.start[i+2] = r.start[i+1] + n + 1 // one entry more, for the edges that fill discards
	}
	total := int(r.start[width+1])
	r.head, r.weight = arrays.Resized(r.head, total), arrays.Resized(r.weight, total)
	r.fill(g, label, lo, hi, first)
	for _, e := range arrived {
		at := r.start[e.row-first+1]
		r.head[at], r.weight[at] = e.head, e.weight
		r.start[e.row-first+1] = at + 1
	}
}

// fill stores the block's own edges. To avoid a branch, edges inside a component are also
// written to the next free entry of its row, which is then not advanced.
func (r *rows) fill(g *Graph, label []uint32, lo, hi int, first uint32) {
	free, head, weight, scale := r.start[1:], r.head, r.weight, g.Scale
	for u := lo; u < hi; u++ {
		a := label[u]
		from, to := g.Start[u], g.End[u]
		weights := g.Weight[from:to]
		for i, v := range g.Head[from:to] {
			b := label[v]
			if row := min(a, b); row >= first {
				at := free[row-first]
				head[at], weight[at] = max(a, b), scale*weights[i]
				free[row-first] = at + differ(a, b)
			}
		}
	}
}

// store sums the edges of a row to the same component, and writes the rows to out from
// index at on.
func (r *rows) store(out *Graph, first, at uint32, count int) {
	r.mark = arrays.Resized(r.mark, count) // entries are verified below, so it need not be cleared
	mark, head, weight := r.mark, out.Head, out.Weight
	begin := uint32(0)
	for i, end := range r.start[1 : len(r.start)-1] {
		start := at
		for k := begin; k < end; k++ {
			v := r.head[k]
			if m := mark[v]; m >= start && m < at && head[m] == v {
				weight[m] += r.weight[k]
				continue
			}
			mark[v] = at
			head[at], weight[at] = v, r.weight[k]
			at++
		}
		out.Start[first+uint32(i)], out.End[first+uint32(i)] = start, at
		begin = end + 1
	}
}

// differ returns 1 if a and b are not equal, else 0.
func differ(a, b uint32) (d uint32) {
	if a != b {
		d = 1
	}
	return d
}
