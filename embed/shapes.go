package embed

import (
	"math"

	"superpoint/embed/shape"
	"superpoint/partition/arithmetic"
	"superpoint/partition/parallel"
)

// shapeBlock is the number of points that a worker describes at a time.
const shapeBlock = 1 << 12

// shapeColumns are the columns that describe the form of a neighbourhood; the
// normal takes three places.
var shapeColumns = [...]string{"linearity", "planarity", "scattering", "verticality", "log_radius", "normal"}

// shapePlaces holds the place of each shape column in a row of the table, −1
// where no channel reads it.
type shapePlaces [len(shapeColumns)]int32

const (
	linearity = iota
	planarity
	scattering
	verticality
	logRadius
	normal
)

// fillShapes computes the columns that describe the form of a neighbourhood,
// the neighbours without the point itself.
func (s *Inputs) fillShapes(run parallel.Run) error {
	places := s.shapePlaces()
	if places == (shapePlaces{-1, -1, -1, -1, -1, -1}) {
		return nil
	}
	return run.For(s.Len(), shapeBlock, func(lo, hi int) { s.shapes(&places, lo, hi) })
}

func (s *Inputs) shapePlaces() (places shapePlaces) {
	for k, name := range shapeColumns {
		places[k] = -1
		if p, ok := s.places[name]; ok {
			places[k] = int32(p)
		}
	}
	return places
}

// plainShapes is the plain Go twin of shapes, and gives the same bits.
func (s *Inputs) plainShapes(places *shapePlaces, lo, hi int) {
	for i := lo; i < hi; i++ {
		row := s.table[i*s.width : (i+1)*s.width]
		put := func(column int, v float32) {
			if p := places[column]; p >= 0 {
				row[p] = v
			}
		}
		c := s.covariance(i)
		l := c.Eigenvalues()
		ratios := shape.Dimensionality(l)
		put(linearity, ratios.Linearity)
		put(planarity, ratios.Planarity)
		put(scattering, ratios.Scattering)
		radius := math.Sqrt(c.XX+c.YY+c.ZZ) * s.cloud.Unit
		put(logRadius, float32(arithmetic.Log(min(max(radius, smallest), farthest))))
		if places[verticality] >= 0 {
			put(verticality, c.Verticality(l))
		}
		if p := places[normal]; p >= 0 {
			for a, v := range c.Vector(l[2], shape.Vector{0, 0, 1}) {
				row[int(p)+a] = float32(v)
			}
		}
	}
}

// covariance of a point's neighbours, in square units: sums of whole numbers.
func (s *Inputs) covariance(i int) shape.Covariance {
	var m shape.Moments
	p := s.cloud.XYZ[i]
	for _, j := range s.neighborsOf(i) {
		q := &s.cloud.XYZ[j]
		m.Add(float64(int64(q[0])-int64(p[0])), float64(int64(q[1])-int64(p[1])), float64(int64(q[2])-int64(p[2])))
	}
	return m.Covariance()
}
