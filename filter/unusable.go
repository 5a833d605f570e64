// SPDX-License-Identifier: BSD-3-Clause

package filter

import (
	"fmt"
	"maps"
	"slices"

	"superpoint/filter/message"
	"superpoint/partition/base/arrays"
)

// Points without finite coordinates have no neighbors. They keep their places in a view and get id 0; their other
// outputs are the values that the view has, else 0. The other points get what they get without them.

// Usable returns the indices of the points with finite coordinates; nil if all have them.
func (v *View) Usable() []int32 {
	if len(v.Y) != len(v.X) || len(v.Z) != len(v.X) {
		return nil // is refused later
	}
	var usable []int32
	for i := range v.X {
		switch sum := v.X[i] - v.X[i] + (v.Y[i] - v.Y[i]) + (v.Z[i] - v.Z[i]); { // 0, else NaN
		case sum != 0 && usable == nil:
			usable = arrays.Indices[int32](i)
		case sum == 0 && usable != nil:
			usable = append(usable, int32(i))
		}
	}
	return usable
}

// segmentUsable segments the usable points of a view.
func (f *Filter) segmentUsable(run Run, view *View, usable []int32) (*Segmentation, error) {
	n := view.Len()
	f.log.Warn(fmt.Sprintf("%s of %s without finite coordinates left out: id 0", message.Thousands(int64(n-len(usable))),
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
			if !slices.Contains(f.options.idDimensions(), o.name) {
				copy(values, kept[o.name])
			}
			for i, to := range usable {
				values[to] = some[i]
			}
		}})
	}
	return s, nil
}

// Part returns a view of some points.
func (v *View) Part(points []int32) *View {
	pick := func(values []float64) []float64 {
		if len(values) != len(v.X) {
			return values // is refused later
		}
		some := make([]float64, len(points))
		for i, at := range points {
			some[i] = values[at]
		}
		return some
	}
	p := &View{X: pick(v.X), Y: pick(v.Y), Z: pick(v.Z), Dimensions: map[string][]float64{},
		Reference: v.Reference.Local(v.Y, nil)}
	for name, values := range v.Dimensions {
		p.Dimensions[name] = pick(values)
	}
	return p
}
