// SPDX-License-Identifier: BSD-3-Clause

package filter

import (
	"superpoint/filter/cloud"
	"superpoint/filter/memory"
	"superpoint/filter/method"
	"superpoint/filter/option"
	"superpoint/filter/steps"
	"superpoint/partition/base/arrays"
	"superpoint/partition/base/parallel"
	"superpoint/partition/base/tile"
)

// Sample returns the size of the sample on which a cloud is measured.
func (f *Filter) Sample() tile.Sample {
	return steps.SampleOf(f.options)
}

// Measure measures spacing and λ on the points in squares, or on the whole view if
// these are nil. Call Describe first.
func (f *Filter) Measure(run steps.Run, view *cloud.View, squares []tile.Square) (*method.Measured, error) {
	s, err := f.options.Resolve(f.model)
	if err != nil {
		return nil, err
	}
	quiet := run.Parallel(steps.Neighbors, f.options.Threads).Quiet()
	at, err := view.Metres(quiet, steps.Silent.Warn)
	if err != nil {
		return nil, err
	}
	from := steps.NewSample(view, at, squares)
	done, err := memory.Reserve("the view", from.View.Len(), steps.BytesPerPoint(f.options, f.model,
		f.classifier, &s))
	if err != nil {
		return nil, err
	}
	defer done()
	by := method.Named(f.options.Method)
	return steps.Measure(quiet, from, &by, f.model, s)
}

// isSampled reports whether spacing and λ of a view are measured on a sample: for a small view they are
// measured on all its points, and some methods and models need neither.
func (f *Filter) isSampled(v *cloud.View) bool {
	by := method.Named(f.options.Method)
	spaced := f.model != nil && f.model.Spaced()
	return v.Len() > f.Sample().Whole && (by.GMPP || spaced)
}

// measureSample returns the settings with what is measured on a sample of a view.
func (f *Filter) measureSample(run parallel.Run, v *cloud.View, at cloud.Positions, s option.Settings) (
	_ option.Settings, err error) {
	defer parallel.Catch(&err)
	corner := tile.CornerOf(arrays.Least(run, at.X), arrays.Least(run, at.Y))
	squares, _, err := f.Sample().Squares(run, at.X, at.Y, 1, corner)
	if err != nil {
		return s, err
	}
	by := method.Named(f.options.Method)
	m, err := steps.Measure(run, steps.NewSample(v, at, squares), &by, f.model, s)
	if err != nil {
		return s, err
	}
	return s.WithMeasured(m), nil
}
