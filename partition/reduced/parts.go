package reduced

import "superpoint/partition"

// Parts fills label with the connected components of the graph, numbered by
// first vertex, and returns their number.
func (g *Graph) Parts(label []uint32) int {
	for u := range label {
		label[u] = uint32(u)
	}
	for u := range label {
		for _, v := range g.Head[g.Start[u]:g.End[u]] {
			a, b := find(label, uint32(u)), find(label, v)
			label[max(a, b)] = min(a, b)
		}
	}
	for u := range label {
		label[u] = label[label[u]] // roots are smaller, so theirs are final
	}
	return partition.Renumber(label, len(label))
}

// find returns the root of u, halving the path to it.
func find(parent []uint32, u uint32) uint32 {
	for parent[u] != u {
		parent[u] = parent[parent[u]]
		u = parent[u]
	}
	return u
}
