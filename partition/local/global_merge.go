// SPDX-License-Identifier: BSD-3-Clause

package local

import (
	"superpoint/partition/base/arrays"
	"superpoint/partition/base/parallel"
	"superpoint/partition/cutpursuit"
	"superpoint/partition/problem/reduced"
)

// level is a graph and the vertex of the next coarser level of each of its vertices.
type level struct {
	graph *reduced.Graph
	up    []uint32
}

// globalMerge partitions a graph in canonical order by coarsening and refinement. It
// returns the component of each vertex and the partition's reduced graph.
func globalMerge(run parallel.Run, g *reduced.Graph, minSize int) ([]uint32, *reduced.Graph, error) {
	levels, top, err := coarsenLevels(run, g)
	if err != nil {
		return nil, nil, err
	}
	least := 0
	if len(levels) == 0 {
		least = minSize
	}
	label, part, err := mergeComponents(run, top, least)
	if err != nil {
		return nil, nil, err
	}
	for l := len(levels) - 1; l >= 0; l-- {
		if err := reduced.Relabel(run, levels[l].up, label); err != nil {
			return nil, nil, err
		}
		label = levels[l].up
		if part, err = refineLevel(run, levels[l].graph, part, label, l, minSize, g.Vertices()); err != nil {
			return nil, nil, err
		}
		levels[l] = level{} // releases its memory
	}
	return label, part, nil
}

// coarsenLevels coarsens g, by levelRatio or more per level, until no merge lowers the
// energy. It returns the levels from the finest, and the coarsest graph.
func coarsenLevels(run parallel.Run, g *reduced.Graph) (levels []level, top *reduced.Graph, err error) {
	for {
		n := g.Vertices()
		m := newMerger(g)
		if err := m.merge(run, int(float64(n)/levelRatio)); err != nil {
			return nil, nil, err
		}
		if now := m.Graph.Vertices(); now == n || n > smallProblem && float64(n-now) < minReduction*float64(n) {
			return levels, g, nil
		}
		up, err := m.Labels(run, n)
		if err != nil {
			return nil, nil, err
		}
		levels = append(levels, level{g, up})
		// a copy, so that the memory of the contractor, several times as much, can be released
		if g, err = m.Graph.Clone(run); err != nil {
			return nil, nil, err
		}
		arrays.Collect()
	}
}

// refineLevel lowers the energy of the partition label of level l's vertices, in place, and
// returns its reduced graph. size is the number of vertices of the finest level. The smallest
// size is enforced on the two finest levels only.
func refineLevel(run parallel.Run, g, part *reduced.Graph, label []uint32, l, minSize, size int) (*reduced.Graph,
	error) {
	t := moveOptions{passes: passes}
	if l == 0 {
		t.least, t.keep = minSize, true
	}
	count, err := refine(run, g, part, label, t)
	if err != nil {
		return nil, err
	}
	if g.Vertices() <= max(alwaysCut, size/cutShare) {
		cut := cutpursuit.Solver{Iterations: 1, Restarts: 1}
		var cutLabel []uint32
		if cutLabel, count, err = cut.Improve(run, g, label, count, 0); err != nil {
			return nil, err
		}
		copy(label, cutLabel)
	}
	c := reduced.Contractor{Exact: true}
	r, err := c.Contract(run, g, label, count, nil)
	if err != nil {
		return nil, err
	}
	least := 0
	if l <= 1 {
		least = minSize
	}
	up, part, err := mergeComponents(run, r, least)
	if err != nil {
		return nil, err
	}
	return part, reduced.Relabel(run, label, up)
}
