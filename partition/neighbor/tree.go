// SPDX-License-Identifier: BSD-3-Clause

package neighbor

import "superpoint/partition/base/parallel"

// leafSize is the maximum number of points of a leaf, except for leaves of exact
// duplicates, which have no limit. With 16 the vector kernel is fastest.
//
// Leaves are full, but for the last one of a node and those beside runs of duplicates (split).
const leafSize = 16

// leafFlag marks the link of a leaf.
const leafFlag = 1 << 31

// tree is a k-d tree (Bentley 1975, doi:10.1145/361002.361007) of the points
// of a cloud, nodes in depth-first order: the left child follows its parent.
// A node has the tight box of its points. Memory: about 4.5 bytes a point.
type tree struct {
	nodes []node
}

// node has 32 bytes, so that two share a cache line; struct neighbor_node in C has the
// same layout.
//
// The left child of node i is node i+1. A node needs no end: searches read points of leaves only, whose link
// has their number.
type node struct {
	lo, hi [3]int32 // tight bounding box of the points
	start  uint32   // first point
	link   uint32   // index of the right child; of a leaf, leafFlag | number of points
}

// extent returns the longest side of the box, in units.
func (n *node) extent() (longest float64) {
	for a := range n.lo {
		longest = max(longest, float64(n.hi[a])-float64(n.lo[a]))
	}
	return longest
}

func (n *node) leaf() bool { return n.link&leafFlag != 0 }

// It is valid for leaves only.
func (n *node) count() int { return int(n.link &^ leafFlag) }

// leaves returns the indices of the leaves in order.
func (t *tree) leaves() []uint32 {
	var leaves []uint32
	for i := range t.nodes {
		if t.nodes[i].leaf() {
			leaves = append(leaves, uint32(i))
		}
	}
	return leaves
}

// item is a point while the tree is built: x, y, z, input index.
//
// x, y, z of int32 and the input index as int32 make 16 bytes, which divide and swapListed move as two words.
type item [4]int32

func (p *item) samePlace(q *item) bool { return p[0] == q[0] && p[1] == q[1] && p[2] == q[2] }

func boundingBox(items []item) node {
	x0 := items[0][0]
	y0 := items[0][1]
	z0 := items[0][2]
	x1 := x0
	y1 := y0
	z1 := z0
	for i := range items {
		p := &items[i]
		x0, x1 = min(x0, p[0]), max(x1, p[0])
		y0, y1 = min(y0, p[1]), max(y1, p[1])
		z0, z1 = min(z0, p[2]), max(z1, p[2])
	}
	return node{lo: [3]int32{x0, y0, z0}, hi: [3]int32{x1, y1, z1}}
}

// point reports whether the box is a single position.
func (n *node) point() bool { return n.lo == n.hi }

// longest returns the axis of the box's longest side, the first of equals.
func (n *node) longest() int {
	axis := 0
	for a := 1; a < 3; a++ {
		if int64(n.hi[a])-int64(n.lo[a]) > int64(n.hi[axis])-int64(n.lo[axis]) {
			axis = a
		}
	}
	return axis
}

// splitter divides items.
type splitter struct {
	items []item
	run   *parallel.Run // of workers that share the passes over the items; nil: there are none
}
