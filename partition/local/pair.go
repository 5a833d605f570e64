package local

import (
	"math"

	"superpoint/partition/arrays"
	"superpoint/partition/parallel"
	"superpoint/partition/reduced"
)

// block is the number of vertices that a worker takes at a time.
const block = 1 << 13

// pairer merges components that choose each other, round by round.
type pairer struct {
	lean       bool           // lets go of memory as early as it can
	graph      *reduced.Graph // the current components
	labels     [][]uint32     // per round, the new component of each old one
	choice     reduced.Choice
	root       []uint32      // of each vertex the first one that it becomes one with
	row        []uint32      // of each root the row of its union; None for what stays alone
	union      reduced.Graph // sizes and means of the unions of two and more
	last, next []uint32      // of each union a list of those that chose it: the last one, and the one before each
	contractor reduced.Contractor
}

// coarsen merges points in a fixed number of rounds. It returns the component
// of each and the reduced graph, in canonical order.
func coarsen(run parallel.Run, g *reduced.Graph) ([]uint32, *reduced.Graph, error) {
	m := pairer{graph: g, lean: true}
	for range rounds {
		merged, err := m.round(run, reduced.Terms{Most: cap0, Even: true, Shuffle: true}, true)
		if err != nil {
			return nil, nil, err
		}
		if !merged {
			break
		}
		m.choice = reduced.Choice{}
	}
	label, err := m.result(run, g.Vertices())
	if err != nil {
		return nil, nil, err
	}
	last := *m.graph
	m = pairer{} // its memory is free
	atoms, order, err := canonical(run, &last)
	if err != nil {
		return nil, nil, err
	}
	return label, atoms, reduced.Relabel(run, label, order)
}

// merge merges while that lowers the energy and there are more than count
// components. On small graphs, where rounds are cheap, only components that choose
// each other become one, which finds better partitions.
func (m *pairer) merge(run parallel.Run, count int) error {
	for before := m.graph.Vertices(); before > count; {
		merged, err := m.round(run, reduced.Terms{Most: math.MaxFloat32, Even: true, Shuffle: true}, before > calm)
		if err != nil || !merged {
			return err
		}
		now := m.graph.Vertices()
		if before > few && float64(before-now) < tail*float64(before) {
			return nil
		}
		before = now
	}
	return nil
}

// round makes one component of those that choose each other, if others may follow
// also of those that gain from joining them, and says whether there were any.
func (m *pairer) round(run parallel.Run, t reduced.Terms, others bool) (bool, error) {
	if err := m.graph.BestOn(run, t, &m.choice); err != nil {
		return false, err
	}
	if err := m.pair(run); err != nil {
		return false, err
	}
	if others {
		if err := m.follow(run, t.Most); err != nil {
			return false, err
		}
	}
	return m.apply(run, true)
}

// forget lets go of what a round needs no more once sizes and means are known.
func (m *pairer) forget() {
	m.choice.Gain, m.union, m.root, m.row, m.last, m.next = nil, reduced.Graph{}, nil, nil, nil, nil
}

// pair finds the root of every vertex, the smaller number of a pair, and the unions
// of pairs. A mean is the same whichever of the two comes first.
func (m *pairer) pair(run parallel.Run) error {
	g, choice := m.graph, m.choice.Neighbor
	n := g.Vertices()
	m.root, m.row = arrays.Resized(m.root, n), arrays.Resized(m.row, n)
	first := make([]uint32, (n+block-1)/block+1) // row of each block of roots
	if err := run.For(n, block, func(lo, hi int) {
		for u := uint32(lo); u < uint32(hi); u++ {
			m.root[u], m.row[u] = u, reduced.None
			if v := choice[u]; v != reduced.None && choice[v] == u {
				if m.root[u] = min(u, v); u < v {
					first[lo/block+1]++
				}
			}
		}
	}); err != nil {
		return err
	}
	for b := range first[1:] {
		first[b+1] += first[b]
	}
	pairs := int(first[len(first)-1])
	m.union.Dim, m.union.Sphere = g.Dim, g.Sphere
	m.union.Mean = arrays.Resized(m.union.Mean, pairs*g.Dim)
	m.union.Size = arrays.Resized(m.union.Size, pairs)
	return run.For(n, block, func(lo, hi int) {
		row := first[lo/block]
		for u := uint32(lo); u < uint32(hi); u++ {
			if v := choice[u]; m.root[u] == u && v != reduced.None && choice[v] == u {
				m.row[u] = row
				m.union.Copy(row, g, u)
				m.union.Unite(row, g, v)
				row++
			}
		}
	})
}

// apply contracts the graph to one vertex for each root, and says whether it has
// become smaller. Sizes and means are those of the unions, if there are any.
func (m *pairer) apply(run parallel.Run, unions bool) (bool, error) {
	g := m.graph
	n := g.Vertices()
	label := make([]uint32, n)
	count, err := reduced.Number(run, m.root, label)
	if err != nil || count == n {
		return false, err
	}
	var means *reduced.Graph
	if unions {
		if means, err = m.means(run, label, count); err != nil {
			return false, err
		}
	}
	if m.lean {
		m.forget()
	}
	if m.graph, err = contract(run, &m.contractor, g, label, count, means); err != nil {
		return false, err
	}
	m.labels = append(m.labels, label)
	return true, nil
}

// means returns sizes and means of the new components.
func (m *pairer) means(run parallel.Run, label []uint32, count int) (*reduced.Graph, error) {
	g := m.graph
	out := &reduced.Graph{Dim: g.Dim, Mean: make([]float32, count*g.Dim), Size: make([]float32, count)}
	return out, run.For(len(label), block, func(lo, hi int) {
		for u := uint32(lo); u < uint32(hi); u++ {
			switch {
			case m.root[u] != u:
			case m.row[u] != reduced.None:
				out.Copy(label[u], &m.union, m.row[u])
			default:
				out.Copy(label[u], g, u)
			}
		}
	})
}

// result returns the component of each of the n vertices at the start.
func (m *pairer) result(run parallel.Run, n int) ([]uint32, error) {
	label := make([]uint32, n)
	for u := range label {
		label[u] = uint32(u)
	}
	if len(m.labels) == 0 {
		return label, nil
	}
	for r := len(m.labels) - 2; r >= 0; r-- {
		if err := reduced.Relabel(run, m.labels[r], m.labels[r+1]); err != nil {
			return nil, err
		}
	}
	return m.labels[0], nil
}
