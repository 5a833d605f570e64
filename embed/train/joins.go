// SPDX-License-Identifier: BSD-3-Clause

package train

import (
	"cmp"

	"superpoint/partition/neighbor"
)

// lossJoins are those of the graph of the loss.
func (r *Recipe) lossJoins(t *labelled) neighbor.GraphOptions {
	return r.joins(t, r.Loss.KNN, r.Loss.AcrossLines)
}

// cutJoins are those of the graph that is cut in validation: the filter's.
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
