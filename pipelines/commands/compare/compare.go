// SPDX-License-Identifier: BSD-3-Clause

// Package compare runs methods on the same labelled clouds with a sweep of parameters. It writes a table,
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
	"superpoint/partition/base/tile"
	"superpoint/pipelines/files/atomicfile"
)

// Run compares methods and writes their tables and figure. It fails if nothing could be measured; single failures are
// logged and listed in the table.
func Run(host host.Host, c Config) error {
	run := filter.Run{Context: host.Context()}
	for _, in := range c.Inputs {
		c.Files.Input(in.Path)
	}
	release, err := c.Files.Folder(c.Output)
	if err != nil {
		return err
	}
	defer release()
	out, err := c.outputs()
	if err != nil {
		return err
	}
	if err := c.settle(out["basis.yaml"], out["results.csv"]); err != nil {
		return err
	}
	t, err := openTable(out["results.csv"])
	if err != nil {
		return err
	}
	for i := range c.Inputs {
		in := &c.Inputs[i]
		err := c.file(run, host, t, in, i)
		if cancelled := run.Err(); cancelled != nil {
			return cancelled
		}
		if err != nil {
			host.Log(filter.LogError, message.File(in.Path, err).Error())
		}
	}
	if !slices.ContainsFunc(t.results, func(r Result) bool { return r.Error == "" }) {
		return errors.New("nothing could be measured; see the messages above")
	}
	return c.write(out, t.results)
}

// outputs returns the output files by name; it fails if one is an input.
func (c *Config) outputs() (map[string]*atomicfile.Output, error) {
	out := map[string]*atomicfile.Output{}
	for _, name := range []string{"results.csv", "basis.yaml", "summary.md", "figure.svg"} {
		var err error
		if out[name], err = c.Files.Output(filepath.Join(c.Output, name)); err != nil {
			return nil, err
		}
	}
	return out, nil
}

// file runs the missing trials on one file.
func (c *Config) file(run filter.Run, host host.Host, t *table, in *Input, at int) error {
	rule := c.rule(in)
	columns, err := host.Read(in.Path, c.dimensions(&rule))
	if err == nil && c.Voxel > 0 {
		err = tile.Thin(tile.Points{X: &columns.X, Y: &columns.Y, Z: &columns.Z, Values: columns.Dimensions}, c.Voxel)
	}
	if err != nil {
		return err
	}
	l := &labelled{knn: c.AdjacencyKNN, available: columns.Available}
	if l.truth, err = rule.truth(columns, c.Instances); err != nil {
		return err
	}
	todo := c.todo(t, in, slices.Collect(maps.Keys(columns.Dimensions)), &rule)
	if len(todo) == 0 {
		return nil
	}
	if l.Workspace, err = filter.NewWorkspace(run, columns.View(), c.searched(), c.Threads, host.Log); err != nil {
		return err
	}
	for k, tr := range todo {
		results := c.measure(run, host, l, in, tr, &rule)
		if err := run.Err(); err != nil {
			return err
		}
		if why := results[0].Error; why != "" {
			host.Log(filter.LogWarning, fmt.Sprintf("%s, %s %s: %s", in.Path, tr.system.Name, tr.setting(), why))
		}
		for _, r := range results {
			if t.has(r.key(), r.Model) {
				continue
			}
			if err := t.add(r); err != nil {
				return err
			}
		}
		host.Progress("compare", (float64(at)+float64(k+1)/float64(len(todo)))/float64(len(c.Inputs)))
	}
	return nil
}

// todo returns the trials of a file without results or with results of another model. available are the
// dimensions of the file.
func (c *Config) todo(t *table, in *Input, available []string, rule *Rule) []trial {
	models := map[*System]string{}
	for i := range c.Systems {
		models[&c.Systems[i]] = modelOf(&c.Systems[i], rule, available)
	}
	return slices.DeleteFunc(c.trials(), func(tr trial) bool {
		return !slices.ContainsFunc(tr.results(in), func(r Result) bool { return !t.has(r.key(), models[tr.system]) })
	})
}
