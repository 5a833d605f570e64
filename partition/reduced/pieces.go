package reduced

import (
	"superpoint/partition"
	"superpoint/partition/parallel"
)

// Pieces replaces label, any ids, by those of the connected pieces of each
// id's vertices, numbered by first vertex, and returns their number. Ids all
// equal give the connected components of the graph.
func (g *Graph) Pieces(run parallel.Run, label []uint32) (int, error) {
	n := len(label)
	root := make([]uint32, n)
	late := make([][][2]uint32, (n+block-1)/block)
	err := run.For(n, block, func(lo, hi int) {
		for u := lo; u < hi; u++ {
			root[u] = uint32(u)
		}
		var out [][2]uint32
		for u := uint32(lo); u < uint32(hi); u++ {
			id, own := label[u], find(root, u)
			for _, v := range g.Head[g.Start[u]:g.End[u]] {
				switch {
				case label[v] != id:
				case v >= uint32(hi):
					out = append(out, [2]uint32{u, v})
				case root[v] != own:
					own = unite(root, own, v)
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
			unite(root, e[0], e[1])
		}
	}
	for u := range root {
		root[u] = root[root[u]] // a root is smaller, so its own is final
	}
	copy(label, root)
	return partition.Renumber(label, n), nil
}

// unite joins the trees of u and v; the smaller root stays and is returned.
func unite(parent []uint32, u, v uint32) uint32 {
	a, b := find(parent, u), find(parent, v)
	parent[max(a, b)] = min(a, b)
	return min(a, b)
}

// find returns the root of u, halving the path to it.
func find(parent []uint32, u uint32) uint32 {
	for parent[u] != u {
		parent[u] = parent[parent[u]]
		u = parent[u]
	}
	return u
}
