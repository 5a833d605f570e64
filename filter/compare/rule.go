package compare

import (
	"fmt"
	"path"
	"path/filepath"
	"slices"

	"superpoint/filter"
	"superpoint/partition/metrics"
)

// Rule says what is special about the files whose names match: one comparison
// can so take clouds from several sources. The first rule that matches counts.
type Rule struct {
	Match   string  `yaml:"match"`             // pattern of file names, such as "room_*"
	Model   string  `yaml:"model,omitempty"`   // of systems that leave it open
	Truth   string  `yaml:"truth,omitempty"`   // dimension of true classes, in place of Config.Truth
	Objects bool    `yaml:"objects,omitempty"` // the truth numbers objects, and 0 is one of them
	Merge   [][]int `yaml:"merge,omitempty"`   // classes that are one
	Ignore  []int   `yaml:"ignore,omitempty"`  // classes that are not looked at
}

// Check returns an error if the rule cannot be used.
func (r *Rule) Check() error {
	if _, err := path.Match(r.Match, "x"); err != nil || r.Match == "" {
		return fmt.Errorf("match is %q; give a pattern of file names such as \"room_*\"", r.Match)
	}
	if r.Objects && (r.Merge != nil || r.Ignore != nil) {
		return fmt.Errorf("match %q: merge and ignore are for classes, not for objects", r.Match)
	}
	return nil
}

// rule returns what applies to a file.
func (c *Config) rule(in *Input) Rule {
	for _, r := range c.Rules {
		if ok, err := path.Match(r.Match, filepath.Base(in.Path)); err == nil && ok {
			if r.Truth == "" {
				r.Truth = c.Truth
			}
			return r
		}
	}
	return Rule{Truth: c.Truth}
}

// Columns of the truth as the metrics take it: above 0, or 0 for unlabelled.
const (
	classColumn  = "true class"
	objectColumn = "true object"
)

// label adds the columns of the truth to a view.
func (c *Config) label(view *filter.View, r *Rule) error {
	from := view.Dimensions[r.Truth]
	if from == nil {
		return fmt.Errorf("dimension %q is missing; name the one with true classes by -truth", r.Truth)
	}
	if err := metrics.CheckLabels(r.Truth, from); err != nil {
		return err
	}
	class := make([]float64, len(from))
	for i, v := range from {
		class[i] = v
		if r.Objects {
			class[i] = v + 1
			continue
		}
		for _, group := range r.Merge {
			if slices.Contains(group, int(v)) {
				class[i] = float64(slices.Min(group))
			}
		}
		if slices.Contains(r.Ignore, int(v)) {
			class[i] = 0
		}
	}
	view.Dimensions[classColumn] = class
	if r.Objects {
		view.Dimensions[objectColumn] = class
	} else if objects := view.Dimensions[c.Instances]; objects != nil {
		if err := metrics.CheckLabels(c.Instances, objects); err != nil {
			return err
		}
		view.Dimensions[objectColumn] = objects
	}
	return nil
}
