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
	graph      *reduced.Graph // the current components
	labels     [][]uint32     // per round, the new component of each old one
	choice     reduced.Choice
	union      reduced.Graph // size and mean of each union, at its first vertex; size 0 for others
	root       []uint32
	last, next []uint32 // of each pair a list of those that chose it: the last one, and the one before each
	contractor reduced.Contractor
}

// coarsen merges points in a fixed number of rounds. It returns the component
// of each and the reduced graph, in canonical order.
func coarsen(run parallel.Run, g *reduced.Graph) ([]uint32, *reduced.Graph, error) {
	m := pairer{graph: g}
	for range rounds {
		merged, err := m.round(run, reduced.Terms{Most: cap0, Even: true, Shuffle: true}, true)
		if err != nil {
			return nil, nil, err
		}
		if !merged {
			break
		}
	}
	label, err := m.result(run, g.Vertices())
	if err != nil {
		return nil, nil, err
	}
	atoms, order, err := canonical(run, m.graph)
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
	return m.apply(run, &m.union)
}

// pair finds the root of every vertex, the smaller number of a pair, and fills
// union there. A mean is the same whichever of the two comes first.
func (m *pairer) pair(run parallel.Run) error {
	g, choice := m.graph, m.choice.Neighbor
	n, d := g.Vertices(), g.Dim
	m.root = arrays.Resized(m.root, n)
	m.union.Dim, m.union.Sphere = d, g.Sphere
	m.union.Mean, m.union.Size = arrays.Resized(m.union.Mean, n*d), arrays.Resized(m.union.Size, n)
	return run.For(n, block, func(lo, hi int) {
		clear(m.union.Size[lo:hi])
		for u := uint32(lo); u < uint32(hi); u++ {
			m.root[u] = u
			if v := choice[u]; v != reduced.None && choice[v] == u {
				m.root[u] = min(u, v)
				if u < v {
					m.union.Copy(u, g, u)
					m.union.Unite(u, g, v)
				}
			}
		}
	})
}

// apply contracts the graph to one vertex for each root, and says whether it has
// become smaller.
func (m *pairer) apply(run parallel.Run, union *reduced.Graph) (bool, error) {
	g := m.graph
	n := g.Vertices()
	label := make([]uint32, n)
	count, err := reduced.Number(run, m.root, label)
	if err != nil || count == n {
		return false, err
	}
	if m.graph, err = contract(run, &m.contractor, g, label, count, union); err != nil {
		return false, err
	}
	m.labels = append(m.labels, label)
	return true, nil
}

// contract returns the reduced graph of the partition label. Its weights are
// sums of contrasts, which λ multiplies later, so that they stay exact.
func contract(run parallel.Run, c *reduced.Contractor, g *reduced.Graph, label []uint32, count int,
	union *reduced.Graph) (*reduced.Graph, error) {
	plain := *g
	plain.Scale = 1
	out, err := c.Contract(run, &plain, label, count, union)
	if err != nil {
		return nil, err
	}
	out.Scale, out.Before, out.Key, out.Lot = g.Scale, g.Before, g.Key, g.Lot
	out.First = firsts(g, label, count)
	return out, nil
}

// firsts returns the first original vertex of each union, nil if the order is
// that of the numbers.
func firsts(g *reduced.Graph, label []uint32, count int) []uint32 {
	if g.Before == nil {
		return nil
	}
	first := make([]uint32, count)
	for c := range first {
		first[c] = reduced.None
	}
	key := make([]uint64, count)
	for u, c := range label {
		f := g.First[u]
		switch k := g.Key(f); {
		case first[c] == reduced.None || k < key[c]:
			first[c], key[c] = f, k
		case k == key[c] && g.Before(f, first[c]):
			first[c] = f
		}
	}
	return first
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
