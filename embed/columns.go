package embed

import (
	"slices"

	"superpoint/partition/arithmetic"
	"superpoint/partition/parallel"
)

// echoes is the number of returns that counts as 1 in the returns column.
const echoes = 5

// fill computes the columns of every point.
func (s *Inputs) fill(run parallel.Run, ch *Channels, in *Input) error {
	for _, c := range ch.uses() {
		if in.lacks(ch, &c) {
			continue // 0 at every point
		}
		for _, d := range c.dimensions {
			if _, err := in.attribute(d); err != nil {
				return err
			}
		}
	}
	scales := in.Scales
	if scales == nil {
		scales = in.MeasureScales()
	}
	for _, c := range ch.uses() {
		if in.lacks(ch, &c) {
			continue
		}
		var err error
		switch c.name {
		case "log_intensity":
			values := in.Attributes["Intensity"]
			err = s.each(run, s.places[c.name], func(i int) float32 {
				return float32(arithmetic.Log(max(float64(values[i]), 1)))
			})
		case "red", "green", "blue", "infrared", "intensity":
			d := c.dimensions[0]
			scale, ok := scales[d]
			if !ok || !(scale.High > scale.Low) {
				scale = MeasureScale(d, in.Attributes[d])
			}
			values := in.Attributes[d]
			err = s.each(run, s.places[c.name], func(i int) float32 { return scale.apply(values[i]) })
		case "echo":
			number, of := in.Attributes["ReturnNumber"], in.Attributes["NumberOfReturns"]
			err = s.each(run, s.places[c.name], func(i int) float32 { return min(max(number[i]/max(of[i], 1), 0), 1) })
		case "returns":
			of := in.Attributes["NumberOfReturns"]
			err = s.each(run, s.places[c.name], func(i int) float32 { return min(max(of[i], 0), echoes) / echoes })
		}
		if err != nil {
			return err
		}
	}
	if err := s.fillSurroundings(run, ch, in); err != nil {
		return err
	}
	return s.fillShapes(run)
}

// fillSurroundings computes the columns that read more than the nearest neighbors.
func (s *Inputs) fillSurroundings(run parallel.Run, ch *Channels, in *Input) error {
	height, heights := s.places[elevationColumn]
	wide := slices.ContainsFunc(ch.uses(), func(c column) bool { return isContext(c.name) })
	if s.Len() == 0 || !heights && !wide {
		return nil
	}
	e := ch.elevation()
	found, err := e.layers(run, s.cloud, in.Around, in.Noise)
	if err != nil {
		return err
	}
	if heights {
		if err := e.measure(run, s.cloud, found, s.table[height:], s.width); err != nil {
			return err
		}
	}
	if !wide {
		return nil
	}
	out, err := found.outliers(run, s.cloud)
	if err != nil {
		return err
	}
	for i, is := range in.Noise {
		out[i] = out[i] || is
	}
	return s.context(run, ch.Spacing, out)
}

func (s *Inputs) each(run parallel.Run, place int, f func(i int) float32) error {
	return run.For(s.Len(), 1<<14, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			s.table[i*s.width+place] = f(i)
		}
	})
}
