package reduced

import (
	"superpoint/partition/forest"
	"superpoint/partition/parallel"
)

// Pieces replaces label, any ids, by those of the connected pieces of each
// id's vertices, numbered by first vertex, and returns their number. Ids all
// equal give the connected components of the graph.
func (g *Graph) Pieces(run parallel.Run, label []uint32) (int, error) {
	n := len(label)
	root := forest.New(n)
	late := make([][][2]uint32, (n+block-1)/block)
	err := run.For(n, block, func(lo, hi int) {
		var out [][2]uint32
		for u := uint32(lo); u < uint32(hi); u++ {
			id, own := label[u], root.Root(u)
			for _, v := range g.Head[g.Start[u]:g.End[u]] {
				switch {
				case label[v] != id:
				case v >= uint32(hi):
					out = append(out, [2]uint32{u, v})
				case root[v] != own:
					own = root.Join(own, v)
				}
			}
		}
		late[lo/block] = out
	})
	if err != nil {
		return 0, err
	}
	for _, list := range late {
		for _, e := range list {
			root.Join(e[0], e[1])
		}
	}
	return Number(run, root, label)
}

// Number turns a forest, in which every vertex points to a smaller one of its
// tree or, as the root, to itself, into ids that are dense from 0 and ordered
// by root. It returns their number. root and id must not be the same array.
func Number(run parallel.Run, root, id []uint32) (int, error) {
	n := len(root)
	first := make([]uint32, (n+block-1)/block+1)
	for u := range root {
		root[u] = root[root[u]] // smaller, so already final
	}
	err := run.For(n, block, func(lo, hi int) {
		for u := lo; u < hi; u++ {
			if root[u] == uint32(u) {
				first[lo/block+1]++
			}
		}
	})
	if err != nil {
		return 0, err
	}
	for b := range len(first) - 1 {
		first[b+1] += first[b]
	}
	rank := make([]uint32, n) // of the roots
	err = run.For(n, block, func(lo, hi int) {
		next := first[lo/block]
		for u := lo; u < hi; u++ {
			if root[u] == uint32(u) {
				rank[u] = next
				next++
			}
		}
	})
	if err != nil {
		return 0, err
	}
	return int(first[len(first)-1]), run.For(n, block, func(lo, hi int) {
		for u := lo; u < hi; u++ {
			id[u] = rank[root[u]]
		}
	})
}
