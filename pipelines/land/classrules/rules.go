// SPDX-License-Identifier: BSD-3-Clause

// Package classrules reads rules for training classifiers: the classes, and the classes that a
// label of a file may mean. Surveys label differently: class 1 is vegetation and cars in AHN,
// and unclassified points in IGN data.
package classrules

import (
	"bytes"
	"cmp"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"superpoint/embed"
	"superpoint/embed/classes"
	"superpoint/filter/message"
	"superpoint/pipelines/files/textfile"
)

// Rules is the content of a file of rules.
type Rules struct {
	Name        string          `yaml:"name"`
	Description string          `yaml:"description"`
	Classes     []classes.Class `yaml:"classes"`
	Labels      []LabelRule     `yaml:"labels"`
	// of the training superpoints; each file with each
	Regularization []float64 `yaml:"regularization"`
	// points/m² to which denser files are thinned in addition
	Thin     []float64        `yaml:"thin"`
	Width    int              `yaml:"width"`
	Rounds   int              `yaml:"rounds"`
	Settings classes.Settings `yaml:"settings"`
	Training embed.Training   `yaml:"training"`

	Sets []classes.Set `yaml:"-"` // that labels stand for
}

// LabelRule has the meaning of labels of some files: the names of the classes that a code may
// mean. Points of other codes are left out.
type LabelRule struct {
	Files  string           `yaml:"files"`  // patterns of names, comma separated
	Survey string           `yaml:"survey"` // that the files are of; "" = each file is one
	Codes  map[int][]string `yaml:"codes"`
	Others []string         `yaml:"others"` // of all other codes; empty = left out
	Weight float64          `yaml:"weight"` // relative weight of the files in training; 0 = 1
	Always bool             `yaml:"always"` // every network learns the files: they are never left out
}

// mostWeight is the largest weight of a rule.
const mostWeight = 1000

// Read reads a file of rules.
func Read(path string) (*Rules, error) {
	text, err := textfile.Read(path)
	if err == nil {
		err = textfile.CheckUTF8(text)
	}
	if err != nil {
		return nil, fmt.Errorf("rules of classes: %w", message.File(path, err))
	}
	r := &Rules{Width: 64, Rounds: 2, Regularization: []float64{4}, Settings: classes.DefaultSettings()}
	d := yaml.NewDecoder(bytes.NewReader(text))
	d.KnownFields(true)
	if err := d.Decode(r); err != nil {
		return nil, fmt.Errorf("rules of classes: %s: %w", path, err)
	}
	if len(r.Labels) == 0 {
		return nil, fmt.Errorf("rules of classes: %s has no meaning of labels; add labels", path)
	}
	for _, density := range r.Thin {
		if !(density > 0) {
			return nil, fmt.Errorf("rules of classes: %s: thin has %v; give points per square metre above 0",
				path, density)
		}
	}
	for _, rule := range r.Labels {
		if !(rule.Weight >= 0 && rule.Weight <= mostWeight) {
			return nil, fmt.Errorf(
				"rules of classes: %s: labels of %q have the weight %v; give 0 to %v, 0 being 1", path,
				rule.Files, rule.Weight, mostWeight)
		}
		meanings := [][]string{}
		for _, code := range slices.Sorted(maps.Keys(rule.Codes)) {
			meanings = append(meanings, rule.Codes[code])
		}
		for _, names := range append(meanings, rule.Others) {
			if _, err := r.set(names); err != nil {
				return nil, fmt.Errorf("rules of classes: %s: %w", path, err)
			}
		}
	}
	return r, nil
}

// set returns the index of a set of classes; −1 for none.
func (r *Rules) set(names []string) (int, error) {
	var set classes.Set
	for _, name := range names {
		at := slices.IndexFunc(r.Classes, func(c classes.Class) bool { return c.Name == name })
		if at < 0 {
			return -1, fmt.Errorf("labels mean class %q, which classes does not list", name)
		}
		set = append(set, at)
	}
	if len(set) == 0 {
		return -1, nil
	}
	slices.Sort(set)
	set = slices.Compact(set)
	at := slices.IndexFunc(r.Sets, func(s classes.Set) bool { return slices.Equal(s, set) })
	if at < 0 {
		at = len(r.Sets)
		r.Sets = append(r.Sets, set)
	}
	return at, nil
}

// Meaning returns the index in Sets of each label of a file; −1 for none.
func (r *Rules) Meaning(path string, label []float64) ([]int, error) {
	rule, err := r.Of(path)
	if err != nil {
		return nil, err
	}
	others, err := r.set(rule.Others)
	if err != nil {
		return nil, err
	}
	codes := map[float64]int{}
	for code, names := range rule.Codes {
		if codes[float64(code)], err = r.set(names); err != nil {
			return nil, err
		}
	}
	all := make([]int, len(label))
	for i, v := range label {
		set, known := codes[v]
		if !known {
			set = others
		}
		all[i] = set
	}
	return all, nil
}

// Of returns the rule of a file, with its survey and weight.
func (r *Rules) Of(path string) (*LabelRule, error) {
	for i := range r.Labels {
		for _, pattern := range strings.Split(r.Labels[i].Files, ",") {
			ok, err := filepath.Match(strings.TrimSpace(pattern), filepath.Base(path))
			if err != nil {
				return nil, fmt.Errorf("labels: pattern %q: %w", pattern, err)
			}
			if ok {
				rule := r.Labels[i]
				rule.Survey, rule.Weight = cmp.Or(rule.Survey, filepath.Base(path)), cmp.Or(rule.Weight, 1)
				return &rule, nil
			}
		}
	}
	return nil, fmt.Errorf("%s: no rule for its labels; add one to labels, for example with files: \"*\"",
		path)
}
