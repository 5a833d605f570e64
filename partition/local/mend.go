package local

import (
	"math"

	"superpoint/partition/arrays"
	"superpoint/partition/parallel"
	"superpoint/partition/reduced"
)

// mend merges components while that lowers the energy, then joins those below
// the smallest size to where it costs least, and goes on merging where that has
// made the energy fall again. It returns the new component of each and their
// reduced graph.
func mend(run parallel.Run, g *reduced.Graph, least int) ([]uint32, *reduced.Graph, error) {
	m := pairer{graph: g}
	if err := m.merge(run, 0); err != nil {
		return nil, nil, err
	}
	if least > 1 {
		for joined := true; joined; {
			var err error
			if joined, err = m.absorb(run, float32(least)); err != nil {
				return nil, nil, err
			}
		}
		if err := m.merge(run, 0); err != nil {
			return nil, nil, err
		}
	}
	label, err := m.result(run, g.Vertices())
	return label, m.graph, err
}

// absorb joins the components below size limit with their choices: those that
// chose each other, and those that chose a component which is not below the
// limit and so needs no choice of its own. It says whether there were any.
func (m *pairer) absorb(run parallel.Run, limit float32) (bool, error) {
	t := reduced.Terms{Least: float32(math.Inf(-1)), Most: math.MaxFloat32, Small: limit, Shuffle: true}
	if err := m.graph.BestOn(run, t, &m.choice); err != nil {
		return false, err
	}
	m.hang(limit)
	return m.apply(run, false)
}

// hang sets roots: every component that joins another, and that one, get the
// smallest number among them.
func (m *pairer) hang(limit float32) {
	choice, size := m.choice.Neighbor, m.graph.Size
	joins := func(u uint32) uint32 {
		v := choice[u]
		if v == reduced.None || size[u] >= limit || size[v] < limit && (v > u || choice[v] != u) {
			return u
		}
		return v
	}
	m.root = arrays.Resized(m.root, len(choice))
	least := make([]uint32, len(choice))
	for u := range least {
		least[u] = uint32(u)
	}
	for u := range least {
		c := joins(uint32(u))
		least[c] = min(least[c], uint32(u))
	}
	for u := range m.root {
		m.root[u] = least[joins(uint32(u))]
	}
}
