// SPDX-License-Identifier: BSD-3-Clause

package compare

import (
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"superpoint/filter"
	"superpoint/filter/host"
	"superpoint/filter/message"
	"superpoint/filter/option"
	"superpoint/filter/steps"
	"superpoint/filter/workspace"
	"superpoint/partition/metrics"
	"superpoint/pipelines/commands/command"
	"superpoint/pipelines/files/atomicfile"
)

// Labels says what is true of the points of files, and on which graph and points it is measured.
type Labels struct {
	Truth string `yaml:"truth"` // dimension of true classes; 0 = unlabelled
	// dimension of true objects; "" = connected components of a class
	Instances string `yaml:"instances,omitempty"`
	// neighbours in the graph on which boundaries are counted
	AdjacencyKNN int    `yaml:"adjacency_knn"`
	Rules        []Rule `yaml:"rules,omitempty"` // settings of some files
}

// options adds the options that all commands with labels have, and returns what reads the rules.
func (l *Labels) options(a *command.Arguments) (read func() error) {
	l.AdjacencyKNN = workspace.MetricsKNN
	var rules string
	a.StringVar(&l.Truth, "truth", "Classification", "`dimension` of true classes (0 = unlabelled)")
	a.StringVar(&l.Instances, "instances", "",
		"`dimension` of true objects (default: connected components of a class)")
	a.StringVar(&rules, "rules", "", "YAML `file` with settings of some files (format: compare --help)")
	return func() (err error) {
		a.Files.Input(rules)
		l.Rules, err = rulesOf(rules)
		return err
	}
}

// labelled is a cloud with its true labels.
type labelled struct {
	*workspace.Workspace // of segments; see index
	truth
	*host.Columns
	rule Rule
	knn  int // neighbours in the graph on which boundaries are counted
}

// read reads a file with its labels, and the dimensions that are needed for files of its rule.
func (l *Labels) read(from host.Host, path string, needed func(r *Rule) []string) (c *labelled, err error) {
	c = &labelled{rule: RuleFor(l.Rules, path, l.Truth), knn: l.AdjacencyKNN}
	names := slices.Concat([]string{c.rule.Truth, l.Instances}, needed(&c.rule))
	slices.Sort(names)
	names = slices.DeleteFunc(slices.Compact(names), func(s string) bool { return s == "" })
	if c.Columns, err = from.Read(path, names); err == nil {
		c.truth, err = c.rule.truth(c.Columns, l.Instances)
	}
	return c, err
}

// index finds the neighbours of the points, for methods that need at most knn.
func (c *labelled) index(run steps.Run, knn, threads int, log message.Log) (err error) {
	c.Workspace, err = workspace.New(run, c.Columns.View(), max(knn, command.MaxModelNeighbors),
		threads, log)
	return err
}

// attempt is what a run of a method made: its counts, and the summary of the filter.
type attempt struct {
	metrics.Counts
	summary *filter.Summary // of segments of a file only the method: the dimension
}

// attempt runs a method and computes its metrics.
func (c *labelled) attempt(run steps.Run, o *option.Options, log message.Log) (*attempt, error) {
	f, err := filter.New(o, log)
	if err != nil {
		return nil, err
	}
	s, err := f.SegmentIn(run, c.Workspace)
	if err != nil {
		return nil, err
	}
	return c.measure(run, s.ID, f.Summary())
}

// given computes the metrics of the segments of a dimension that an option names.
func (c *labelled) given(run steps.Run, name, option string) (*attempt, error) {
	values, err := dimension(c.Columns, name, option)
	if err != nil {
		return nil, err
	}
	id, err := metrics.IDs(name, values)
	if err != nil {
		return nil, err
	}
	return c.measure(run, id, &filter.Summary{Method: name})
}

func (c *labelled) measure(run steps.Run, id []uint32, of *filter.Summary) (*attempt, error) {
	report, err := c.Measure(run, c.knn, id, c.class, c.object)
	return &attempt{report.Counts, of}, err
}

// Rule says what is special about the files whose names match: one comparison
// can so take clouds from several sources. The first rule that matches counts.
type Rule struct {
	Match   string  `yaml:"match"`             // pattern of file names, such as "room_*"
	Model   string  `yaml:"model,omitempty"`   // of systems that leave it open
	Truth   string  `yaml:"truth,omitempty"`   // dimension of true classes, in place of Labels.Truth
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

// truth returns the true classes of a cloud and, where they or the dimension instances ("" for none) number
// objects, the true objects. It fails if no point has a true class.
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
		return t, fmt.Errorf(
			"no point has a true class: %s is 0, or ignored by --rules, at all %d points; name another "+
				"dimension with --truth, or leave the file out; it has %s", r.Truth, len(c.X),
			strings.Join(c.Available, ", "))
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
		return nil, fmt.Errorf("dimension %q is missing; name another one with --%s; the file has %s",
			name, option,
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

// basis is what results rest on, whatever the system.
type basis struct {
	Labels `yaml:",inline"`
	Inputs map[string]string `yaml:"inputs,omitempty"` // SHA-256 of the files that were measured, by key
	now    map[string]string // content of each input
	to     *atomicfile.Output
}

// key names a file as results do.
func (in *Input) key() string { return in.Set + "/" + in.file() }

// newBasis returns the basis of new results. All later reading of an input must find the same content.
func newBasis(l Labels, inputs []Input, content func(path string) (string, error), to *atomicfile.Output) (
	*basis, error) {
	b := &basis{l, map[string]string{}, map[string]string{}, to}
	for _, in := range inputs {
		content, _ := content(in.Path) // reading a file that cannot be read gives the reason
		if other, twice := b.now[in.key()]; twice && other != content {
			return nil, fmt.Errorf(
				"%s: another file of data set %s has this name, by which results are kept; name a data set "+
					"for each: NAME=FILE", in.Path, in.Set)
		}
		b.now[in.key()] = content
	}
	return b, nil
}

// resume adds the basis that is there. It returns an error if the results beside it rest on other labels, or
// on other files of the same names.
func (b *basis) resume(results *atomicfile.Output) error {
	before := basis{}
	text, err := os.ReadFile(b.to.Path())
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	how := "there is no " + b.to.Path() + " that says how"
	if text != nil {
		how, err = b.to.Path()+" says how", yaml.Unmarshal(text, &before)
	}
	same := err == nil && fmt.Sprint(before.Labels) == fmt.Sprint(b.Labels)
	for key, content := range before.Inputs {
		if b.Inputs[key] = content; b.now[key] != content && b.now[key] != "" {
			same, how = false, key+" was another file"
		}
	}
	if _, err = os.Stat(results.Path()); err == nil && !same {
		return fmt.Errorf(
			"%s was not measured as is asked for now (%s); name another output, or add --force to start "+
				"again",
			results.Path(), how)
	}
	return nil
}

// measured adds a file that could be read.
func (b *basis) measured(in *Input) error {
	b.Inputs[in.key()] = b.now[in.key()]
	return b.write()
}

func (b *basis) write() error {
	text, err := yaml.Marshal(b)
	if err != nil {
		return err
	}
	return b.to.Write(atomicfile.Bytes(text))
}
