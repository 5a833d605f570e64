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
	"bytes"
	"errors"
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"gopkg.in/yaml.v3"

	"superpoint/filter/host"
	"superpoint/filter/message"
	"superpoint/filter/method"
	"superpoint/filter/option"
	"superpoint/filter/steps"
	"superpoint/filter/workspace"
	"superpoint/pipelines/commands/command"
	"superpoint/pipelines/files/atomicfile"
	"superpoint/pipelines/files/textfile"
)

// comparison is one run of compare.
type comparison struct {
	Labels
	Inputs  []Input
	Output  string // folder of the results, created if it is missing
	Files   *atomicfile.Files
	content func(path string) (string, error) // of an input, see job.Inputs
	Systems []System
	Targets []float64 // mean points per segment, for every system
	Threads int

	host  host.Host
	run   steps.Run
	basis *basis
	table *table
}

// Input is a file and its data set. The counts of the files of a data set are added.
type Input struct{ Set, Path string }

// file returns the name of the file in tables.
func (in *Input) file() string { return TableCell(filepath.Base(in.Path)) }

// compare measures the systems and writes their tables and figure. Files that cannot be read are logged, and
// make it fail when the others are done; failures of systems are logged and listed in the table.
func (c *comparison) compare() error {
	c.run = steps.Run{Context: c.host.Context()}
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
	c.table = newTable(out["results.csv"])
	if c.basis, err = newBasis(c.Labels, c.Inputs, c.content, out["basis.yaml"]); err != nil {
		return err
	}
	if !c.Files.Force {
		if err := c.resume(); err != nil {
			return err
		}
	}
	return c.measureFiles(out)
}

// resume reads the results that are there. It fails if they rest on other labels, or on other files of the
// same names.
func (c *comparison) resume() error {
	if err := c.basis.resume(c.table.to); err != nil {
		return err
	}
	if err := c.table.read(); err != nil {
		return err
	}
	for _, r := range c.table.results {
		if _, known := c.basis.Inputs[r.Set+"/"+r.File]; !known { // an older version wrote it
			return fmt.Errorf(
				"%s has results of %s/%s, and basis.yaml no hash of that file, which may have changed; name "+
					"another output, or add --force to start again", c.table.to.Path(), r.Set, r.File)
		}
	}
	return nil
}

// measureFiles measures all files and writes the tables and the figure.
func (c *comparison) measureFiles(out map[string]*atomicfile.Output) error {
	failed := 0
	for i := range c.Inputs {
		err := c.file(i)
		if cancelled := c.run.Err(); cancelled != nil {
			return cancelled
		}
		if err != nil {
			failed++
			c.host.Log(message.Error, message.File(c.Inputs[i].Path, err).Error())
		}
	}
	if !c.table.hasResults() {
		return errors.New("nothing could be measured; see the messages above")
	}
	if err := c.write(out, c.table.results); err != nil || failed == 0 {
		return err
	}
	return fmt.Errorf(
		"%d of %s could not be measured, and %s lacks them; correct them, and run again: other results are "+
			"kept", failed, message.Count(len(c.Inputs), "file"), out["summary.md"].Path())
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
		return !slices.ContainsFunc(t.results(in),
			func(r Result) bool { return !c.table.has(r.key(), models[t.system]) })
	})
	if len(todo) == 0 {
		return nil
	}
	if err = l.index(c.run, knn, c.Threads, message.Log(c.host.Log).Of(in.Path)); err != nil {
		return err
	}
	for k, t := range todo {
		results := c.measure(l, in, t)
		if err := c.run.Err(); err != nil {
			return err
		}
		if why := results[0].Error; why != "" {
			c.host.Log(message.Warning, fmt.Sprintf("%s, %s %s: %s", in.Path, t.system.Name,
				t.setting(), why))
		}
		for _, r := range results {
			if !c.table.has(r.key(), r.Model) {
				c.table.add(r)
			}
		}
		if err := c.save(in); err != nil {
			return err
		}
		c.host.Progress("compare", (float64(at)+float64(k+1)/float64(len(todo)))/float64(len(c.Inputs)))
	}
	return nil
}

// save writes the results, and before them what they rest on. Until something was measured, nothing is
// written.
func (c *comparison) save(in *Input) error {
	if !c.table.hasResults() {
		return nil
	}
	if err := c.basis.measured(in); err != nil {
		return err
	}
	return c.table.to.Write(c.table.write)
}

// dimensions returns the dimensions that any system reads from files of a rule.
func (c *comparison) dimensions(r *Rule) (names []string) {
	for i := range c.Systems {
		s := &c.Systems[i]
		more, err := option.Inputs(s.options(r))
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

const compareUsage = `[options] [NAME=]FILE…

Runs methods on the same labelled files at the same mean sizes and writes to the output
folder: results.csv, summary.md with a table, and figure.svg (OOA, BR and BP against the
number of connected components, one row of panels per data set). eval gives curves over
other options. Files of one NAME are
one data set; without a name each file is its own. An interrupted comparison continues
where it stopped; basis.yaml has its labels and the hashes of its files, and a folder with
others is refused.

  pdal superpoint compare --truth Classification --output report tile.laz
  pdal superpoint compare --systems ssp,vccs,lin --output report town=a.laz town=b.laz forest=c.laz

A system is a method, or method:MODEL, for example ssp:aerial or ssp:my.safetensors, with
or without options of the stage, for example ssp+solver=cut-pursuit+delaunay=true.

--rules is a YAML file with settings of some files; the first match counts:

  - match: room_*          # pattern of file names
    model: paper           # of systems without a model
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
	c := &comparison{Files: &a.Files, content: a.Pinned.Content, host: a.Host}
	var systems, targets string
	readRules := c.options(a)
	a.StringVar(&c.Output, "output", "report", "`folder` to write to")
	a.ForceOption()
	a.ForceFolderOption("replace the results in the folder")
	a.IntOption(&c.AdjacencyKNN, "adjacency_knn", workspace.MetricsKNN, 1, 64,
		"neighbours of a point in the graph on which boundaries are counted")
	a.ThreadsOption(&c.Threads)
	a.StringVar(&systems, "systems", strings.Join(method.Names(nil), ","),
		"`list` of methods, or method:MODEL, with +option=value; or id:DIMENSION for segments in the files "+
			"(0 and below: no segment)")
	a.StringVar(&targets, "targets", "50,100,200,400",
		"`list` of mean points per connected component on that graph, for "+
			"every method")
	return func(names []string) (err error) {
		if c.Inputs, err = labelledInputs(a, names); err != nil {
			return err
		}
		if c.Systems, err = readSystems(systems); err != nil {
			return err
		}
		if err = readRules(); err != nil {
			return err
		}
		if c.Targets, err = command.ParseNumbers("targets", targets, 1); err != nil {
			return err
		}
		for i := range c.Systems {
			a.Files.Input(c.Systems[i].Options.Model)
		}
		for i := range c.Rules {
			a.Files.Input(c.Rules[i].Model)
		}
		if err := c.compare(); err != nil {
			return err
		}
		return a.Say("%s", filepath.Join(c.Output, "summary.md"))
	}
}

// labelledInputs returns the inputs that arguments [NAME=]FILE name.
func labelledInputs(a *command.Arguments, args []string) ([]Input, error) {
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

// rulesOf reads and checks rules; nil without a file.
func rulesOf(file string) ([]Rule, error) {
	if file == "" {
		return nil, nil
	}
	text, err := textfile.Read(file)
	if err == nil {
		err = textfile.CheckUTF8(text)
	}
	if err != nil {
		return nil, fmt.Errorf("option rules: %w", message.File(file, err))
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
