package filter

import (
	"cmp"
	"slices"

	"superpoint/embed"
	"superpoint/embed/classes"
	"superpoint/filter/method"
	"superpoint/filter/models"
)

// Inputs returns the names of all dimensions that the options can make the
// filter read, beside X, Y and Z: those of the model (of every built-in model
// for `auto`) and of truth, instances and vote. Reading those a file has is
// enough for Segment.
func Inputs(o *Options) ([]string, error) {
	var names []string
	add := func(name string) {
		if name != "" && !slices.Contains(names, name) {
			names = append(names, name)
		}
	}
	by := method.Named(o.Method)
	for _, name := range o.needs().Names {
		add(name)
	}
	candidates := []string{cmp.Or(o.Model, models.Auto)}
	if candidates[0] == models.Auto {
		candidates = embed.Builtins()
	}
	if o.Features != "" {
		for _, name := range models.SplitNames(o.Features) {
			if name != "Z" {
				add(name)
			}
		}
		candidates = nil
	}
	for _, name := range candidates {
		if !by.Embeds {
			break
		}
		m, err := models.Load(name, models.DefaultKNN, nil)
		if err != nil {
			return nil, err
		}
		for _, name := range slices.Concat(m.Needs, m.Wants) {
			add(name)
		}
	}
	add(o.Truth)
	add(o.Instances)
	add(o.Vote)
	if o.Classes != "" {
		for _, name := range append(classes.Dimensions(), o.ClassDimension) {
			add(name)
		}
	}
	return names, nil
}

// label is a dimension of labels that an option names.
type label struct{ option, name, help string }

// labels lists the labels that the options name.
func (o *Options) labels() []label {
	return slices.DeleteFunc([]label{
		{"truth", o.Truth, "true classes"},
		{"instances", o.Instances, "true objects"},
		{"vote", o.Vote, "classes to vote over"},
	}, func(l label) bool { return l.name == "" })
}
