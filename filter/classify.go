// SPDX-License-Identifier: BSD-3-Clause

package filter

import (
	"superpoint/embed/classes"
	"superpoint/filter/cloud"
	"superpoint/filter/land"
	"superpoint/filter/memory"
	"superpoint/filter/steps"
	"superpoint/partition/base/parallel"
)

// ClassOutputs returns the names of the dimensions that Classify computes; nil without the option classes.
func (f *Filter) ClassOutputs() (names []string) {
	for _, w := range classOutputs() {
		names = append(names, w.names(f)...)
	}
	return names
}

// Classify assigns a class to each point of a view whose superpoints are known. Call Describe first. The
// result has the outputs of ClassOutputs, with the values that Segment computes.
func (f *Filter) Classify(run steps.Run, view *cloud.View, known land.Known) (*Segmentation, error) {
	s, err := f.settings(view)
	if err != nil {
		return nil, err
	}
	done, err := f.reserve(view, &s)
	if err != nil {
		return nil, err
	}
	defer done()
	defer f.device.Release()
	defer memory.Release(view.Len())
	c := steps.NewClock(run, f.options.Threads, view.Len())
	at, err := steps.Do(c, steps.Neighbors, func(run parallel.Run) (*steps.Located, error) {
		return steps.LocateMetres(run, f.device, view, classes.ShapeNeighbors, view.Len(), f.log)
	})
	if err != nil {
		return nil, err
	}
	return steps.Do(c, steps.Output, func(run parallel.Run) (*Segmentation, error) {
		if !f.knows(f.Embedding()) {
			known.Dim, known.Embedding = 0, nil
		}
		in, _, err := known.Input(at.Cloud, at.Lists)
		if err != nil {
			return nil, err
		}
		out := &Segmentation{ID: known.ID, order: in.Cloud.Order}
		if err := f.classifyPoints(run, view, in, out); err != nil {
			return nil, err
		}
		return out, out.prepare(&partitioned{filter: f, view: view}, run, classOutputs())
	})
}
