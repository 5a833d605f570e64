// SPDX-License-Identifier: BSD-3-Clause

package filter

import (
	"fmt"
	"math"

	"superpoint/filter/cloud"
	"superpoint/filter/memory"
	"superpoint/filter/message"
	"superpoint/filter/method"
	"superpoint/filter/steps"
	"superpoint/filter/workspace"
	"superpoint/partition/base/parallel"
)

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
