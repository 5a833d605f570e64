// SPDX-License-Identifier: BSD-3-Clause

package local

import (
	"math"

	"superpoint/partition/base/arrays"
	"superpoint/partition/base/parallel"
	"superpoint/partition/problem/reduced"
)

// mergeComponents merges components while that lowers the energy, then merges those of fewer
// than least points with the neighbour of least cost, and then again while that lowers the
// energy. It returns the new component of each and their reduced graph.
func mergeComponents(run parallel.Run, g *reduced.Graph, least int) ([]uint32, *reduced.Graph, error) {
	m := merger{graph: g}
	if err := m.merge(run, 0); err != nil {
		return nil, nil, err
	}
	if least > 1 {
		for joined := true; joined; {
			var err error
			if joined, err = m.mergeSmall(run, float32(least)); err != nil {
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

// mergeSmall is one round of merges of components below size limit with their choices:
// pairs that chose each other, and components that chose one which is not below the limit.
// It reports whether there were any.
func (m *merger) mergeSmall(run parallel.Run, limit float32) (bool, error) {
	t := reduced.MergeOptions{MinGain: float32(math.Inf(-1)), MaxSize: math.MaxFloat32, Small: limit, HashTies: true}
	if err := m.graph.BestOn(run, t, &m.choice); err != nil {
		return false, err
	}
	m.smallRoots(limit)
	return m.apply(run, false)
}

// smallRoots sets the roots: the smallest index of the components that are merged into one.
func (m *merger) smallRoots(limit float32) {
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
