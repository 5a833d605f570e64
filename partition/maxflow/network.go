// Package maxflow finds minimum cuts of sparse networks with two terminals by
// the method of Boykov and Kolmogorov (2004, doi:10.1109/TPAMI.2004.60): two
// search trees, one from each terminal, that are kept from one augmenting path
// to the next.
//
// Capacities are float32. Every augmentation saturates an arc exactly, so the
// method ends on real numbers too; the cut found can cost more than the least
// one by rounding only. Results depend on the input alone.
package maxflow

import "superpoint/partition/arrays"

// Network is a set of vertices joined by undirected edges. Its memory is kept
// from one network to the next.
type Network struct {
	n        int
	ends     [][2]uint32 // of each edge
	weight   []float32
	start    []uint32  // arcs of u are start[u]..start[u+1]
	head     []uint32  // where an arc leads
	twin     []uint32  // the arc back
	place    []uint32  // first arc of each edge
	residual []float32 // of each arc

	terminal []float32 // residual capacity from the source (> 0) or to the sink (< 0)
	tree     []uint8
	parent   []int32  // arc to the parent
	stamp    []uint32 // when distance was last known to be right
	distance []uint32 // to the root of the tree
	queued   []bool
	active   []uint32 // first in, first out
	next     int      // in active
	orphans  []uint32
	time     uint32
}

// Reset empties the network and gives it n vertices.
func (f *Network) Reset(n int) {
	f.n = n
	f.ends, f.weight, f.start = f.ends[:0], f.weight[:0], f.start[:0]
}

// Connect adds an edge that costs weight ≥ 0 when it is cut.
func (f *Network) Connect(u, v uint32, weight float32) {
	f.ends = append(f.ends, [2]uint32{u, v})
	f.weight = append(f.weight, weight)
}

// Neighbors returns the vertices joined to u, once Cut has run.
func (f *Network) Neighbors(u uint32) []uint32 { return f.head[f.start[u]:f.start[u+1]] }

// build sorts the edges into arcs at their two ends.
func (f *Network) build() {
	f.start = arrays.Zeroed(f.start, f.n+1)
	for _, e := range f.ends {
		f.start[e[0]]++
		f.start[e[1]]++
	}
	total := int(arrays.Begin(f.start))
	f.head, f.twin = arrays.Resized(f.head, total), arrays.Resized(f.twin, total)
	f.residual, f.place = arrays.Resized(f.residual, total), arrays.Resized(f.place, len(f.ends))
	free := arrays.Resized(f.stamp, f.n)
	copy(free, f.start)
	for i, e := range f.ends {
		a, b := free[e[0]], free[e[1]]
		free[e[0]], free[e[1]] = a+1, b+1
		f.head[a], f.twin[a] = e[1], b
		f.head[b], f.twin[b] = e[0], a
		f.place[i] = a
	}
	f.stamp = free
}
