// SPDX-License-Identifier: BSD-3-Clause

package filter

import (
	"fmt"
	"math"

	"superpoint/filter/memory"
	"superpoint/filter/method"
	"superpoint/partition/base/parallel"
)

func (f *Filter) segment(run Run, view *View, w *Workspace) (*Segmentation, error) {
	if view.Len() == 0 {
		f.log(LogWarning, "the view has no points; nothing to segment")
		return &Segmentation{First: f.next}, nil
	}
	s, err := f.settings(view)
	if err != nil {
		return nil, err
	}
	if name := f.options.Vote; name != "" { // fail early
		if _, err := view.checkedLabels("vote", name); err != nil {
			return nil, err
		}
	}
	f.checkBlank(view)
	done, err := f.reserve(view, &s)
	if err != nil {
		return nil, err
	}
	defer done()
	defer f.device.Release()
	defer memory.Release(view.Len())
	c := newClock(run, f.options.Threads, view.Len())
	p, s, err := f.points(c, view, w, s)
	if err != nil {
		return nil, err
	}
	f.checkSpacing(view, s.spacing)
	by := method.Named(f.options.Method)
	r, err := step(c, stepPartition, func(run parallel.Run) (*method.Result, error) {
		solve, err := prepare(run, &by, view, methodInput(p, &s, f.log))
		if err != nil {
			return nil, err
		}
		p.embedded = &embedded{dim: p.dim, isolated: p.isolated} // the rest comes back with the result
		return solve(run)
	})
	if err != nil {
		return nil, err
	}
	p.values = r.Embedding
	result := &partitioned{Filter: f, view: view, points: p, Result: r}
	out, err := step(c, stepOutput, result.output)
	if err != nil {
		return nil, err
	}
	f.recordView(result, s, c.seconds)
	return out, nil
}

// output assigns ids and computes outputs.
func (p *partitioned) output(run parallel.Run) (*Segmentation, error) {
	n := p.cloud.Len()
	if uint64(p.next)+uint64(p.Count) > math.MaxUint32 {
		return nil, fmt.Errorf(
			"option first_id: %d ids from %d would go beyond %d; lower it, or run the views in several "+
				"pipelines", p.Count, p.next, uint32(math.MaxUint32))
	}
	s := &Segmentation{ID: make([]uint32, n), First: p.next, Count: p.Count, order: p.cloud.Order}
	err := run.ForEach(n, grain, func(i int) { s.ID[p.cloud.Order[i]] = p.next + p.Component[i] })
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
func (f *Filter) SegmentIn(run Run, w *Workspace) (*Segmentation, error) {
	return f.segment(run, w.View, w)
}
