// SPDX-License-Identifier: BSD-3-Clause

package neighbor

import "superpoint/partition/base/arrays"

// Connected returns the sets of vertices that are connected by edges between vertices of equal label; by all
// edges if label is nil.
//
// Time: nearly linear in vertices and edges (union-find, see arrays.Forest). The result does not depend on
// the order of edges, because the root of a set is its least vertex.
func Connected[L comparable](g *Graph, label []L) arrays.Forest {
	f := arrays.NewForest(g.Vertices())
	for u := range g.Vertices() {
		for _, v := range g.Of(u) {
			if label == nil || label[u] == label[v] {
				f.Join(uint32(u), v)
			}
		}
	}
	return f
}

// Components labels the connected components of a graph, dense from 0,
// numbered by first vertex, and returns how many there are.
func Components(g *Graph) (label []uint32, count int) { return Connected[uint32](g, nil).Number() }
