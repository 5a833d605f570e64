// SPDX-License-Identifier: BSD-3-Clause

package filter

import (
	"superpoint/embed"
	"superpoint/filter/method"
	"superpoint/partition/base/parallel"
	"superpoint/partition/base/tile"
)

// The spacing of the points and λ, with target_size also the search for λ, and whether the
// cloud has scan lines are measured on a sample of squares (package tile). A view and a
// survey of the same points have the same sample, and so the same superpoints. A larger
// sample changes the spacing by no more than another choice of squares does.
const (
	sampleWhole  = 1 << 17 // clouds of up to so many points are not sampled
	samplePoints = 1 << 15 // points of a sample
	sampleSquare = 1 << 11 // points of a square
	// with target_size: larger, because superpoints end at the border of a square
	targetPoints = 1 << 19
	targetSquare = 1 << 15
)

// Sample returns the size of the sample on which a cloud is measured.
func (f *Filter) Sample() tile.Sample {
	if f.options.TargetSize != nil {
		return tile.Sample{Whole: targetPoints, Points: targetPoints, Square: targetSquare}
	}
	return tile.Sample{Whole: sampleWhole, Points: samplePoints, Square: sampleSquare}
}

// Measure measures spacing and λ on the points in squares, or on the whole view if
// these are nil. Call Describe first.
func (f *Filter) Measure(run Run, view *View, squares []tile.Square) (*method.Measured, error) {
	given, err := f.options.resolve(f.model)
	if err != nil {
		return nil, err
	}
	s := &given
	run.Step = nil // progress is reported for the view only
	if squares != nil {
		view = view.within(squares)
	}
	w, err := NewWorkspace(run, view, s.knn, f.options.Threads, nil)
	if err != nil {
		return nil, err
	}
	quiet := run.parallel(stepPartition, f.options.Threads).Quiet()
	p := &points{embedded: new(embedded)}
	if p.located, err = w.locate(s.knn); err != nil {
		return nil, err
	}
	p.results = results{} // nothing is used again
	s.complete(p.located)
	by := method.Named(f.options.Method)
	if s.Target > 0 && by.GMPP {
		p.embedded, err = f.embed(quiet, view, p.located, s.spacing, nil)
	} else if card := f.card(); card != nil {
		p.isolated, err = embed.Isolated(quiet, card, &embed.Input{Cloud: p.cloud, Neighbors: p.lists, Spacing: s.spacing})
	}
	if err != nil {
		return nil, err
	}
	if p.connected, err = f.connect(quiet, p.located, p.isolated, s); err != nil {
		return nil, err
	}
	measured := &method.Measured{Spacing: s.spacing, AcrossLines: p.across > 0}
	switch {
	case !by.GMPP:
		return measured, nil
	case s.Target == 0:
		measured.Strength = (&method.Input{Settings: s.Settings, Graph: p.graph, Isolated: p.isolated}).AtRegularization()
		return measured, nil
	}
	var sides []bool
	if squares != nil {
		if sides, err = f.nearSquareEdges(quiet, view, p.cloud.Order, squares, s.spacing); err != nil {
			return nil, err
		}
	}
	result, err := f.solve(quiet, view, p, s, sides)
	if err != nil {
		return nil, err
	}
	measured.Strength = result.Strength
	for _, l := range result.Coarser {
		measured.Coarser = append(measured.Coarser, l.Strength)
	}
	return measured, nil
}

// measureSample measures spacing and λ on a sample of a large view and sets them.
func (f *Filter) measureSample(run Run, v *View, s *settings) error {
	sample := f.Sample()
	by := method.Named(f.options.Method)
	if v.Len() <= sample.Whole || !by.GMPP && (f.model == nil || !f.model.Spaced()) {
		return nil
	}
	quiet := run.parallel(stepNeighbors, f.options.Threads).Quiet()
	x, y, _, err := v.Reference.Metres(quiet, v.X, v.Y, v.Z, f.log.Warn)
	if err != nil {
		return err
	}
	squares, _, err := sample.Squares(quiet, x, y, 1)
	if err != nil {
		return err
	}
	measured, err := f.Measure(run, v, squares)
	if err != nil {
		return err
	}
	s.setMeasured(measured)
	return nil
}

// nearSquareEdges reports which points of a view of squares lie within spacing of the
// sides of their square, in the cloud's order.
func (f *Filter) nearSquareEdges(run parallel.Run, v *View, order []uint32, squares []tile.Square,
	spacing float64) ([]bool, error) {
	x, y, _, err := v.Reference.Metres(run, v.X, v.Y, v.Z, f.log.Warn)
	if err != nil {
		return nil, err
	}
	flag, i, margin := make([]bool, 0, len(x)), 0, tile.Unit(spacing)
	for k := range squares {
		for range squares[k].Points {
			flag = append(flag, !squares[k].Inner(tile.Unit(x[i]), tile.Unit(y[i]), margin))
			i++
		}
	}
	border := make([]bool, len(flag))
	for u, from := range order {
		border[u] = flag[from]
	}
	return border, nil
}
