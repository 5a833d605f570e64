// SPDX-License-Identifier: BSD-3-Clause

// Package supervoxel has the parts common to the methods by clustering (VCCS,
// Lin, SSP-cluster): the voxel grid for seeds, the search for the resolution of a
// target number of segments, colours, and the last steps of a segmentation, which
// assign the points that no segment reached and make segments connected. Lengths
// are in metres; results do not depend on the number of threads.
package supervoxel

import (
	"math"
	"sort"

	"superpoint/partition/base/arrays"
	"superpoint/partition/base/parallel"
	"superpoint/partition/base/shape"
	"superpoint/partition/neighbor"
)

// None is the label of a point without a segment.
const None = arrays.None

// Segmentation is a partition of a cloud. Unlike the components of a solver's result,
// its segments need not be connected in the adjacency graph;
// metrics.ConnectedComponents counts their connected components.
type Segmentation struct {
	Component  []uint32 // segment of each point, dense from 0, numbered by first point
	Count      int      // number of segments
	Resolution float64  // seed resolution, metres
}

// Fill labels the points of label None. In each round, every such point takes the
// label of its nearest labelled neighbour, if there is one within reach metres;
// labels of the same round are not used. The points left when a round changes
// nothing are labelled by connected components of the neighbours within reach,
// from count upwards. It returns the number of labels.
func Fill(component []uint32, count int, c *neighbor.Cloud, l *neighbor.Lists, reach float64) int {
	f := filler{component, c, l, reach}
	var open []uint32
	for i, s := range component {
		if s == None {
			open = append(open, uint32(i))
		}
	}
	type found struct{ point, label uint32 }
	var taken []found
	for {
		taken = taken[:0]
		rest := open[:0]
		for _, i := range open {
			label := f.nearestLabel(i)
			if label == None {
				rest = append(rest, i)
			} else {
				taken = append(taken, found{i, label})
			}
		}
		for _, f := range taken {
			component[f.point] = f.label
		}
		open = rest
		if len(taken) == 0 {
			return f.labelComponents(count, open)
		}
	}
}

// nearestLabel returns the component of the first point within reach that has one; None if none has.
func (f *filler) nearestLabel(i uint32) uint32 {
	for _, j := range f.within(i) {
		if f.component[j] != None {
			return f.component[j]
		}
	}
	return None
}

// filler holds the arguments of Fill.
type filler struct {
	component []uint32
	cloud     *neighbor.Cloud
	lists     *neighbor.Lists
	reach     float64 // metres
}

// within returns the neighbours of a point at a distance of at most reach. Lists have a
// fixed length, so the list of a point in a small isolated group also contains points
// of other groups.
func (f *filler) within(i uint32) []uint32 {
	near := f.lists.Of(int(i))
	at := f.cloud.Position(i)
	return near[:sort.Search(len(near),
		func(k int) bool { return f.cloud.Position(near[k]).Distance(at) > f.reach })]
}

// labelComponents labels the points of open by connected components, from count
// upwards, by breadth-first search, and returns the number of labels.
func (f *filler) labelComponents(count int, open []uint32) int {
	var queue []uint32
	for _, i := range open {
		if f.component[i] != None {
			continue
		}
		f.component[i] = uint32(count)
		for queue = append(queue[:0], i); len(queue) > 0; queue = queue[1:] {
			for _, j := range f.within(queue[0]) {
				if f.component[j] == None {
					f.component[j] = uint32(count)
					queue = append(queue, j)
				}
			}
		}
		count++
	}
	return count
}

// NeighborDistance returns the median distance in metres from a point to its k-th nearest
// neighbour (the last when k > K), over a few thousand points at equal steps of
// the index. It is 0 for clouds of fewer than two points.
func NeighborDistance(c *neighbor.Cloud, l *neighbor.Lists, k int) float64 {
	n := c.Len()
	if n < 2 || l.K == 0 {
		return 0
	}
	k = min(k, l.K)
	step := max(n/4096, 1)
	var d []float64
	for i := 0; i < n; i += step {
		x, y, z := c.Offset(uint32(i), l.Of(i)[k-1])
		d = append(d, math.Sqrt(float64(x)*float64(x)+float64(y)*float64(y)+float64(z)*float64(z)))
	}
	return arrays.Median(d)
}

// Color converts the attributes Red, Green and Blue to rows of three values in
// [0, 1]. The attributes are in 0 to 65535, as LAS has them, or in 0 to 255,
// which is assumed if no value exceeds 255. It returns nil if an attribute is
// missing.
func Color(run parallel.Run, attributes map[string][]float32) (color [][3]float32, err error) {
	defer parallel.Catch(&err)
	r := attributes["Red"]
	g := attributes["Green"]
	b := attributes["Blue"]
	if r == nil || g == nil || b == nil {
		return nil, nil
	}
	scale := float32(1. / 255)
	for i := range r {
		if max(r[i], g[i], b[i]) > 255 {
			scale = 1. / 65535
			break
		}
	}
	color = make([][3]float32, len(r))
	run.Each(len(r), 1<<14, func(i int) { color[i] = [3]float32{r[i] * scale, g[i] * scale, b[i] * scale} })
	return color, nil
}

// NormalOf returns the direction of least variance of a neighbourhood: the eigenvector of the smallest
// eigenvalue of its covariance (Hoppe et al. 1992, doi:10.1145/133994.134011). It has unit length and no
// orientation.
func NormalOf(m *shape.Moments) [3]float32 {
	v := m.Normal()
	return [3]float32{float32(v[0]), float32(v[1]), float32(v[2])}
}
