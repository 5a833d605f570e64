// SPDX-License-Identifier: BSD-3-Clause

package local

import (
	"math"

	"superpoint/partition/base/arrays"
	"superpoint/partition/base/parallel"
	"superpoint/partition/problem/reduced"
)

// block is the number of vertices of one task.
const block = 1 << 13

// merger merges components that choose each other, round by round.
type merger struct {
	lean       bool           // releases memory as early as possible
	graph      *reduced.Graph // the current components
	labels     [][]uint32     // per round, the new component of each old one
	choice     reduced.Choice
	root       []uint32           // of each vertex the smallest vertex of its union
	row        []uint32           // of each root the row of its union; None for a vertex that is not merged
	union      reduced.Components // unions of two and more vertices
	last, next []uint32           // linked lists of the followers of each union: the last one, and the one before each
	contractor reduced.Contractor
}

// coarsen merges points in a fixed number of rounds. It returns the initial component of each
// and their reduced graph, in canonical order.
func coarsen(run parallel.Run, g *reduced.Graph) ([]uint32, *reduced.Graph, error) {
	m := merger{graph: g, lean: true}
	for range rounds {
		merged, err := m.round(run, reduced.MergeOptions{MaxSize: maxInitial, Normalized: true, HashTies: true}, true)
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
	m = merger{} // releases its memory
	arrays.Collect()
	initial, order, err := canonical(run, &last)
	if err != nil {
		return nil, nil, err
	}
	return label, initial, reduced.Relabel(run, label, order)
}

// merge merges while that lowers the energy and there are more than count
// components. On graphs of at most pairsOnly vertices, where rounds are fast, only
// components that choose each other are merged, which gives lower energies.
func (m *merger) merge(run parallel.Run, count int) error {
	for before := m.graph.Vertices(); before > count; {
		options := reduced.MergeOptions{MaxSize: math.MaxFloat32, Normalized: true, HashTies: true}
		merged, err := m.round(run, options, before > pairsOnly)
		if err != nil || !merged {
			return err
		}
		now := m.graph.Vertices()
		if before > smallProblem && float64(before-now) < minReduction*float64(before) {
			return nil
		}
		before = now
	}
	return nil
}

// round merges components that choose each other and, with others, their followers. It
// reports whether there were any.
func (m *merger) round(run parallel.Run, t reduced.MergeOptions, others bool) (bool, error) {
	if err := m.graph.BestOn(run, t, &m.choice); err != nil {
		return false, err
	}
	if err := m.pair(run); err != nil {
		return false, err
	}
	if others {
		if err := m.follow(run, t.MaxSize); err != nil {
			return false, err
		}
	}
	return m.apply(run, true)
}

// forget releases memory that a round does not need after sizes and means are computed.
func (m *merger) forget() {
	m.choice.Gain, m.union, m.root, m.row, m.last, m.next = nil, reduced.Components{}, nil, nil, nil, nil
}

// pair computes the root of every vertex, the smaller index of a pair, and the unions of
// pairs. The bits of a mean do not depend on the order of the two.
func (m *merger) pair(run parallel.Run) error {
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
	m.union.Dim, m.union.Sphere, m.union.Weighted = g.Dim, g.Sphere, g.Weighted
	m.union.Resize(pairs)
	return run.For(n, block, func(lo, hi int) {
		row := first[lo/block]
		for u := uint32(lo); u < uint32(hi); u++ {
			if v := choice[u]; m.root[u] == u && v != reduced.None && choice[v] == u {
				m.row[u] = row
				m.union.Copy(row, &g.Components, u)
				m.union.Unite(row, &g.Components, v)
				row++
			}
		}
	})
}

// apply contracts the graph to one vertex for each root, and reports whether it is smaller
// then. With unions, sizes and means are those of m.union.
func (m *merger) apply(run parallel.Run, unions bool) (bool, error) {
	g := m.graph
	n := g.Vertices()
	label := make([]uint32, n)
	count, err := reduced.Number(run, m.root, label)
	if err != nil || count == n {
		return false, err
	}
	var means *reduced.Components
	if unions {
		if means, err = m.means(run, label, count); err != nil {
			return false, err
		}
	}
	if m.lean {
		m.forget()
		arrays.Collect()
	}
	if m.graph, err = contract(run, &m.contractor, g, label, count, means); err != nil {
		return false, err
	}
	m.labels = append(m.labels, label)
	return true, nil
}

// means returns the new components.
func (m *merger) means(run parallel.Run, label []uint32, count int) (*reduced.Components, error) {
	g := m.graph
	out := g.New(count)
	return &out, run.For(len(label), block, func(lo, hi int) {
		for u := uint32(lo); u < uint32(hi); u++ {
			switch {
			case m.root[u] != u:
			case m.row[u] != reduced.None:
				out.Copy(label[u], &m.union, m.row[u])
			default:
				out.Copy(label[u], &g.Components, u)
			}
		}
	})
}

// result returns the component of each of the n vertices at the start.
func (m *merger) result(run parallel.Run, n int) ([]uint32, error) {
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
