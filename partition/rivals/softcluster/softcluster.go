// Package softcluster implements SSP-cluster, the paper's adaptation of
// superpixel sampling networks (Jampani et al. 2018,
// doi:10.1007/978-3-030-01234-2_22) to point clouds: the soft clustering, its
// gradients, its loss, and the segmentation.
//
// The initial centres are the means over the cubes of a voxel grid with the seed
// resolution R. Each of T iterations computes for every point p the soft
// associations with the centres c of its own and the adjacent cubes, then the
// centres:
//
//	q_pc = exp(−‖F_p − S_c‖²) / Σ_c' exp(−‖F_p − S_c'‖²),   S_c = Σ_p q_pc F_p / Σ_p q_pc
//
// with features F = [γ·e, κ·xyz/R] of embedding e and position. After the last
// iteration, each point is assigned to the centre of its largest association, and
// segments are made connected in the adjacency graph. Sums have a fixed order, so
// results and gradients do not depend on the number of threads. Functions are
// generic in float32 and float64; tests of gradients use float64.
package softcluster

import (
	"fmt"
	"math"

	"superpoint/partition/base/parallel"
	"superpoint/partition/neighbor"
	"superpoint/partition/rivals/supervoxel"
)

// Number is the type that features and associations are computed in.
type Number interface{ float32 | float64 }

// Options are the parameters.
type Options struct {
	SeedResolution float64 // R, metres; 0 with Target
	Target         float64 // mean points per segment, within 5 % where possible; 0 with SeedResolution
	Iterations     int     // T: 10 for segmentation, 5 in training, as Jampani et al.
	Embedding      float64 // γ
	Spatial        float64 // κ
	MinSize        int     // smallest connected component of a segment that becomes a segment of its own
}

// Defaults returns values for embeddings on the unit sphere whose distance across
// a border is about 1: with them, such a border contributes as much to a feature
// distance as three cubes.
func Defaults() Options { return Options{Iterations: 10, Embedding: 3, Spatial: 1, MinSize: 10} }

// Input is a cloud, its adjacency graph, and an embedding of Dim values per point.
type Input struct {
	Cloud     *neighbor.Cloud
	Graph     *neighbor.Graph
	Embedding []float32 // points × Dim, row major
	Dim       int
}

// Segment clusters a cloud. The segments are connected in the graph. It fails
// for options out of range.
func Segment(run parallel.Run, in Input, o Options) (*supervoxel.Segmentation, error) {
	if err := o.check(in); err != nil {
		return nil, err
	}
	n := in.Cloud.Len()
	if n == 0 {
		return &supervoxel.Segmentation{Component: []uint32{}}, run.Err()
	}
	segment := func(r float64) (*supervoxel.Segmentation, error) { return at(run, in, o, r) }
	if o.Target == 0 {
		return segment(o.SeedResolution)
	}
	want, err := supervoxel.Wanted(n, o.Target)
	if err != nil {
		return nil, err
	}
	extent := 0.0
	for _, p := range in.Cloud.XYZ {
		extent = max(extent, math.Abs(float64(p[0])), math.Abs(float64(p[1])), math.Abs(float64(p[2])))
	}
	extent = 2 * max(extent, 1) * in.Cloud.Unit
	return supervoxel.Fit(want, extent/math.Sqrt(float64(want)), func(r float64) (int, error) {
		l, err := supervoxel.NewGrid(in.Cloud.XYZ, in.Cloud.Unit, in.Cloud.Origin, r)
		if err != nil {
			return 0, err
		}
		return l.Len(), nil
	}, segment)
}

func (o *Options) check(in Input) error {
	positive := func(v float64) bool { return v > 0 && !math.IsInf(v, 1) }
	n := in.Cloud.Len()
	switch {
	case (o.SeedResolution != 0) == (o.Target != 0):
		return fmt.Errorf("softcluster: seed resolution %v m and target size %v; give one of them", o.SeedResolution,
			o.Target)
	case o.Target == 0 && !positive(o.SeedResolution):
		return fmt.Errorf("softcluster: seed resolution %v m; give a length above 0", o.SeedResolution)
	case o.Iterations < 1:
		return fmt.Errorf("softcluster: %d iterations; give at least 1, 10 is usual", o.Iterations)
	case !(o.Embedding >= 0) || !(o.Spatial >= 0):
		return fmt.Errorf("softcluster: weights %v (embedding) and %v (spatial); none may be negative", o.Embedding,
			o.Spatial)
	case len(in.Embedding) != n*in.Dim:
		return fmt.Errorf("softcluster: %d embedding values for %d points of %d each", len(in.Embedding), n, in.Dim)
	case in.Graph.Vertices() != n:
		return fmt.Errorf("softcluster: a graph of %d vertices for a cloud of %d points", in.Graph.Vertices(), n)
	}
	return nil
}

// at segments a cloud with one seed resolution.
func at(run parallel.Run, in Input, o Options, resolution float64) (*supervoxel.Segmentation, error) {
	l, err := NewLayout(run, in.Cloud, resolution)
	if err != nil {
		return nil, err
	}
	features, err := Features(run, in.Cloud, in.Embedding, in.Dim, resolution, o.Embedding, o.Spatial)
	if err != nil {
		return nil, err
	}
	a, err := associate(run, l, features, in.Dim+3, o.Iterations, false)
	if err != nil {
		return nil, err
	}
	component, err := hard(run, l, a.Q)
	if err != nil {
		return nil, err
	}
	count := supervoxel.Connect(in.Graph, component, l.Count(), max(o.MinSize, 1))
	return &supervoxel.Segmentation{Component: component, Count: count, Resolution: resolution}, nil
}

// Features returns F, rows of dim + 3 values: the embedding times γ, then the
// position times κ/R.
func Features[T Number](run parallel.Run, c *neighbor.Cloud, embedding []T, dim int, resolution, gamma,
	kappa float64) ([]T, error) {
	n, wide := c.Len(), dim+3
	f := make([]T, n*wide)
	scale := kappa / resolution * c.Unit
	err := run.For(n, 4096, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			row := f[i*wide : (i+1)*wide]
			for k, v := range embedding[i*dim : (i+1)*dim] {
				row[k] = T(gamma) * v
			}
			for a, v := range c.XYZ[i] {
				row[dim+a] = T(float64(v) * scale)
			}
		}
	})
	return f, err
}
