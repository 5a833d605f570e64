package filter

import (
	"fmt"
	"slices"
	"strings"
)

// Describe says what the filter reads and writes, given the names of the
// dimensions the view will have. It fails if a required dimension is missing.
func (f *Filter) Describe(available []string) (*Description, error) {
	if err := f.choose(available); err != nil {
		return nil, err
	}
	d := &Description{}
	if f.model != nil {
		d.Model = f.model.name
		for _, name := range f.model.needs {
			if name == "Z" { // comes with the coordinates
				continue
			}
			if !slices.Contains(available, name) {
				return nil, missing(name, "model "+f.model.name+" reads it; choose another model, or model=auto", available)
			}
			d.Required = append(d.Required, Dimension{name, "float", "input of model " + f.model.name})
		}
	}
	if err := f.describeLabels(d, available); err != nil {
		return nil, err
	}
	f.describeOutputs(d)
	return d, nil
}

// describeLabels adds the dimensions that options name: truth, instances, vote.
func (f *Filter) describeLabels(d *Description, available []string) error {
	for _, o := range []struct{ option, name, help string }{
		{"truth", f.options.Truth, "true classes"},
		{"instances", f.options.Instances, "true objects"},
		{"vote", f.options.Vote, "classes to vote over"},
	} {
		if o.name == "" {
			continue
		}
		if !slices.Contains(available, o.name) {
			return missing(o.name, "option "+o.option+" names it", available)
		}
		known := slices.ContainsFunc(d.Required, func(r Dimension) bool { return r.Name == o.name })
		if !known {
			d.Required = append(d.Required, Dimension{o.name, labelType(o.name), o.help})
		}
	}
	return nil
}

// describeOutputs lists the dimensions to write.
func (f *Filter) describeOutputs(d *Description) {
	o := f.options
	add := func(name, kind, help string) { d.Outputs = append(d.Outputs, Dimension{name, kind, help}) }
	add(o.Dimension, "uint32", "superpoint of the point, from 1; 0 = not processed")
	if f.model != nil && o.writesEmbedding() {
		for k := range f.model.embedder.Dim() {
			add(fmt.Sprint("Embedding", k), "float", "embedding of model "+f.model.name)
		}
	}
	if f.model != nil && o.EmbeddingColor {
		for k, name := range embeddingColors {
			add(name, "uint16", fmt.Sprintf("Embedding%d from [−1, 1] to [0, 65535]", k))
		}
	}
	if o.Color {
		add("SuperpointColor", "uint8", "0–31, superpoints that touch differ")
	}
	if o.Vote != "" {
		add("Voted"+o.Vote, labelType(o.Vote), "majority of "+o.Vote+" over the superpoint")
	}
}

// labelType returns the type PDAL gives the usual label dimensions.
func labelType(name string) string {
	switch name {
	case "Classification", "UserData", "ReturnNumber", "NumberOfReturns":
		return "uint8"
	case "PointSourceId", "Intensity", "Red", "Green", "Blue":
		return "uint16"
	case "OriginId", "PointId", "SuperpointID":
		return "uint32"
	}
	return "int32"
}

// missing is the error of a dimension that the view lacks.
func missing(name, why string, available []string) error {
	has := "no other"
	if len(available) > 0 {
		has = strings.Join(available, ", ")
	}
	return fmt.Errorf("dimension %q is missing (%s)%s; the view has %s", name, why, didYouMean(name, available), has)
}
