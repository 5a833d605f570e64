// SPDX-License-Identifier: BSD-3-Clause

package filter

import (
	"fmt"
	"maps"
	"slices"

	"superpoint/filter/cloud"
	"superpoint/filter/message"
	"superpoint/filter/steps"
)

// Points without finite coordinates have no neighbors. They keep their places in a view and get id 0; their
// other outputs are the values that the view has, else 0. The other points get what they get without them.

// segmentUsable segments the usable points of a view.
func (f *Filter) segmentUsable(run steps.Run, view *cloud.View, usable []int32) (*Segmentation, error) {
	n := view.Len()
	f.log.Warn(fmt.Sprintf("%s of %s without finite coordinates left out: id 0",
		message.Thousands(int64(n-len(usable))),
		message.Count(n, "point")))
	kept := maps.Clone(view.Dimensions)
	part, err := f.segment(run, view.Part(usable), nil)
	if err != nil {
		return nil, err
	}
	s := &Segmentation{ID: make([]uint32, n), First: part.First, Count: part.Count, Dim: part.Dim,
		order: slices.Clone(part.order), embedding: part.embedding}
	for i, id := range part.ID {
		s.ID[usable[i]] = id
	}
	for i, at := range s.order {
		s.order[i] = uint32(usable[at])
	}
	s.missing = part.outputs == nil
	for _, o := range part.outputs {
		s.outputs = append(s.outputs, output{o.name, func(values []float64) {
			some := make([]float64, len(usable))
			o.fill(some)
			clear(values)
			if !slices.Contains(f.options.IDDimensions(), o.name) {
				copy(values, kept[o.name])
			}
			for i, to := range usable {
				values[to] = some[i]
			}
		}})
	}
	return s, nil
}
