// SPDX-License-Identifier: BSD-3-Clause

package cutpursuit

import "superpoint/partition/base/arrays"

// Tree of a vertex: the source's, the sink's, or none (free).
const (
	free uint8 = iota
	source
	sink
)

// Values of parent that are not arcs.
const (
	none   int32 = -1 // no parent
	root   int32 = -2 // the terminal itself
	orphan int32 = -3 // the arc to the parent is saturated; adopt has not processed the vertex yet
)

// cut sets side[u] to true for the vertices on the source's side of a minimum
// cut of
//
//	scale · Σ_{u,v} weight [side_u ≠ side_v]
//	  + Σ_u max(prefer_u, 0) [not side_u] + max(−prefer_u, 0) [side_u]:
//
// prefer_u > 0 is the cost of u on the sink's side, −prefer_u > 0 the cost of u on the
// source's side. Of the minimum cuts, it returns one in which vertices that the
// source's tree does not reach are on the sink's side.
func (f *network) cut(prefer []float32, scale float32, side []bool) {
	if len(f.start) != f.n+1 {
		f.build()
	}
	f.begin(prefer, scale)
	for {
		u, ok := f.pop()
		if !ok {
			break
		}
		for f.tree[u] != free {
			arc, ok := f.grow(u)
			if !ok {
				break
			}
			f.time++
			f.augment(arc)
			f.adopt()
		}
	}
	for u := range side[:f.n] {
		side[u] = f.tree[u] == source
	}
}

func (f *network) begin(prefer []float32, scale float32) {
	for i, a := range f.place {
		c := f.weight[i] * scale
		f.residual[a], f.residual[f.twin[a]] = c, c
	}
	n := f.n
	f.terminal = arrays.Resized(f.terminal, n)
	f.tree = arrays.Resized(f.tree, n)
	f.parent = arrays.Resized(f.parent, n)
	f.stamp = arrays.Resized(f.stamp, n)
	f.distance = arrays.Resized(f.distance, n)
	f.queued = arrays.Resized(f.queued, n)
	f.active = f.active[:0]
	f.next = 0
	f.orphans = f.orphans[:0]
	f.time = 0
	copy(f.terminal, prefer)
	for u := range n {
		f.tree[u] = free
		f.parent[u] = none
		f.stamp[u] = 0
		f.distance[u] = 1
		f.queued[u] = false
		if c := f.terminal[u]; c != 0 {
			f.tree[u], f.parent[u] = source, root
			if c < 0 {
				f.tree[u] = sink
			}
			f.activate(uint32(u))
		}
	}
}

func (f *network) activate(u uint32) {
	if !f.queued[u] {
		f.queued[u] = true
		f.active = append(f.active, u)
	}
}

func (f *network) pop() (uint32, bool) {
	for f.next < len(f.active) {
		u := f.active[f.next]
		f.next++
		f.queued[u] = false
		if f.next > 1024 && f.next > len(f.active)/2 { // release the processed part of the queue
			f.active = f.active[:copy(f.active, f.active[f.next:])]
			f.next = 0
		}
		if f.tree[u] != free {
			return u, true
		}
	}
	return 0, false
}

// grow adds u's free neighbours to its tree until it meets the other tree. It
// then returns the arc from the source's tree to the sink's.
func (f *network) grow(u uint32) (arc uint32, found bool) {
	own := f.tree[u]
	for a := f.start[u]; a < f.start[u+1]; a++ {
		b := f.twin[a]
		forward := a
		if own == sink {
			forward = b
		}
		if f.residual[forward] <= 0 {
			continue
		}
		v := f.head[a]
		switch f.tree[v] {
		case free:
			f.tree[v] = own
			f.parent[v] = int32(b)
			f.stamp[v], f.distance[v] = f.stamp[u], f.distance[u]+1
			f.activate(v)
		case own:
			if f.stamp[v] <= f.stamp[u] && f.distance[v] > f.distance[u]+1 {
				f.parent[v] = int32(b)
				f.stamp[v], f.distance[v] = f.stamp[u], f.distance[u]+1
			}
		default:
			return forward, true
		}
	}
	return 0, false
}

// augment sends the smallest residual capacity along the path through arc, and
// makes orphans of the vertices whose arc to their parent is saturated.
func (f *network) augment(arc uint32) {
	least := f.residual[arc]
	from, to := f.head[f.twin[arc]], f.head[arc]
	u := from
	for ; f.parent[u] >= 0; u = f.head[f.parent[u]] {
		least = min(least, f.residual[f.twin[f.parent[u]]])
	}
	least = min(least, f.terminal[u])
	for u = to; f.parent[u] >= 0; u = f.head[f.parent[u]] {
		least = min(least, f.residual[f.parent[u]])
	}
	least = min(least, -f.terminal[u])

	f.push(arc, least)
	for u = from; f.parent[u] >= 0; {
		p := uint32(f.parent[u])
		if f.push(f.twin[p], least) {
			f.makeOrphan(u)
		}
		u = f.head[p]
	}
	if f.terminal[u] -= least; f.terminal[u] == 0 {
		f.makeOrphan(u)
	}
	for u = to; f.parent[u] >= 0; {
		p := uint32(f.parent[u])
		if f.push(p, least) {
			f.makeOrphan(u)
		}
		u = f.head[p]
	}
	if f.terminal[u] += least; f.terminal[u] == 0 {
		f.makeOrphan(u)
	}
}

// push adds flow along an arc and reports whether the arc is saturated.
func (f *network) push(arc uint32, flow float32) bool {
	f.residual[arc] -= flow
	f.residual[f.twin[arc]] += flow
	return f.residual[arc] == 0
}

func (f *network) makeOrphan(u uint32) {
	f.parent[u] = orphan
	f.orphans = append(f.orphans, u)
}

// adopt gives each orphan a new parent in its tree. Where there is none, it
// frees the vertex and makes orphans of its children.
func (f *network) adopt() {
	for len(f.orphans) > 0 {
		u := f.orphans[len(f.orphans)-1]
		f.orphans = f.orphans[:len(f.orphans)-1]
		if a, d := f.newParent(u); a >= 0 {
			f.parent[u] = a
			f.stamp[u] = f.time
			f.distance[u] = d + 1
			continue
		}
		f.release(u)
	}
}

// newParent returns the arc to the neighbour nearest to the terminal, among the
// neighbours in the orphan's tree that are connected to the terminal, and this
// neighbour's distance. best is none if there is no such neighbour.
func (f *network) newParent(u uint32) (best int32, distance uint32) {
	best = none
	for a := f.start[u]; a < f.start[u+1]; a++ {
		v := f.head[a]
		if f.tree[v] != f.tree[u] || !f.feeds(a, f.tree[u]) {
			continue
		}
		if d, ok := f.depth(v); ok && (best < 0 || d < distance) {
			best = int32(a)
			distance = d
		}
	}
	return best, distance
}

// feeds reports whether arc a from u has residual capacity in the direction of
// a tree arc: towards u in the source's tree, away from u in the sink's.
func (f *network) feeds(a uint32, tree uint8) bool {
	if tree == source {
		a = f.twin[a]
	}
	return f.residual[a] > 0
}

// depth returns v's distance to the terminal in its tree, or false if v is in
// the subtree of an orphan. It stores the distances of the vertices on the path.
func (f *network) depth(v uint32) (uint32, bool) {
	var steps uint32
	u := v
	for f.stamp[u] != f.time {
		p := f.parent[u]
		if p == root {
			f.stamp[u], f.distance[u] = f.time, 1
			break
		}
		if p < 0 {
			return 0, false
		}
		u = f.head[p]
		steps++
	}
	d := f.distance[u] + steps
	for k, u := d, v; f.stamp[u] != f.time; k-- {
		f.stamp[u], f.distance[u] = f.time, k
		u = f.head[f.parent[u]]
	}
	return d, true
}

// release frees u, makes orphans of its children, and activates the neighbours
// that can add u to the tree again.
func (f *network) release(u uint32) {
	for a := f.start[u]; a < f.start[u+1]; a++ {
		v := f.head[a]
		if f.tree[v] != f.tree[u] {
			continue
		}
		if f.feeds(a, f.tree[u]) {
			f.activate(v)
		}
		if p := f.parent[v]; p >= 0 && f.head[p] == u {
			f.makeOrphan(v)
		}
	}
	f.tree[u], f.parent[u] = free, none
}

// network is a graph with undirected weighted edges, of which cut finds minimum cuts
// between two terminals by the method of Boykov and Kolmogorov (2004, doi:10.1109/TPAMI.2004.60): two
// search trees, one from each terminal, which are reused after each augmenting
// path instead of being searched again.
//
// Capacities are float32. An augmentation sends the smallest residual capacity
// of its path, and c − c is exactly 0, so every augmentation saturates an arc
// and rounding leaves no path of negligible capacity behind. The cost of the cut
// that is returned exceeds the minimum by rounding errors only. Results depend
// on the input alone.
// reset reuses its memory for another graph.
type network struct {
	n        int
	ends     [][2]uint32 // of each edge
	weight   []float32
	start    []uint32  // arcs of u are start[u]..start[u+1]
	head     []uint32  // vertex at the end of each arc
	twin     []uint32  // reverse of each arc
	place    []uint32  // first arc of each edge
	residual []float32 // of each arc

	terminal []float32 // residual capacity from the source (> 0) or to the sink (< 0)
	tree     []uint8
	parent   []int32  // arc to the parent
	stamp    []uint32 // time at which distance was computed
	distance []uint32 // to the root of the tree
	queued   []bool
	active   []uint32 // queue of active vertices, first in, first out
	next     int      // first entry of active that is not processed
	orphans  []uint32
	time     uint32 // number of augmentations
}

// reset removes all edges and sets the number of vertices to n.
func (f *network) reset(n int) {
	f.n = n
	f.ends = f.ends[:0]
	f.weight = f.weight[:0]
	f.start = f.start[:0]
}

// connect adds an edge of weight ≥ 0 between two vertices below n.
func (f *network) connect(u, v uint32, weight float32) {
	f.ends = append(f.ends, [2]uint32{u, v})
	f.weight = append(f.weight, weight)
}

// neighbors returns the vertices adjacent to u. It requires a call of Cut after
// the last Connect.
func (f *network) neighbors(u uint32) []uint32 { return f.head[f.start[u]:f.start[u+1]] }

// build sorts the edges into arcs at their two ends.
func (f *network) build() {
	f.start = arrays.Zeroed(f.start, f.n+1)
	for _, e := range f.ends {
		f.start[e[0]]++
		f.start[e[1]]++
	}
	total := int(arrays.Begin(f.start))
	f.head = arrays.Resized(f.head, total)
	f.twin = arrays.Resized(f.twin, total)
	f.residual = arrays.Resized(f.residual, total)
	f.place = arrays.Resized(f.place, len(f.ends))
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
