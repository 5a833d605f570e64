package neighbor

import "fmt"

// Components labels the connected components of a graph, dense from 0,
// numbered by first vertex, and returns how many there are.
func Components(g *Graph) (label []uint32, count int) {
	f := newForest(g.Vertices())
	for u := range g.Vertices() {
		for _, v := range g.Of(u) {
			f.join(uint32(u), v)
		}
	}
	label = make([]uint32, g.Vertices())
	for u := range label { // a root is the least vertex of its tree
		if r := f.root(uint32(u)); r == uint32(u) {
			label[u] = uint32(count)
			count++
		} else {
			label[u] = label[r]
		}
	}
	return label, count
}

// ConnectedWithin returns nil when every component is connected in the graph by
// edges between its own vertices, and otherwise an error that names two vertices
// of one component without such a path.
func (g *Graph) ConnectedWithin(component []uint32) error {
	n := g.Vertices()
	if len(component) != n {
		return fmt.Errorf("neighbor: %d component labels for %d vertices", len(component), n)
	}
	f := newForest(n)
	for u := range n {
		for _, v := range g.Of(u) {
			if component[u] == component[v] {
				f.join(uint32(u), v)
			}
		}
	}
	first := make(map[uint32]uint32) // labels need not be dense
	for u, c := range component {
		r := f.root(uint32(u))
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

// forest is a union-find structure (Tarjan 1975, doi:10.1145/321879.321884)
// with path halving; the least vertex of a tree is its root.
type forest []uint32

func newForest(n int) forest {
	f := make(forest, n)
	for i := range f {
		f[i] = uint32(i)
	}
	return f
}

func (f forest) root(u uint32) uint32 {
	for f[u] != u {
		f[u] = f[f[u]]
		u = f[u]
	}
	return u
}

func (f forest) join(u, v uint32) {
	u, v = f.root(u), f.root(v)
	if u < v {
		f[v] = u
	} else {
		f[u] = v
	}
}
