// SPDX-License-Identifier: BSD-3-Clause

package filter

import (
	"slices"

	"superpoint/embed"
	"superpoint/filter/cloud"
	"superpoint/filter/steps"
	"superpoint/partition/base/parallel"
)

// locate converts a view, or a tile of a cloud of points points, to metres and finds the neighbors of its
// points.
func (f *Filter) locate(run parallel.Run, v *cloud.View, knn, points int) (*steps.Located, error) {
	at, err := v.Metres(run.Quiet(), f.log.Warn)
	if err != nil {
		return nil, err
	}
	return steps.LocateView(run, f.device, v, at, knn, points, f.log)
}

// embed computes the embedding of the points of a view. The dimensions that no later step reads are released.
func (f *Filter) embed(run parallel.Run, v *cloud.View, at *steps.Located, spacing float64,
	from embed.Anchor) (*steps.Embeddings, error) {
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
