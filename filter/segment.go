// SPDX-License-Identifier: BSD-3-Clause

package filter

import (
	"fmt"
	"maps"
	"math"

	"superpoint/embed"
	"superpoint/filter/cloud"
	"superpoint/filter/memory"
	"superpoint/filter/message"
	"superpoint/filter/method"
	"superpoint/filter/option"
	"superpoint/filter/steps"
	"superpoint/filter/workspace"
	"superpoint/partition/base/arrays"
	"superpoint/partition/base/parallel"
	"superpoint/partition/base/tile"
)

// Segment computes the superpoints of one view. For an empty view it logs a warning and returns an empty
// segmentation. Points without finite coordinates get id 0, with a warning. It fails if a dimension is
// missing or the run is cancelled; the filter can then segment other views.
func (f *Filter) Segment(run steps.Run, view *cloud.View) (*Segmentation, error) {
	usable := view.Usable()
	if usable == nil {
		return f.segment(run, view, nil)
	}
	f.log.Warn(fmt.Sprintf("%s of %s without finite coordinates left out: id 0",
		message.Thousands(int64(view.Len()-len(usable))),
		message.Count(view.Len(), "point")))
	before := maps.Clone(view.Dimensions)
	part, err := f.segment(run, view.Part(usable), nil)
	if err != nil {
		return nil, err
	}
	return part.spread(view.Len(), usable, before, f.options.IDDimensions()), nil
}

// SegmentIn is like Segment, with the neighbors, graphs and embeddings of a
// workspace. It fails if the options need more neighbors than it has.
func (f *Filter) SegmentIn(run steps.Run, w *workspace.Workspace) (*Segmentation, error) {
	return f.segment(run, w.View, w)
}

// segment checks a view, reserves its memory and runs its steps. w is nil for a view that is segmented once.
func (f *Filter) segment(run steps.Run, view *cloud.View, w *workspace.Workspace) (*Segmentation, error) {
	if view.Len() == 0 {
		f.log(message.Warning, "the view has no points; nothing to segment")
		return &Segmentation{First: f.next}, nil
	}
	s, err := f.settings(view)
	if err != nil {
		return nil, err
	}
	if name := f.options.Vote; name != "" { // fail early
		if _, err := view.CheckedLabels("vote", name); err != nil {
			return nil, err
		}
	}
	cloud.WarnOfBlank(view, f.required(), f.log)
	done, err := f.reserve(view, &s)
	if err != nil {
		return nil, err
	}
	defer done()
	defer f.device.Release()
	defer memory.Release(view.Len())
	return f.runSteps(steps.NewClock(run, f.options.Threads, view.Len()), view, w, s)
}

// runSteps runs the steps of a view in their order. Each is a function below. A tile of a survey (tile.go)
// runs those that it needs in another order.
func (f *Filter) runSteps(c *steps.Clock, view *cloud.View, w *workspace.Workspace, s option.Settings) (
	*Segmentation, error) {
	positions, err := f.positions(c, view, w)
	if err != nil {
		return nil, err
	}
	s, err = f.measureView(c, view, positions, s)
	if err != nil {
		return nil, err
	}
	located, err := f.locateView(c, view, positions, w, s)
	if err != nil {
		return nil, err
	}
	s = s.WithSpacing(located.Cloud, located.Lists)
	cloud.WarnOfSpacing(view, s.Spacing, f.log)
	embedded, err := f.embedView(c, view, located, w, s)
	if err != nil {
		return nil, err
	}
	connected, err := f.connectView(c, located, embedded.Isolated, w, s)
	if err != nil {
		return nil, err
	}
	by := method.Named(f.options.Method)
	if !by.Lists && f.classifier == nil {
		located.Lists = nil // no later step reads them
	}
	// From here on only the input refers to the embedding of the step: the partition problem has a copy, and
	// the collector frees the other one before the problem is solved.
	points := &steps.Points{Located: located, Embeddings: embedded, Connected: connected}
	input := steps.MethodInput(points, &s, f.log)
	dim := embedded.Dim
	result, err := steps.Do(c, steps.Partition, func(run parallel.Run) (*method.Result, error) {
		return steps.Solve(run, &by, view, input)
	})
	if err != nil {
		return nil, err
	}
	p := &partitioned{filter: f, view: view, Result: result, Points: &steps.Points{Located: located,
		Embeddings: &steps.Embeddings{Dim: dim, Values: result.Embedding}, Connected: connected}}
	out, err := steps.Do(c, steps.Output, p.output)
	if err != nil {
		return nil, err
	}
	f.recordView(p, s, c.Seconds)
	return out, nil
}

// positions returns the positions of the points of a view in metres.
func (f *Filter) positions(c *steps.Clock, v *cloud.View, w *workspace.Workspace) (cloud.Positions, error) {
	if w != nil {
		return w.Positions, nil
	}
	return steps.Timed(c, steps.Neighbors, func() (cloud.Positions, error) {
		return v.Metres(c.Run.Parallel(steps.Neighbors, c.Threads).Quiet(), f.log.Warn)
	})
}

// measureView measures spacing and λ of a large view on a sample. It returns the settings with these values.
func (f *Filter) measureView(c *steps.Clock, v *cloud.View, at cloud.Positions, s option.Settings) (
	option.Settings, error) {
	if !f.isSampled(v) {
		return s, nil
	}
	return steps.Timed(c, steps.Neighbors, func() (option.Settings, error) {
		return f.measureSample(c.Run.Parallel(steps.Neighbors, c.Threads).Quiet(), v, at, s)
	})
}

// isSampled reports whether spacing and λ of a view are measured on a sample: for a small view they are
// measured on all its points, and some methods and models need neither.
func (f *Filter) isSampled(v *cloud.View) bool {
	by := method.Named(f.options.Method)
	spaced := f.model != nil && f.model.Spaced()
	return v.Len() > steps.SampleOf(f.options).Whole && (by.GMPP || spaced)
}

// measureSample returns the settings with what is measured on a sample of a view.
func (f *Filter) measureSample(run parallel.Run, v *cloud.View, at cloud.Positions, s option.Settings) (
	_ option.Settings, err error) {
	defer parallel.Catch(&err)
	corner := tile.CornerOf(arrays.Least(run, at.X), arrays.Least(run, at.Y))
	squares, _, err := steps.SampleOf(f.options).Squares(run, at.X, at.Y, 1, corner)
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

// locateView finds the neighbors of the points of a view, or takes them from its workspace.
func (f *Filter) locateView(c *steps.Clock, v *cloud.View, at cloud.Positions, w *workspace.Workspace,
	s option.Settings) (*steps.Located, error) {
	l, err := steps.Do(c, steps.Neighbors, func(run parallel.Run) (*steps.Located, error) {
		if w != nil {
			return w.Locate(s.KNN)
		}
		return steps.LocateView(run, f.device, v, at, s.KNN, v.Len(), f.log)
	})
	if err != nil {
		return nil, err
	}
	if w != nil {
		c.Seconds[steps.Neighbors] = w.Seconds
	}
	v.Drop([]string{"X", "Y", "Z"}, f.options.OutputInputs()) // of which no model has a channel of its own
	return l, nil
}

// embedView computes the embedding of the points of a view. It is empty for a method without a model.
func (f *Filter) embedView(c *steps.Clock, v *cloud.View, at *steps.Located, w *workspace.Workspace,
	s option.Settings) (*steps.Embeddings, error) {
	if !method.Named(f.options.Method).Embeds {
		return new(steps.Embeddings), nil
	}
	return steps.Do(c, steps.Embedding, func(run parallel.Run) (*steps.Embeddings, error) {
		compute := func() (*steps.Embeddings, error) {
			from := embed.Anchor{Floor: s.BoxFloor()}
			return steps.EmbedView(run, f.device, f.model, v, at, s.Spacing, from, f.options.OutputInputs())
		}
		if w == nil {
			return compute()
		}
		e, saved, err := w.Embed(f.model, s.Spacing, compute)
		c.Seconds[steps.Embedding] += saved
		return e, err
	})
}

// connectView builds the adjacency graph of the points of a view.
func (f *Filter) connectView(c *steps.Clock, at *steps.Located, isolated []bool, w *workspace.Workspace,
	s option.Settings) (*steps.Connected, error) {
	return steps.Do(c, steps.Graph, func(run parallel.Run) (*steps.Connected, error) {
		var g *steps.Connected
		var saved float64
		var err error
		if w == nil {
			g, err = steps.Connect(run, at, s.Graph)
		} else {
			g, saved, err = w.Connect(run, s.Graph)
		}
		if err != nil {
			return nil, err
		}
		c.Seconds[steps.Graph] += saved
		return g, g.Isolate(run, at, isolated, s.Graph.Nearest)
	})
}

// output assigns ids, which continue those of the views before, and computes outputs.
func (p *partitioned) output(run parallel.Run) (*Segmentation, error) {
	n := p.Cloud.Len()
	first := p.filter.next
	if uint64(first)+uint64(p.Count) > math.MaxUint32 {
		return nil, fmt.Errorf(
			"option first_id: %d ids from %d would go beyond %d; lower it, or run the views in several "+
				"pipelines", p.Count, first, uint32(math.MaxUint32))
	}
	s := &Segmentation{ID: make([]uint32, n), First: first, Count: p.Count, order: p.Cloud.Order}
	err := run.ForEach(n, cloud.Grain, func(i int) { s.ID[p.Cloud.Order[i]] = first + p.Component[i] })
	if err != nil {
		return nil, err
	}
	for _, l := range p.Coarser {
		s.coarser = append(s.coarser, l.Component)
	}
	if err := s.prepare(p, run, Outputs()); err != nil {
		return nil, err
	}
	p.filter.next += uint32(p.Count)
	return s, nil
}
