// SPDX-License-Identifier: BSD-3-Clause

package compare

import (
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"superpoint/filter"
	"superpoint/filter/message"
	"superpoint/partition/metrics"
	"superpoint/pipelines/commands/command"
	"superpoint/pipelines/files/atomicfile"
)

const evalUsage = `[options] FILE…

Measures superpoints against true labels: oracle overall accuracy (OOA), boundary
recall (BR, the share of true boundaries that are found, as the paper's authors compute
it), boundary precision (BP) and undersegmentation error (UE), on the graph of 5 nearest
neighbours. The formula that the paper prints counts every predicted boundary beside a
true one, so it may exceed 100 %: only CSV and JSON have it, as
br_as_printed.

--predicted measures classes instead. Without --rules, vegetation of all heights is one
class, and true codes from 64 on that are never predicted count as class 1.

  pdal superpoint eval --truth Classification tile.laz
  pdal superpoint eval --target_size 50,100,200,400 --format csv --output curve.csv a.laz b.laz
  pdal superpoint eval --id ClusterID --truth Classification segmented.laz
  pdal superpoint eval --predicted Classification --truth TrueClass classified.laz

Several values of regularization, target_size or seed_resolution give a curve.
The options, and those of the stage:`

// evaluation has the options of eval.
type evaluation struct {
	host      command.Host
	args      *command.Arguments
	id        string
	predicted string
	truth     string
	instances string
	rules     []Rule
	sweep     string   // option with several values; "" if there is none
	values    []string // of that option
}

// Eval is the command eval.
func Eval() command.Command {
	return command.Command{Name: "eval", Line: "measure a model, or any id dimension, against true labels",
		Usage: evalUsage, Define: evalCommand, Bytes: command.ByFilter}
}

func evalCommand(a *command.Arguments) func(names []string) error {
	e := &evaluation{host: a.Host, args: a}
	var rules, format string
	a.StringVar(&e.truth, "truth", "Classification", "`dimension` of true classes (0 = unlabelled)")
	a.StringVar(&e.instances, "instances", "", "`dimension` of true objects (default: connected components of a class)")
	a.StringVar(&e.id, "id", "", "measure the ids of this `dimension` (0 = left out) instead of running the filter")
	a.StringVar(&e.predicted, "predicted", "", "measure the classes of this `dimension`: recall, precision, IoU")
	a.StringVar(&rules, "rules", "", "YAML `file` with the meaning of labels, as for compare")
	check := a.FormatOption(&format, "of the result", command.FormatTable, command.FormatCSV, command.FormatJSON)
	a.StringVar(&a.Output, "output", "", "`file` to write instead of the standard output")
	a.ForceOption()
	a.StageOptions(command.MakingGroup())
	return func(names []string) (err error) {
		if err := check(); err != nil {
			return err
		}
		if len(names) == 0 {
			return errors.New("name at least one point cloud file")
		}
		if names, err = a.Clouds(names); err != nil {
			return err
		}
		if err := e.checkGiven(); err != nil {
			return err
		}
		if err := e.findSweep(); err != nil {
			return err
		}
		if e.rules, err = ReadRules(rules); err != nil {
			return err
		}
		a.Files.Input(append(names, rules)...)
		to := &atomicfile.Output{}
		if a.Output != "" {
			if to, err = a.Files.Output(a.Output); err != nil {
				return err
			}
		}
		table, err := e.table(names, format)
		if err != nil {
			return err
		}
		if a.Output == "" {
			return table(a.Host.Stdout())
		}
		return to.Write(table)
	}
}

// table measures and returns what writes the result.
func (e *evaluation) table(names []string, format string) (func(w io.Writer) error, error) {
	if e.predicted != "" {
		rows, err := e.classScores(names, e.predicted)
		return func(w io.Writer) error { return writeClasses(w, format, rows) }, err
	}
	rows, err := e.files(names)
	return func(w io.Writer) error { return write(w, format, rows) }, err
}

// checkGiven fails for options of the stage with --id and --predicted, which use only threads.
func (e *evaluation) checkGiven() error {
	with, what := "--id", "ids"
	if e.predicted != "" {
		with, what = "--predicted", "classes"
	} else if e.id == "" {
		return nil
	}
	if e.predicted != "" && e.id+e.instances != "" {
		return errors.New("option predicted: it measures classes, id and instances superpoints; leave one out")
	}
	for _, name := range slices.Sorted(maps.Keys(e.args.Given())) {
		if name != "threads" {
			return fmt.Errorf("option %s: it has no effect with %s, which measures existing %s; leave one of them out", name,
				with, what)
		}
	}
	return nil
}

// findSweep finds the option with several values.
func (e *evaluation) findSweep() error {
	for _, name := range []string{"regularization", "target_size", "seed_resolution"} {
		text := e.args.Stage[name].Value
		if text == "" || !e.args.Changed(name) {
			continue
		}
		values, err := command.ParseNumbers(name, text)
		if err != nil {
			return err
		}
		if len(values) > 1 && len(e.values) > 1 {
			return fmt.Errorf("options %s and %s both have several values; sweep one of them", e.sweep, name)
		}
		if len(values) > 1 || e.sweep == "" {
			e.sweep, e.values = name, nil
			for _, v := range values {
				e.values = append(e.values, strconv.FormatFloat(v, 'g', -1, 64))
			}
		}
	}
	if e.sweep == "" {
		e.values = []string{""}
	}
	return nil
}

// files measures every file, and all together when there are several.
func (e *evaluation) files(files []string) ([]row, error) {
	var rows []row
	var labels truthSet
	total := make([]row, len(e.values))
	for i, path := range files {
		some, err := e.file(path, &labels)
		if err != nil {
			return nil, message.File(path, err)
		}
		rows = append(rows, some...)
		for k, r := range some {
			sum := total[k].counts
			sum.Add(r.counts)
			total[k] = newRow("all", r.Method, r.Model, r.Setting, sum, total[k].Seconds+r.Seconds)
		}
		e.host.Progress("files", float64(i+1)/float64(len(files)))
	}
	if len(files) > 1 {
		rows = append(rows, total...)
	}
	return rows, labels.check()
}

// file measures one file at every value of the sweep, and adds its classes to labels.
func (e *evaluation) file(path string, labels *truthSet) ([]row, error) {
	options, err := e.args.Options(e.replaced(e.values[0]))
	if err != nil {
		return nil, err
	}
	names, err := filter.Inputs(options)
	if err != nil {
		return nil, err
	}
	rule := RuleFor(e.rules, path, e.truth)
	wanted := slices.DeleteFunc([]string{rule.Truth, e.instances, e.id}, func(s string) bool { return s == "" })
	columns, err := e.host.Read(path, append(names, wanted...))
	if err != nil {
		return nil, err
	}
	run := filter.Run{Context: e.host.Context(), Step: e.host.Progress}
	l := &labelled{knn: filter.MetricsKNN, available: columns.Available}
	if l.truth, err = rule.truth(columns, e.instances); err != nil {
		return nil, err
	}
	labels.add(&l.truth)
	l.Workspace, err = filter.NewWorkspace(run, columns.View(), max(options.KNN, options.AdjacencyKNN,
		command.MaxModelNeighbors), options.Threads, e.host.Log)
	if err != nil {
		return nil, err
	}
	base := TableCell(filepath.Base(path))
	if e.id != "" {
		a, err := l.given(run, e.id)
		if err != nil {
			return nil, err
		}
		return []row{newRow(base, e.id, "", "", a.report.Counts, 0)}, nil
	}
	var rows []row
	for _, value := range e.values {
		r, err := e.segment(run, l, base, value)
		if err != nil {
			return nil, err
		}
		rows = append(rows, r)
	}
	return rows, nil
}

// truthSet has the true classes of all files, and whether one has true objects.
type truthSet struct {
	classes map[float64]bool
	objects bool
}

// add adds those of a file.
func (l *truthSet) add(t *truth) {
	if l.classes == nil {
		l.classes = map[float64]bool{}
	}
	for i, class := range t.class {
		if class > 0 {
			l.classes[class] = true
		}
		if t.object != nil && t.object[i] > 0 {
			l.objects = true
		}
	}
}

// check fails if all points have the same class: there would be no boundaries, and
// every superpoint would be correct.
func (l *truthSet) check() error {
	for class := range l.classes {
		if len(l.classes) == 1 && !l.objects {
			return fmt.Errorf("all labelled points are of class %v, so there is nothing to compare; name another dimension "+
				"with --truth, or files with several classes", class)
		}
	}
	return nil
}

// replaced returns the option that a value of the sweep replaces.
func (e *evaluation) replaced(value string) map[string]string {
	if e.sweep == "" {
		return nil
	}
	return map[string]string{e.sweep: value}
}

// segment measures the superpoints of one file at one value of the sweep.
func (e *evaluation) segment(run filter.Run, l *labelled, base, value string) (row, error) {
	options, err := e.args.Options(e.replaced(value))
	if err != nil {
		return row{}, err
	}
	a, err := l.attempt(run, options, e.host.Log)
	if err != nil {
		return row{}, err
	}
	summary, setting := a.filter.Summary(), ""
	if e.sweep != "" {
		setting = e.sweep + "=" + value
	}
	return newRow(base, summary.Method, summary.Model, setting, a.report.Counts, summary.Seconds["total"]), nil
}

// row is one line of eval's table. Metrics are in shares (1 = 100 %).
type row struct {
	File        string  `json:"file"`
	Method      string  `json:"method"`
	Model       string  `json:"model,omitempty"`
	Setting     string  `json:"setting,omitempty"` // the swept option, name=value
	Points      int64   `json:"points"`
	Superpoints int64   `json:"superpoints"`
	Pieces      int64   `json:"pieces"`
	Seconds     float64 `json:"seconds,omitempty"`
	metrics.Scores

	counts metrics.Counts
}

func newRow(file, method, model, setting string, counts metrics.Counts, seconds float64) row {
	return row{
		File: file, Method: method, Model: model, Setting: setting, Points: counts.Points,
		Superpoints: counts.Segments, Pieces: counts.Pieces, Seconds: seconds, Scores: counts.Scores(), counts: counts,
	}
}

// header returns the names of the columns; scores are those of the metrics.
func header(scores []string) []string {
	return slices.Concat([]string{"file", "method", "model", "setting", "points", "superpoints", "pieces"}, scores,
		[]string{"seconds"})
}

func (r *row) cells(scores []string) []string {
	whole := func(n int64) string { return strconv.FormatInt(n, 10) }
	return slices.Concat([]string{r.File, r.Method, r.Model, r.Setting, whole(r.Points), whole(r.Superpoints),
		whole(r.Pieces)}, scores, []string{strconv.FormatFloat(r.Seconds, 'f', 3, 64)})
}

// write writes rows as a text table (in %), CSV or JSON (in shares). CSV and JSON have all metrics, a text table has
// not BR by the paper's formula.
func write(w io.Writer, format string, rows []row) error {
	switch format {
	case command.FormatJSON:
		e := json.NewEncoder(w)
		e.SetIndent("", "  ")
		return e.Encode(rows)
	case command.FormatCSV:
		c := csv.NewWriter(w)
		_ = c.Write(header(metrics.Names()))
		for i := range rows {
			_ = c.Write(rows[i].cells(rows[i].Scores.Cells(metrics.Ratio.Digits)))
		}
		c.Flush()
		return c.Error()
	}
	t := tabwriter.NewWriter(w, 2, 8, 2, ' ', 0)
	shown := slices.DeleteFunc(metrics.Table(), func(m metrics.Score) bool { return m.Name == metrics.BRPrinted })
	var labels []string
	for _, m := range shown {
		labels = append(labels, m.Label+" %")
	}
	fmt.Fprintln(t, strings.Join(header(labels), "\t"))
	for i := range rows {
		var scores []string
		for _, m := range shown {
			scores = append(scores, m.Field(&rows[i].Scores).Percent())
		}
		fmt.Fprintln(t, strings.Join(rows[i].cells(scores), "\t"))
	}
	return t.Flush()
}
