package classes

import (
	"fmt"
	"math"
	"slices"

	"superpoint/embed"
	"superpoint/partition/arrays"
	"superpoint/partition/neighbor"
	"superpoint/partition/parallel"
)

// Superpoints are the superpoints of a cloud and what is known of its points.
// All arrays of points are in the cloud's order.
type Superpoints struct {
	Cloud      *neighbor.Cloud
	Neighbors  *neighbor.Lists      // at least ShapeNeighbors, if the cloud has them
	Component  []uint32             // superpoint of each point, or None
	Count      int                  // superpoints
	Dim        int                  // length of an embedding; 0 = there is none
	Embedding  []float32            // number of points × Dim
	Attributes map[string][]float32 // raw values by PDAL dimension name, as far as they are there: see Dimensions
	Noise      []bool               // points that are marked as noise; nil for none. SetApart finds others
	low        []bool               // points that count in no height; nil for none
}

// outlierSpacings and leastOutlierCell are the edge of the cells that outliers are
// looked for in, in spacings of the points, and the least, in metres; flatness is how
// often the height of a flat one fits into it.
const outlierSpacings, leastOutlierCell, flatness = 8, 2, 4

// SetApart finds outliers: those of cubes become noise and leave their superpoints; those
// of flat boxes, which at the rim of a thin wall are no noise, count in no height.
func (s *Superpoints) SetApart(run parallel.Run) (err error) {
	if s.Cloud.Len() == 0 {
		return nil
	}
	cell := max(leastOutlierCell, outlierSpacings*s.Cloud.Spacing(s.Neighbors))
	if s.Noise, err = embed.Outliers(run, s.Cloud, cell, cell, s.Noise); err != nil {
		return err
	}
	if s.low, err = embed.Outliers(run, s.Cloud, cell, cell/flatness, s.Noise); err != nil {
		return err
	}
	s.Component = slices.Clone(s.Component)
	for i, is := range s.Noise {
		if is {
			s.Component[i] = None
		}
	}
	return nil
}

// apart reports whether a point counts in no height.
func (s *Superpoints) apart(i int) bool { return s.low != nil && s.low[i] }

// None is the component of points that have no superpoint.
const None = arrays.None

// ShapeNeighbors is the number of neighbours whose form describes a point.
const ShapeNeighbors = 20

// Dimensions are the dimensions that describe points, if they are there.
func Dimensions() []string {
	var names []string
	for _, g := range groups {
		names = append(names, g.dimensions...)
	}
	return names
}

func (s *Superpoints) check() error {
	n := s.Cloud.Len()
	if len(s.Component) != n || len(s.Embedding) != n*s.Dim {
		return fmt.Errorf("classes: %d components and %d values of embeddings of length %d for %d points", len(s.Component),
			len(s.Embedding), s.Dim, n)
	}
	for i, c := range s.Component {
		if c != None && int(c) >= s.Count {
			return fmt.Errorf("classes: point %d is of superpoint %d of %d", i, c, s.Count)
		}
	}
	for name, values := range s.Attributes {
		if len(values) != n {
			return fmt.Errorf("classes: dimension %q has %d values for %d points", name, len(values), n)
		}
	}
	return nil
}

// members lists the points of every superpoint, ascending.
func (s *Superpoints) members() *arrays.Groups {
	m := arrays.GroupBy(s.Component, s.Count)
	return &m
}

// Radius returns how far from each other a cloud's points are: the radius, metres, of
// the neighbourhoods that form is taken from, as its median over superpoints.
func (f *Features) Radius() float64 {
	at := slices.Index(f.Names, "log_radius_mean")
	all := make([]float64, f.Len())
	for k := range all {
		all[k] = math.Exp(float64(f.Row(k)[at]))
	}
	return arrays.Median(all)
}

// Learned notes the radius of a cloud that is learned from.
func (c *Card) Learned(radius float64) {
	radius = max(math.Round(100*radius)/100, shortest)
	if c.Radius == nil {
		c.Radius = []float64{radius, radius}
	}
	c.Radius[0], c.Radius[1] = min(c.Radius[0], radius), max(c.Radius[1], radius)
}

// tolerance is the factor by which clouds may be denser or sparser than those that
// were learned from.
const tolerance = 2

// Warning says what to expect of a cloud whose points are nearer to each other, or
// farther, than those of all clouds that were learned from; "" if they are not.
func (c *Card) Warning(radius float64) string {
	if c.Radius == nil || radius >= c.Radius[0]/tolerance && radius <= c.Radius[1]*tolerance {
		return ""
	}
	return fmt.Sprintf("classes %s learned clouds whose %d nearest points are within %.2g to %.2g m, those of this one "+
		"are within %.2g m: many classes may be wrong; see that lengths are read as metres, or teach it this cloud by "+
		"labels (pdal superpoint classify)", c.Name, ShapeNeighbors, c.Radius[0], c.Radius[1], radius)
}
