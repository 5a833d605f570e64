package classes

import (
	"fmt"

	"superpoint/partition/arrays"
	"superpoint/partition/neighbor"
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
}

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
