// SPDX-License-Identifier: BSD-3-Clause

package option

import (
	"cmp"
	"slices"

	"superpoint/embed"
	"superpoint/filter/cloud"
	"superpoint/filter/method"
	"superpoint/filter/models"
)

// ConfidenceDimension is where the confidence of classes is written.
const ConfidenceDimension = "ClassConfidence"

// ClassInputs returns the dimensions that the option classes reads, also the dimensions of classes and
// confidences to keep.
func (o *Options) ClassInputs() []string {
	if o.Classes == "" {
		return nil
	}
	return append(cloud.ClassInputs(), o.ClassDimension, ConfidenceDimension)
}

// OutputInputs returns the dimensions that are read after the superpoints are known. A name may be empty.
func (o *Options) OutputInputs() []string { return append([]string{o.Vote}, o.ClassInputs()...) }

// Inputs returns the names of all dimensions except X, Y and Z that the filter may read
// with these options: the inputs of the model (of all built-in models for `auto`), of
// the method, of vote, and of the classifier.
func Inputs(o *Options) ([]string, error) {
	names := slices.Clone(o.Needs().Names)
	candidates := []string{cmp.Or(o.Model, models.Auto)}
	if candidates[0] == models.Auto {
		candidates = embed.Builtins()
	}
	if !method.Named(o.Method).Embeds {
		candidates = nil
	}
	for _, name := range candidates {
		m, err := models.Load(name, models.DefaultKNN, nil)
		if err != nil {
			return nil, err
		}
		names = append(names, m.Needs...)
	}
	names = append(names, o.OutputInputs()...)
	var unique []string
	for _, name := range names {
		if name != "" && name != "Z" && !slices.Contains(unique, name) {
			unique = append(unique, name)
		}
	}
	return unique, nil
}

// Text returns the value of a text option.
func (o *Options) Text(option string) string {
	specs := Specs()
	at := slices.IndexFunc(specs, func(s Spec) bool { return s.Name == option })
	return *specs[at].Field(o).(*string)
}
