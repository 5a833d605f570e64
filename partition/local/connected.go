// SPDX-License-Identifier: BSD-3-Clause

package local

import "slices"

// neighborhood has the components adjacent to a vertex, its own first, each with the sum of the weights of
// the edges from the vertex to it, and scratch memory of staysConnected.
type neighborhood struct {
	id     []uint32
	weight []float64
	same   []uint32
	group  []uint32
}

// find fills s for vertex u. Weights are not multiplied by the graph's Scale.
//
// Shape: id[0] is the own component, also if no neighbor is in it, and the others follow in the order in
// which edges name them. Edges of u are in two places: in its row of the graph, and in its row of border
// (newBorder).
func (s *neighborhood) find(r *refiner, u uint32) {
	s.id = append(s.id[:0], r.label[u])
	s.weight = append(s.weight[:0], 0)
	g := r.graph
	for k := g.Start[u]; k < g.End[u]; k++ {
		s.add(r.label[g.Head[k]], g.Weight[k])
	}
	tail, weight := r.border.of(u)
	for i, v := range tail {
		s.add(r.label[v], weight[i])
	}
}

// add adds weight to a component, which is searched for one by one: a point has about six edges, so a list of
// the components around it is shorter than a map's overhead. Sums in float64 are exact, because weights are
// multiples of 1/65536 (newGraph), so the order of edges does not matter.
func (s *neighborhood) add(id uint32, weight float32) {
	for i, v := range s.id {
		if v == id {
			s.weight[i] += float64(weight)
			return
		}
	}
	s.id = append(s.id, id)
	s.weight = append(s.weight, float64(weight))
}

// staysConnected reports whether the neighbours of u in its component are connected by edges among
// themselves: then the component remains connected without u. Each of these edges is in the row of one of
// them. The test is sufficient, not necessary: a component may also be connected by a way around that leaves
// the neighbours of u. Reason for the stricter test: it reads the edges of neighbours only, so a tile decides
// as the full cloud does, and its cost does not grow with the component. A move that it refuses costs energy,
// not correctness.
//
// It is the test of a simple point in digital topology (Kong and Rosenfeld 1989,
// doi:10.1016/0734-189X(89)90147-3), on a graph in place of a grid: a point may be removed from an object
// without changing its connection if its neighbors in it are connected without it.
func (r *refiner) staysConnected(u uint32, near *neighborhood) bool {
	near.same, near.group = near.same[:0], near.group[:0]
	r.neighbors(u, func(v uint32, _ float32) {
		if r.label[v] == r.label[u] {
			near.group = append(near.group, uint32(len(near.same)))
			near.same = append(near.same, v)
		}
	})
	g := r.graph
	same := near.same
	group := near.group
	// Each neighbour is a group of its own at first; an edge between two groups makes them one. u has few
	// neighbours, so renaming is quicker than a forest of sets.
	groups := len(same)
	for i, v := range same {
		if groups < 2 {
			break
		}
		for _, w := range g.Head[g.Start[v]:g.End[v]] {
			if j := slices.Index(same, w); j >= 0 && group[i] != group[j] {
				rename(group, group[j], group[i])
				groups--
			}
		}
	}
	return groups < 2
}

// rename replaces a number by another.
//
// O(d) for d neighbors in the same component, of which there are at most d − 1 unions.
func rename(all []uint32, from, to uint32) {
	for i, x := range all {
		if x == from {
			all[i] = to
		}
	}
}
