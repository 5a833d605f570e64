// SPDX-License-Identifier: BSD-3-Clause

package filter

import (
	"slices"

	"superpoint/embed"
	"superpoint/filter/cloud"
	"superpoint/filter/method"
	"superpoint/filter/option"
	"superpoint/filter/steps"
	"superpoint/filter/workspace"
	"superpoint/partition/base/parallel"
)

// points runs the steps before the partition. It returns their results, and the settings with what was
// measured.
func (f *Filter) points(c *steps.Clock, v *cloud.View, w *workspace.Workspace, s option.Settings) (
	*steps.Points, option.Settings, error) {
	at, s, err := f.locateView(c, v, w, s)
	if err != nil {
		return nil, s, err
	}

	by := method.Named(f.options.Method)
	e := new(steps.Embedded) // empty for a method without a model
	if by.Embeds {
		e, err = steps.Do(c, steps.Embedding, func(run parallel.Run) (*steps.Embedded, error) {
			e, saved, err := w.Embed(f.model, s.Spacing, func() (*steps.Embedded, error) {
				return f.embed(run, v, at, s.Spacing, embed.Anchor{Level: s.Level()})
			})
			c.Seconds[steps.Embedding] += saved
			return e, err
		})
		if err != nil {
			return nil, s, err
		}
	}
	g, err := steps.Do(c, steps.Graph, func(run parallel.Run) (*steps.Connected, error) {
		g, saved, err := w.Connect(run, at, s.Graph)
		if err != nil {
			return nil, err
		}
		c.Seconds[steps.Graph] += saved
		return g, g.Isolate(run, at, e.Isolated, s.Graph.Nearest)
	})
	if err != nil {
		return nil, s, err
	}
	if !by.Lists && f.classifier == nil {
		at.Lists = nil
	}
	return &steps.Points{Located: at, Embedded: e, Connected: g}, s, nil
}

// locateView measures a large view, and finds the neighbors of its points or takes them from its
// workspace.
func (f *Filter) locateView(c *steps.Clock, v *cloud.View, w *workspace.Workspace, s option.Settings) (
	*steps.Located, option.Settings, error) {
	quiet := c.Run.Parallel(steps.Neighbors, c.Threads).Quiet()
	var at cloud.Positions
	var err error
	if sampled := f.isSampled(v); w == nil || sampled {
		at, err = steps.Timed(c, steps.Neighbors, func() (cloud.Positions, error) {
			return v.Metres(quiet, f.log.Warn)
		})
		if err == nil && sampled {
			s, err = steps.Timed(c, steps.Neighbors,
				func() (option.Settings, error) { return f.measureSample(quiet, v, at, s) })
		}
	}
	if err != nil {
		return nil, s, err
	}
	l, err := steps.Do(c, steps.Neighbors, func(run parallel.Run) (*steps.Located, error) {
		if w != nil {
			return w.Locate(s.KNN)
		}
		return f.locate(run, v, at, s.KNN, v.Len())
	})
	if err != nil {
		return nil, s, err
	}
	if w != nil {
		c.Seconds[steps.Neighbors] = w.Seconds
	}
	f.release(v, "X", "Y", "Z") // of which no model has a channel of its own
	return l, s.WithSpacing(l.Cloud, l.Lists), nil
}

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
