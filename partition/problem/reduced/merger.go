// SPDX-License-Identifier: BSD-3-Clause

package reduced

import (
	"math"

	"superpoint/partition/base/arrays"
	"superpoint/partition/base/parallel"
)

// Merger merges the vertices of a graph in rounds: solvers choose which.
type Merger struct {
	Graph  *Graph // the current components
	Choice Choice
	Root   arrays.Forest // of the components that are to be merged, see Number
	Contractor
	labels [][]uint32 // per round, the new component of each old one
}

// Apply replaces the graph by the reduced graph of the trees of Root, and reports whether the new
// graph is smaller. means returns the new components from their numbers; if it is nil, they are
// computed.
func (m *Merger) Apply(run parallel.Run, means func(label []uint32, count int) *Components) bool {
	label := make([]uint32, m.Graph.Vertices())
	count := Number(run, m.Root, label)
	if count == len(label) {
		return false
	}
	var to *Components
	if means != nil {
		to = means(label, count)
	}
	m.Graph = m.Contract(run, m.Graph, label, count, to)
	m.labels = append(m.labels, label)
	return true
}

// Last returns the new component of each old one in the last round.
func (m *Merger) Last() []uint32 { return m.labels[len(m.labels)-1] }

// Labels returns the component of each of the n vertices before the first round. There can be no round after
// it.
func (m *Merger) Labels(run parallel.Run, n int) []uint32 {
	if len(m.labels) == 0 {
		return arrays.NewForest(n)
	}
	for r := len(m.labels) - 2; r >= 0; r-- {
		Relabel(run, m.labels[r], m.labels[r+1])
	}
	return m.labels[0]
}

// MergeSmall is one round of merges of components of fewer than limit original vertices with their
// choices: pairs that chose each other, and components that chose one which is not below the limit.
// It reports whether there were any.
func (m *Merger) MergeSmall(run parallel.Run, limit float32, t MergeOptions) bool {
	t.MinGain = float32(math.Inf(-1))
	t.MaxSize = math.MaxFloat32
	m.Graph.BestOn(run, t, &m.Choice)
	choice, size := m.Choice.Neighbor, m.Graph.Size
	m.Root = arrays.NewForest(len(choice))
	for u, v := range choice {
		if v != None && size[u] < limit && (size[v] >= limit || v < uint32(u) && choice[v] == uint32(u)) {
			m.Root.Join(uint32(u), v)
		}
	}
	return m.Apply(run, nil)
}
