package classes

import (
	"fmt"
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
