// SPDX-License-Identifier: BSD-3-Clause

package method

import (
	"fmt"

	"superpoint/partition/base/parallel"
	"superpoint/partition/rivals/lin"
	"superpoint/partition/rivals/softcluster"
	"superpoint/partition/rivals/supervoxel"
	"superpoint/partition/rivals/vccs"
)

// defaultSize is the mean number of points of a superpoint when neither
// target_size nor seed_resolution is given to a method that needs one.
const defaultSize = 100

// size returns the size of segments for a method that clusters around seeds.
func (s *Settings) size() supervoxel.Size {
	switch {
	case s.TargetSize != nil:
		return supervoxel.Size{TargetSize: s.TargetSize[0]}
	case s.SeedResolution > 0:
		return supervoxel.Size{Resolution: s.SeedResolution}
	}
	return supervoxel.Size{TargetSize: defaultSize}
}

// vccsReads returns the colours, if they have a weight.
func vccsReads(s *Settings) Need {
	if s.Color == nil || *s.Color == 0 {
		return Need{}
	}
	return Need{"color_importance", []string{"Red", "Green", "Blue"}}
}

// solveVCCS runs Voxel Cloud Connectivity Segmentation.
func solveVCCS(run parallel.Run, in *Input) (*Result, error) {
	o := vccs.Defaults()
	o.Size = in.size()
	o.VoxelResolution = in.VoxelResolution
	setIfGiven(&o.Spatial, in.Spatial)
	setIfGiven(&o.Normal, in.Normal)
	setIfGiven(&o.Color, in.Color)
	cloud := vccs.Input{Cloud: in.Cloud, Neighbors: in.Lists}
	if in.Attributes != nil {
		var err error
		if cloud.Color, err = supervoxel.Color(run.Quiet(), in.Attributes); err != nil {
			return nil, failed(VCCS, err)
		}
	}
	segmentation, err := vccs.Segment(run, cloud, o)
	if err != nil {
		return nil, failed(VCCS, err)
	}
	return resultOf(segmentation), nil
}

// solveLin runs the boundary preserving segmentation of Lin et al.
func solveLin(run parallel.Run, in *Input) (*Result, error) {
	segmentation, err := lin.Segment(run, lin.Input{Cloud: in.Cloud, Neighbors: in.Lists}, in.size())
	if err != nil {
		return nil, failed(Lin, err)
	}
	return resultOf(segmentation), nil
}

// solveCluster runs SSP-cluster on the embedding.
func solveCluster(run parallel.Run, in *Input) (*Result, error) {
	o := softcluster.Defaults()
	o.Size = in.size()
	if c := in.Clusters; c != nil {
		o.Embedding = c.Embedding
		o.Spatial = c.Spatial
	}
	setIfGiven(&o.Embedding, in.Embed)
	setIfGiven(&o.Spatial, in.Spatial)
	cloud := softcluster.Input{Cloud: in.Cloud, Graph: in.Graph, Embedding: in.Embedding, Dim: in.Dim}
	segmentation, err := softcluster.Segment(run, cloud, o)
	if err != nil {
		return nil, failed(SSPCluster, err)
	}
	r := resultOf(segmentation)
	r.Embedding = in.Embedding
	return r, nil
}

// failed names the method in an error.
func failed(name string, err error) error { return fmt.Errorf("method %s: %w", name, err) }

// resultOf converts the result of a supervoxel method.
func resultOf(s *supervoxel.Segmentation) *Result {
	r := &Result{Resolution: s.Resolution}
	r.Component = s.Component
	r.Count = s.Count
	return r
}

func setIfGiven(to *float64, from *float64) {
	if from != nil {
		*to = *from
	}
}
