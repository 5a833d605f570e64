// SPDX-License-Identifier: BSD-3-Clause

package compare

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"gopkg.in/yaml.v3"

	"superpoint/filter"
	"superpoint/filter/method"
	"superpoint/pipelines/commands/command"
)

const compareUsage = `[options] [NAME=]FILE…

Runs methods on the same labelled files at wanted mean sizes and writes to the output
folder: results.csv, summary.md with a table, and figure.svg (OOA, BR and BP against the
number of connected components, one row of panels per data set). eval gives curves over
other options. Files of one NAME are
one data set; without a name each file is its own. An interrupted comparison continues
where it stopped; basis.yaml has its options and inputs, and a folder with others is
refused.

  pdal superpoint compare --truth Classification --output report tile.laz
  pdal superpoint compare --systems ssp,vccs,lin --output report town=a.laz town=b.laz forest=c.laz

A system is a method, or method:MODEL, for example ssp:aerial or ssp:my.safetensors, with
or without options of the stage, for example ssp+solver=cut-pursuit+delaunay=true.

--rules is a YAML file with settings of some files; the first match counts:

  - match: room_*          # pattern of file names
    model: indoor          # of systems without a model
    truth: PointSourceId   # dimension of the truth
    objects: true          # its values are objects, 0 included
  - match: town_*
    merge: [[3, 4, 5]]     # classes to merge
    ignore: [66]           # classes to leave out`

// Command is the command compare.
func Command() command.Command {
	return command.Command{Name: "compare", Line: "all methods on the same files: tables and a figure",
		Usage: compareUsage, Define: compareCommand, Bytes: command.ByFilter}
}

func compareCommand(a *command.Arguments) func(names []string) error {
	c := Config{Files: &a.Files}
	var systems, targets string
	readRules := c.options(a)
	a.StringVar(&c.Output, "output", "report", "`folder` to write to")
	command.Int(a.FlagSet, &c.AdjacencyKNN, "adjacency_knn", filter.MetricsKNN, 1, 64,
		"neighbours in the graph on which boundaries are counted")
	command.Int(a.FlagSet, &c.Threads, "threads", 0, 0, command.MaxThreads, "threads; 0 = all")
	a.StringVar(&systems, "systems", strings.Join(method.Names(nil), ","),
		"`list` of methods, or method:MODEL, with +option=value; or id:DIMENSION for segments in the files "+
			"(0 and below: no segment)")
	a.StringVar(&targets, "targets", "50,100,200,400", "`list` of mean points per connected component on that graph, for "+
		"every method")
	return func(names []string) (err error) {
		if c.Inputs, err = Labelled(a, names); err != nil {
			return err
		}
		if c.Systems, err = ReadSystems(systems); err != nil {
			return err
		}
		if err = readRules(); err != nil {
			return err
		}
		if c.Targets, err = command.ParseNumbers("targets", targets); err != nil {
			return err
		}
		for i := range c.Systems {
			a.Files.Input(c.Systems[i].Options.Model)
		}
		for i := range c.Rules {
			a.Files.Input(c.Rules[i].Model)
		}
		if err := Run(a.Host, c); err != nil {
			return err
		}
		return command.Say(a.Host, "%s", filepath.Join(c.Output, "summary.md"))
	}
}

// Labelled returns the inputs that arguments [NAME=]FILE name.
func Labelled(a *command.Arguments, args []string) ([]Input, error) {
	var all []Input
	for _, arg := range args {
		name, path, found := strings.Cut(arg, "=")
		if _, err := os.Stat(arg); err == nil || !found || strings.ContainsRune(name, filepath.Separator) {
			name, path = "", arg // a file name may contain =, the name of a data set no separator
		}
		files, err := a.Clouds([]string{path})
		if err != nil {
			return nil, err
		}
		for _, path := range files {
			set := name
			if set == "" {
				base := filepath.Base(path)
				set = strings.TrimSuffix(base, filepath.Ext(base))
			}
			all = append(all, Input{Set: TableCell(set), Path: path})
		}
	}
	if len(all) == 0 {
		return nil, errors.New("name at least one labelled point cloud file")
	}
	return all, nil
}

// ReadRules reads and checks rules; nil without a file.
func ReadRules(file string) ([]Rule, error) {
	if file == "" {
		return nil, nil
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("option rules: %w", err)
	}
	var rules []Rule
	d := yaml.NewDecoder(bytes.NewReader(text))
	d.KnownFields(true)
	if err := d.Decode(&rules); err != nil && !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("option rules: %s: %w", file, err)
	}
	for i := range rules {
		if err := rules[i].Check(); err != nil {
			return nil, fmt.Errorf("option rules: %s: %w", file, err)
		}
	}
	return rules, nil
}
