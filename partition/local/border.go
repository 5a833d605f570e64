// SPDX-License-Identifier: BSD-3-Clause

package local

import (
	"sync/atomic"

	"superpoint/partition/base/arrays"
	"superpoint/partition/base/parallel"
	"superpoint/partition/problem/reduced"
)

// rows are edges by vertex: the edges of u have the indices start[u] to start[u+1]−1.
//
// In contrast to a reduced.Graph there are no gaps: the end of a row is the start of the next, and start has
// one entry more than there are rows.
type rows struct {
	start, head []uint32
	weight      []float32
}

// newRows returns the edges of g in other rows: place returns the row and the head of the edge from u to v,
// and whether it is in one. The order within a row is arbitrary. Rows are filled by atomic counters instead
// of a lock. That leaves the order within a row to chance, so callers either sort the rows (canonical) or
// only form sums that are exact in any order (border).
//
// Two calls of the same loop, the first of which counts: the number of edges of each row is not known before.
// place is called twice for an edge and has to answer the same both times.
func newRows(run parallel.Run, g *reduced.Graph, place func(u, v uint32) (row, head uint32, is bool)) rows {
	n := g.Vertices()
	start := make([]uint32, n+1)
	next := start[1:] // so that filling a row moves its start into place; first the number of edges
	each := func(see func(k, row, head uint32)) {
		run.Do(n, parallel.Block(n), func(lo, hi int) {
			for u := uint32(lo); u < uint32(hi); u++ {
				for k := g.Start[u]; k < g.End[u]; k++ {
					if row, head, is := place(u, g.Head[k]); is {
						see(k, row, head)
					}
				}
			}
		})
	}
	each(func(_, row, _ uint32) { atomic.AddUint32(&next[row], 1) })
	// next[row] is start[row+1]. Starts replaces the sizes by the begins of rows, one place too far to the
	// right; filling a row then raises its entry from its begin to its end, which is the begin of the row
	// after it. When all rows are full, start has the begins of all rows, and start[0] = 0 was never touched.
	total := arrays.Starts(run, next)
	r := rows{start, make([]uint32, total), make([]float32, total)}
	each(func(k, row, head uint32) {
		at := atomic.AddUint32(&next[row], 1) - 1
		r.head[at], r.weight[at] = head, g.Weight[k]
	})
	return r
}

// of returns the edges of a row: heads and weights.
//
// Both slices share the memory of r: canonical sorts them in place.
func (r *rows) of(u uint32) (head []uint32, weight []float32) {
	from, end := r.start[u], r.start[u+1]
	return r.head[from:end], r.weight[from:end]
}

// border has the vertices of a graph at the boundaries of a partition, and of these the edges that are stored
// in the rows of their smaller neighbors. Their order is arbitrary: weights are multiples of 1/65536, whose
// sums in float64 are exact.
type border struct {
	member []uint32 // 1 for vertices with a neighbor of another label
	rows            // heads are the smaller vertices
}

// newBorder finds the border of the components label. Reason for the type: a graph stores an edge in the row
// of its smaller end only. A vertex that may change its label needs all of its edges, but only vertices at
// borders may, which are few; so the missing half is kept for them alone.
func newBorder(run parallel.Run, g *reduced.Graph, label []uint32) *border {
	n := len(label)
	b := &border{member: make([]uint32, n)}
	run.Do(n, parallel.Block(n), func(lo, hi int) {
		for u := lo; u < hi; u++ {
			for _, v := range g.Head[g.Start[u]:g.End[u]] {
				// An edge is stored at one of its ends, so each edge marks both ends. A vertex may be marked
				// by a worker of another block.
				if label[v] != label[u] {
					set(&b.member[u])
					set(&b.member[v])
				}
			}
		}
	})
	b.rows = newRows(run, g, func(u, v uint32) (row, head uint32, is bool) { return v, u, b.member[v] != 0 })
	return b
}

// set writes 1 to a variable to which other workers may write 1 at the same time. It reads first, because
// most variables are set already, and a write would take the cache line from the other workers.
func set(x *uint32) {
	if atomic.LoadUint32(x) == 0 {
		atomic.StoreUint32(x, 1)
	}
}
