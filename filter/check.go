package filter

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"superpoint/filter/device"
	"superpoint/filter/method"
	"superpoint/filter/models"
	"superpoint/filter/naming"
	"superpoint/filter/raster"
	"superpoint/filter/records"
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

// featured reports whether points are embedded by their features.
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

// checkUsed refuses an option that has no effect beside the others, which would
// otherwise be silently without effect. What depends on the model is checked when
// that is known (resolve).
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

// noNeighborhood says why no neighbourhood is embedded.
func noNeighborhood(o *Options) string {
	if o.featured() {
		return "features are those of a point by itself; leave it out, or use adjacency_knn"
	}
	return ""
}

// noGraph says why nothing looks at the adjacency graph.
func noGraph(o *Options) string {
	if m := cmp.Or(o.Method, method.Default); !method.Named(m).Graph && !o.Color {
		return fmt.Sprintf("method %s has no adjacency graph, only color looks at one; leave it out", m)
	}
	return ""
}

// noDelaunay says why there are surely no Delaunay edges.
func noDelaunay(o *Options) string {
	why := noGraph(o)
	switch {
	case why != "":
		return why
	case o.Graph == graphGrid:
		return "graph=grid has no Delaunay edges; leave it out"
	case o.Delaunay != nil && !*o.Delaunay:
		return "delaunay is false; leave it out, or set delaunay=true"
	}
	return ""
}

// noLines says why there are surely no scan lines to look for.
func noLines(o *Options) string {
	if why := noGraph(o); why != "" {
		return why
	}
	if o.Graph == graphGrid {
		return "graph=grid joins pixels; leave it out"
	}
	return ""
}

// noEmbedding says why what asks for the embedding gets none.
func noEmbedding(asks func(o *Options) bool) func(o *Options) string {
	return func(o *Options) string {
		if m := cmp.Or(o.Method, method.Default); !method.Named(m).Embeds && asks(o) {
			return fmt.Sprintf("method %s has no embedding; leave it out", m)
		}
		return ""
	}
}

// noClasses says why nothing is classified.
func noClasses(o *Options) string {
	if o.Classes == "" {
		return "nothing is classified without classes; leave it out, or give classes"
	}
	return ""
}

// noLists says why superpoints cannot be classified.
func noLists(o *Options) string {
	if o.Graph == graphGrid {
		return "classes are for point clouds, not for images; leave it out"
	}
	return ""
}

// claim is a dimension to write, and the option that asks for it.
type claim struct {
	Dimension
	option string
	remedy string // what to do if another option claims the dimension, too
}

// claims lists the dimensions to write, the ids first; those of the embedding
// are known once the model is.
func (f *Filter) claims() (all []claim) {
	for _, w := range Outputs() {
		for _, name := range w.names(f.options, f.columns()) {
			kind := w.Type
			if kind == "" {
				kind = naming.TypeOf(f.options.text(w.Option))
			}
			all = append(all, claim{Dimension{name, kind, Plain(w.Help)}, w.Option, w.remedy})
		}
	}
	return all
}

// text returns the value of an option that is a text.
func (o *Options) text(option string) string {
	specs := Specs()
	at := slices.IndexFunc(specs, func(s Spec) bool { return s.Name == option })
	return *specs[at].field(o).(*string)
}

// checkClaims refuses options that write one dimension twice, or one that
// another option or the model reads: one of the two would be lost.
func (f *Filter) checkClaims() error {
	written := map[string]claim{}
	for _, c := range f.claims() {
		key := strings.ToLower(c.Name)
		if other, twice := written[key]; twice {
			return fmt.Errorf("option %s: %q is the dimension that option %s writes, too; %s, or %s", other.option, c.Name,
				c.option, other.remedy, c.remedy)
		}
		written[key] = c
	}
	check := func(reader, name string) error {
		if c, lost := written[strings.ToLower(name)]; lost {
			return fmt.Errorf("option %s: %q would be overwritten, and %s reads it; %s", c.option, c.Name, reader, c.remedy)
		}
		return nil
	}
	for _, l := range f.options.labels() {
		if err := check("option "+l.option, l.name); err != nil {
			return err
		}
	}
	if f.model == nil {
		return nil
	}
	for _, name := range slices.Concat(f.model.Needs, f.model.Wants) {
		if err := check("model "+f.model.Name, name); err != nil {
			return err
		}
	}
	return nil
}

// checkIDDimension refuses to write ids where LAS, and with it most formats of point
// clouds, has a field of its own: ids do not fit it, or push out what it is for.
func checkIDDimension(name string) error {
	if isFieldOfLAS(name) {
		return fmt.Errorf("option dimension: %q is a field of LAS that holds no 32-bit ids, or would lose what it is for; "+
			"use SuperpointID or ClusterID", name)
	}
	return nil
}

// checkClassDimension refuses to write classes into such a field, but the one that is
// for classes and the one that is for the user.
func checkClassDimension(name string) error {
	free := strings.EqualFold(name, defaultClassDimension) || strings.EqualFold(name, "UserData")
	if isFieldOfLAS(name) && !free {
		return fmt.Errorf("option class_dimension: %q is a field of LAS and would lose what it is for; use Classification, "+
			"UserData, or a name that no field has", name)
	}
	return nil
}

// isFieldOfLAS tells so in any spelling: PDAL finds its own dimensions in each.
func isFieldOfLAS(name string) bool {
	return slices.ContainsFunc(records.Fields(), func(field string) bool { return strings.EqualFold(field, name) })
}
