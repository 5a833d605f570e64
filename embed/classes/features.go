// SPDX-License-Identifier: BSD-3-Clause

package classes

import (
	"fmt"
	"math"
	"slices"

	"superpoint/partition/base/arrays"
	"superpoint/partition/base/parallel"
	"superpoint/partition/base/shape"
)

// Features are the features of all superpoints of a cloud.
type Features struct {
	Names   []string     // of the columns, see FeatureNames
	Values  []float32    // superpoints × columns, row major; 0 in columns that are absent
	Present []bool       // for each column: false if the cloud lacks its dimensions
	Size    []float32    // number of points of each superpoint
	Place   [][3]float64 // centroid of each superpoint, metres from the cloud's origin
	Bodies  []Body       // level body of each superpoint
	Labels  []Label      // of users, who know better than the evidence does; see Place
}

// Len returns the number of superpoints.
func (f *Features) Len() int { return len(f.Size) }

// Row returns the features of a superpoint.
func (f *Features) Row(k int) []float32 { n := len(f.Names); return f.Values[k*n : (k+1)*n] }

// forms are the features of a superpoint's shape.
var forms = []string{"log_area", "length", "width", "thickness", "form_linearity", "form_planarity",
	"form_scattering", "form_verticality", "normal_z", "height"}

// FeatureNames returns the columns of Features for embeddings of length dim: the shape,
// then mean, standard deviation and, for some heights, minimum and maximum of each
// quantity.
func FeatureNames(dim int) []string {
	names := slices.Clone(forms)
	for _, q := range quantities(dim) {
		names = append(names, q.name+"_mean", q.name+"_std")
		if q.ends {
			names = append(names, q.name+"_min", q.name+"_max")
		}
	}
	return append(names, bodyNames...)
}

// quantities lists the quantities of all groups and of the embedding.
func quantities(dim int) []quantity {
	var all []quantity
	for _, g := range groups {
		all = append(all, g.quantities...)
	}
	for k := range dim {
		all = append(all, quantity{name: fmt.Sprint("embedding", k)})
	}
	return all
}

// Describe computes the features of every superpoint, for a classifier of embeddings of
// length dim, and their graph. If s has embeddings of another length, those features are
// absent. It returns an error if arrays of s differ in length.
func Describe(run parallel.Run, s *Superpoints, dim int) (*Features, *Graph, error) {
	if err := s.check(); err != nil {
		return nil, nil, err
	}
	if s.whole == nil {
		s.whole = s.Component
	}
	s.terrain = s.findTerrain()
	arrays.Collect()
	f := &Features{Names: FeatureNames(dim), Size: make([]float32, s.Count),
		Place: make([][3]float64, s.Count)}
	f.Values = make([]float32, s.Count*len(f.Names))
	f.Present = make([]bool, len(f.Names))
	for k := range forms {
		f.Present[k] = true
	}
	m := s.members()
	if err := f.forms(run, s, m); err != nil {
		return nil, nil, err
	}
	at, next := len(forms), quantities(dim)
	add := func(v values) error { // v has the values of the next quantity
		arrays.Collect()
		q, from := next[0], at
		if next, at = next[1:], at+q.width(); v.all == nil {
			return nil
		}
		return f.summarise(run, m, q, from, v)
	}
	voids, err := s.points(run, add)
	for e := range dim {
		if err == nil && s.Dim == dim {
			err = add(values{s.Embedding, dim, e})
		} else if err == nil {
			err = add(values{})
		}
	}
	if err != nil {
		return nil, nil, err
	}
	arrays.Collect()
	g, err := newGraph(run, s, f)
	if err != nil {
		return nil, nil, err
	}
	f.Bodies = f.bodies(s, m, voids, g)
	for w := range bodyNames {
		f.Present[at+w] = true
	}
	for k := range f.Bodies {
		copy(f.Row(k)[at:], f.Bodies[k].columns())
	}
	return f, g, nil
}

// forms fills the first columns.
func (f *Features) forms(run parallel.Run, s *Superpoints, m *arrays.Groups) error {
	return run.ForEach(s.Count, 64, func(k int) {
		points := m.Of(k)
		if len(points) == 0 {
			return
		}
		moments := s.moments(points)
		copy(f.Row(k), formOf(moments.Covariance()))
		f.Row(k)[len(forms)-1] = asinh(s.extent(points))
		f.Size[k] = float32(len(points))
		first := s.Cloud.Position(points[0])
		mean := moments.Mean()
		f.Place[k] = [3]float64{first.X + mean[0], first.Y + mean[1], first.Z + mean[2]}
	})
}

// moments returns the moments of points, in metres from the first one.
func (s *Superpoints) moments(points []uint32) (moments shape.Moments) {
	first := &s.Cloud.XYZ[points[0]]
	unit := s.Cloud.Unit
	for _, i := range points {
		p := &s.Cloud.XYZ[i]
		x := float64(int64(p[0]) - int64(first[0]))
		y := float64(int64(p[1]) - int64(first[1]))
		z := float64(int64(p[2]) - int64(first[2]))
		moments.Add(x*unit, y*unit, z*unit)
	}
	return moments
}

// extent returns the difference in height of the highest and the lowest point, in metres.
func (s *Superpoints) extent(points []uint32) float64 {
	low, high := int32(math.MaxInt32), int32(math.MinInt32)
	for _, i := range points {
		z := s.Cloud.XYZ[i][2]
		low = min(low, z)
		high = max(high, z)
	}
	return float64(int64(high)-int64(low)) * s.Cloud.Unit
}

// formOf returns the features of a shape, without its extent.
func formOf(c shape.Covariance) []float32 {
	axes := c.Eigenvalues()
	ratios := shape.Dimensionality(axes)
	normal := c.Vector(axes[2], shape.Vector{0, 0, 1})
	length := math.Sqrt(axes[0])
	width := math.Sqrt(axes[1])
	thickness := math.Sqrt(axes[2])
	return []float32{
		logLength(math.Sqrt(length * width)),
		logLength(length),
		logLength(width),
		logLength(thickness),
		ratios.Linearity,
		ratios.Planarity,
		ratios.Scattering,
		c.Verticality(axes),
		float32(math.Abs(normal[2])),
	}
}

// shortest is added to lengths, in metres, before the logarithm: lengths far below it
// have nearly the same value.
const shortest = 0.01

func logLength(v float64) float32 { return float32(math.Log(v + shortest)) }

func asinh(v float64) float32 { return float32(math.Asinh(v)) }

// values is a quantity of every point: number at of each row of stride numbers. It is absent without numbers.
type values struct {
	all        []float32
	stride, at int
}

func (c *values) of(i uint32) float64 { return float64(c.all[int(i)*c.stride+c.at]) }

// summarise fills the columns of one quantity.
func (f *Features) summarise(run parallel.Run, m *arrays.Groups, q quantity, at int, c values) error {
	for w := range q.width() {
		f.Present[at+w] = true
	}
	read := func(v float64) float32 { return float32(v) }
	if q.length {
		read = asinh
	}
	return run.ForEach(f.Len(), 64, func(k int) {
		points := m.Of(k)
		if len(points) == 0 {
			return
		}
		first := c.of(points[0])
		var sum, square float64
		low, high := first, first
		for _, i := range points {
			v := c.of(i)
			sum += v - first
			square += (v - first) * (v - first)
			if q.ends {
				low, high = min(low, v), max(high, v)
			}
		}
		n := float64(len(points))
		spread := math.Sqrt(max(0, square/n-sum/n*sum/n))
		row := f.Row(k)[at:]
		row[0], row[1] = read(first+sum/n), read(spread)
		if q.ends {
			row[2], row[3] = read(low), read(high)
		}
	})
}
