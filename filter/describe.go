package filter

import (
	"fmt"
	"slices"
	"strings"
)

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
		d.Required = append(d.Required, Dimension{o.name, labelType(o.name), o.help})
	}
	return nil
}

// describeOutputs lists the dimensions to write.
func (f *Filter) describeOutputs(d *Description) {
	o := f.options
	add := func(name, kind, help string) { d.Outputs = append(d.Outputs, Dimension{name, kind, help}) }
	add(o.Dimension, "uint32", "superpoint of the point, from 1; 0 = not processed")
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
	return fmt.Errorf("dimension %q is missing (%s)%s; the view has %s",
		name, why, didYouMean(name, available), strings.Join(available, ", "))
}
