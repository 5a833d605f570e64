// SPDX-License-Identifier: BSD-3-Clause

// Package lin implements the boundary preserving supervoxel segmentation of Lin et al.
// 2018 (doi:10.1016/j.isprsjprs.2018.05.004): K of the points are chosen as
// representatives, and every other point is assigned to one of them, so that
//
//	E = λ·|number of representatives − K| + Σ_p D(p, representative of p)
//
// is small. Fusion starts from every point as its own representative; a
// representative absorbs an adjacent one when λ exceeds the absorbed one's
// number of points times D, and λ doubles from round to round until K are left.
// Boundary exchange then assigns points at borders to the most similar adjacent
// representative, until no point changes. The dissimilarity is
//
//	D(p, q) = 1 − |n_p·n_q| + 0.4·‖p − q‖/R
//
// with normals n and resolution R. Adjacency is the directed graph of nearest
// neighbours. Fusion and exchange process points in order, on one thread. Lengths are
// in metres. Exchange can disconnect segments, so they need not be connected in the
// adjacency graph.
package lin

import (
	"math"

	"superpoint/partition/base/arrays"
	"superpoint/partition/base/parallel"
	"superpoint/partition/base/shape"
	"superpoint/partition/neighbor"
	"superpoint/partition/rivals/supervoxel"
)

// Values of the authors' program.
const (
	neighbors = 14  // of the adjacency graph and of normals
	spatial   = 0.4 // weight of distance
)

// Input is a cloud with neighbour lists.
type Input struct {
	Cloud     *neighbor.Cloud
	Neighbors *neighbor.Lists
}

// Segment segments a cloud. There are as many segments as cubes of the resolution that have
// points, or as the target size requires, unless the neighbour graph has more connected
// components.
func Segment(run parallel.Run, in Input, size supervoxel.Size) (*supervoxel.Segmentation, error) {
	if err := size.Check(); err != nil {
		return nil, err
	}
	n := in.Cloud.Len()
	if n == 0 {
		return &supervoxel.Segmentation{Component: []uint32{}}, run.Err()
	}
	resolution, count, err := resolve(in, size)
	if err != nil {
		return nil, err
	}
	k := min(neighbors, in.Neighbors.K)
	normal, err := normals(run, in, k)
	if err != nil {
		return nil, err
	}
	m := &metric{at: in.Cloud.XYZ, normal: normal, spatial: float32(spatial / resolution * in.Cloud.Unit)}
	f := &fusion{run: run, metric: m, lists: in.Neighbors, k: k, want: count}
	if err := f.fuse(); err != nil {
		return nil, err
	}
	component := f.parent
	if err := exchange(run, m, in.Neighbors, k, component); err != nil {
		return nil, err
	}
	return &supervoxel.Segmentation{Component: component, Count: arrays.Number(component, n),
		Resolution: resolution}, nil
}

// normals returns the surface normal of every point from the point itself and its first k neighbours.
func normals(run parallel.Run, in Input, k int) ([][3]float32, error) {
	all := make([][3]float32, in.Cloud.Len())
	return all, run.ForEach(len(all), 4096, func(i int) {
		var m shape.Moments
		m.Add(0, 0, 0) // the point itself
		p := &in.Cloud.XYZ[i]
		for _, j := range in.Neighbors.Of(i)[:k] {
			q := &in.Cloud.XYZ[j]
			m.Add(float64(q[0]-p[0]), float64(q[1]-p[1]), float64(q[2]-p[2]))
		}
		all[i] = supervoxel.NormalOf(&m)
	})
}

// resolve returns the resolution and the number of segments: one follows from
// the other by counting occupied cubes.
func resolve(in Input, size supervoxel.Size) (resolution float64, count int, err error) {
	cubes := supervoxel.Cubes(in.Cloud)
	if size.TargetSize == 0 {
		count, err = cubes(size.Resolution)
		return size.Resolution, count, err
	}
	count = supervoxel.Wanted(in.Cloud.Len(), size.TargetSize)
	spacing := supervoxel.NeighborDistance(in.Cloud, in.Neighbors, 4)
	if !(spacing > 0) { // a single place: distance cannot matter
		return 1, count, nil
	}
	resolution, _, err = supervoxel.Search(count, spacing*math.Sqrt(size.TargetSize), cubes)
	return resolution, count, err
}

// metric is the dissimilarity D.
type metric struct {
	at      [][3]int32
	normal  [][3]float32
	spatial float32 // 0.4/R a unit
}

func (m *metric) between(i, j uint32) float32 {
	p := &m.at[i]
	q := &m.at[j]
	a := &m.normal[i]
	b := &m.normal[j]
	x := float32(p[0] - q[0])
	y := float32(p[1] - q[1])
	z := float32(p[2] - q[2])
	dot := a[0]*b[0] + a[1]*b[1] + a[2]*b[2]
	if dot < 0 {
		dot = -dot
	}
	return 1 - dot + m.spatial*float32(math.Sqrt(float64(x*x+y*y+z*z)))
}
