// SPDX-License-Identifier: BSD-3-Clause

package compare

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"superpoint/partition/metrics"
	"superpoint/pipelines/commands/command"
	"superpoint/pipelines/files/atomicfile"
)

// Result is one system at one setting on one file.
type Result struct {
	Set, File     string
	System, Model string // the model with the digits of its hash
	Option        string // BySize, ByPieces or given
	Value         float64
	metrics.Counts
	Seconds float64 // without what the systems share: neighbours, and embeddings after the first use
	Error   string
}

func (r *Result) key() string {
	return fmt.Sprint(r.Set, "|", r.File, "|", r.System, "|", r.Option, "=", r.value())
}

// columns of results.csv. The last ones are counts, so that files can be added.
func columns() []column[Result] {
	all := []column[Result]{
		text("set", func(r *Result) string { return r.Set }),
		text("file", func(r *Result) string { return r.File }),
		text("system", func(r *Result) string { return r.System }),
		text("model", func(r *Result) string { return r.Model }),
		text("option", func(r *Result) string { return r.Option }),
		text("value", (*Result).value),
		whole("segments", func(r *Result) int64 { return r.Segments }),
		number("mean_size", 2, (*Result).meanSize),
	}
	for _, m := range metrics.Table() {
		all = append(all, share(m.Name, m.Label, func(r *Result) metrics.Ratio {
			s := r.Scores()
			return *m.Field(&s)
		}))
	}
	all = append(all, number("seconds", 3, func(r *Result) float64 { return r.Seconds }))
	all = append(all, text("error", (*Result).errorLine))
	names, _ := counts(new(metrics.Counts))
	for k, name := range names {
		all = append(all, whole(name, func(r *Result) int64 {
			_, values := counts(&r.Counts)
			return *values[k]
		}))
	}
	return all
}

// value returns the value of the option as text.
func (r *Result) value() string { return strconv.FormatFloat(r.Value, 'g', -1, 64) }

// meanSize returns the mean number of points of a segment.
func (r *Result) meanSize() float64 { return float64(r.Points) / float64(max(r.Segments, 1)) }

// errorLine returns the error in one line.
func (r *Result) errorLine() string { return strings.Join(strings.Fields(r.Error), " ") }

// WriteResults writes the columns of results.csv with some names, in this order; without names all.
func WriteResults(w io.Writer, all []Result, names ...string) error {
	some := columns()
	if names != nil {
		some = make([]column[Result], len(names))
	}
	for i, name := range names {
		some[i] = columns()[slices.IndexFunc(columns(),
			func(c column[Result]) bool { return c.name == name })]
	}
	return write(w, command.FormatCSV, all, some)
}

// counts returns the last columns.
func counts(c *metrics.Counts) (names []string, values []*int64) {
	return []string{"points", "pieces", "classified", "pure", "in_object", "overlap", "objects", "true_edges",
			"pred_edges", "true_found", "pred_confirmed"},
		[]*int64{&c.Points, &c.Pieces, &c.Classified, &c.Pure, &c.InObject, &c.Overlap, &c.Objects,
			&c.TrueEdges,
			&c.Predicted, &c.TrueFound, &c.PredictedGood}
}

// table is results.csv. It is read when a comparison continues, and written after each result.
type table struct {
	results []Result
	done    map[string]string // model of each existing result, by key
	to      *atomicfile.Output
}

func newTable(to *atomicfile.Output) *table { return &table{done: map[string]string{}, to: to} }

// read reads the results that are there.
func (t *table) read() error {
	path := t.to.Path()
	old, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return err
	}
	var head []string
	t.results, head, err = ReadResults(bytes.NewReader(old))
	if err == nil && head != nil && !slices.EqualFunc(head, columns(),
		func(name string, c column[Result]) bool {
			return name == c.name
		}) {
		err = errors.New("a table of another version")
	}
	if err != nil {
		return fmt.Errorf("%s: %w; add --force to start again", path, err)
	}
	for i := range t.results {
		t.done[t.results[i].key()] = t.results[i].Model
	}
	return nil
}

// hasResults reports whether something was measured.
func (t *table) hasResults() bool {
	return slices.ContainsFunc(t.results, func(r Result) bool { return r.Error == "" })
}

// write writes all results.
func (t *table) write(w io.Writer) error { return WriteResults(w, t.results) }

// ReadResults reads the successful results of a table that has all or some columns of results.csv, without a
// truncated last line; failed ones run again. Of a key the last result counts.
func ReadResults(in io.Reader) (all []Result, head []string, err error) {
	r := csv.NewReader(in)
	if head, err = r.Read(); errors.Is(err, io.EOF) {
		return nil, nil, nil
	}
	if err != nil || !slices.Contains(head, "system") {
		return nil, nil, errors.New("not a table of compare")
	}
	at := map[string]int{}
	for {
		cells, err := r.Read()
		if err != nil { // the end, or a truncated line
			return all, head, nil
		}
		result, ok := parse(head, cells)
		i, known := at[result.key()]
		switch {
		case !ok:
		case known: // of an older model
			all[i] = result
		default:
			at[result.key()] = len(all)
			all = append(all, result)
		}
	}
}

func parse(head, cells []string) (r Result, ok bool) {
	cell := map[string]string{}
	for i, name := range head {
		cell[name] = cells[i]
	}
	float := func(name string) float64 {
		x, err := strconv.ParseFloat(cell[name], 64)
		if err != nil {
			return 0
		}
		return x
	}
	r = Result{Set: cell["set"], File: cell["file"], System: cell["system"], Model: cell["model"],
		Option: cell["option"],
		Value:  float("value"), Seconds: float("seconds"), Error: cell["error"]}
	r.Segments = int64(float("segments"))
	names, values := counts(&r.Counts)
	for k, n := range values {
		*n = int64(float(names[k]))
	}
	return r, r.Error == "" && r.Points > 0
}

func (t *table) has(key, model string) bool {
	was, ok := t.done[key]
	return ok && was == model
}

func (t *table) add(r Result) {
	t.results = append(slices.DeleteFunc(t.results, func(old Result) bool { return old.key() == r.key() }), r)
	t.done[r.key()] = r.Model
}

// column is one of a table: its name in CSV, and in a text table, which lacks it if that is "".
type column[T any] struct {
	name, label string
	cell        func(r *T, show func(metrics.Ratio) string) string
}

func text[T any](name string, of func(r *T) string) column[T] {
	return column[T]{name, name, func(r *T, _ func(metrics.Ratio) string) string { return of(r) }}
}

func whole[T any](name string, of func(r *T) int64) column[T] {
	return text(name, func(r *T) string { return strconv.FormatInt(of(r), 10) })
}

func number[T any](name string, digits int, of func(r *T) float64) column[T] {
	return text(name, func(r *T) string { return strconv.FormatFloat(of(r), 'f', digits, 64) })
}

func share[T any](name, label string, of func(r *T) metrics.Ratio) column[T] {
	return column[T]{name, label, func(r *T, show func(metrics.Ratio) string) string { return show(of(r)) }}
}

// write writes rows as a text table (in %), CSV or JSON (in shares).
func write[T any](w io.Writer, format string, rows []T, columns []column[T]) error {
	if format == command.FormatJSON {
		e := json.NewEncoder(w)
		e.SetIndent("", "  ")
		return e.Encode(rows)
	}
	lines, show := make([][]string, len(rows)+1), metrics.Ratio.Percent
	if format == command.FormatCSV {
		show = metrics.Ratio.Digits
	}
	for _, c := range columns {
		head := c.label
		if format == command.FormatCSV {
			head = c.name
		} else if head == "" {
			continue
		}
		lines[0] = append(lines[0], head)
		for i := range rows {
			lines[i+1] = append(lines[i+1], c.cell(&rows[i], show))
		}
	}
	if format == command.FormatCSV {
		return csv.NewWriter(w).WriteAll(lines)
	}
	t := tabwriter.NewWriter(w, 2, 8, 2, ' ', 0)
	for _, line := range lines {
		fmt.Fprintln(t, strings.Join(line, "\t"))
	}
	return t.Flush()
}

// Measure is a metric in the figure.
type Measure struct {
	Name string
	Of   func(s metrics.Scores) metrics.Ratio
}

// Select returns the results for which test is true.
func Select[T any](all []T, test func(r *T) bool) (some []T) {
	for i := range all {
		if test(&all[i]) {
			some = append(some, all[i])
		}
	}
	return some
}

// Together adds the counts of the files of every data set.
func Together(all []Result) (sets []Result) {
	at := map[string]int{}
	for _, r := range all {
		r.File = ""
		i, known := at[r.key()]
		if !known {
			at[r.key()] = len(sets)
			sets = append(sets, r)
			continue
		}
		s := &sets[i]
		s.Counts.Add(r.Counts)
		s.Seconds += r.Seconds
	}
	return sets
}

// complete adds the files of every data set up, without settings that failed on one of them, in the order of
// the data sets, the systems and the numbers of superpoints.
func complete(results []Result, sets, systems []string) []Result {
	files, good := map[[2]string]bool{}, map[string]int{}
	setting := func(r Result) string { r.File = ""; return r.key() }
	count := map[string]int{}
	for _, r := range results {
		if one := [2]string{r.Set, r.File}; !files[one] {
			files[one] = true
			count[r.Set]++
		}
		if r.Error == "" {
			good[setting(r)]++
		}
	}
	all := Together(Select(results, func(r *Result) bool {
		return r.Error == "" &&
			good[setting(*r)] == count[r.Set]
	}))
	all = slices.DeleteFunc(all, func(r Result) bool {
		return !slices.Contains(sets, r.Set) || !slices.Contains(systems, r.System)
	})
	slices.SortStableFunc(all, func(a, b Result) int {
		return cmp.Or(cmp.Compare(slices.Index(sets, a.Set), slices.Index(sets, b.Set)),
			cmp.Compare(slices.Index(systems, a.System), slices.Index(systems, b.System)),
			cmp.Compare(a.Segments, b.Segments))
	})
	return all
}

// TableCell returns a name for a cell of a table. Names of files and data sets are untrusted, and
// spreadsheets take text that begins with one of =+-@, a tab or a carriage return for a formula: such a name
// has ./ before it, and is else as it is.
func TableCell(name string) string {
	if name != "" && strings.ContainsRune("=+-@\t\r", rune(name[0])) {
		return "./" + name
	}
	return name
}
