package filter

import (
	"cmp"

	"superpoint/embed"
	"superpoint/filter/method"
	"superpoint/partition/parallel"
	"superpoint/partition/tile"
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
	if f.options.TargetSize > 0 {
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
	run.Step = nil // progress is reported for the view only
	if squares != nil {
		view = view.within(squares)
	}
	w, err := NewWorkspace(run, view, s.knn, f.options.Threads, nil)
	if err != nil {
		return nil, err
	}
	j := &job{Filter: f, run: run, view: view, workspace: w, settings: s, seconds: map[string]float64{}}
	quiet := run.parallel(stepPartition, f.options.Threads).Quiet()
	if err := j.findNeighbors(quiet); err != nil {
		return nil, err
	}
	measured, by := &method.Measured{Spacing: j.spacing()}, method.Named(f.options.Method)
	if s.Target > 0 && by.GMPP {
		err = j.embed(quiet)
	} else if card := j.card(); card != nil {
		j.isolated, err = embed.Isolated(quiet, card, &embed.Input{Cloud: j.cloud, Neighbors: j.lists, Spacing: j.spacing()})
	}
	if err != nil {
		return nil, err
	}
	if err := j.buildGraph(quiet, true); err != nil {
		return nil, err
	}
	measured.AcrossLines = j.across > 0
	if !by.GMPP {
		return measured, nil
	}
	if s.Target > 0 {
		if squares != nil {
			if j.sampleBorder, err = j.nearSquareEdges(quiet, squares, measured.Spacing); err != nil {
				return nil, err
			}
		}
		if err := j.solve(quiet, &by); err != nil {
			return nil, err
		}
		measured.Regularization, measured.Lambda, measured.MinSize = j.Regularization, j.Lambda, j.MinSize
		return measured, nil
	}
	in := &method.Input{Settings: j.settings.Settings, Graph: j.graph, Isolated: j.isolated}
	strength := in.Strength()
	strength.Spacing, strength.AcrossLines = measured.Spacing, measured.AcrossLines
	return strength, nil
}

// measure measures spacing and λ on a sample of a large view.
func (j *job) measure(run parallel.Run) error {
	sample, n := j.Sample(), j.view.Len()
	by := method.Named(j.options.Method)
	if n <= sample.Whole || j.options.Graph == graphGrid || !by.GMPP && (j.model == nil || !j.model.Spaced()) {
		return nil
	}
	x, y, _, err := j.metres(run)
	if err != nil {
		return err
	}
	squares, _ := sample.Squares(x, y, 1)
	measured, err := j.Measure(j.run, j.view, squares)
	if err != nil {
		return err
	}
	j.settings.setMeasured(measured)
	j.settings.spacing = cmp.Or(j.settings.spacing, measured.Spacing)
	return nil
}

// within returns the points of squares.
func (v *View) within(squares []tile.Square) *View {
	part := &View{Reference: v.Reference, Dimensions: map[string][]float64{}}
	take := func(from []float64) (to []float64) {
		for k := range squares {
			for _, i := range squares[k].Points {
				to = append(to, from[i])
			}
		}
		return to
	}
	part.X, part.Y, part.Z = take(v.X), take(v.Y), take(v.Z)
	for name, values := range v.Dimensions {
		part.Dimensions[name] = take(values)
	}
	return part
}

// nearSquareEdges reports which points of a view of squares lie within spacing of the
// sides of their square, in the cloud's order.
func (j *job) nearSquareEdges(run parallel.Run, squares []tile.Square, spacing float64) ([]bool, error) {
	x, y, _, err := j.metres(run)
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
	for u, from := range j.cloud.Order {
		border[u] = flag[from]
	}
	return border, nil
}
