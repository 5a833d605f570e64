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

// ConnectedWithin returns an error unless every component is connected by edges between its
// own vertices. Labels need not be dense.
func (g *Graph) ConnectedWithin(component []uint32) error {
	if len(component) != g.Vertices() {
		return fmt.Errorf("neighbor: %d component labels for %d vertices", len(component), g.Vertices())
	}
	f := arrays.NewForest(g.Vertices())
	for u := range g.Vertices() {
		for _, v := range g.Of(u) {
			if component[u] == component[v] {
				f.Join(uint32(u), v)
			}
		}
	}
	if _, parts := f.Number(); parts != len(arrays.Values(component, nil)) {
		return fmt.Errorf("neighbor: %d components have %d connected parts", len(arrays.Values(component, nil)), parts)
	}
	return nil
}
