// SPDX-License-Identifier: BSD-3-Clause

package compare

import (
	"fmt"
	"path/filepath"
	"runtime/debug"
	"strconv"
	"strings"

	"superpoint/filter"
	"superpoint/filter/host"
	"superpoint/filter/method"
	"superpoint/filter/models"
	"superpoint/partition/metrics"
)

// trial is one system at one setting.
type trial struct {
	system *System
	option string // byStrength, ByPieces, or given: segments in the file
	value  float64
}

func (t trial) setting() string {
	return t.option + "=" + strconv.FormatFloat(t.value, 'g', -1, 64)
}

// results returns the results of a trial: one that counts components also has a result of its size.
func (t trial) results(in *Input) []Result {
	file := TableCell(filepath.Base(in.Path))
	r := Result{Set: in.Set, File: file, System: t.system.Name, Option: t.option, Value: t.value}
	if t.option != ByPieces {
		return []Result{r}
	}
	sized := r
	sized.Option = BySize
	return []Result{sized, r}
}

// options returns the system's options for files of a rule.
func (s *System) options(r *Rule) *filter.Options {
	o := s.Options
	if o.Model == models.Auto && r.Model != "" {
		o.Model = r.Model
	}
	return &o
}

// trials returns all settings of all systems.
func (c *Config) trials() []trial {
	var all []trial
	for i := range c.Systems {
		s := &c.Systems[i]
		if s.IDs != "" {
			all = append(all, trial{s, given, 0})
			continue
		}
		if method.Named(s.Options.Method).GMPP {
			for _, v := range c.Sweep {
				all = append(all, trial{s, byStrength, v})
			}
		}
		for _, v := range c.Targets {
			all = append(all, trial{s, ByPieces, v})
		}
	}
	return all
}

// measure runs one trial. Errors and panics become the error text of its results.
func (c *Config) measure(run filter.Run, host host.Host, l *labelled, in *Input, t trial,
	rule *Rule) (all []Result) {
	all = t.results(in)
	fail := func(why string) {
		for i := range all {
			all[i].Error = why
		}
	}
	defer func() {
		if v := recover(); v != nil {
			fail(fmt.Sprintf("internal error: %v", v))
			host.Log(filter.LogDebug, string(debug.Stack()))
		}
	}()
	attempts, err := c.segment(run, host, l, t, rule)
	if err != nil {
		fail(err.Error())
		return all
	}
	for i, a := range attempts {
		r := &all[i]
		r.Counts = a.report.Counts
		if a.filter != nil {
			summary := a.filter.Summary()
			r.Seconds, r.Model = summary.Seconds["total"], modelName(summary)
		}
	}
	return all
}

// modelName distinguishes models of the same name.
func modelName(s *filter.Summary) string {
	if s.ModelHash == "" {
		return s.Model
	}
	return s.Model + " " + s.ModelHash
}

// modelOf returns the name of the model of a system for a file with the given dimensions; "" if it has
// none or cannot run.
func modelOf(s *System, rule *Rule, available []string) string {
	if s.IDs != "" {
		return ""
	}
	f, err := filter.New(s.options(rule), nil)
	if err != nil {
		return ""
	}
	if _, err := f.Describe(available); err != nil {
		return ""
	}
	return modelName(f.Summary())
}

// segment returns the segments of a trial: those of the file, or computed, several times if the number
// of components is searched for. It returns an attempt for each result.
func (c *Config) segment(run filter.Run, host host.Host, l *labelled, t trial, rule *Rule) ([]*attempt, error) {
	one := func(a *attempt, err error) ([]*attempt, error) { return []*attempt{a}, err }
	if t.system.IDs != "" {
		return one(l.given(run, t.system.IDs))
	}
	o := *t.system.options(rule)
	o.Threads = c.Threads
	if t.option == byStrength {
		o.Regularization = t.value
		return one(l.attempt(run, &o, quietly(host)))
	}
	sized, counted, err := searchPieces(t.value, l.View.Len(), func(target float64) (*attempt, error) {
		o.TargetSize = []float64{target}
		return l.attempt(run, &o, quietly(host))
	})
	return []*attempt{sized, counted}, err
}

// labelled is a cloud with its true labels.
type labelled struct {
	*filter.Workspace
	truth
	knn       int      // neighbours in the graph on which boundaries are counted
	available []string // dimensions of the file
}

// attempt runs a method and computes its metrics.
func (l *labelled) attempt(run filter.Run, o *filter.Options, log filter.Log) (*attempt, error) {
	f, err := filter.New(o, log)
	if err != nil {
		return nil, err
	}
	s, err := f.SegmentIn(run, l.Workspace)
	if err != nil {
		return nil, err
	}
	report, err := l.Measure(run, l.knn, s.ID, l.class, l.object)
	return &attempt{filter: f, report: report}, err
}

// given computes the metrics of the segments of a dimension.
func (l *labelled) given(run filter.Run, dimension string) (*attempt, error) {
	values := l.View.Dimensions[dimension]
	if values == nil {
		return nil, fmt.Errorf("dimension %q is missing; the file has %s", dimension, strings.Join(l.available, ", "))
	}
	id, err := metrics.IDs(dimension, values)
	if err != nil {
		return nil, err
	}
	report, err := l.Measure(run, l.knn, id, l.class, l.object)
	return &attempt{report: report}, err
}

// quietly returns a log of warnings and errors only.
func quietly(host host.Host) filter.Log {
	return func(level int, text string) {
		if level <= filter.LogWarning {
			host.Log(level, text)
		}
	}
}
