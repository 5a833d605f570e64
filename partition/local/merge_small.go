// SPDX-License-Identifier: BSD-3-Clause

package local

import (
	"superpoint/partition/base/parallel"
	"superpoint/partition/problem/reduced"
)

// mergeComponents merges components while that lowers the energy, then merges those of fewer
// than least points with the neighbour of least cost, and then again while that lowers the
// energy. It returns the new component of each and their reduced graph.
func mergeComponents(run parallel.Run, g *reduced.Graph, least int) ([]uint32, *reduced.Graph) {
	m := newMerger(g)
	m.merge(run, 0)
	if least > 1 {
		for m.MergeSmall(run, float32(least), reduced.MergeOptions{Small: float32(least), HashTies: true}) {
		}
		m.merge(run, 0)
	}
	return m.Labels(run, g.Vertices()), m.Graph
}
