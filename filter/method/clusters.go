package method

import (
	"superpoint/partition/lin"
	"superpoint/partition/parallel"
	"superpoint/partition/softcluster"
	"superpoint/partition/supervoxel"
	"superpoint/partition/vccs"
)

// usualSize is the mean number of points of a superpoint when neither
// target_size nor seed_resolution is given to a method that needs one.
const usualSize = 100

// wanted returns the resolution in metres or the size to give to a method that
// clusters around seeds; one of them is 0.
func (s *Settings) wanted() (resolution, target float64) {
	switch {
	case s.Target > 0:
		return 0, s.Target
	case s.SeedResolution > 0:
		return s.SeedResolution, 0
	}
	return 0, usualSize
}

// vccsReads is the colours, if they have a weight.
func vccsReads(s *Settings) Need {
	if s.Color == nil || *s.Color == 0 {
		return Need{}
	}
	return Need{"color_importance", []string{"Red", "Green", "Blue"}}
}

// solveVCCS runs Voxel Cloud Connectivity Segmentation.
func solveVCCS(run parallel.Run, in *Input) (*Result, error) {
	o := vccs.Defaults()
	o.SeedResolution, o.Target = in.wanted()
	o.VoxelResolution = in.VoxelResolution
	set(&o.Spatial, in.Spatial)
	set(&o.Normal, in.Normal)
	set(&o.Color, in.Color)
	cloud := vccs.Input{Cloud: in.Cloud, Neighbors: in.Lists}
	if in.Attributes != nil {
		var err error
		if cloud.Color, err = supervoxel.Color(run.Quiet(), in.Attributes); err != nil {
			return nil, err
		}
		in.Attributes = nil
	}
	return clustered(vccs.Segment(run, cloud, o))
}

// solveLin runs the boundary preserving segmentation of Lin et al.
func solveLin(run parallel.Run, in *Input) (*Result, error) {
	o := lin.Defaults()
	o.Resolution, o.Target = in.wanted()
	return clustered(lin.Segment(run, lin.Input{Cloud: in.Cloud, Neighbors: in.Lists}, o))
}

// solveCluster runs SSP-cluster on the embedding.
func solveCluster(run parallel.Run, in *Input) (*Result, error) {
	o := softcluster.Defaults()
	o.SeedResolution, o.Target = in.wanted()
	if c := in.Clusters; c != nil {
		o.Embedding, o.Spatial = c.Embedding, c.Spatial
	}
	set(&o.Embedding, in.Embed)
	set(&o.Spatial, in.Spatial)
	cloud := softcluster.Input{Cloud: in.Cloud, Graph: in.Graph, Embedding: in.Embedding, Dim: in.Dim}
	return clustered(softcluster.Segment(run, cloud, o))
}

// clustered is a method's result.
func clustered(s *supervoxel.Segmentation, err error) (*Result, error) {
	if err != nil {
		return nil, err
	}
	return &Result{Component: s.Component, Count: s.Count, Resolution: s.Resolution}, nil
}

func set(to *float64, from *float64) {
	if from != nil {
		*to = *from
	}
}
