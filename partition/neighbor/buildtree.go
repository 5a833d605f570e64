// SPDX-License-Identifier: BSD-3-Clause

package neighbor

import (
	"superpoint/partition/base/parallel"
)

// subtree is a range of items that becomes a subtree.
//
// The nodes of a subtree have links relative to its own first node. They become indices of the tree when
// buildTree copies them, as only then it is known how many nodes are before them.
type subtree struct {
	lo, hi int
	inner  int // index of the left child in the slice of subtrees, right follows; 0 if not split
	box    node
	nodes  []node // of a subtree that is not split, or the root
	at     uint32 // index of the first in the tree
}

// buildTree sorts items, whose tight box is given, into tree order and returns the tree. The order depends
// only on the items: a node is split at its middle, in the total order of precedes, along the longest side of
// its tight box.
//
// Near the root there are few nodes of many items, below many nodes of few items. So workers share the passes
// over a node above, and have subtrees of their own below. Both ways give the same tree, because the items of
// a node are divided by a total order, not by their places.
func buildTree(items []item, box node, run parallel.Run) (t tree, err error) {
	defer parallel.Catch(&err)
	if len(items) == 0 {
		return t, nil
	}
	// progress is reported by the loop over subtrees, which takes most of the time
	quiet := run.Quiet()
	subtrees := splitTop(items, box, quiet)
	alone := splitter{items: items}
	run.Each(len(subtrees), 1, func(i int) {
		if s := &subtrees[i]; s.inner == 0 {
			s.nodes = alone.grow(make([]node, 0, (s.hi-s.lo)/4+4), s.lo, s.hi, s.box)
		}
	})
	// One array for all nodes, of the exact size: the tree stays as long as the cloud.
	t.nodes = make([]node, place(subtrees, 0, 0))
	quiet.Each(len(subtrees), 1, func(i int) {
		s := &subtrees[i]
		for k, n := range s.nodes {
			if !n.leaf() {
				n.link += s.at
			}
			t.nodes[int(s.at)+k] = n
		}
		s.nodes = nil
	})
	return t, nil
}

// splitTop splits the items level by level until subtrees are small enough for one worker each. It returns
// all nodes of these levels as subtrees: those that are split have an index of the first half, others are to
// grow. Where a level has fewer nodes than half of the workers, all workers split each node together.
//
// subtrees is a breadth-first list of nodes: a level is what the level before has appended. Both halves of a
// node are appended together, so one index (inner) is enough for two.
func splitTop(items []item, box node, run parallel.Run) []subtree {
	// About 64 subtrees or more are enough for an even share of the work; ranges of up to 4,096 items stay
	// whole.
	grain := max(len(items)/64, 4096)
	alone := splitter{items: items}
	shared := splitter{items, &run}
	subtrees := []subtree{{hi: len(items), box: box}}
	for first := 0; first < len(subtrees); {
		level := subtrees[first:]
		halves := make([][2]subtree, len(level))
		if 2*len(level) <= run.Workers() {
			for i := range level {
				halves[i] = shared.halve(&level[i], grain)
			}
		} else {
			run.Each(len(level), 1, func(i int) { halves[i] = alone.halve(&level[i], grain) })
		}
		next := len(subtrees)
		for i := range halves {
			// The loop is serial, in the order of the level: the indices of subtrees do not depend on the
			// order of workers.
			if halves[i][0].hi > 0 {
				subtrees[first+i].inner = len(subtrees)
				subtrees = append(subtrees, halves[i][:]...)
			}
		}
		first = next
	}
	return subtrees
}

// halve splits a subtree of more than grain items that are not at one place; else the halves are zero.
//
// Items at one place are never split: they become one leaf of any size, in which a search reads the first k
// only (scan).
func (s *splitter) halve(t *subtree, grain int) (halves [2]subtree) {
	if t.hi-t.lo <= grain || t.box.point() {
		return halves
	}
	cut, boxes := s.split(t.lo, t.hi, &t.box)
	halves[0] = subtree{lo: t.lo, hi: t.lo + cut, box: boxes[0]}
	halves[1] = subtree{lo: t.lo + cut, hi: t.hi, box: boxes[1]}
	return halves
}

// place sets the indices of the nodes of the subtree of subtrees[i], from at on in depth-first order, and
// returns the next index.
//
// In depth-first order the left child follows its parent, so a node needs one link only, and a search that
// goes to the left reads memory in order.
func place(subtrees []subtree, i int, at uint32) (next uint32) {
	s := &subtrees[i]
	s.at = at
	if s.inner == 0 {
		return at + uint32(len(s.nodes))
	}
	s.box.start = uint32(s.lo)
	// The right child begins where the left subtree, which begins at at+1, ends.
	s.box.link = place(subtrees, s.inner, at+1) - at
	s.nodes = []node{s.box}
	return place(subtrees, s.inner+1, at+s.box.link)
}

// grow appends the subtree of the items from lo to hi−1, which lie in a box.
func (s *splitter) grow(nodes []node, lo, hi int, box node) []node {
	// A leaf has its items sorted along the longest side of its box: their order is part of the order of
	// points, so it must follow from positions alone.
	box.start = uint32(lo)
	if hi-lo <= leafSize || box.point() {
		box.link = leafFlag | uint32(hi-lo)
		sortItems(s.items[lo:hi], box.longest())
		return append(nodes, box)
	}
	cut, boxes := s.split(lo, hi, &box)
	// nodes may move in memory while it grows, so that the link of this node is set by index, after the left
	// subtree.
	at := len(nodes)
	nodes = s.grow(append(nodes, box), lo, lo+cut, boxes[0])
	nodes[at].link = uint32(len(nodes))
	return s.grow(nodes, lo+cut, hi, boxes[1])
}

// split divides the items from lo to hi−1, which are not all at one position, in two, and
// returns the number of the first part and the boxes of both. Each part gets half of the
// leaves, all of which but the last are full. Exact duplicates are not separated: if the
// middle is inside a run of them, it is moved to the nearer end of the run. Both parts have
// at least a quarter of the items that are not in that run, so the depth is logarithmic.
//
// Why the middle and the longest side: halves make the depth logarithmic, and cutting the longest side keeps
// boxes compact, so that fewer of them are near a point (Friedman, Bentley and Finkel 1977,
// doi:10.1145/355744.355745). Full leaves make the fewest nodes.
func (s *splitter) split(lo, hi int, box *node) (cut int, boxes [2]node) {
	items := s.items[lo:hi]
	axis := box.longest()
	leaves := (len(items) + leafSize - 1) / leafSize
	cut = (leaves + 1) / 2 * leafSize
	if s.selectItem(items, cut, axis) {
		cut = besideRun(items, cut)
	}
	return cut, [2]node{s.boundingBox(items[:cut]), s.boundingBox(items[cut:])}
}

// besideRun returns the nearer end of the run of exact duplicates that the middle of items, before which are
// the smaller ones, is in.
//
// gather with false moves what is not of the run to the front: the run then ends the first part. gather with
// true moves the run to the front of the second part. The cut is at one of these two ends, whichever leaves
// more equal parts, and neither part is empty: not all items are at one place (split).
func besideRun(items []item, middle int) int {
	// a copy, because gather moves the item
	p := items[middle]
	before := gather(items[:middle], &p, false)
	after := middle + gather(items[middle:], &p, true)
	if before > 0 && (middle-before <= after-middle || after == len(items)) {
		return before
	}
	return after
}

// gather moves the items at the position of p to the front or to the end, and returns the
// index at which they end or begin.
//
// Invariant: items[:n] are of the kind that goes to the front, items[n:i] are not.
func gather(items []item, p *item, front bool) int {
	n := 0
	for i := range items {
		if items[i].samePlace(p) == front {
			items[n], items[i] = items[i], items[n]
			n++
		}
	}
	return n
}
