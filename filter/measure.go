// SPDX-License-Identifier: BSD-3-Clause

package filter

import (
	"superpoint/filter/cloud"
	"superpoint/filter/memory"
	"superpoint/filter/method"
	"superpoint/filter/steps"
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
