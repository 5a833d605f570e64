// SPDX-License-Identifier: BSD-3-Clause

package filter

import (
	"superpoint/embed"
	"superpoint/filter/device"
	"superpoint/filter/memory"
	"superpoint/filter/method"
	"superpoint/filter/models"
	"superpoint/partition/base/arrays"
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
	s, err := f.options.resolve(f.model)
	if err != nil {
		return nil, err
	}
	quiet := run.parallel(stepNeighbors, f.options.Threads).Quiet()
	at, err := view.metres(quiet, silent.Warn)
	if err != nil {
		return nil, err
	}
	from := &sample{view, at, squares}
	if squares != nil {
		from = newSample(view, at, squares)
	}
	done, err := memory.Reserve("the view", from.view.Len(), bytesPerPoint(f.options, f.model,
		f.classifier, &s))
	if err != nil {
		return nil, err
	}
	defer done()
	by := method.Named(f.options.Method)
	return measure(quiet, from, &by, f.model, s)
}

// isSampled reports whether spacing and λ of a view are measured on a sample: those of a small one follow
// from all its points, and some methods and models have none.
func (f *Filter) isSampled(v *View) bool {
	by := method.Named(f.options.Method)
	spaced := f.model != nil && f.model.Spaced()
	return v.Len() > f.Sample().Whole && (by.GMPP || spaced)
}

// measureSample returns the settings with what is measured on a sample of a view.
func (f *Filter) measureSample(run parallel.Run, v *View, at positions, s settings) (settings, error) {
	squares, _, err := f.Sample().Squares(run, at.x, at.y, 1)
	if err != nil {
		return s, err
	}
	by := method.Named(f.options.Method)
	m, err := measure(run, newSample(v, at, squares), &by, f.model, s)
	if err != nil {
		return s, err
	}
	return s.measured(m), nil
}

// sample has the points on which a cloud is measured.
type sample struct {
	view    *View
	at      positions     // of the points of view
	squares []tile.Square // of whose points view has those of each in turn; nil for a full cloud
}

// newSample returns the points of squares. at are the positions of the points of a view.
func newSample(view *View, at positions, squares []tile.Square) *sample {
	points := pointsIn(squares)
	return &sample{view.Part(points), at.pick(points), squares}
}

// pointsIn returns the points of squares.
func pointsIn(squares []tile.Square) (points []int32) {
	for k := range squares {
		points = append(points, squares[k].Points...)
	}
	return points
}

// silent is the log of a sample, whose warnings are those of its cloud.
var silent = Log(func(int, string) {})

// measure measures the spacing of points and whether they have scan lines; for methods with λ also λ and,
// with target_size, the λ of each size. m is nil for methods without a model. It is done by the processor,
// for samples are small, and changes none of its arguments.
func measure(run parallel.Run, from *sample, by *method.Method, m *models.Model,
	s settings) (*method.Measured, error) {
	on := device.New(device.CPU, silent)
	cloud, err := newCloud(run, from.view, from.at, silent.Warn)
	if err != nil {
		return nil, err
	}
	at, err := locate(run, on, cloud, s.knn, cloud.Len())
	if err != nil {
		return nil, err
	}
	s = s.completed(at.cloud, at.lists)
	searches := by.GMPP && s.TargetSize != nil // for the λ of a size, in which the embedding is used
	e, err := measuredEmbedding(run, on, from.view, at, m, s.spacing, searches)
	if err != nil {
		return nil, err
	}
	g, err := connect(run, at, s.graph)
	if err != nil {
		return nil, err
	}
	if err := g.isolate(run, at, e.isolated, s.graph.Nearest); err != nil {
		return nil, err
	}
	measured := &method.Measured{Spacing: s.spacing, AcrossLines: g.across > 0}
	switch {
	case searches:
		in := methodInput(&points{at, e, g}, &s, silent)
		in.Border = from.nearSquareEdges(cloud.Order, s.spacing)
		result, err := solve(run, by, from.view, in)
		if err != nil {
			return nil, err
		}
		measured.Strength = result.Strength
		for _, l := range result.Coarser {
			measured.Coarser = append(measured.Coarser, l.Strength)
		}
	case by.GMPP:
		measured.Strength = method.AtRegularization(&s.Settings, g.graph, e.isolated)
	}
	return measured, nil
}

// measuredEmbedding returns the embedding of a sample if it is used, else only which points are isolated.
func measuredEmbedding(run parallel.Run, on *device.Device, v *View, at *located, m *models.Model,
	spacing float64,
	used bool) (*embedded, error) {
	if used {
		attributes, err := v.gather(run, at.cloud.Order, m.Needs)
		if err != nil {
			return nil, err
		}
		return embedPoints(run, on, m, at, attributes, spacing, nil)
	}
	card := cardOf(m)
	if card == nil {
		return new(embedded), nil
	}
	isolated, err := embed.Isolated(run, card, &embed.Input{Cloud: at.cloud, Neighbors: at.lists,
		Spacing: spacing})
	return &embedded{isolated: isolated}, err
}

// nearSquareEdges reports which points lie within spacing of the sides of their square, in the cloud's order;
// nil for a full cloud.
func (from *sample) nearSquareEdges(order []uint32, spacing float64) []bool {
	if from.squares == nil {
		return nil
	}
	margin := tile.Unit(spacing)
	near := make([]bool, 0, len(order)) // in the order of the squares
	for k := range from.squares {
		for range from.squares[k].Points {
			x := tile.Unit(from.at.x[len(near)])
			y := tile.Unit(from.at.y[len(near)])
			near = append(near, !from.squares[k].Inner(x, y, margin))
		}
	}
	return arrays.Gather(near, order)
}
