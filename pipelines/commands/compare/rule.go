// SPDX-License-Identifier: BSD-3-Clause

package compare

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"superpoint/filter/host"
	"superpoint/partition/metrics"
	"superpoint/pipelines/files/atomicfile"
)

// Rule says what is special about the files whose names match: one comparison
// can so take clouds from several sources. The first rule that matches counts.
type Rule struct {
	Match   string  `yaml:"match"`             // pattern of file names, such as "room_*"
	Model   string  `yaml:"model,omitempty"`   // of systems that leave it open
	Truth   string  `yaml:"truth,omitempty"`   // dimension of true classes, in place of Config.Truth
	Objects bool    `yaml:"objects,omitempty"` // the truth numbers objects, and 0 is one of them
	Merge   [][]int `yaml:"merge,omitempty"`   // classes that are one
	Ignore  []int   `yaml:"ignore,omitempty"`  // classes that are left out
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

// RuleFor returns the first rule that matches the name of a file; its truth is
// the given dimension unless it names one.
func RuleFor(rules []Rule, file, truth string) Rule {
	for _, r := range rules {
		if ok, err := path.Match(r.Match, filepath.Base(file)); err == nil && ok {
			if r.Truth == "" {
				r.Truth = truth
			}
			return r
		}
	}
	return Rule{Truth: truth}
}

// truth is what the points of a cloud are, above 0, or 0 for unlabelled.
type truth struct {
	class  []float64
	object []float64 // nil: the connected components of a class
}

// truth returns the true classes of a cloud and, where they or the dimension instances ("" for none) number objects,
// the true objects. It fails if no point has a true class.
func (r *Rule) truth(c *host.Columns, instances string) (t truth, err error) {
	if len(c.X) == 0 {
		return t, errors.New("the file has no points; leave it out")
	}
	raw, err := labels(c, r.Truth, "truth")
	if err == nil && instances != "" {
		t.object, err = labels(c, instances, "instances")
	}
	if err != nil {
		return t, err
	}
	t.class = make([]float64, len(c.X))
	for i, v := range raw {
		t.class[i] = r.label(v)
	}
	if r.Objects {
		t.object = t.class
	}
	if !slices.ContainsFunc(t.class, func(v float64) bool { return v > 0 }) {
		return t, fmt.Errorf("no point has a true class: %s is 0, or ignored by --rules, at all %d points; name another "+
			"dimension with --truth, or leave the file out; it has %s", r.Truth, len(c.X), strings.Join(c.Available, ", "))
	}
	return t, nil
}

// labels returns the labels of a dimension that an option names.
func labels(c *host.Columns, name, option string) ([]float64, error) {
	values, err := dimension(c, name, option)
	if err != nil {
		return nil, err
	}
	return values, metrics.CheckLabels(name, values)
}

// dimension returns the values of a dimension that an option names.
func dimension(c *host.Columns, name, option string) ([]float64, error) {
	values := c.Dimensions[name]
	if values == nil {
		return nil, fmt.Errorf("dimension %q is missing; name another one with --%s; the file has %s", name, option,
			strings.Join(c.Available, ", "))
	}
	return values, nil
}

// label returns what a raw label counts as.
func (r *Rule) label(v float64) float64 {
	switch {
	case r.Objects:
		return v + 1
	case slices.Contains(r.Ignore, int(v)):
		return 0
	}
	for _, group := range r.Merge {
		if slices.Contains(group, int(v)) {
			return float64(slices.Min(group))
		}
	}
	return v
}

// settle writes the labels beside results, which rest on them whatever the system, or returns an error if the results
// that are there rest on others.
func (l *Labels) settle(to, results *atomicfile.Output) error {
	text, err := yaml.Marshal(l)
	if err != nil {
		return err
	}
	before, err := os.ReadFile(to.Path())
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	if _, err = os.Stat(results.Path()); err == nil && !bytes.Equal(before, text) {
		how := to.Path() + " says how"
		if before == nil {
			how = "there is no " + to.Path() + " that says how"
		}
		return fmt.Errorf("%s was not measured as is asked for now (%s); name another output, or remove it to start again",
			results.Path(), how)
	}
	return to.Write(func(w io.Writer) error {
		_, err := w.Write(text)
		return err
	})
}
