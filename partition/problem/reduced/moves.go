// SPDX-License-Identifier: BSD-3-Clause

package reduced

import (
	"sync/atomic"

	"superpoint/partition/base/arithmetic"
	"superpoint/partition/base/arrays"
	"superpoint/partition/base/parallel"
)

// Fall returns the decrease of the fidelity term when n original vertices with mean y leave
// a component of all > n vertices:
//
//	n·all/(all−n) ‖y − mean‖²
func Fall(y []float32, mean []float64, n, all float64) float64 {
	return all * n / (all - n) * arithmetic.SquaredDistance(y, mean)
}

// Rise returns the increase of the fidelity term when n original vertices with mean y enter
// a component of all vertices:
//
//	n·all/(all+n) ‖y − mean‖²
func Rise(y []float32, mean []float64, n, all float64) float64 {
	return all * n / (all + n) * arithmetic.SquaredDistance(y, mean)
}

// Relabel replaces every id in label by coarse[id].
func Relabel(run parallel.Run, label, coarse []uint32) {
	run.Do(len(label), 1<<15, func(lo, hi int) {
		for u, c := range label[lo:hi] {
			label[lo+u] = coarse[c]
		}
	})
}

// ConnectedComponents replaces label, arbitrary ids, by the connected components of the vertices of each id,
// numbered by first vertex, and returns their number. If all ids are equal these are the connected components
// of the graph. end, if not nil, is set to the ends of rows as in Graph, but the rows of vertices whose edges
// are all inside components are empty.
func (g *Graph) ConnectedComponents(run parallel.Run, label, end []uint32) int {
	n := len(label)
	root := arrays.Forest(make([]uint32, n))
	late := parallel.Map(run, n, parallel.Block(n), func(lo, hi int) (out [][2]uint32) {
		for u := lo; u < hi; u++ {
			root[u] = uint32(u)
		}
		for u := uint32(lo); u < uint32(hi); u++ {
			id := label[u]
			own := root.Root(u)
			last := g.Start[u]
			for _, v := range g.Head[g.Start[u]:g.End[u]] {
				switch {
				case label[v] != id:
					last = g.End[u]
				case v >= uint32(hi):
					out = append(out, [2]uint32{u, v})
				case root[v] != own:
					own = root.Join(own, v)
				}
			}
			if end != nil {
				end[u] = last
			}
		}
		return out
	})
	for _, list := range late {
		for _, e := range list {
			root.Join(e[0], e[1])
		}
	}
	return Number(run, root, label)
}

// Number assigns ids to the trees of a forest, dense from 0 and ordered by root, and returns
// their number. In root, every vertex points to a smaller one of its tree or, as the root, to
// itself. root and id must not be the same slice.
func Number(run parallel.Run, root, id []uint32) int {
	n := len(root)
	block := parallel.Block(n)
	first := parallel.Map(run, n, block, func(lo, hi int) (roots uint32) {
		for u := uint32(lo); u < uint32(hi); u++ {
			r := u
			for p := atomic.LoadUint32(&root[r]); p != r; p = atomic.LoadUint32(&root[r]) {
				r = p
			}
			if r == u {
				roots++
			} else {
				atomic.StoreUint32(&root[u], r)
			}
		}
		return roots
	})
	count := arrays.Begin(first)
	late := parallel.Map(run, n, block, func(lo, hi int) (late []uint32) {
		next := first[lo/block]
		for u := lo; u < hi; u++ {
			switch r := root[u]; {
			case r == uint32(u):
				id[u] = next
				next++
			case int(r) >= lo:
				id[u] = id[r]
			default: // the root is in another block
				late = append(late, uint32(u))
			}
		}
		return late
	})
	run.Each(len(late), 1, func(b int) {
		for _, u := range late[b] {
			id[u] = id[root[u]]
		}
	})
	return int(count)
}
