// SPDX-License-Identifier: BSD-3-Clause

package filter

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"superpoint/filter/georef"
	"superpoint/filter/memory"
	"superpoint/filter/method"
	"superpoint/partition/base/arrays"
	"superpoint/partition/base/parallel"
	"superpoint/partition/neighbor"
)

// Segment computes the superpoints of one view. For an empty view it logs a warning
// and returns an empty segmentation. Points without finite coordinates get id 0, with a warning. It fails if a
// dimension is missing or the run is cancelled; the filter can then segment other views.
func (f *Filter) Segment(run Run, view *View) (*Segmentation, error) {
	if usable := view.Usable(); usable != nil {
		return f.segmentUsable(run, view, usable)
	}
	return f.segment(run, view, nil)
}

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

// checkBlank warns of dimensions that are 0 at all points, as the colours of a file that has the fields only.
func (f *Filter) checkBlank(view *View) {
	names := f.options.needs().Names
	if f.model != nil {
		names = slices.Concat(names, f.model.Needs)
	}
	names = slices.DeleteFunc(slices.Clone(names), func(name string) bool {
		least, most := georef.Bounds(view.Dimensions[name])
		return least != 0 || most != 0 // also Z, which is in View.Z
	})
	if len(names) > 0 {
		f.log.Warn("option model or method: it reads " + strings.Join(names, ", ") + ", which the points have as 0 only; " +
			"choose another one, or files that have these values")
	}
}

// warnOfPositions warns of coordinates that are hardly metres, and of duplicates.
func warnOfPositions(run parallel.Run, view *View, cloud *neighbor.Cloud, log Log) {
	if !warnOfDegrees(view, log) { // where rounding makes duplicates
		warnOfDuplicates(run, cloud, log)
	}
}

// warnOfDegrees warns of points that are so much higher than wide that X and Y without a unit are hardly metres, and
// reports whether they are.
func warnOfDegrees(view *View, log Log) bool {
	const slender = 1000 // height for width: 50 m of heights on a tile of 3 km
	if view.Reference != (georef.Reference{}) {
		return false
	}
	size := func(values []float64) float64 {
		least, most := georef.Bounds(values)
		return most - least
	}
	wide, high := max(size(view.X), size(view.Y)), size(view.Z)
	found := wide > 0 && high > slender*wide
	if found {
		log.Warn(fmt.Sprintf("Z spans %.3g, and X and Y only %.3g: if they are degrees, name the spatial reference with "+
			"%s, for example EPSG:4326", high, wide, georef.Default))
	}
	return found
}

// checkSpacing warns of points that are so far apart, or so near one another, that coordinates without a unit are
// hardly metres.
func (f *Filter) checkSpacing(view *View, spacing float64) {
	const sparse, dense = 20, 0.002 // metres
	unit, factor := "millimetres", "0.001"
	switch {
	case view.Reference != (georef.Reference{}) || spacing >= dense && spacing <= sparse || spacing == 0:
		return
	case spacing < dense:
		unit, factor = "kilometres", "1000"
	}
	f.log.Warn(fmt.Sprintf("neighbouring points are %.3g m apart if coordinates are metres; if they are %s, "+
		"scale them first, with pdal translate and filters.transformation, matrix \"%[3]s 0 0 0 0 %[3]s 0 0 0 0 %[3]s 0 0 "+
		"0 0 1\"", spacing, unit, factor))
}

// warnOfDuplicates warns of points that are there twice, as in tiles merged with themselves: of each, half of the
// neighbors are copies, and it has fewer edges to others.
func warnOfDuplicates(run parallel.Run, cloud *neighbor.Cloud, log Log) {
	const few = 10 // per cent
	copies := arrays.Begin(parallel.Map(run, cloud.Len(), grain, func(lo, hi int) (copies uint32) {
		for i := max(lo, 1); i < hi; i++ { // exact duplicates are consecutive
			if cloud.XYZ[i] == cloud.XYZ[i-1] {
				copies++
			}
		}
		return copies
	}))
	if share := 100 * int(copies) / max(cloud.Len(), 1); share >= few {
		log.Warn(fmt.Sprintf("%d %% of the points have the coordinates of another one, which makes superpoints smaller "+
			"and classes worse; if the file has points twice, remove them first, with filters.sample, radius 0.001; if its "+
			"coordinates are rounded, export it with a finer scale", share))
	}
}

// settings returns the settings for a view; it chooses the model.
func (f *Filter) settings(view *View) (settings, error) {
	if err := f.selectModel(view.names()); err != nil {
		return settings{}, err
	}
	return f.options.resolve(f.model)
}

// reserve reserves the memory for a view, until done.
func (f *Filter) reserve(view *View, s *settings) (done func(), err error) {
	return memory.Reserve("the view", view.Len(), bytesPerPoint(f.options, f.model, f.classifier, s))
}

// reportBug adds a remedy to an error that is a panic of a goroutine.
func reportBug(err error) error {
	var broken *parallel.PanicError
	if errors.As(err, &broken) {
		return fmt.Errorf("%w; this is a bug, please report it with the options and the file", err)
	}
	return err
}

// partitioned is a view with its superpoints, from which the outputs are computed.
type partitioned struct {
	*Filter
	view *View
	*points
	*method.Result // nil for a tile of a survey whose superpoints are not known yet
}

// output assigns ids and computes outputs.
func (p *partitioned) output(run parallel.Run) (*Segmentation, error) {
	n := p.cloud.Len()
	if uint64(p.next)+uint64(p.Count) > math.MaxUint32 {
		return nil, fmt.Errorf("option first_id: %d ids from %d would go beyond %d; lower it, or run the views in several "+
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
