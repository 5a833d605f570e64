// SPDX-License-Identifier: BSD-3-Clause

// Package cloud has the points of the host: a view, its dimensions, its positions in metres, and warnings of
// coordinates that are hardly metres.
package cloud

import (
	"fmt"
	"maps"
	"slices"

	"superpoint/embed/classes"
	"superpoint/filter/georef"
	"superpoint/filter/naming"
	"superpoint/partition/base/arrays"
	"superpoint/partition/base/parallel"
	"superpoint/partition/metrics"
)

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

// View is a set of points of the host. The filter only reads it and keeps no
// reference to it after Segment returns.
type View struct {
	X, Y, Z    []float64            // in the units of Reference
	Dimensions map[string][]float64 // values by PDAL dimension name: at least those that Describe requires
	Reference  georef.Reference     // spatial reference of X, Y and Z
	// if not nil, called when a dimension is not read any more, which is nil then
	Release func(name string)

	released int // number of points, after Release
}

// Len returns the number of points.
func (v *View) Len() int { return max(len(v.X), v.released) }

// Names returns the names of the view's dimensions, sorted.
func (v *View) Names() []string { return slices.Sorted(maps.Keys(v.Dimensions)) }

// Drop calls Release for dimensions, except those to keep.
func (v *View) Drop(names, keep []string) {
	if v.Release == nil {
		return
	}
	v.released = v.Len()
	for _, name := range names {
		if slices.Contains(keep, name) {
			continue
		}
		switch name {
		case "X":
			v.X = nil
		case "Y":
			v.Y = nil
		case "Z":
			v.Z = nil
		default:
			delete(v.Dimensions, name)
		}
		v.Release(name)
	}
}

// Grain is the number of points in a block of a parallel loop.
const Grain = 1 << 14

// column returns the values of a dimension; it fails if the view does not have it.
func (v *View) column(name string) ([]float64, error) {
	values, ok := v.Dimensions[name]
	if !ok && name == "Z" {
		values, ok = v.Z, true
	}
	if !ok {
		return nil, naming.Missing(name, "it is needed", v.Names())
	}
	if len(values) != v.Len() {
		return nil, fmt.Errorf("dimension %q has %d values for %d points", name, len(values), v.Len())
	}
	return values, nil
}

// Gather returns dimensions in the order of a cloud; order has the index in the view of each of its points.
func (v *View) Gather(run parallel.Run, order []uint32, names []string) (map[string][]float32, error) {
	attributes := make(map[string][]float32, len(names))
	for _, name := range names {
		from, err := v.column(name)
		if err != nil {
			return nil, err
		}
		to := make([]float32, len(from))
		err = run.ForEach(len(to), Grain, func(i int) { to[i] = float32(from[order[i]]) })
		if err != nil {
			return nil, err
		}
		attributes[name] = to
	}
	return attributes, nil
}

// CheckedLabels returns the values of a dimension that an option names; it fails if they are no labels.
func (v *View) CheckedLabels(option, name string) ([]float64, error) {
	values, err := v.column(name)
	if err == nil {
		err = metrics.CheckLabels(name, values)
	}
	if err != nil {
		return nil, fmt.Errorf("option %s: %w", option, err)
	}
	return values, nil
}

// Labels returns the labels of a dimension in the order of a cloud; −1 is none.
func (v *View) Labels(run parallel.Run, order []uint32, option, name string) ([]int32, error) {
	from, err := v.CheckedLabels(option, name)
	if err != nil {
		return nil, err
	}
	to := make([]int32, len(from))
	return to, run.ForEach(len(to), Grain, func(i int) { to[i], _ = metrics.Label(from[order[i]]) })
}

// Truth returns the labels of a dimension of classes and of one of objects, if it is not nil. Class 0 ("never
// classified" in LAS) and −1 are unlabelled, and object 0 is none.
func (v *View) Truth(run parallel.Run, order []uint32, class,
	object string) (truth metrics.Truth, err error) {
	if truth.Class, err = v.Labels(run, order, "truth", class); err == nil && v.Dimensions[object] != nil {
		truth.Object, err = v.Labels(run, order, "instances", object)
	}
	for _, labels := range [][]int32{truth.Class, truth.Object} {
		for i, label := range labels {
			if label == 0 {
				labels[i] = -1
			}
		}
	}
	return truth, err
}

// Dimensions in which PDAL has the withheld flag of LAS: its own, or a bit of the flags.
const (
	withheldDimension = "Withheld"
	flagsDimension    = "ClassFlags"
	withheldFlag      = 4
)

// ClassInputs returns the dimensions that a classifier reads if the points have them.
func ClassInputs() []string { return append(classes.Dimensions(), withheldDimension, flagsDimension) }

// ClassInputs returns the dimensions of the view that a classifier reads.
func (v *View) ClassInputs() []string {
	return slices.DeleteFunc(classes.Dimensions(),
		func(name string) bool { return v.Dimensions[name] == nil })
}

// Withheld returns a function that reports whether a point of the view is marked as withheld.
func (v *View) Withheld() func(i uint32) bool {
	mark, flags := v.Dimensions[withheldDimension], v.Dimensions[flagsDimension]
	switch {
	case mark != nil:
		return func(i uint32) bool { return mark[i] != 0 }
	case flags != nil:
		return func(i uint32) bool { return uint8(flags[i])&withheldFlag != 0 }
	}
	return func(uint32) bool { return false }
}
