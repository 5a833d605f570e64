// SPDX-License-Identifier: BSD-3-Clause

package local

import (
	"superpoint/partition/base/arrays"
	"superpoint/partition/base/parallel"
	"superpoint/partition/cutpursuit"
	"superpoint/partition/problem/reduced"
)

// level is a graph and the vertex of the next coarser level of each of its vertices.
//
// A coarser vertex is a set of finer ones, so a partition of a coarse level is one of every finer level
// (reduced.Relabel).
type level struct {
	graph *reduced.Graph
	up    []uint32
}

// globalMerge partitions a graph in canonical order by coarsening and refinement. It returns the component of
// each vertex and the partition's reduced graph. The scheme is multilevel graph partitioning: what is costly
// to decide for points is decided for few large vertices first and corrected on each finer level, where only
// borders have changed. If nothing was coarsened, the smallest size is enforced at once, else on the finest
// levels only (refineLevel), because a vertex of a coarse level may be above the smallest size and still be
// split later.
//
// Karypis and Kumar (1998, doi:10.1137/S1064827595287997) introduced the scheme for balanced partitions. Here
// nothing is balanced; the energy alone decides, and coarsening stops where no merge lowers it.
func globalMerge(run parallel.Run, g *reduced.Graph, minSize int) ([]uint32, *reduced.Graph) {
	levels, top := coarsenLevels(run, g)
	least := 0
	if len(levels) == 0 {
		least = minSize
	}
	label, part := mergeComponents(run, top, least)
	// label has the components of the vertices of the next coarser graph before the iteration, and of
	// levels[l] after it; part is their reduced graph. Label moves start there, from the partition of the
	// coarser level.
	for l := len(levels) - 1; l >= 0; l-- {
		reduced.Relabel(run, levels[l].up, label)
		label = levels[l].up
		part = refineLevel(run, levels[l].graph, part, label, l, minSize, g.Vertices())
		levels[l] = level{} // releases its memory
	}
	return label, part
}

// coarsenLevels coarsens g, by levelRatio or more per level, until no merge lowers the energy. It returns the
// levels from the finest, and the coarsest graph. A level of a large graph that loses less than minReduction
// of its vertices is not kept: refining it would cost as much as the level before and hardly move anything.
// Small graphs are coarsened to the end.
func coarsenLevels(run parallel.Run, g *reduced.Graph) (levels []level, top *reduced.Graph) {
	for {
		n := g.Vertices()
		m := newMerger(g)
		m.merge(run, int(float64(n)/levelRatio))
		if now := m.Graph.Vertices(); now == n || n > smallProblem &&
			float64(n-now) < minReduction*float64(n) {
			return levels, g
		}
		levels = append(levels, level{g, m.Labels(run, n)})
		// a copy, so that the memory of the contractor, several times as much, can be released
		g = m.Graph.Clone(run)
		arrays.Collect()
	}
}

// refineLevel lowers the energy of the partition label of level l's vertices, in place, and returns its
// reduced graph. size is the number of vertices of the finest level. The smallest size is enforced on the two
// finest levels only. Label moves alone cannot split a component. So on graphs that are small, or small
// beside the finest one, one iteration of cut pursuit follows, which can; on larger ones its cuts would
// dominate the time.
func refineLevel(run parallel.Run, g, part *reduced.Graph, label []uint32, l, minSize,
	size int) *reduced.Graph {
	// Sizes are kept above the smallest one, and components in one part, on the finest level only: on coarser
	// ones both may still be repaired.
	t := moveOptions{passes: passes}
	if l == 0 {
		t.least, t.keep = minSize, true
	}
	count := refine(run, g, part, label, t)
	if g.Vertices() <= max(alwaysCut, size/cutShare) {
		cut := cutpursuit.Solver{Iterations: 1, Restarts: 1}
		var cutLabel []uint32
		cutLabel, count = cut.Improve(run, g, label, count, 0)
		copy(label, cutLabel)
	}
	c := reduced.Contractor{Exact: true}
	r := c.Contract(run, g, label, count, nil)
	least := 0
	if l <= 1 {
		least = minSize
	}
	up, part := mergeComponents(run, r, least)
	reduced.Relabel(run, label, up)
	return part
}

// mergeAbove partitions the reduced graph of a partition. It returns the component of each vertex, numbered
// by first vertex, and their number.
//
// λ of a coarser level is larger, so edges that were worth their price are not any more, and components
// merge. No component is cut again: each vertex stays whole, which is what nested means.
func mergeAbove(run parallel.Run, part *reduced.Graph, lambda float64, minSize int) ([]uint32, int) {
	g := *part
	g.Scale = float32(lambda)
	up, merged := globalMerge(run, &g, minSize)
	return up, merged.Vertices()
}
