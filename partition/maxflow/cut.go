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

// A vertex is in the tree of the source, in that of the sink, or free.
const (
	free uint8 = iota
	source
	sink
)

// What parent holds in place of an arc.
const (
	none  int32 = -1 // no parent
	root  int32 = -2 // the terminal itself
	loose int32 = -3 // lost its parent, waits for adoption
)

// Cut sets side[u] to true for the vertices on the source's side of a minimum
// cut of
//
//	scale · Σ_{u,v} weight [side_u ≠ side_v] + Σ_u max(prefer_u, 0) [not side_u] + max(−prefer_u, 0) [side_u]:
//
// prefer_u is what it costs to keep u from the source (if positive) or from
// the sink (if negative). Vertices that do not care are on the sink's side.
func (f *Network) Cut(prefer []float32, scale float32, side []bool) {
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

func (f *Network) begin(prefer []float32, scale float32) {
	for i, a := range f.place {
		c := f.weight[i] * scale
		f.residual[a], f.residual[f.twin[a]] = c, c
	}
	n := f.n
	f.terminal, f.tree, f.parent = arrays.Resized(f.terminal, n), arrays.Resized(f.tree, n), arrays.Resized(f.parent, n)
	f.stamp, f.distance, f.queued = arrays.Resized(f.stamp, n), arrays.Resized(f.distance, n), arrays.Resized(f.queued, n)
	f.active, f.next, f.orphans, f.time = f.active[:0], 0, f.orphans[:0], 0
	copy(f.terminal, prefer)
	for u := range n {
		f.tree[u], f.parent[u], f.stamp[u], f.distance[u], f.queued[u] = free, none, 0, 1, false
		if c := f.terminal[u]; c != 0 {
			f.tree[u], f.parent[u] = source, root
			if c < 0 {
				f.tree[u] = sink
			}
			f.activate(uint32(u))
		}
	}
}

func (f *Network) activate(u uint32) {
	if !f.queued[u] {
		f.queued[u] = true
		f.active = append(f.active, u)
	}
}

func (f *Network) pop() (uint32, bool) {
	for f.next < len(f.active) {
		u := f.active[f.next]
		f.next++
		f.queued[u] = false
		if f.next > 1024 && f.next > len(f.active)/2 { // forget the part that is done
			f.active = f.active[:copy(f.active, f.active[f.next:])]
			f.next = 0
		}
		if f.tree[u] != free {
			return u, true
		}
	}
	return 0, false
}

// grow adds u's free neighbours to its tree. It returns the first arc that
// leads from the source's tree to the sink's.
func (f *Network) grow(u uint32) (arc uint32, found bool) {
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
			f.tree[v], f.parent[v] = own, int32(b)
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

// augment sends as much as fits along the path through arc and makes orphans
// of the vertices behind saturated arcs.
func (f *Network) augment(arc uint32) {
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
			f.orphan(u)
		}
		u = f.head[p]
	}
	if f.terminal[u] -= least; f.terminal[u] == 0 {
		f.orphan(u)
	}
	for u = to; f.parent[u] >= 0; {
		p := uint32(f.parent[u])
		if f.push(p, least) {
			f.orphan(u)
		}
		u = f.head[p]
	}
	if f.terminal[u] += least; f.terminal[u] == 0 {
		f.orphan(u)
	}
}

// push moves flow along arc and says whether that saturated it.
func (f *Network) push(arc uint32, flow float32) bool {
	f.residual[arc] -= flow
	f.residual[f.twin[arc]] += flow
	return f.residual[arc] == 0
}

func (f *Network) orphan(u uint32) {
	f.parent[u] = loose
	f.orphans = append(f.orphans, u)
}

// adopt finds each orphan a new parent in its tree, or frees it and makes
// orphans of its children.
func (f *Network) adopt() {
	for len(f.orphans) > 0 {
		u := f.orphans[len(f.orphans)-1]
		f.orphans = f.orphans[:len(f.orphans)-1]
		if a, d := f.newParent(u); a >= 0 {
			f.parent[u], f.stamp[u], f.distance[u] = a, f.time, d+1
			continue
		}
		f.release(u)
	}
}

// newParent returns the arc to the neighbour nearest to the terminal, among
// those that still hang on it.
func (f *Network) newParent(u uint32) (best int32, distance uint32) {
	best = none
	for a := f.start[u]; a < f.start[u+1]; a++ {
		v := f.head[a]
		if f.tree[v] != f.tree[u] || !f.feeds(a, f.tree[u]) {
			continue
		}
		if d, ok := f.depth(v); ok && (best < 0 || d < distance) {
			best, distance = int32(a), d
		}
	}
	return best, distance
}

// feeds says whether flow can pass between u and its parent over arc a from u.
func (f *Network) feeds(a uint32, tree uint8) bool {
	if tree == source {
		a = f.twin[a]
	}
	return f.residual[a] > 0
}

// depth returns v's distance to the terminal, or false if v hangs on an
// orphan, and remembers the distances along the way.
func (f *Network) depth(v uint32) (uint32, bool) {
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

func (f *Network) release(u uint32) {
	for a := f.start[u]; a < f.start[u+1]; a++ {
		v := f.head[a]
		if f.tree[v] != f.tree[u] {
			continue
		}
		if f.feeds(a, f.tree[u]) {
			f.activate(v)
		}
		if p := f.parent[v]; p >= 0 && f.head[p] == u {
			f.orphan(v)
		}
	}
	f.tree[u], f.parent[u] = free, none
}

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
