// SPDX-License-Identifier: BSD-3-Clause

package compare

import (
	"errors"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strconv"

	"superpoint/embed/classes"
	"superpoint/filter/message"
	"superpoint/filter/option"
	"superpoint/filter/steps"
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
The options, including those of the stage:`

// evaluation has the options of eval.
type evaluation struct {
	Labels
	*command.Arguments
	id        string
	predicted string
	format    string

	readRules   func() error
	checkFormat func() error
}

// Eval is the command eval.
func Eval() command.Command {
	return command.Command{Name: "eval", Line: "measure a model, or any id dimension, against true labels",
		Usage: evalUsage, Define: evalCommand, Bytes: command.ByFilter}
}

func evalCommand(a *command.Arguments) func(names []string) error {
	e := &evaluation{Arguments: a}
	e.readRules = e.options(a)
	a.StringVar(&e.id, "id", "",
		"measure the ids of this `dimension` (0 = left out) instead of running the filter")
	a.StringVar(&e.predicted, "predicted", "",
		"measure the classes of this `dimension`: recall, precision, IoU")
	e.checkFormat = a.FormatOption(&e.format, "of the result", command.FormatTable, command.FormatCSV,
		command.FormatJSON)
	a.StringVar(&a.Output, "output", "", "`file` to write instead of the standard output")
	a.ForceOption()
	a.StageOptions(command.MakingGroup())
	return e.run
}

// run checks the options and measures the named clouds.
func (e *evaluation) run(names []string) error {
	if err := e.checkFormat(); err != nil {
		return err
	}
	if len(names) == 0 {
		return errors.New("name at least one point cloud file")
	}
	names, err := e.Clouds(names)
	if err != nil {
		return err
	}
	if err := e.checkGiven(); err != nil {
		return err
	}
	sweep, err := settings(e.Arguments)
	if err != nil {
		return err
	}
	if err := e.readRules(); err != nil {
		return err
	}
	e.Files.Input(names...)
	to := &atomicfile.Output{}
	if e.Output != "" {
		if to, err = e.Files.Output(e.Output); err != nil {
			return err
		}
	}
	table, err := e.table(names, sweep, e.format)
	if err != nil {
		return err
	}
	if e.Output == "" {
		return table(e.Host.Stdout())
	}
	return to.Write(table)
}

// table measures and returns what writes the result.
func (e *evaluation) table(names []string, sweep []setting, format string) (func(w io.Writer) error, error) {
	if e.predicted != "" {
		rows, err := e.classScores(names)
		return func(w io.Writer) error { return write(w, format, rows, classColumns()) }, err
	}
	rows, err := e.files(names, sweep)
	return func(w io.Writer) error { return write(w, format, rows, evalColumns()) }, err
}

// checkGiven fails for options of the stage with --id and --predicted, which use only threads.
func (e *evaluation) checkGiven() error {
	with, what := "--id", "ids"
	if e.predicted != "" {
		with, what = "--predicted", "classes"
	} else if e.id == "" {
		return nil
	}
	if e.predicted != "" && e.id+e.Instances != "" {
		return errors.New(
			"option predicted: it measures classes, id and instances superpoints; leave one out")
	}
	for _, name := range slices.Sorted(maps.Keys(e.Given())) {
		if name != "threads" {
			return fmt.Errorf(
				"option %s: it has no effect with %s, which measures existing %s; leave one of them out",
				name,
				with, what)
		}
	}
	return nil
}

// setting is the value of an option of the stage; that without a name changes nothing.
type setting struct{ name, value string }

func (s *setting) String() string {
	if s.name == "" {
		return ""
	}
	return s.name + "=" + s.value
}

// options returns the options of the stage with a setting.
func (s *setting) options(a *command.Arguments) (*option.Options, error) {
	if s.name == "" {
		return a.Options(nil)
	}
	return a.Options(map[string]string{s.name: s.value})
}

// settings are the values of the option that has several, or of one that may have, or one setting that
// changes nothing.
func settings(a *command.Arguments) (sweep []setting, err error) {
	for _, name := range []string{"regularization", "target_size", "seed_resolution"} {
		text := a.Stage[name].Value
		if text == "" || !a.Changed(name) {
			continue
		}
		values, err := command.ParseNumbers(name, text, command.MinLength)
		if err != nil {
			return nil, err
		}
		if len(values) > 1 && len(sweep) > 1 {
			return nil, fmt.Errorf("options %s and %s both have several values; sweep one of them",
				sweep[0].name, name)
		}
		if len(values) > 1 || sweep == nil {
			sweep = nil
			for _, v := range values {
				sweep = append(sweep, setting{name, strconv.FormatFloat(v, 'g', -1, 64)})
			}
		}
	}
	if sweep == nil {
		sweep = []setting{{}}
	}
	return sweep, nil
}

// files measures every file at every setting, and all together when there are several.
func (e *evaluation) files(files []string, sweep []setting) (rows []row, err error) {
	labels := truthSet{}
	total := make([]row, len(sweep))
	for i, path := range files {
		some, err := e.file(path, sweep, labels)
		if err != nil {
			return nil, message.File(path, err)
		}
		rows = append(rows, some...)
		for k, r := range some {
			r.counts.Add(total[k].counts)
			r.Seconds += total[k].Seconds
			total[k] = newRow("all", r, r.counts)
		}
		e.Host.Progress("files", float64(i+1)/float64(len(files)))
	}
	if len(files) > 1 {
		rows = append(rows, total...)
	}
	return rows, labels.check()
}

// file measures one file at every setting, and adds its classes to labels.
func (e *evaluation) file(path string, sweep []setting, labels truthSet) (rows []row, err error) {
	options, err := sweep[0].options(e.Arguments)
	if err != nil {
		return nil, err
	}
	names, err := option.Inputs(options)
	if err != nil {
		return nil, err
	}
	c, err := e.read(e.Host, path, func(*Rule) []string { return append(names, e.id) })
	if err != nil {
		return nil, err
	}
	labels.add(&c.truth)
	run := steps.Run{Context: e.Host.Context(), Step: e.Host.Progress}
	log := message.Log(e.Host.Log).Of(path)
	if err := c.index(run, max(options.KNN, options.AdjacencyKNN), options.Threads, log); err != nil {
		return nil, err
	}
	for _, s := range sweep {
		var a *attempt
		if e.id != "" {
			a, err = c.given(run, e.id, "id")
		} else if options, err = s.options(e.Arguments); err == nil {
			a, err = c.attempt(run, options, log)
		}
		if err != nil {
			return nil, err
		}
		rows = append(rows, newRow(TableCell(filepath.Base(path)), row{Method: a.summary.Method,
			Model:   a.summary.Model,
			Setting: s.String(), Seconds: a.summary.Seconds["total"]}, a.Counts))
	}
	return rows, nil
}

// truthSet has the true classes of all files, and anObject if one has true objects.
type truthSet map[float64]bool

const anObject = -1

// add adds the true classes of a file.
func (l truthSet) add(t *truth) {
	for i, class := range t.class {
		if class > 0 {
			l[class] = true
		}
		if t.object != nil && t.object[i] > 0 {
			l[anObject] = true
		}
	}
}

// check fails if all points have the same class: there would be no boundaries, and
// every superpoint would be correct.
func (l truthSet) check() error {
	for class := range l {
		if len(l) == 1 {
			return fmt.Errorf(
				"all labelled points are of class %v, so there is nothing to compare; name another "+
					"dimension with --truth, or files with several classes", class)
		}
	}
	return nil
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

// newRow returns the row of a file with the method of another row, and counts.
func newRow(file string, of row, counts metrics.Counts) row {
	of.File = file
	of.Points = counts.Points
	of.Superpoints = counts.Segments
	of.Pieces = counts.Pieces
	of.Scores, of.counts = counts.Scores(), counts
	return of
}

// evalColumns are the columns of eval's table. A text table lacks BR by the paper's formula.
func evalColumns() []column[row] {
	all := []column[row]{
		text("file", func(r *row) string { return r.File }),
		text("method", func(r *row) string { return r.Method }),
		text("model", func(r *row) string { return r.Model }),
		text("setting", func(r *row) string { return r.Setting }),
		whole("points", func(r *row) int64 { return r.Points }),
		whole("superpoints", func(r *row) int64 { return r.Superpoints }),
		whole("pieces", func(r *row) int64 { return r.Pieces }),
	}
	for _, m := range metrics.Table() {
		label := m.Label + " %"
		if m.Name == metrics.BRPrinted {
			label = ""
		}
		all = append(all, share(m.Name, label, func(r *row) metrics.Ratio { return *m.Field(&r.Scores) }))
	}
	return append(all, number("seconds", 3, func(r *row) float64 { return r.Seconds }))
}

// FewestPoints is the number of true points below which a class is not in the mean, and userCode the first
// code of LAS that everybody may use as they like.
const FewestPoints, userCode, other = 100, 64, 1

// ClassRow has the scores of a class in all files together. That of all classes has the accuracy as recall
// and precision, and the mean IoU of classes with at least FewestPoints true points.
type ClassRow struct {
	Class     *int          `json:"class"` // nil for all
	Name      string        `json:"name"`
	Points    int64         `json:"points"`
	Predicted int64         `json:"predicted"`
	Recall    metrics.Ratio `json:"recall"`
	Precision metrics.Ratio `json:"precision"`
	IoU       metrics.Ratio `json:"iou"`
}

// classScores compares a dimension of predicted classes with the true ones. Points without a true class are
// left out. Without rules vegetation of all heights is one class, and true codes of users that are not
// predicted are class 1.
func (e *evaluation) classScores(files []string) ([]ClassRow, error) {
	of, count := e.Labels, map[[2]int]int64{} // by true and predicted class
	if of.Rules == nil {
		of.Rules = []Rule{{Match: "*", Merge: [][]int{classes.Vegetation()}}}
	}
	for i, path := range files {
		if RuleFor(of.Rules, path, of.Truth).Truth == e.predicted {
			return nil, fmt.Errorf(
				"option predicted: %s is also the dimension of true classes; name another one with --truth",
				e.predicted)
		}
		c, err := of.read(e.Host, path, func(*Rule) []string { return []string{e.predicted} })
		if err != nil {
			return nil, message.File(path, err)
		}
		predicted, err := labels(c.Columns, e.predicted, "predicted")
		if err != nil {
			return nil, message.File(path, err)
		}
		for k, class := range c.class {
			if class > 0 {
				count[[2]int{int(class), int(c.rule.label(predicted[k]))}]++
			}
		}
		e.Host.Progress("files", float64(i+1)/float64(len(files)))
	}
	if e.Rules != nil {
		return ScoreClasses(count), nil
	}
	rows := ScoreClasses(mergeUserCodes(count))
	for i := range rows {
		if class := rows[i].Class; class != nil && *class == classes.Vegetation()[0] {
			rows[i].Name = "vegetation"
		}
	}
	return rows, nil
}

// mergeUserCodes counts true codes of users that are never predicted as class 1.
func mergeUserCodes(count map[[2]int]int64) map[[2]int]int64 {
	predicted, merged := map[int]bool{}, map[[2]int]int64{}
	for pair := range count {
		predicted[pair[1]] = true
	}
	for pair, n := range count {
		if pair[0] >= userCode && !predicted[pair[0]] {
			pair[0] = other
		}
		merged[pair] += n
	}
	return merged
}

// ScoreClasses returns the scores of classes, and of all, from numbers of points by true and predicted class.
func ScoreClasses(count map[[2]int]int64) []ClassRow {
	truth, guess := map[int]int64{}, map[int]int64{}
	all := ClassRow{Name: "all"}
	right := int64(0)
	for pair, n := range count {
		truth[pair[0]], guess[pair[1]] = truth[pair[0]]+n, guess[pair[1]]+n
		all.Points += n
		if pair[0] == pair[1] {
			right += n
		}
	}
	codes := slices.Concat(slices.Collect(maps.Keys(truth)), slices.Collect(maps.Keys(guess)))
	slices.Sort(codes)
	ratio := func(part, of int64) metrics.Ratio { return metrics.Ratio(float64(part) / float64(of)) }
	var rows []ClassRow
	mean := 0
	for _, code := range slices.Compact(codes) {
		both := count[[2]int{code, code}]
		r := ClassRow{Class: &code, Name: classes.Name(code), Points: truth[code], Predicted: guess[code],
			Recall: ratio(both, truth[code]), Precision: ratio(both, guess[code]),
			IoU: ratio(both, truth[code]+guess[code]-both)}
		if rows = append(rows, r); r.Points >= FewestPoints {
			all.IoU += r.IoU
			mean++
		}
	}
	all.IoU /= metrics.Ratio(mean)
	all.Predicted = all.Points
	all.Recall = ratio(right, all.Points)
	all.Precision = ratio(right, all.Points)
	return append(rows, all)
}

// classColumns are the columns of the table of classes.
func classColumns() []column[ClassRow] {
	return []column[ClassRow]{
		text("class", func(r *ClassRow) string {
			if r.Class == nil {
				return ""
			}
			return strconv.Itoa(*r.Class)
		}),
		text("name", func(r *ClassRow) string { return r.Name }),
		whole("points", func(r *ClassRow) int64 { return r.Points }),
		whole("predicted", func(r *ClassRow) int64 { return r.Predicted }),
		share("recall", "recall %", func(r *ClassRow) metrics.Ratio { return r.Recall }),
		share("precision", "precision %", func(r *ClassRow) metrics.Ratio { return r.Precision }),
		share("iou", "IoU %", func(r *ClassRow) metrics.Ratio { return r.IoU }),
	}
}
