// SPDX-License-Identifier: BSD-3-Clause

package scan

import (
	"math"
	"slices"

	"superpoint/partition/base/arrays"
)

// box is an axis-parallel box.
type box struct{ min, max [3]float32 }

func emptyBox() box {
	inf := float32(math.Inf(1))
	return box{[3]float32{inf, inf, inf}, [3]float32{-inf, -inf, -inf}}
}

func (b *box) add(p [3]float32) { b.join(&box{p, p}) }

// join extends a box by one that is not empty. Comparisons take a third of the time of min and max, which
// also look for NaN.
func (b *box) join(c *box) {
	for k := range 3 {
		if c.min[k] < b.min[k] {
			b.min[k] = c.min[k]
		}
		if c.max[k] > b.max[k] {
			b.max[k] = c.max[k]
		}
	}
}

func (b *box) area() float32 {
	x, y, z := b.max[0]-b.min[0], b.max[1]-b.min[1], b.max[2]-b.min[2]
	if x < 0 {
		return 0
	}
	return x*y + y*z + z*x
}

// node of a bounding volume hierarchy: a leaf holds count > 0 items from first
// on, an inner node has its children at first and first+1.
type node struct {
	box
	first, count int32
}

// grow builds a hierarchy over boxes by the surface area heuristic with bins
// (Wald 2007, doi:10.1109/RT.2007.4342588) and returns the nodes and the order
// of the items in the leaves.
func grow(boxes []box, leaf int) ([]node, []int32) {
	order := arrays.Indices[int32](len(boxes))
	g := &grower{boxes: boxes, order: order, leaf: leaf, nodes: make([]node, 1, 2*len(boxes)/leaf+2)}
	g.split(0, 0, len(boxes))
	return g.nodes, order
}

type grower struct {
	boxes []box
	order []int32
	nodes []node
	leaf  int
}

func (g *grower) middle(i int32, axis int) float32 {
	return g.boxes[i].min[axis] + g.boxes[i].max[axis]
}

func (g *grower) split(at, lo, hi int) {
	all, middles := emptyBox(), emptyBox()
	for _, i := range g.order[lo:hi] {
		all.join(&g.boxes[i])
		middles.add([3]float32{g.middle(i, 0), g.middle(i, 1), g.middle(i, 2)})
	}
	g.nodes[at] = node{all, int32(lo), int32(hi - lo)}
	if hi-lo <= g.leaf {
		return
	}
	axis, bin := g.best(lo, hi, middles)
	mid := lo
	if bin >= 0 {
		for k := lo; k < hi; k++ {
			if g.bin(g.order[k], axis, middles) <= bin {
				g.order[k], g.order[mid] = g.order[mid], g.order[k]
				mid++
			}
		}
	}
	if mid == lo || mid == hi {
		mid = (lo + hi) / 2
	}
	left := len(g.nodes)
	g.nodes = append(g.nodes, node{}, node{})
	g.nodes[at].first, g.nodes[at].count = int32(left), 0
	g.split(left, lo, mid)
	g.split(left+1, mid, hi)
}

const bins = 12

func (g *grower) bin(i int32, axis int, middles box) int {
	t := (g.middle(i, axis) - middles.min[axis]) / (middles.max[axis] - middles.min[axis])
	return min(bins-1, int(t*bins))
}

// best returns the axis and the last bin of the left child with the least expected cost, of the axes along
// which no bin is empty, or bin −1 if there is none. Other axes would give other hierarchies, and a ray that
// meets two surfaces at one place could hit the other one: clouds would change.
func (g *grower) best(lo, hi int, middles box) (axis, bin int) {
	least := float32(math.Inf(1))
	bin = -1
	if hi-lo < bins {
		return axis, bin
	}
	for a := range 3 {
		if !(middles.max[a] > middles.min[a]) {
			continue
		}
		var count [bins]int
		var boxes [bins]box
		for k := range boxes {
			boxes[k] = emptyBox()
		}
		for _, i := range g.order[lo:hi] {
			k := g.bin(i, a, middles)
			count[k]++
			boxes[k].join(&g.boxes[i])
		}
		if slices.Contains(count[:], 0) {
			continue
		}
		var right [bins]float32
		rest, n := emptyBox(), 0
		for k := bins - 1; k > 0; k-- {
			rest.join(&boxes[k])
			n += count[k]
			right[k] = rest.area() * float32(n)
		}
		rest, n = emptyBox(), 0
		for k := range bins - 1 {
			rest.join(&boxes[k])
			n += count[k]
			if cost := rest.area()*float32(n) + right[k+1]; n > 0 && n < hi-lo && cost < least {
				least, axis, bin = cost, a, k
			}
		}
	}
	return axis, bin
}

// later is a node to visit and where the ray enters it.
type later struct {
	t    float32
	node int32
}

// walk calls visit with the items of the leaves that the ray enters before h.t, which visit may lower. Of two
// children it enters the nearer first; of two equally near the first one or, with last, the second.
func walk(nodes []node, r *ray, h *hit, last bool, visit func(first, count int32)) {
	if len(nodes) == 0 {
		return
	}
	if _, ok := r.enters(&nodes[0].box, h.t); !ok {
		return
	}
	var stack [64]later
	for depth, at := 0, int32(0); ; {
		n := &nodes[at]
		if n.count > 0 {
			visit(n.first, n.count)
		} else {
			tl, left := r.enters(&nodes[n.first].box, h.t)
			tr, right := r.enters(&nodes[n.first+1].box, h.t)
			if at = n.first; right && (!left || tr < tl || last && tr == tl) {
				at++
			}
			if left && right {
				stack[depth] = later{max(tl, tr), 2*n.first + 1 - at}
				depth++
			}
			if left || right {
				continue
			}
		}
		for depth--; depth >= 0 && stack[depth].t >= h.t; {
			depth--
		}
		if depth < 0 {
			return
		}
		at = stack[depth].node
	}
}
