package filter

import (
	"fmt"

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
func (j *job) wanted() (resolution, target float64) {
	switch {
	case j.settings.target > 0:
		return 0, j.settings.target
	case j.options.SeedResolution > 0:
		return j.options.SeedResolution, 0
	}
	return 0, usualSize
}

// vccsReads is the colours, if they have a weight.
func vccsReads(o *Options) need {
	if o.ColorImportance == nil || *o.ColorImportance == 0 {
		return need{}
	}
	return need{"color_importance", []string{"Red", "Green", "Blue"}}
}

// solveVCCS runs Voxel Cloud Connectivity Segmentation.
func (j *job) solveVCCS(run parallel.Run) error {
	o := vccs.Defaults()
	o.SeedResolution, o.Target = j.wanted()
	o.VoxelResolution = j.options.VoxelResolution
	set(&o.Spatial, j.options.SpatialImportance)
	set(&o.Normal, j.options.NormalImportance)
	set(&o.Color, j.options.ColorImportance)
	in := vccs.Input{Cloud: j.cloud, Neighbors: j.lists}
	if n := j.options.needs(); n.names != nil {
		for _, name := range n.names {
			if j.view.Dimensions[name] == nil {
				return n.missing(name, j.view.names())
			}
		}
		if err := j.gather(j.quiet(run), n.names); err != nil {
			return err
		}
		var err error
		if in.Color, err = supervoxel.Color(j.quiet(run), j.attributes); err != nil {
			return err
		}
		j.attributes = nil
	}
	s, err := vccs.Segment(run, in, o)
	return j.take(s, err)
}

// solveLin runs the boundary preserving segmentation of Lin et al.
func (j *job) solveLin(run parallel.Run) error {
	o := lin.Defaults()
	o.Resolution, o.Target = j.wanted()
	s, err := lin.Segment(run, lin.Input{Cloud: j.cloud, Neighbors: j.lists}, o)
	return j.take(s, err)
}

// solveCluster runs SSP-cluster on the embedding.
func (j *job) solveCluster(run parallel.Run) error {
	o := softcluster.Defaults()
	o.SeedResolution, o.Target = j.wanted()
	s, err := softcluster.Segment(run, softcluster.Input{Cloud: j.cloud, Graph: j.graph, Embedding: j.embedding, Dim: j.dim}, o)
	return j.take(s, err)
}

// take keeps a method's result.
func (j *job) take(s *supervoxel.Segmentation, err error) error {
	if err != nil {
		return fmt.Errorf("method %s: %w", j.options.Method, err)
	}
	j.component, j.count, j.strength = s.Component, s.Count, s.Resolution
	return nil
}

func set(to *float64, from *float64) {
	if from != nil {
		*to = *from
	}
}
