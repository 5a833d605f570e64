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
	"fmt"
	"math"

	"superpoint/partition/base/arrays"
	"superpoint/partition/base/parallel"
	"superpoint/partition/neighbor"
	"superpoint/partition/rivals/supervoxel"
)

// Options are the parameters.
type Options struct {
	Resolution float64 // R, metres: as many segments as there are occupied cubes of this side; 0 with Target
	Target     float64 // wanted mean points a segment; 0 with Resolution
	Neighbors  int     // neighbours of the adjacency graph and of normals, 14 in the authors' program
	Spatial    float64 // weight of distance, 0.4 in the paper
}

// Defaults returns the authors' values.
func Defaults() Options { return Options{Neighbors: 14, Spatial: 0.4} }

// Input is a cloud with neighbour lists.
type Input struct {
	Cloud     *neighbor.Cloud
	Neighbors *neighbor.Lists
}

// Segment segments a cloud. The number of segments is that wanted, unless the
// neighbour graph has more connected components. It returns an error for options
// out of range.
func Segment(run parallel.Run, in Input, o Options) (*supervoxel.Segmentation, error) {
	if err := o.check(in); err != nil {
		return nil, err
	}
	n := in.Cloud.Len()
	if n == 0 {
		return &supervoxel.Segmentation{Component: []uint32{}}, run.Err()
	}
	resolution, count, err := o.resolve(in)
	if err != nil {
		return nil, err
	}
	k := min(o.Neighbors, in.Neighbors.K)
	normals := make([][3]float32, n)
	if k > 0 {
		if normals, err = supervoxel.Normals(run, in.Cloud, in.Neighbors, k); err != nil {
			return nil, err
		}
	}
	m := &metric{at: in.Cloud.XYZ, normal: normals, spatial: float32(o.Spatial / resolution * in.Cloud.Unit)}
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

func (o *Options) check(in Input) error {
	positive := func(v float64) bool { return v > 0 && !math.IsInf(v, 1) }
	switch {
	case (o.Resolution != 0) == (o.Target != 0):
		return fmt.Errorf("lin: resolution %v m and target size %v; give one of them", o.Resolution, o.Target)
	case o.Target == 0 && !positive(o.Resolution):
		return fmt.Errorf("lin: resolution %v m; give a length above 0", o.Resolution)
	case o.Neighbors < 1:
		return fmt.Errorf("lin: %d neighbours; give at least 1, 14 is usual", o.Neighbors)
	case !(o.Spatial >= 0) || math.IsInf(o.Spatial, 1):
		return fmt.Errorf("lin: spatial weight %v; give 0 or a positive number", o.Spatial)
	case in.Neighbors.Len() != in.Cloud.Len():
		return fmt.Errorf("lin: neighbour lists of %d points for a cloud of %d", in.Neighbors.Len(), in.Cloud.Len())
	}
	return nil
}

// resolve returns the resolution and the number of segments: one follows from
// the other by counting occupied cubes.
func (o *Options) resolve(in Input) (resolution float64, count int, err error) {
	cubes := func(r float64) (int, error) {
		g, err := supervoxel.NewGrid(in.Cloud.XYZ, in.Cloud.Unit, in.Cloud.Origin, r)
		if err != nil {
			return 0, err
		}
		return g.Len(), nil
	}
	if o.Target == 0 {
		count, err = cubes(o.Resolution)
		return o.Resolution, count, err
	}
	if count, err = supervoxel.Wanted(in.Cloud.Len(), o.Target); err != nil {
		return 0, 0, err
	}
	spacing := supervoxel.NeighborDistance(in.Cloud, in.Neighbors, 4)
	if !(spacing > 0) { // a single place: distance cannot matter
		return 1, count, nil
	}
	resolution, _, err = supervoxel.Search(count, spacing*math.Sqrt(o.Target), cubes)
	return resolution, count, err
}

// metric is the dissimilarity D.
type metric struct {
	at      [][3]int32
	normal  [][3]float32
	spatial float32 // 0.4/R a unit
}

func (m *metric) between(i, j uint32) float32 {
	p, q, a, b := &m.at[i], &m.at[j], &m.normal[i], &m.normal[j]
	x, y, z := float32(p[0]-q[0]), float32(p[1]-q[1]), float32(p[2]-q[2])
	dot := a[0]*b[0] + a[1]*b[1] + a[2]*b[2]
	if dot < 0 {
		dot = -dot
	}
	return 1 - dot + m.spatial*float32(math.Sqrt(float64(x*x+y*y+z*z)))
}
