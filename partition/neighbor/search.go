// SPDX-License-Identifier: BSD-3-Clause

package neighbor

import (
	"math"

	"superpoint/partition/base/parallel"
)

// nearestGo fills the lists.
//
// It is the reference for the kernels in C and CUDA, which have the same lists.
func (c *Cloud) nearestGo(l *Lists, run parallel.Run) error {
	return c.nearestEach(c.Len(), l.K, run, func(i int) (uint32, []uint32) { return uint32(i), l.Of(i) })
}

// nearestEach finds the k neighbours of some points by a depth-first search in the tree for each. each(i)
// returns the i-th point and the row to which its neighbours are written.
//
// A search keeps the k nearest points so far, and skips each box that is farther than the k-th of them
// (Friedman, Bentley and Finkel 1977, doi:10.1145/355744.355745). Points that follow one another in tree
// order are close to each other, so what one search read is mostly still in the cache for the next.
func (c *Cloud) nearestEach(points, k int, run parallel.Run, each func(i int) (point uint32,
	row []uint32)) error {
	searches := make([]*search, run.Workers())
	return run.ForWorker(points, 2048, func(worker, lo, hi int) {
		if searches[worker] == nil {
			searches[worker] = newSearch(c, k)
		}
		for i := lo; i < hi; i++ {
			searches[worker].find(each(i))
		}
	})
}

// search finds the neighbours of one point at a time.
//
// dist and index are the list so far, both of k entries; entry i is the i-th nearest of the points that were
// offered.
type search struct {
	cloud *Cloud
	k     int
	self  uint32
	at    [3]int32
	dist  []uint64 // squared distances in units of index, ascending
	index []uint32 // the row being filled
	stack []visit
}

// dist is the squared distance from the point to the box of the node, a lower bound for all points in it.
type visit struct {
	dist uint64
	node uint32
}

func newSearch(c *Cloud, k int) *search {
	return &search{cloud: c, k: k, dist: make([]uint64, k), stack: make([]visit, 0, 128)}
}

// findLeaf fills the rows of a leaf's points.
func (s *search) findLeaf(leaf *node, l *Lists) {
	for i := int(leaf.start); i < int(leaf.start)+leaf.count(); i++ {
		s.find(uint32(i), l.Of(i))
	}
}

// find fills the row of a point.
//
// Claim: no neighbor is missed. Reason: a node is skipped only if its box is farther than the k-th point of
// the list, and no point of it is nearer than its box. A box at the same distance is not skipped, because the
// tie may be decided for a point in it.
//
// The nearer child is searched first. The other waits on a stack with its distance, which is compared again
// when its turn comes: by then the list mostly ends nearer. Of children at equal distance, the one that
// contains the point itself comes first. That affects the time only: the list has the first k points of a
// total order, in whatever order they are offered.
func (s *search) find(self uint32, index []uint32) {
	s.self = self
	s.at = s.cloud.XYZ[self]
	s.index = index
	for i := range s.dist {
		// An empty entry is farther than every point, whose squared distance is below 3·2⁶²: offer never
		// compares the index of one.
		s.dist[i], s.index[i] = math.MaxUint64, math.MaxUint32
	}
	nodes := s.cloud.tree.nodes
	stack := append(s.stack[:0], visit{0, 0})
	// Other points are farther than 0, so none can enter a list that is full of duplicates.
	if s.coincident() == s.k {
		return
	}
	// a pointer, since each point that enters the list makes it smaller
	worst := &s.dist[s.k-1]
	for len(stack) > 0 {
		v := stack[len(stack)-1]
		stack = stack[:len(stack)-1]
		// From a node it goes down to a leaf in this loop; the stack is used for the farther children only.
		for v.dist <= *worst {
			nd := &nodes[v.node]
			if nd.leaf() {
				s.scan(nd)
				break
			}
			near, far := visit{node: v.node + 1}, visit{node: nd.link}
			near.dist = nodes[near.node].distance(&s.at)
			far.dist = nodes[far.node].distance(&s.at)
			if far.dist < near.dist || far.dist == near.dist && nodes[far.node].start <= self {
				near, far = far, near
			}
			if far.dist <= *worst {
				stack = append(stack, far)
			}
			v = near
		}
	}
	s.stack = stack[:0]
}

// coincident fills the list with the points coincident with the current one, which are
// consecutive and in input order, and returns their number, at most k.
//
// They are side by side in tree order, because a run of duplicates is never split (split). So they are found
// by steps to the left and to the right in turn, without the tree.
func (s *search) coincident() int {
	n := 0
	xyz := s.cloud.XYZ
	end := uint32(s.cloud.Len())
	back := true // whether the point before may be coincident
	on := true   // whether the point after may be
	for d := uint32(1); back || on; d++ {
		back = back && n < s.k && d <= s.self && xyz[s.self-d] == s.at
		if back {
			s.dist[n], s.index[n] = 0, s.self-d
			n++
		}
		on = on && n < s.k && d < end-s.self && xyz[s.self+d] == s.at
		if on {
			s.dist[n], s.index[n] = 0, s.self+d
			n++
		}
	}
	return n
}

// distance returns the squared distance in units from a position to the box.
//
// At most one of the two differences along an axis is positive; within the box none is, and 0 is taken.
func (n *node) distance(p *[3]int32) uint64 {
	var d uint64
	for a := range p {
		e := max(int64(n.lo[a])-int64(p[a]), int64(p[a])-int64(n.hi[a]), 0)
		d += uint64(e * e)
	}
	return d
}

// scan inserts the points of a leaf that are not coincident with the current one. Of points
// coincident with each other, only the first k can be neighbours of others.
//
// The extent of a cloud is below 2³¹ units along each axis (Cloud), so a difference fits in 32 bits with its
// sign, and the sum of three squares in 64: distances are exact, and two of them are equal only if they are
// equal in space. With floating point numbers, two kernels that add in another order would break ties
// differently.
func (s *search) scan(leaf *node) {
	first := leaf.start
	last := first + uint32(leaf.count())
	// Only exact duplicates form a leaf of that size. All are equally far, and the first k of them precede
	// the others.
	if leaf.count() > leafSize {
		last = min(last, first+uint32(s.k))
	}
	xyz := s.cloud.XYZ[first:last]
	worst := s.dist[s.k-1]
	for j := range xyz {
		dx := int64(xyz[j][0] - s.at[0])
		dy := int64(xyz[j][1] - s.at[1])
		dz := int64(xyz[j][2] - s.at[2])
		d := uint64(dx*dx) + uint64(dy*dy) + uint64(dz*dz)
		if d <= worst && d > 0 {
			worst = s.offer(d, first+uint32(j))
		}
	}
}

// offer inserts a point into the list and returns the greatest distance in it.
//
// It is a step of an insertion sort: entries that come later move back by one. Most points that are offered
// are farther than the last entry, and the loop ends at once.
func (s *search) offer(d uint64, j uint32) uint64 {
	i := s.k
	for ; i > 0 && (d < s.dist[i-1] || d == s.dist[i-1] && s.cloud.before(j, s.index[i-1])); i-- {
		if i < s.k {
			s.dist[i], s.index[i] = s.dist[i-1], s.index[i-1]
		}
	}
	if i < s.k {
		s.dist[i], s.index[i] = d, j
	}
	return s.dist[s.k-1]
}

// before breaks the tie between two points at equal distance.
//
// Points with the same position are in input order in the cloud, so the index of the cloud stands for the
// input index.
func (c *Cloud) before(i, j uint32) bool {
	p, q := &c.XYZ[i], &c.XYZ[j]
	for a := range p {
		if p[a] != q[a] {
			return p[a] < q[a]
		}
	}
	return i < j // duplicates are in input order
}
