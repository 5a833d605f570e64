// SPDX-License-Identifier: BSD-3-Clause

package filter

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

// check fills in defaults of text options and fails if options exclude each other.
func (o *Options) check(specs []Spec) error {
	for i := range specs {
		if text, is := specs[i].field(o).(*string); is {
			*text = cmp.Or(*text, specs[i].Default)
		}
	}
	if err := o.checkSizes(); err != nil {
		return err
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
			return fmt.Errorf("option model: %q cannot be used with method geom-graph, which has hand-crafted features; "+
				"leave model out, or use method ssp", o.Model)
		}
		o.Model = models.Geometric
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
		return refused(fmt.Sprintf(" excludes regularization (%v), which it searches for; leave one of them out",
			o.Regularization))
	case o.SeedResolution > 0:
		return refused(fmt.Sprintf(" excludes seed_resolution (%v), which it searches for; leave one of them out",
			o.SeedResolution))
	case n > levels:
		return refused(fmt.Sprintf(" are %d sizes; give at most %d, for example 50,500,5000", n, levels))
	case n > 1 && !method.Named(o.Method).GMPP:
		return refused(fmt.Sprintf("; method %s has no nested levels; give one size, or use method ssp or geom-graph",
			o.Method))
	case n > 1 && !method.Nests(o.Solver):
		return refused(fmt.Sprintf("; solver %s has no nested levels; give one size, or use solver %s", o.Solver,
			method.Local))
	}
	for k, size := range o.TargetSize[1:] {
		if size <= o.TargetSize[k] {
			return refused("; sizes of nested levels rise; give the finest first, for example 50,500,5000")
		}
	}
	return nil
}

// idDimensions returns the dimensions of ids, that of the finest level first.
func (o *Options) idDimensions() []string {
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
	return fmt.Errorf("option device: unknown value %q; use auto, cpu, cuda or cuda:N with N the number of the GPU",
		name)
}

// checkUsed fails if the option would be ignored because of other options. Options
// that depend on the model are checked by resolve.
func (s *Spec) checkUsed(o *Options) error {
	if name := cmp.Or(o.Method, method.Default); s.Methods != nil && !slices.Contains(s.Methods, name) {
		return fmt.Errorf("option %s: method %s does not use it (only %s); leave it out, or choose the method",
			s.Name, name, strings.Join(s.Methods, ", "))
	}
	if s.unused == nil {
		return nil
	}
	if why := s.unused(o); why != "" {
		return fmt.Errorf("option %s: it has no effect, because %s", s.Name, why)
	}
	return nil
}

// noGraph returns why no adjacency graph is used; "" if one may be.
func noGraph(o *Options) string {
	if m := cmp.Or(o.Method, method.Default); !method.Named(m).Graph && !o.Color {
		return fmt.Sprintf("method %s uses no adjacency graph unless color is true; leave it out", m)
	}
	return ""
}

// noDelaunay returns why there are no Delaunay edges; "" if there may be.
func noDelaunay(o *Options) string {
	why := noGraph(o)
	switch {
	case why != "":
		return why
	case o.Delaunay != nil && !*o.Delaunay:
		return "delaunay is false; leave it out, or set delaunay=true"
	}
	return ""
}

// noEmbedding returns a function that returns why there is no embedding to write, if
// the options ask for it; else "".
func noEmbedding(asks func(o *Options) bool) func(o *Options) string {
	return func(o *Options) string {
		if m := cmp.Or(o.Method, method.Default); !method.Named(m).Embeds && asks(o) {
			return fmt.Sprintf("method %s has no embedding; leave it out", m)
		}
		return ""
	}
}

// noClasses returns why nothing is classified; "" if something is.
func noClasses(o *Options) string {
	if o.Classes == "" {
		return "nothing is classified without classes; leave it out, or give classes"
	}
	return ""
}

// plannedOutput is a dimension to write, and the option that asks for it.
type plannedOutput struct {
	Dimension
	option string
	remedy string // what to do if another option writes the dimension too
}

// plannedOutputs returns the dimensions to write, the ids first; without columns of
// the embedding before the model is loaded.
func (f *Filter) plannedOutputs() (all []plannedOutput) {
	for _, w := range Outputs() {
		for _, name := range w.names(f) {
			kind := w.Type
			if kind == "" {
				kind = naming.TypeOf(f.options.stringOption(w.Option))
			}
			all = append(all, plannedOutput{Dimension{name, kind, Plain(w.Help)}, w.Option, w.remedy})
		}
	}
	return all
}

// stringOption returns the value of a text option.
func (o *Options) stringOption(option string) string {
	specs := Specs()
	at := slices.IndexFunc(specs, func(s Spec) bool { return s.Name == option })
	return *specs[at].field(o).(*string)
}

const maxName = 32 // bytes of the name of an extra dimension of LAS

// checkOutputs fails if two options write the same dimension, one writes what another option or the model reads, or
// LAS would cut a name, as to that of another level of superpoints.
func (f *Filter) checkOutputs() error {
	written := map[string]plannedOutput{}
	for _, c := range f.plannedOutputs() {
		if len(c.Name) > maxName {
			return fmt.Errorf("option %s: %q has %d characters, and LAS cuts names after %d; %s, or use a shorter one", c.option,
				c.Name, len(c.Name), maxName, c.remedy)
		}
		key := strings.ToLower(c.Name)
		if other, twice := written[key]; twice {
			return fmt.Errorf("option %s: %q is also written by option %s; %s, or %s", other.option, c.Name, c.option,
				other.remedy, c.remedy)
		}
		written[key] = c
	}
	check := func(reader, name string) error {
		if c, lost := written[strings.ToLower(name)]; lost {
			return fmt.Errorf("option %s: %q would be overwritten, and %s reads it; %s", c.option, c.Name, reader, c.remedy)
		}
		return nil
	}
	if err := check("option vote", f.options.Vote); err != nil {
		return err
	}
	if f.model == nil {
		return nil
	}
	for _, name := range f.model.Needs {
		if err := check("model "+f.model.Name, name); err != nil {
			return err
		}
	}
	return nil
}

// checkIDDimensions fails if ids would be written to a field of LAS: it is too small
// for them, or they would overwrite its values.
func (o *Options) checkIDDimensions() error {
	for _, name := range o.idDimensions() {
		if isFieldOfLAS(name) {
			return fmt.Errorf("option dimension: %q is a field of LAS, too small for 32-bit ids or with values that they "+
				"would overwrite; use SuperpointID or ClusterID", name)
		}
	}
	return nil
}

// checkClassDimension fails if classes would overwrite a field of LAS other than
// Classification and UserData.
func checkClassDimension(name string) error {
	free := strings.EqualFold(name, defaultClassDimension) || strings.EqualFold(name, "UserData")
	if isFieldOfLAS(name) && !free {
		return fmt.Errorf("option class_dimension: %q is a field of LAS whose values would be overwritten; use "+
			"Classification, UserData, or a name that no field has", name)
	}
	return nil
}

// isFieldOfLAS reports whether LAS has the field, in any case, as PDAL compares names.
func isFieldOfLAS(name string) bool {
	return slices.ContainsFunc(lasformat.Fields(), func(field string) bool { return strings.EqualFold(field, name) })
}
