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

// unlike is the share of features from which on a cloud is unlike those that were learned.
// Of most surveys left out it is 0 to 0.1, of rooms, tables and streets scanned from a car
// 0.14 to 0.39; of a simulated scanner that spins on one place 0.05.
const unlike = 0.12

// Unlike returns the share of features whose mean over the superpoints is beyond that of all
// clouds that were learned from, and a warning if it is large; "" if not.
func (m *Model) Unlike(f *Features) (share float64, warning string) {
	low, high := m.tensors[LowTensor], m.tensors[HighTensor]
	beyond, all, most, worst := 0, 0, 0.0, ""
	for i, mean := range f.Means() {
		if !f.Present[i] {
			continue
		}
		all++
		far := float64(max(low[i]-float32(mean), float32(mean)-high[i]))
		if far <= 0 {
			continue
		}
		beyond++
		if far /= float64(m.tensors[DeviationTensor][i]); far > most {
			most, worst = far, fmt.Sprintf("%s is %.3g, learned %.3g to %.3g", f.Names[i], mean, low[i], high[i])
		}
	}
	if share = float64(beyond) / float64(max(1, all)); share < unlike {
		return share, ""
	}
	return share, fmt.Sprintf("this cloud is unlike those that classes %s learned: %.0f %% of its features are "+
		"beyond theirs (%s); many classes may be wrong: see that lengths are read as metres, or teach it this cloud by "+
		"labels (pdal superpoint classify)", m.Card.Name, 100*share, worst)
}

// Means returns the mean of every feature over the superpoints.
func (f *Features) Means() []float64 {
	mean := make([]float64, len(f.Names))
	for k := range f.Len() {
		for i, v := range f.Row(k) {
			mean[i] += float64(v) / float64(f.Len())
		}
	}
	return mean
}
