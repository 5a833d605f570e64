// SPDX-License-Identifier: BSD-3-Clause

package train

import (
	"cmp"

	"superpoint/partition/neighbor"
)

// lossJoins returns the options of the graph that the loss uses.
func (r *Recipe) lossJoins(t *labelled) neighbor.GraphOptions {
	return r.joins(t, r.Loss.KNN, r.Loss.AcrossLines)
}

// cutJoins returns the options of the graph that is cut in validation: the filter's options.
func (r *Recipe) cutJoins(t *labelled) neighbor.GraphOptions {
	how := r.joins(t, r.Partition.AdjacencyKNN, !r.Partition.NearestOnly)
	how.Clumps = !r.Partition.NearestOnly
	return how
}

// joins returns the options of a graph of a cloud. The option of its Delaunay edges is the partition's.
func (r *Recipe) joins(t *labelled, nearest int, across bool) neighbor.GraphOptions {
	how := neighbor.GraphOptions{Nearest: nearest}
	if across {
		how.Around, how.Across = min(neighbor.Around, r.Inputs.Neighbors), neighbor.ScanLines
	}
	if r.Partition.Delaunay {
		how.Longest = cmp.Or(r.Partition.MaxEdge, neighbor.DelaunaySpacings*t.cloud.Spacing(t.lists))
	}
	return how
}
