// SPDX-License-Identifier: BSD-3-Clause

package filter

import (
	"slices"

	"superpoint/embed"
	"superpoint/filter/cloud"
	"superpoint/filter/steps"
	"superpoint/partition/base/parallel"
)

// locate builds the cloud of a view, or of a tile of a cloud of points points, and finds the neighbors of its
// points.
func (f *Filter) locate(run parallel.Run, v *cloud.View, at cloud.Positions, knn, points int) (
	*steps.Located, error) {
	tree, err := cloud.New(run, v, at, f.log.Warn)
	if err != nil {
		return nil, err
	}
	cloud.WarnOfPositions(run.Quiet(), v, tree, f.log)
	return steps.Locate(run, f.device, tree, knn, points)
}

// embed computes the embedding of the points of a view. The dimensions that no later step reads are released.
func (f *Filter) embed(run parallel.Run, v *cloud.View, at *steps.Located, spacing float64,
	from embed.Anchor) (*steps.Embedded, error) {
	attributes, err := v.Gather(run.Quiet(), at.Cloud.Order, f.model.Needs)
	if err != nil {
		return nil, err
	}
	f.release(v, f.model.Needs...)
	return steps.Embed(run, f.device, f.model, at, attributes, spacing, from)
}

// release releases those dimensions of a view that no later step reads.
func (f *Filter) release(v *cloud.View, names ...string) {
	later := append([]string{f.options.Vote}, f.options.ClassInputs()...)
	v.Drop(slices.DeleteFunc(slices.Clone(names),
		func(name string) bool { return slices.Contains(later, name) }))
}
