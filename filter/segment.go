// SPDX-License-Identifier: BSD-3-Clause

package filter

import (
	"fmt"
	"math"

	"superpoint/embed"
	"superpoint/filter/cloud"
	"superpoint/filter/memory"
	"superpoint/filter/message"
	"superpoint/filter/method"
	"superpoint/filter/option"
	"superpoint/filter/steps"
	"superpoint/filter/workspace"
	"superpoint/partition/base/parallel"
)

// segment runs the steps of a view in their order: points are located, embedded and connected (points), the
// partition is solved, and outputs are computed (output). w is nil for a view that is segmented once.
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
	c := steps.NewClock(run, f.options.Threads, view.Len())
	p, s, err := f.points(c, view, w, s)
	if err != nil {
		return nil, err
	}
	cloud.WarnOfSpacing(view, s.Spacing, f.log)
	by := method.Named(f.options.Method)
	r, err := steps.Do(c, steps.Partition, func(run parallel.Run) (*method.Result, error) {
		solve, err := steps.Prepare(run, &by, view, steps.MethodInput(p, &s, f.log))
		if err != nil {
			return nil, err
		}
		p.Embedded = &steps.Embedded{Dim: p.Dim, Isolated: p.Isolated} // the rest comes back with the result
		return solve(run)
	})
	if err != nil {
		return nil, err
	}
	p.Values = r.Embedding
	result := &partitioned{Filter: f, view: view, Points: p, Result: r}
	out, err := steps.Do(c, steps.Output, result.output)
	if err != nil {
		return nil, err
	}
	f.recordView(result, s, c.Seconds)
	return out, nil
}

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
		return steps.LocateView(run, f.device, v, at, s.KNN, v.Len(), f.log)
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

// output assigns ids and computes outputs.
func (p *partitioned) output(run parallel.Run) (*Segmentation, error) {
	n := p.Cloud.Len()
	if uint64(p.next)+uint64(p.Count) > math.MaxUint32 {
		return nil, fmt.Errorf(
			"option first_id: %d ids from %d would go beyond %d; lower it, or run the views in several "+
				"pipelines", p.Count, p.next, uint32(math.MaxUint32))
	}
	s := &Segmentation{ID: make([]uint32, n), First: p.next, Count: p.Count, order: p.Cloud.Order}
	err := run.ForEach(n, cloud.Grain, func(i int) { s.ID[p.Cloud.Order[i]] = p.next + p.Component[i] })
	if err != nil {
		return nil, err
	}
	for _, l := range p.Coarser {
		s.coarser = append(s.coarser, l.Component)
	}
	if err := s.prepare(p, run, Outputs()); err != nil {
		return nil, err
	}
	p.next += uint32(p.Count)
	return s, nil
}

// SegmentIn is like Segment, with the neighbors, graphs and embeddings of a
// workspace. It fails if the options need more neighbors than it has.
func (f *Filter) SegmentIn(run steps.Run, w *workspace.Workspace) (*Segmentation, error) {
	return f.segment(run, w.View, w)
}
