package cutpursuit

import (
	"math"

	"superpoint/partition/arrays"
	"superpoint/partition/parallel"
	"superpoint/partition/reduced"
)

// merger merges the vertices of a graph in rounds. In a round every component
// finds the neighbor whose merge lowers the energy most,
//
//	gain(A, B) = w_AB − n_A n_B/(n_A+n_B) ‖ȳ_A − ȳ_B‖²,
//
// components that choose each other become one, and others join their choice
// if they still gain from it as it has become; then the reduced graph is built
// anew. The best merge of all is always among those made, and every merge lowers
// the energy. The time is linear in the number of edges, and the result does not
// depend on the number of threads. The idea of merging best neighbors in rounds
// is that of EZ-SP (Geist, Landrieu, Robert 2025, arXiv:2512.00385).
type merger struct {
	graph      *reduced.Graph // the current components
	rounds     [][]uint32     // per round, the new component of each old one
	choice     reduced.Choice
	joiner     joiner
	contractor reduced.Contractor
}

// newMerger starts with every vertex of g on its own.
func newMerger(g *reduced.Graph) *merger { return &merger{graph: g} }

// merge merges while the energy falls.
func (m *merger) merge(run parallel.Run) error {
	run = run.Quiet()
	for {
		merged, err := m.round(run)
		if err != nil || !merged {
			return err
		}
	}
}

// round merges best neighbors once and reports whether there were any.
func (m *merger) round(run parallel.Run) (bool, error) {
	if err := m.graph.Best(run, 0, &m.choice); err != nil {
		return false, err
	}
	label, count, err := m.joiner.join(run, m.graph, &m.choice)
	if err != nil || count == len(label) {
		return false, err
	}
	return true, m.contract(run, label, count, &m.joiner.union)
}

// absorb merges components smaller than least with the neighbour that costs
// the least energy, until the only small ones have no neighbour, and goes on
// merging where that has made the energy fall again.
func (m *merger) absorb(run parallel.Run, least int) error {
	run = run.Quiet()
	for least > 1 {
		if err := m.graph.Best(run, float32(math.Inf(-1)), &m.choice); err != nil {
			return err
		}
		label, count := m.settle(float32(least))
		if count == len(label) {
			break
		}
		if err := m.contract(run, label, count, nil); err != nil {
			return err
		}
	}
	return m.merge(run)
}

func (m *merger) contract(run parallel.Run, label []uint32, count int, union *reduced.Graph) error {
	g, err := m.contractor.Contract(run, m.graph, label, count, union)
	if err != nil {
		return err
	}
	m.graph, m.rounds = g, append(m.rounds, label)
	return nil
}

// settle joins the components below size limit with their choices: those that
// chose each other, and those that chose a component which is not below the
// limit and so needs no choice of its own. It returns the new ids, numbered by
// first vertex, and their number.
func (m *merger) settle(limit float32) (label []uint32, count int) {
	choice, size := m.choice.Neighbor, m.graph.Size
	label = make([]uint32, len(choice))
	for u, v := range choice {
		label[u] = uint32(u)
		if v == reduced.None || size[u] >= limit {
			continue
		}
		if size[v] >= limit || v < uint32(u) && choice[v] == uint32(u) {
			label[u] = v
		}
	}
	return label, arrays.Number(label, len(label))
}

// labels returns the component of each of the n vertices that the merger
// started with.
func (m *merger) labels(n int) []uint32 {
	label := make([]uint32, n)
	if len(m.rounds) == 0 {
		for u := range label {
			label[u] = uint32(u)
		}
		return label
	}
	for r := len(m.rounds) - 1; r > 0; r-- {
		fine, coarse := m.rounds[r-1], m.rounds[r]
		for u, v := range fine {
			fine[u] = coarse[v]
		}
	}
	copy(label, m.rounds[0])
	return label
}
