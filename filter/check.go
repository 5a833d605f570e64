package filter

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"superpoint/filter/device"
	"superpoint/filter/method"
	"superpoint/filter/models"
	"superpoint/filter/naming"
	"superpoint/filter/raster"
)

// check fills the defaults that do not come from the model and refuses options
// that exclude each other.
func (o *Options) check(specs []Spec) error {
	for i := range specs {
		if text, is := specs[i].field(o).(*string); is {
			*text = cmp.Or(*text, specs[i].Default)
		}
	}
	if o.TargetSize > 0 && o.Regularization > 0 {
		return fmt.Errorf("option target_size: %v excludes regularization (%v), which it searches for; leave one of them "+
			"out", o.TargetSize, o.Regularization)
	}
	if o.TargetSize > 0 && o.SeedResolution > 0 {
		return fmt.Errorf("option target_size: %v excludes seed_resolution (%v), which it searches for; leave one of them "+
			"out", o.TargetSize, o.SeedResolution)
	}
	if o.KNN > 0 && o.AdjacencyKNN > o.KNN {
		return fmt.Errorf("option adjacency_knn: %d is above knn (%d); lower it, or raise knn", o.AdjacencyKNN, o.KNN)
	}
	if o.VoxelResolution > 0 && o.SeedResolution > 0 && o.VoxelResolution > o.SeedResolution {
		return fmt.Errorf("option voxel_resolution: %v is above seed_resolution (%v); lower it", o.VoxelResolution,
			o.SeedResolution)
	}
	if o.Method == method.GeomGraph {
		if o.Model != models.Auto && o.Model != models.Geometric {
			return fmt.Errorf("option model: %q does not go with method geom-graph, which uses hand-crafted features; leave "+
				"model out, or use method ssp", o.Model)
		}
		o.Model = models.Geometric
	}
	if err := o.checkFeatures(); err != nil {
		return err
	}
	if o.Instances != "" && o.Truth == "" {
		return fmt.Errorf("option instances: %q needs the truth option beside it; add truth, for example "+
			"truth=Classification", o.Instances)
	}
	if err := checkDevice(o.Device); err != nil {
		return err
	}
	for i := range specs {
		if s := &specs[i]; s.Kind == KindDimension {
			if err := naming.CheckDimension(s.Name, *s.field(o).(*string)); err != nil {
				return err
			}
		}
	}
	return checkIDDimension(o.Dimension)
}

// checkFeatures refuses what does not go with features and with a grid.
func (o *Options) checkFeatures() error {
	if o.featured() && o.Model != models.Auto {
		with := "features=" + o.Features
		if o.Features == "" {
			with = "graph=grid, whose pixels are partitioned by their features"
		}
		return fmt.Errorf("option model: %q does not go with %s; leave one of them out", o.Model, with)
	}
	if o.Graph != graphGrid {
		return nil
	}
	switch {
	case o.AdjacencyKNN != 0 && o.AdjacencyKNN != 4 && o.AdjacencyKNN != raster.Adjacency:
		return fmt.Errorf("option adjacency_knn: %d; a pixel of graph=grid has 4 or 8 neighbours", o.AdjacencyKNN)
	case o.Delaunay != nil && *o.Delaunay:
		return fmt.Errorf("option delaunay: true does not go with graph=grid; leave one of them out")
	}
	return nil
}

// featured tells whether points are embedded by their features.
func (o *Options) featured() bool { return o.Features != "" || o.Graph == graphGrid }

// checkDevice accepts auto, cpu, cuda and cuda:N.
func checkDevice(name string) error {
	switch name {
	case device.Auto, device.CPU, device.CUDA:
		return nil
	}
	if n, found := strings.CutPrefix(name, device.CUDA+":"); found {
		if _, err := strconv.ParseUint(n, 10, 8); err == nil {
			return nil
		}
	}
	return fmt.Errorf("option device: unknown value %q; use auto, cpu, cuda or cuda:N with N the number of the GPU",
		name)
}
