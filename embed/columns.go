package embed

import (
	"math"

	"superpoint/embed/shape"
	"superpoint/partition/parallel"
)

// echoes is the number of returns that counts as 1 in the returns column.
const echoes = 5

// fill computes the columns of every point.
func (s *Inputs) fill(run parallel.Run, ch *Channels, in *Input) error {
	for _, c := range ch.uses() {
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
		var err error
		switch c.name {
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
		case "elevation":
			if in.Cloud.Len() > 0 {
				err = ch.elevation().measure(run, in.Cloud, s.table[s.places[c.name]:], s.width)
			}
		}
		if err != nil {
			return err
		}
	}
	return s.fillShapes(run)
}

func (s *Inputs) each(run parallel.Run, place int, f func(i int) float32) error {
	return run.For(s.Len(), 1<<14, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			s.table[i*s.width+place] = f(i)
		}
	})
}

// fillShapes computes the columns that describe the form of a neighbourhood,
// the neighbours without the point itself.
func (s *Inputs) fillShapes(run parallel.Run) error {
	at := func(name string) int {
		if p, ok := s.places[name]; ok {
			return p
		}
		return -1
	}
	lin, plan, scat := at("linearity"), at("planarity"), at("scattering")
	vert, logr := at("verticality"), at("log_radius")
	if lin < 0 && plan < 0 && scat < 0 && vert < 0 && logr < 0 && s.normal < 0 {
		return nil
	}
	put := func(row []float32, place int, v float32) {
		if place >= 0 {
			row[place] = v
		}
	}
	return run.For(s.Len(), 1<<12, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			row := s.table[i*s.width : (i+1)*s.width]
			c := s.covariance(i)
			l := c.Eigenvalues()
			ratios := shape.Dimensionality(l)
			put(row, lin, ratios.Linearity)
			put(row, plan, ratios.Planarity)
			put(row, scat, ratios.Scattering)
			put(row, logr, float32(math.Log(min(max(math.Sqrt(c.XX+c.YY+c.ZZ), smallest), farthest))))
			if vert >= 0 {
				row[vert] = c.Verticality(l)
			}
			if s.normal >= 0 {
				for a, v := range c.Vector(l[2], shape.Vector{0, 0, 1}) {
					row[s.normal+a] = float32(v)
				}
			}
		}
	})
}

// covariance of a point's neighbours, in square metres.
func (s *Inputs) covariance(i int) shape.Covariance {
	var m shape.Moments
	p, unit := s.cloud.XYZ[i], s.cloud.Unit
	for _, j := range s.neighborsOf(i) {
		q := &s.cloud.XYZ[j]
		m.Add(float64(int64(q[0])-int64(p[0]))*unit, float64(int64(q[1])-int64(p[1]))*unit, float64(int64(q[2])-int64(p[2]))*unit)
	}
	return m.Covariance()
}
