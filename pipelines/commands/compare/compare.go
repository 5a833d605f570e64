// SPDX-License-Identifier: BSD-3-Clause

// Package compare runs methods on the same labelled clouds at wanted mean sizes. It writes a table,
// a figure of OOA, BR and BP against the number of segments as in the paper (Landrieu and Boussaha 2019,
// figure 5, doi:10.1109/CVPR.2019.00762), and a summary.
//
// Neighbours, graph and embeddings of a cloud are computed once. All methods are measured on the same
// adjacency graph. Every result is written at once, so an interrupted comparison continues where it
// stopped, and the failure of a method does not affect others.
package compare

import (
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"

	"superpoint/filter"
	"superpoint/filter/host"
	"superpoint/filter/message"
	"superpoint/pipelines/files/atomicfile"
)

// Config has the options of a comparison.
type Config struct {
	Labels
	Inputs  []Input
	Output  string // folder of the results, created if it is missing
	Files   *atomicfile.Files
	Systems []System
	Targets []float64 // mean points per segment, for every system
	Threads int
}

// Input is a file and its data set. The counts of the files of a data set are added.
type Input struct{ Set, Path string }

// comparison is a run of a Config.
type comparison struct {
	*Config
	host  host.Host
	run   filter.Run
	table *table
}

// Run compares methods and writes their tables and figure. It fails if nothing could be measured; single failures are
// logged and listed in the table.
func Run(host host.Host, config Config) error {
	c := comparison{Config: &config, host: host, run: filter.Run{Context: host.Context()}}
	for _, in := range c.Inputs {
		c.Files.Input(in.Path)
	}
	release, err := c.Files.Folder(c.Output)
	if err != nil {
		return err
	}
	defer release()
	out := map[string]*atomicfile.Output{}
	for _, name := range []string{"results.csv", "basis.yaml", "summary.md", "figure.svg"} {
		if out[name], err = c.Files.Output(filepath.Join(c.Output, name)); err != nil { // is an input
			return err
		}
	}
	if err := c.settle(out["basis.yaml"], out["results.csv"]); err != nil {
		return err
	}
	if c.table, err = openTable(out["results.csv"]); err != nil {
		return err
	}
	for i := range c.Inputs {
		err := c.file(i)
		if cancelled := c.run.Err(); cancelled != nil {
			return cancelled
		}
		if err != nil {
			host.Log(filter.LogError, message.File(c.Inputs[i].Path, err).Error())
		}
	}
	if !slices.ContainsFunc(c.table.results, func(r Result) bool { return r.Error == "" }) {
		return errors.New("nothing could be measured; see the messages above")
	}
	return c.write(out, c.table.results)
}

// file runs the trials on a file that have no results, or results of another model.
func (c *comparison) file(at int) error {
	in := &c.Inputs[at]
	l, err := c.read(c.host, in.Path, c.dimensions)
	if err != nil {
		return err
	}
	available, models := slices.Collect(maps.Keys(l.Dimensions)), map[*System]string{}
	knn := c.AdjacencyKNN
	for i := range c.Systems {
		s := &c.Systems[i]
		models[s] = s.model(&l.rule, available)
		knn = max(knn, s.Options.KNN, s.Options.AdjacencyKNN)
	}
	todo := slices.DeleteFunc(c.trials(), func(t trial) bool {
		return !slices.ContainsFunc(t.results(in), func(r Result) bool { return !c.table.has(r.key(), models[t.system]) })
	})
	if len(todo) == 0 {
		return nil
	}
	if err = l.index(c.run, knn, c.Threads, c.host.Log); err != nil {
		return err
	}
	for k, t := range todo {
		results := c.measure(l, in, t)
		if err := c.run.Err(); err != nil {
			return err
		}
		if why := results[0].Error; why != "" {
			c.host.Log(filter.LogWarning, fmt.Sprintf("%s, %s %s: %s", in.Path, t.system.Name, t.setting(), why))
		}
		for _, r := range results {
			if c.table.has(r.key(), r.Model) {
				continue
			}
			if err := c.table.add(r); err != nil {
				return err
			}
		}
		c.host.Progress("compare", (float64(at)+float64(k+1)/float64(len(todo)))/float64(len(c.Inputs)))
	}
	return nil
}

// dimensions returns the dimensions that any system reads from files of a rule.
func (c *Config) dimensions(r *Rule) (names []string) {
	for i := range c.Systems {
		s := &c.Systems[i]
		more, err := filter.Inputs(s.options(r))
		if err != nil {
			continue // the trial reports the error
		}
		if s.IDs != "" {
			more = []string{s.IDs}
		}
		names = append(names, more...)
	}
	return names
}
