// SPDX-License-Identifier: BSD-3-Clause

package compare

import (
	"slices"

	"superpoint/filter"
	"superpoint/filter/host"
	"superpoint/partition/metrics"
	"superpoint/pipelines/commands/command"
)

// Labels says what is true of the points of files, and on which graph and points it is measured.
type Labels struct {
	Truth        string `yaml:"truth"`               // dimension of true classes; 0 = unlabelled
	Instances    string `yaml:"instances,omitempty"` // dimension of true objects; "" = connected components of a class
	AdjacencyKNN int    `yaml:"adjacency_knn"`       // neighbours in the graph on which boundaries are counted
	Rules        []Rule `yaml:"rules,omitempty"`     // settings of some files
}

// options adds the options that all commands with labels have, and returns what reads the rules.
func (l *Labels) options(a *command.Arguments) (read func() error) {
	l.AdjacencyKNN = filter.MetricsKNN
	var rules string
	a.StringVar(&l.Truth, "truth", "Classification", "`dimension` of true classes (0 = unlabelled)")
	a.StringVar(&l.Instances, "instances", "", "`dimension` of true objects (default: connected components of a class)")
	a.StringVar(&rules, "rules", "", "YAML `file` with settings of some files (format: compare --help)")
	return func() (err error) {
		a.Files.Input(rules)
		l.Rules, err = ReadRules(rules)
		return err
	}
}

// labelled is a cloud with its true labels.
type labelled struct {
	*filter.Workspace // of segments; see index
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
func (c *labelled) index(run filter.Run, knn, threads int, log filter.Log) (err error) {
	c.Workspace, err = filter.NewWorkspace(run, c.Columns.View(), max(knn, command.MaxModelNeighbors), threads, log)
	return err
}

// attempt is what a run of a method made: its counts, and the summary of the filter.
type attempt struct {
	metrics.Counts
	summary *filter.Summary // of segments of a file only the method: the dimension
}

// attempt runs a method and computes its metrics.
func (c *labelled) attempt(run filter.Run, o *filter.Options, log filter.Log) (*attempt, error) {
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
func (c *labelled) given(run filter.Run, name, option string) (*attempt, error) {
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

func (c *labelled) measure(run filter.Run, id []uint32, of *filter.Summary) (*attempt, error) {
	report, err := c.Measure(run, c.knn, id, c.class, c.object)
	return &attempt{report.Counts, of}, err
}
