// SPDX-License-Identifier: BSD-3-Clause

package filter

import (
	"fmt"
	"slices"

	"superpoint/filter/cloud"
	"superpoint/filter/method"
	"superpoint/filter/steps"
)

// output is one dimension to write; fill sets values in the order of the view.
type output struct {
	name string
	fill func(values []float64)
}

// valueOf returns the value of an output in its dimension k, of point i of the cloud. It must not refer to a
// partitioned view, whose memory it would keep.
type valueOf func(k, i int) float64

// Segmentation is the result for one view.
type Segmentation struct {
	ID    []uint32 // superpoint of each point of the view, First to First+Count−1
	First uint32   // smallest id of this view
	Count int      // number of superpoints in this view
	Dim   int      // columns of the embedding; 0 when there is none or it was not asked for

	// index in the view of each point, in the cloud's order, as in all arrays below
	order     []uint32
	embedding []float32  // number of points × Dim
	coarser   [][]uint32 // superpoint of each point in coarser levels, from 0
	classes   *pointClasses
	outputs   []output
	missing   bool // no point was usable: all outputs are 0
}

// pointClasses has the classes of the points of a view, in the order of its cloud except before.
type pointClasses struct {
	class         []float64
	confidence    []float32
	before        []float64 // confidence of an earlier run, in the order of the view; nil without
	probabilities []float32 // number of points × classes; nil unless asked for
}

// Output sets values to one of the outputs that Describe lists, in the order of the
// view. It fails for any other name, or if values does not have the view's length.
func (s *Segmentation) Output(name string, values []float64) error {
	if len(values) != len(s.ID) {
		return fmt.Errorf("output %s: %d values for %d points", name, len(values), len(s.ID))
	}
	if len(values) == 0 || s.missing {
		clear(values)
		return nil
	}
	for _, o := range s.outputs {
		if o.name == name {
			o.fill(values)
			return nil
		}
	}
	return fmt.Errorf("output %q is not written by these options", name)
}

// Embedding returns the embedding in the order of the view: number of points ×
// Dim, row major; nil when there is none.
func (s *Segmentation) Embedding() []float32 {
	if s.Dim == 0 {
		return nil
	}
	rows := make([]float32, len(s.ID)*s.Dim)
	for i, to := range s.order {
		copy(rows[int(to)*s.Dim:(int(to)+1)*s.Dim], s.embedding[i*s.Dim:(i+1)*s.Dim])
	}
	return rows
}

// spread returns the result for a view of n points from the result for its usable points. The other points
// have no neighbors: they keep their places in the view and get id 0. Their other outputs are the values that
// the view has in before, by dimension, else 0.
func (s *Segmentation) spread(n int, usable []int32, before map[string][]float64,
	ids []string) *Segmentation {
	all := &Segmentation{ID: make([]uint32, n), First: s.First, Count: s.Count, Dim: s.Dim,
		order: slices.Clone(s.order), embedding: s.embedding}
	for i, id := range s.ID {
		all.ID[usable[i]] = id
	}
	for i, at := range all.order {
		all.order[i] = uint32(usable[at])
	}
	all.missing = s.outputs == nil
	for _, o := range s.outputs {
		kept := before[o.name]
		if slices.Contains(ids, o.name) {
			kept = nil
		}
		all.outputs = append(all.outputs, output{o.name, func(values []float64) {
			some := make([]float64, len(usable))
			o.fill(some)
			clear(values)
			copy(values, kept)
			for i, to := range usable {
				values[to] = some[i]
			}
		}})
	}
	return all
}

// partitioned is a view with its superpoints, from which the outputs are computed.
type partitioned struct {
	filter *Filter
	view   *cloud.View
	*steps.Points
	*method.Result // nil for a tile of a survey whose superpoints are not known yet
}
