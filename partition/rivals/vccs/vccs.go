// SPDX-License-Identifier: BSD-3-Clause

// Package vccs is Voxel Cloud Connectivity Segmentation (Papon et al. 2013,
// doi:10.1109/CVPR.2013.264): voxels are clustered around seeds on a regular
// grid; segments grow along the 26-adjacency of the voxels.
//
// Distances follow the Point Cloud Library, whose VCCS the literature evaluates,
//
//	D = μ·‖Δxyz‖/R + ε·(1 − |n·n'|) + λ·‖Δrgb‖,
//
// with seed resolution R and colours in [0, 1], in place of the paper's root of
// squares with HiK histograms. Growing is synchronous: in every round each voxel
// is assigned to the nearest among its own segment and the segments that its
// neighbours had at the end of the round before. The library grows segments one
// after the other, and compares with the distance at the time of a voxel's
// assignment. Results are similar, not equal (pipelines/evidence/RESULTS.md has the
// metrics of both), and here they do not depend on the number of threads.
//
// Lengths are in metres. Segments need not be connected in the adjacency graph.
package vccs

import (
	"fmt"
	"math"

	"superpoint/partition/base/arrays"
	"superpoint/partition/base/parallel"
	"superpoint/partition/neighbor"
	"superpoint/partition/rivals/supervoxel"
)

// Options are the parameters. The zero value is not usable: see Defaults.
type Options struct {
	supervoxel.Size
	// voxel size, metres; 0: 1.5 times the point spacing, at most R/4. Segments grow for 1.8·R/size rounds
	VoxelResolution float64
	Spatial         float64 // μ, weight of the distance
	Normal          float64 // ε, weight of the normals
	Color           float64 // λ, weight of the colour; needs Input.Color when above 0
}

// Defaults returns the weights of the Point Cloud Library without colour.
func Defaults() Options { return Options{Spatial: 0.4, Normal: 1} }

// Input is a cloud with neighbour lists; Color (values in [0, 1]) may be nil.
type Input struct {
	Cloud     *neighbor.Cloud
	Neighbors *neighbor.Lists
	Color     [][3]float32
}

// spacingNeighbor: the median distance to this neighbour is the point spacing.
// On a square lattice the first four neighbours are equally near.
const spacingNeighbor = 4

// voxelSpacings is the default voxel size in point spacings. On aerial and room
// scans, 1 increases the OOA and is slower, 2 decreases it.
const voxelSpacings = 1.5

// depth is the distance over which segments grow, in seed resolutions, as in the
// Point Cloud Library.
const depth = 1.8

// Segment clusters a cloud. It fails for options out of range.
func Segment(run parallel.Run, in Input, o Options) (*supervoxel.Segmentation, error) {
	n := in.Cloud.Len()
	if err := o.Check(); err != nil {
		return nil, err
	}
	if o.Color > 0 && in.Color == nil {
		return nil, fmt.Errorf("vccs: colour importance %v, but the cloud has no colours; set it to 0",
			o.Color)
	}
	if n == 0 {
		return &supervoxel.Segmentation{Component: []uint32{}}, run.Err()
	}
	spacing := supervoxel.NeighborDistance(in.Cloud, in.Neighbors, spacingNeighbor)
	if !(spacing > 0) { // fewer than two points, or four duplicates at most points
		return &supervoxel.Segmentation{Component: make([]uint32, n), Count: 1,
			Resolution: o.Resolution}, run.Err()
	}
	s := &session{run: run, in: in, o: o, spacing: spacing}
	if o.TargetSize == 0 {
		return s.segment(o.Resolution)
	}
	return s.search()
}

// session caches the cells of the last voxel resolution: most steps of a search
// for a target size change only the seed resolution.
type session struct {
	run     parallel.Run
	in      Input
	o       Options
	spacing float64
	cells   *cells
	voxel   float64 // voxel resolution of cells
}

// search searches for the seed resolution of the target size.
func (s *session) search() (*supervoxel.Segmentation, error) {
	want := supervoxel.Wanted(s.in.Cloud.Len(), s.o.TargetSize)
	return supervoxel.Fit(want, s.spacing*math.Sqrt(s.o.TargetSize), func(r float64) (int, error) {
		c, err := s.prepare(r)
		if err != nil {
			return 0, err
		}
		seeds, err := c.seeds(s.run, r, s.voxel)
		return len(seeds), err
	}, s.segment)
}

// prepare returns the cells for a seed resolution.
func (s *session) prepare(seed float64) (*cells, error) {
	voxel := s.o.VoxelResolution
	if voxel == 0 {
		voxel = min(voxelSpacings*s.spacing, seed/4)
	}
	voxel = min(voxel, seed)
	if s.cells != nil && voxel == s.voxel {
		return s.cells, nil
	}
	s.cells, s.voxel = nil, voxel
	var err error
	s.cells, err = voxelCells(s.run, s.in, voxel)
	return s.cells, err
}

// segment runs the method at one seed resolution.
func (s *session) segment(seed float64) (*supervoxel.Segmentation, error) {
	c, err := s.prepare(seed)
	if err != nil {
		return nil, err
	}
	seeds, err := c.seeds(s.run, seed, s.voxel)
	if err != nil {
		return nil, err
	}
	owner, err := c.grow(s.run, seeds, seed, s.voxel, &s.o)
	if err != nil {
		return nil, err
	}
	component := make([]uint32, s.in.Cloud.Len())
	for i, v := range c.of {
		component[i] = owner[v]
	}
	count := supervoxel.Fill(component, len(seeds), s.in.Cloud, s.in.Neighbors, s.reach(seed))
	count = arrays.Number(component, count)
	return &supervoxel.Segmentation{Component: component, Count: count, Resolution: seed}, nil
}

// reach returns the largest distance in metres over which Fill assigns the
// remaining points to a segment: that over which a segment grows. If a target
// size is larger than the connected parts of a cloud, the search increases R
// beyond the gaps between them. To keep the parts separate, R is limited to the
// side of a square of as many points as the target here.
func (s *session) reach(seed float64) float64 {
	if s.o.TargetSize > 0 {
		seed = min(seed, s.spacing*math.Sqrt(s.o.TargetSize))
	}
	return depth * seed
}
