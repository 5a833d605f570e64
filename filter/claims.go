package filter

import (
	"fmt"
	"slices"
	"strings"

	"superpoint/filter/naming"
	"superpoint/filter/records"
)

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
