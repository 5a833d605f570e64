package filter

import (
	"superpoint/filter/method"
	"superpoint/partition/parallel"
	"superpoint/partition/tile"
)

// What all of a cloud shares is measured on a sample of it: the spacing of the points,
// λ, and with target_size the search for λ. The sample is the same for a view and for a
// survey that reads the same points file by file (package tile), so both have the same
// superpoints. Smaller squares see as much of a cloud; a quarter of the points takes a
// quarter of the time, and moves the spacing by no more than the choice of squares does.
const (
	sampleWhole  = 1 << 17
	samplePoints = 1 << 15
	sampleSquare = 1 << 11
	// with target_size, for superpoints on the border of a square are cut
	targetPoints = 1 << 19
	targetSquare = 1 << 15
)

// Sample returns how many points are taken to measure a cloud.
func (f *Filter) Sample() tile.Sample {
	if f.options.TargetSize > 0 {
		return tile.Sample{Whole: targetPoints, Points: targetPoints, Square: targetSquare}
	}
	return tile.Sample{Whole: sampleWhole, Points: samplePoints, Square: sampleSquare}
}

// Measure measures a cloud on squares of a view, or on all of it if these are nil. Call
// Describe first.
func (f *Filter) Measure(run Run, view *View, squares []tile.Square) (*method.Fixed, error) {
	s, err := f.options.resolve(f.model)
	if err != nil {
		return nil, err
	}
	run.Step = nil // its progress is not that of the view
	if squares != nil {
		view = view.of(squares)
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
	fixed, by := &method.Fixed{Spacing: j.spacing()}, method.Named(f.options.Method)
	if !by.GMPP {
		return fixed, nil
	}
	if s.target > 0 {
		if err := j.embed(quiet); err != nil {
			return nil, err
		}
	}
	if err := j.buildGraph(quiet, true); err != nil {
		return nil, err
	}
	if s.target > 0 {
		if squares != nil {
			if j.cutOff, err = j.besideSides(quiet, squares, fixed.Spacing); err != nil {
				return nil, err
			}
		}
		if err := j.solve(quiet, &by); err != nil {
			return nil, err
		}
		fixed.Regularization, fixed.Lambda, fixed.MinSize = j.Regularization, j.Lambda, j.MinSize
		return fixed, nil
	}
	in := &method.Input{Settings: f.options.method(&j.settings), Graph: j.graph}
	strength := in.Strength()
	strength.Spacing = fixed.Spacing
	return strength, nil
}

// measure fixes what a sample says of a view that has more points.
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
	squares, _ := sample.Squares(n, func(i int) (int64, int64) { return tile.Unit(x[i]), tile.Unit(y[i]) })
	fixed, err := j.Measure(j.run, j.view, squares)
	if err != nil {
		return err
	}
	j.settings.fix(fixed)
	return nil
}

// fix takes what a sample says.
func (s *settings) fix(fixed *method.Fixed) {
	s.fixed = fixed
	if s.spacing == 0 {
		s.spacing = fixed.Spacing
	}
}

// of returns the points of squares.
func (v *View) of(squares []tile.Square) *View {
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

// besideSides reports which points of a view of squares lie beside their sides.
func (j *job) besideSides(run parallel.Run, squares []tile.Square, spacing float64) ([]bool, error) {
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
