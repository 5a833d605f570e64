// SPDX-License-Identifier: BSD-3-Clause

package option

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"superpoint/filter/device"
	"superpoint/filter/lasformat"
	"superpoint/filter/method"
	"superpoint/filter/models"
	"superpoint/filter/naming"
)

// Check fills in defaults of text options and fails if options exclude each other.
func (o *Options) Check(specs []Spec) error {
	for i := range specs {
		if text, is := specs[i].Field(o).(*string); is {
			*text = cmp.Or(*text, specs[i].Default)
		}
	}
	if err := o.checkSizes(); err != nil {
		return err
	}
	if o.KNN > 0 && o.AdjacencyKNN > o.KNN {
		return fmt.Errorf("option adjacency_knn: %d is above knn (%d); lower it, or raise knn",
			o.AdjacencyKNN, o.KNN)
	}
	if o.VoxelResolution > 0 && o.SeedResolution > 0 && o.VoxelResolution > o.SeedResolution {
		return fmt.Errorf("option voxel_resolution: %v is above seed_resolution (%v); lower it",
			o.VoxelResolution, o.SeedResolution)
	}
	if o.Method == method.GeomGraph {
		if o.Model != models.Auto && o.Model != models.Geometric {
			return fmt.Errorf(
				"option model: %q cannot be used with method geom-graph, which has hand-crafted features; "+
					"leave model out, or use method ssp", o.Model)
		}
		o.Model = models.Geometric
	}
	if err := checkDevice(o.Device); err != nil {
		return err
	}
	for i := range specs {
		if s := &specs[i]; s.Kind == KindDimension {
			if err := naming.CheckDimension(s.Name, *s.Field(o).(*string)); err != nil {
				return err
			}
		}
	}
	return o.checkIDDimensions()
}

// levels is the largest number of nested partitions.
const levels = 3

// checkSizes checks target_size.
func (o *Options) checkSizes() error {
	sizes := strings.Trim(strings.ReplaceAll(fmt.Sprint(o.TargetSize), " ", ","), "[]")
	refused := func(why string) error { return fmt.Errorf("option target_size: %s%s", sizes, why) }
	switch n := len(o.TargetSize); {
	case n == 0:
		return nil
	case o.Regularization > 0:
		return refused(
			fmt.Sprintf(" excludes regularization (%v), which it searches for; leave one of them out",
				o.Regularization))
	case o.SeedResolution > 0:
		return refused(
			fmt.Sprintf(" excludes seed_resolution (%v), which it searches for; leave one of them out",
				o.SeedResolution))
	case n > levels:
		return refused(fmt.Sprintf(" are %d sizes; give at most %d, for example 50,500,5000", n, levels))
	case n > 1 && !method.Named(o.Method).GMPP:
		return refused(
			fmt.Sprintf("; method %s has no nested levels; give one size, or use method ssp or geom-graph",
				o.Method))
	case n > 1 && !method.Nests(o.Solver):
		return refused(fmt.Sprintf("; solver %s has no nested levels; give one size, or use solver %s",
			o.Solver, method.Local))
	}
	for k, size := range o.TargetSize[1:] {
		if size <= o.TargetSize[k] {
			return refused("; sizes of nested levels rise; give the finest first, for example 50,500,5000")
		}
	}
	return nil
}

// IDDimensions returns the dimensions of ids, the finest level first.
func (o *Options) IDDimensions() []string {
	names := []string{o.Dimension}
	for k := 1; k < len(o.TargetSize); k++ {
		names = append(names, fmt.Sprint(o.Dimension, k))
	}
	return names
}

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
	return fmt.Errorf(
		"option device: unknown value %q; use auto, cpu, cuda or cuda:N with N the number of the GPU",
		name)
}

// checkIDDimensions fails if ids would be written to a field of LAS: it is too small
// for them, or they would overwrite its values.
func (o *Options) checkIDDimensions() error {
	for _, name := range o.IDDimensions() {
		if isFieldOfLAS(name) {
			return fmt.Errorf(
				"option dimension: %q is a field of LAS, too small for 32-bit ids or with values that they "+
					"would overwrite; use SuperpointID or ClusterID", name)
		}
	}
	return nil
}

// CheckClassDimension fails if classes would overwrite a field of LAS other than
// Classification and UserData.
func CheckClassDimension(name string) error {
	free := strings.EqualFold(name, DefaultClassDimension) || strings.EqualFold(name, "UserData")
	if isFieldOfLAS(name) && !free {
		return fmt.Errorf(
			"option class_dimension: %q is a field of LAS whose values would be overwritten; use "+
				"Classification, UserData, or a name that no field has", name)
	}
	return nil
}

// isFieldOfLAS reports whether LAS has the field, in any case, as PDAL compares names.
func isFieldOfLAS(name string) bool {
	return slices.ContainsFunc(lasformat.Fields(),
		func(field string) bool { return strings.EqualFold(field, name) })
}

// Where ids and classes are written by default.
const (
	defaultDimension      = "SuperpointID"
	DefaultClassDimension = "Classification"
)
