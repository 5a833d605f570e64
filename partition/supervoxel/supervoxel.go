// Package supervoxel holds what the cluster-based methods share (VCCS, Lin,
// SSP-cluster): the voxel grid that seeds are placed on, the search for a
// resolution that gives a wanted number of segments, colours, and the steps
// that finish a segmentation (points that no segment reached, pieces that came
// apart, dense numbers). Lengths are in metres; results do not depend on the
// number of threads.
package supervoxel

import (
	"math"
	"sort"

	"superpoint/partition/arrays"
	"superpoint/partition/neighbor"
	"superpoint/partition/parallel"
)

// None marks a point that belongs to no segment yet.
const None = arrays.None

// Segmentation is a partition of a cloud. Unlike a solver's result its segments
// need not be connected in the adjacency graph; metrics.Report counts the pieces.
type Segmentation struct {
	Component  []uint32 // one a point, dense from 0, numbered by first point
	Count      int      // number of segments
	Resolution float64  // seed resolution that gave it, metres
}

// Fill gives every point labelled None the label of the segment that reaches it
// first along the neighbour lists: round by round, each takes its nearest
// labelled neighbour's, if that is at most reach metres away. What no segment
// reaches becomes one segment for each connected component of such steps. It returns
// the number of labels, count or more.
func Fill(component []uint32, count int, c *neighbor.Cloud, l *neighbor.Lists, reach float64) int {
	f := filling{component, c, l, reach}
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
			label := uint32(None)
			for _, j := range f.within(i) {
				if label = component[j]; label != None {
					break
				}
			}
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
			return f.islands(count, open)
		}
	}
}

// filling is what Fill works on.
type filling struct {
	component []uint32
	cloud     *neighbor.Cloud
	lists     *neighbor.Lists
	reach     float64 // metres
}

// within returns the neighbours of a point in reach. A list continues to wherever
// the next points are, from a pile of fewer points to another pile.
func (f *filling) within(i uint32) []uint32 {
	near, at := f.lists.Of(int(i)), f.cloud.Position(i)
	return near[:sort.Search(len(near), func(k int) bool { return f.cloud.Position(near[k]).Distance(at) > f.reach })]
}

// islands labels points that reach no labelled point: a new label for the first
// of them, given on to all that it reaches, and so on.
func (f *filling) islands(count int, open []uint32) int {
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

// Spacing returns the median distance from a point to its k-th nearest
// neighbour (the last when k > K), over at most 4096 points spread evenly, in
// metres. It is 0 for clouds of fewer than two points.
func Spacing(c *neighbor.Cloud, l *neighbor.Lists, k int) float64 {
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

// Color joins three attributes of every point, as PDAL gives them (Red, Green,
// Blue: 0 to 65535, or 0 to 255 in files that keep 8 bits), to rows of three
// values in [0, 1]. It returns nil when one is missing. Values are read as 8
// bits when none exceeds 255.
func Color(run parallel.Run, attributes map[string][]float32) ([][3]float32, error) {
	r, g, b := attributes["Red"], attributes["Green"], attributes["Blue"]
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
	color := make([][3]float32, len(r))
	err := run.For(len(r), 1<<14, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			color[i] = [3]float32{r[i] * scale, g[i] * scale, b[i] * scale}
		}
	})
	return color, err
}
