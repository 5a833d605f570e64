package compare

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"

	"superpoint/embed/atomicfile"
	"superpoint/partition/metrics"
)

// Result is one system at one setting on one file.
type Result struct {
	Set, File     string
	System, Model string // the model with the digits of its hash
	Option        string // byStrength, bySize, byPieces or given
	Value         float64
	Counts        metrics.Counts
	Seconds       float64 // without what the systems share: neighbours, and embeddings after the first use
	BytesPerPoint float64 // growth of the heap while it ran
	Error         string
}

func (r *Result) key() string {
	return fmt.Sprint(r.Set, "|", r.File, "|", r.System, "|", r.Option, "=", strconv.FormatFloat(r.Value, 'g', -1, 64))
}

// columns of results.csv. The last ones are counts, so that files can be added.
func columns() []string {
	return slices.Concat([]string{"set", "file", "system", "model", "option", "value", "segments", "mean_size"},
		metrics.Names(),
		[]string{"seconds", "bytes_per_point", "error", "points", "pieces", "classified", "pure", "in_object", "overlap",
			"objects",
			"true_edges", "pred_edges", "true_found", "pred_confirmed"})
}

func (r *Result) record() []string {
	number := func(x float64, digits int) string {
		if math.IsNaN(x) {
			return ""
		}
		return strconv.FormatFloat(x, 'f', digits, 64)
	}
	c := &r.Counts
	mean := float64(c.Points) / float64(max(c.Segments, 1))
	cells := slices.Concat([]string{r.Set, r.File, r.System, r.Model, r.Option, strconv.FormatFloat(r.Value, 'g', -1, 64),
		strconv.FormatInt(c.Segments, 10), number(mean, 2)},
		c.Scores().Cells(func(v metrics.Ratio) string { return number(float64(v), 6) }),
		[]string{number(r.Seconds, 3), number(r.BytesPerPoint, 0), strings.Join(strings.Fields(r.Error), " ")})
	for _, n := range counts(c) {
		cells = append(cells, strconv.FormatInt(*n, 10))
	}
	return cells
}

// counts returns the counts in the order of the last columns.
func counts(c *metrics.Counts) []*int64 {
	return []*int64{&c.Points, &c.Pieces, &c.Classified, &c.Pure, &c.InObject, &c.Overlap, &c.Objects, &c.TrueEdges,
		&c.Predicted, &c.TrueFound, &c.PredictedGood}
}

// table is results.csv. It is read when a comparison continues; each result is appended.
type table struct {
	results []Result
	done    map[string]string // model of each existing result, by key
	file    *os.File
	out     *csv.Writer
}

func openTable(to *atomicfile.Output) (*table, error) {
	t, path := &table{done: map[string]string{}}, to.Path()
	old, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, os.ErrNotExist) {
		return nil, err
	}
	if t.results, err = readResults(strings.NewReader(string(old))); err != nil {
		return nil, fmt.Errorf("%s: %w; remove it to start again", path, err)
	}
	for i := range t.results {
		t.done[t.results[i].key()] = t.results[i].Model
	}
	if err := to.Write(t.write); err != nil {
		return nil, err
	}
	if t.file, err = os.OpenFile(path, os.O_WRONLY|os.O_APPEND, 0); err != nil {
		return nil, err
	}
	t.out = csv.NewWriter(t.file)
	return t, nil
}

// write writes all results.
func (t *table) write(w io.Writer) error {
	out := csv.NewWriter(w)
	_ = out.Write(columns())
	for i := range t.results {
		_ = out.Write(t.results[i].record())
	}
	out.Flush()
	return out.Error()
}

// readResults reads the successful results, without a truncated last line; failed ones run again.
func readResults(in io.Reader) ([]Result, error) {
	r := csv.NewReader(in)
	r.FieldsPerRecord = -1
	var all []Result
	for line := 0; ; line++ {
		cells, err := r.Read()
		if errors.Is(err, io.EOF) {
			return all, nil
		}
		if err != nil || len(cells) != len(columns()) {
			if line == 0 {
				return nil, errors.New("not a table of compare")
			}
			return all, nil
		}
		if line == 0 {
			if strings.Join(cells, ",") != strings.Join(columns(), ",") {
				return nil, errors.New("a table of another version")
			}
			continue
		}
		if result, ok := parse(cells); ok {
			all = slices.DeleteFunc(all, func(old Result) bool { return old.key() == result.key() }) // of an older model
			all = append(all, result)
		}
	}
}

func parse(cells []string) (r Result, ok bool) {
	float := func(i int) float64 {
		x, err := strconv.ParseFloat(cells[i], 64)
		if err != nil {
			return 0
		}
		return x
	}
	behind := slices.Index(columns(), "seconds") // the metrics, which follow from the counts
	r = Result{Set: cells[0], File: cells[1], System: cells[2], Model: cells[3], Option: cells[4], Value: float(5),
		Seconds: float(behind), BytesPerPoint: float(behind + 1), Error: cells[behind+2]}
	r.Counts.Segments = int64(float(6))
	for k, n := range counts(&r.Counts) {
		*n = int64(float(behind + 3 + k))
	}
	return r, r.Error == "" && r.Counts.Points > 0
}

func (t *table) has(key, model string) bool {
	was, ok := t.done[key]
	return ok && was == model
}

func (t *table) add(r Result) error {
	t.results = append(slices.DeleteFunc(t.results, func(old Result) bool { return old.key() == r.key() }), r)
	t.done[r.key()] = r.Model
	_ = t.out.Write(r.record())
	t.out.Flush()
	return t.out.Error()
}

func (t *table) close() { t.file.Close() }
