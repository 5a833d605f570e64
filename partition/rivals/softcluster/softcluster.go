// SPDX-License-Identifier: BSD-3-Clause

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
	"math"

	"superpoint/partition/base/parallel"
	"superpoint/partition/neighbor"
	"superpoint/partition/rivals/supervoxel"
)

// Number is the type that features and associations are computed in.
type Number interface{ float32 | float64 }

// Options are the parameters.
type Options struct {
	supervoxel.Size
	Embedding float64 // γ
	Spatial   float64 // κ
}

const (
	iterations = 10 // T of a segmentation, as Jampani et al.
	minSize    = 10 // smallest connected component of a segment that becomes a segment of its own
)

// Defaults returns values for embeddings on the unit sphere whose distance across
// a border is about 1: with them, such a border contributes as much to a feature
// distance as three cubes.
func Defaults() Options { return Options{Embedding: 3, Spatial: 1} }

// Input is a cloud, its adjacency graph, and an embedding of Dim values per point.
type Input struct {
	Cloud     *neighbor.Cloud
	Graph     *neighbor.Graph
	Embedding []float32 // points × Dim, row major
	Dim       int
}

// Segment clusters a cloud. The segments are connected in the graph.
func Segment(run parallel.Run, in Input, o Options) (*supervoxel.Segmentation, error) {
	if err := o.Check(); err != nil {
		return nil, err
	}
	n := in.Cloud.Len()
	if n == 0 {
		return &supervoxel.Segmentation{Component: []uint32{}}, run.Err()
	}
	segment := func(r float64) (*supervoxel.Segmentation, error) { return at(run, in, o, r) }
	if o.TargetSize == 0 {
		return segment(o.Resolution)
	}
	want := supervoxel.Wanted(n, o.TargetSize)
	extent := 0.0
	for _, p := range in.Cloud.XYZ {
		extent = max(extent, math.Abs(float64(p[0])), math.Abs(float64(p[1])), math.Abs(float64(p[2])))
	}
	extent = 2 * max(extent, 1) * in.Cloud.Unit
	return supervoxel.Fit(want, extent/math.Sqrt(float64(want)), supervoxel.Cubes(in.Cloud), segment)
}

// at segments a cloud with one seed resolution.
func at(run parallel.Run, in Input, o Options, resolution float64) (s *supervoxel.Segmentation, err error) {
	defer parallel.Catch(&err)
	l, err := newLayout(run, in.Cloud, resolution)
	if err != nil {
		return nil, err
	}
	features := featuresOf(run, in.Cloud, in.Embedding, in.Dim, resolution, o.Embedding, o.Spatial)
	component := hard(run, l, associate(run, l, features, in.Dim+3, iterations, false).Q)
	count := supervoxel.Connect(in.Graph, component, l.Count(), minSize)
	return &supervoxel.Segmentation{Component: component, Count: count, Resolution: resolution}, nil
}

// featuresOf returns F, rows of dim + 3 values: the embedding times γ, then the
// position times κ/R.
func featuresOf[T Number](run parallel.Run, c *neighbor.Cloud, embedding []T, dim int, resolution, gamma,
	kappa float64) []T {
	n := c.Len()
	wide := dim + 3
	f := make([]T, n*wide)
	scale := kappa / resolution * c.Unit
	run.Each(n, 4096, func(i int) {
		row := f[i*wide : (i+1)*wide]
		for k, v := range embedding[i*dim : (i+1)*dim] {
			row[k] = T(gamma) * v
		}
		for a, v := range c.XYZ[i] {
			row[dim+a] = T(float64(v) * scale)
		}
	})
	return f
}
