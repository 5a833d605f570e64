// SPDX-License-Identifier: BSD-3-Clause

package classes

import (
	"fmt"
	"slices"

	"superpoint/embed"
	"superpoint/partition/base/arrays"
	"superpoint/partition/base/parallel"
	"superpoint/partition/neighbor"
)

// Superpoints are the superpoints of a cloud and the attributes of its points.
// All arrays of points are in the cloud's order.
type Superpoints struct {
	Cloud     *neighbor.Cloud
	Neighbors *neighbor.Lists // at least ShapeNeighbors, if the cloud has them
	Component []uint32        // superpoint of each point, or None
	Count     int             // superpoints
	Dim       int             // length of an embedding; 0 = there is none
	Embedding []float32       // number of points × Dim
	// raw values by PDAL dimension name, for those in Dimensions that the cloud has
	Attributes map[string][]float32
	Noise      []bool       // points that are marked as noise; nil for none. FindOutliers adds others
	Groups     []NoiseGroup // groups of points that FindOutliers made noise
	noiseClass []uint8      // class of each point of Groups, else 0; nil without Groups
	whole      []uint32     // Component before FindOutliers
	low        []bool       // points that are ignored in heights; nil for none
	apart      float64      // see spacing; 0 before it is computed
	terrain    *terrain     // see findTerrain; nil before Describe
}

// spacing returns the distance of neighbouring points in metres, and keeps it.
func (s *Superpoints) spacing() float64 {
	if s.apart == 0 {
		s.apart = s.Cloud.Spacing(s.Neighbors)
	}
	return s.apart
}

// outlierSpacings is the edge of the cells for outliers in spacings of the points,
// leastOutlierCell its minimum in metres, flatness the ratio of edge to height of flat cells.
const outlierSpacings, leastOutlierCell, flatness = 8, 2, 4

// FindOutliers finds isolated points, and groups that are noise (see groupRule). Those isolated in cubes, and
// the groups, become noise and are removed from their superpoints. Those isolated in flat boxes are only
// ignored in heights: points at the rim of a thin wall are among them, which are not noise.
func (s *Superpoints) FindOutliers(run parallel.Run) error {
	if s.Cloud.Len() == 0 {
		return nil
	}
	edge := max(leastOutlierCell, outlierSpacings*s.spacing())
	cubes, err := embed.NewBoxes(run, s.Cloud, edge, edge, s.Noise)
	if err != nil {
		return err
	}
	isolated, err := cubes.Isolated(run)
	if err != nil {
		return err
	}
	for i, is := range s.Noise {
		isolated[i] = isolated[i] || is
	}
	s.Noise = isolated
	if err := s.markGroups(run, cubes, edge, cubeRules); err != nil {
		return err
	}
	flat, err := embed.NewBoxes(run, s.Cloud, edge, edge/flatness, s.Noise)
	if err != nil {
		return err
	}
	if s.low, err = flat.Isolated(run); err != nil {
		return err
	}
	if err := s.markGroups(run, flat, edge, flatRules); err != nil {
		return err
	}
	for i, is := range s.Noise {
		s.low[i] = s.low[i] || is
	}
	s.whole, s.Component = s.Component, slices.Clone(s.Component)
	for i, is := range s.Noise {
		if is {
			s.Component[i] = None
		}
	}
	return nil
}

// ignored reports whether a point is ignored in heights.
func (s *Superpoints) ignored(i int) bool { return s.low != nil && s.low[i] }

// None is the component of points that have no superpoint.
const None = arrays.None

// ShapeNeighbors is the number of neighbours from which the shape at a point is computed.
const ShapeNeighbors = 20

// Dimensions returns the PDAL dimensions that are used if a cloud has them.
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
		return fmt.Errorf("classes: %d components and %d values of embeddings of length %d for %d points",
			len(s.Component), len(s.Embedding), s.Dim, n)
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
