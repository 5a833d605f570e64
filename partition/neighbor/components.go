// SPDX-License-Identifier: BSD-3-Clause

package neighbor

import (
	"fmt"

	"superpoint/partition/base/arrays"
)

// Components labels the connected components of a graph, dense from 0,
// numbered by first vertex, and returns how many there are.
func Components(g *Graph) (label []uint32, count int) {
	f := arrays.NewForest(g.Vertices())
	for u := range g.Vertices() {
		for _, v := range g.Of(u) {
			f.Join(uint32(u), v)
		}
	}
	return f.Number()
}

// ConnectedWithin returns nil if every component is connected by edges between its
// own vertices, and otherwise an error that names two vertices of one component
// without such a path.
func (g *Graph) ConnectedWithin(component []uint32) error {
	n := g.Vertices()
	if len(component) != n {
		return fmt.Errorf("neighbor: %d component labels for %d vertices", len(component), n)
	}
	f := arrays.NewForest(n)
	for u := range n {
		for _, v := range g.Of(u) {
			if component[u] == component[v] {
				f.Join(uint32(u), v)
			}
		}
	}
	first := make(map[uint32]uint32) // labels need not be dense
	for u, c := range component {
		r := f.Root(uint32(u))
		if r != uint32(u) {
			continue
		}
		if v, seen := first[c]; seen {
			return fmt.Errorf("neighbor: component %d is not connected: no path within it from vertex %d to %d", c, v, u)
		}
		first[c] = r
	}
	return nil
}
