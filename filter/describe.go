// SPDX-License-Identifier: BSD-3-Clause

package filter

import (
	"fmt"
	"slices"
	"strings"

	"superpoint/filter/lasformat"
	"superpoint/filter/message"
	"superpoint/filter/method"
	"superpoint/filter/naming"
	"superpoint/filter/option"
	"superpoint/filter/steps"
)

// Describe returns the dimensions that the filter reads and writes for a view with
// the available dimensions. It fails if a required dimension is missing.
func (f *Filter) Describe(available []string) (*Description, error) {
	if err := f.selectModel(available); err != nil {
		return nil, err
	}
	d := &Description{}
	if err := f.describeModel(d, available); err != nil {
		return nil, err
	}
	n := f.options.Needs()
	for _, name := range n.Names {
		if !slices.Contains(available, name) {
			return nil, steps.MissingFor(n, name, available)
		}
		d.Required = append(d.Required, Dimension{name, naming.TypeOf(name), "read for option " + n.Option})
	}
	if name := f.options.Vote; name != "" {
		if !slices.Contains(available, name) {
			return nil, naming.Missing(name, "option vote names it", available)
		}
		if !lists(d.Required, name) {
			d.Required = append(d.Required, Dimension{name, naming.TypeOf(name), "classes to vote over"})
		}
	}
	if err := f.describeClasses(d, available); err != nil {
		return nil, err
	}
	for _, c := range f.plannedOutputs() {
		if c.option == "class_dimension" && slices.Contains(available, c.Name) {
			c.Type = "uint8" // PDAL keeps the type of an existing dimension if it is larger
		}
		d.Outputs = append(d.Outputs, c.Dimension)
	}
	f.warnOfStale(d, available)
	return d, nil
}

// describeModel adds the model and the dimensions that it reads.
func (f *Filter) describeModel(d *Description, available []string) error {
	if f.model == nil {
		return nil
	}
	d.Model = f.model.Name
	if f.options.Method == method.SSPCluster && f.model.Settings.Clusters == nil {
		f.log(message.Warning, "method ssp-cluster: model "+d.Model+" was not trained for it, so "+
			"superpoints are worse than with ssp; train one by a recipe with loss.kind: clusters, as in "+
			"embed/train/recipes/ablation.yaml")
	}
	for _, name := range f.model.Needs {
		if name == "Z" { // is in View.Z
			continue
		}
		if !slices.Contains(available, name) {
			return naming.Missing(name, "model "+d.Model+" reads it; choose another model, or model=auto",
				available)
		}
		d.Required = append(d.Required, Dimension{name, "float", "input of model " + d.Model})
	}
	return nil
}

// describeClasses adds the dimensions that the classifier reads, and the one with the
// classes that may be kept.
func (f *Filter) describeClasses(d *Description, available []string) error {
	if f.classifier == nil {
		return nil
	}
	target := f.options.ClassDimension
	for _, name := range available {
		if strings.EqualFold(name, target) && !slices.Contains(available, target) {
			return fmt.Errorf("option class_dimension: the points have %q, not %q; use the same spelling",
				name, target)
		}
	}
	code := f.maxCode()
	most := lasformat.MaxClass(0)
	if code > most && target == option.DefaultClassDimension &&
		!slices.Contains(available, "ScanChannel") { // a dimension of point formats 6 and above
		f.log(message.Warning,
			fmt.Sprintf(
				"option classes: class %d needs LAS point format 6 or above, and PDAL truncates it to "+
					"0 to %d in other formats; set dataformat_id of the writer, or class_dimension", code,
				most))
	}
	for _, name := range f.options.ClassInputs() {
		if slices.Contains(available, name) && !lists(d.Required, name) && !lists(d.Optional, name) {
			d.Optional = append(d.Optional, Dimension{name, naming.TypeOf(name), "read for option classes"})
		}
	}
	return nil
}

// warnOfStale warns of dimensions of an earlier run that these options do not write:
// they do not belong to the new ids.
func (f *Filter) warnOfStale(d *Description, available []string) {
	if !slices.Contains(available, f.options.Dimension) {
		return
	}
	var stale []string
	for _, name := range available {
		if !lists(d.Outputs, name) && !lists(d.Required, name) && stalePattern().MatchString(name) {
			stale = append(stale, name)
		}
	}
	if stale != nil {
		f.log(message.Warning,
			fmt.Sprintf(
				"the points have %s of an earlier run, which this stage does not write: the values do "+
					"not belong to the new ids; drop it in the writer (extra_dims), or set the option that "+
					"writes it",
				strings.Join(stale, ", ")))
	}
}

// lists reports whether dimensions have one of a name.
func lists(all []Dimension, name string) bool {
	return slices.ContainsFunc(all, func(d Dimension) bool { return d.Name == name })
}
