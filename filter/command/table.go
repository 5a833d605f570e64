package command

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"

	"superpoint/partition/metrics"
)

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

func (r *row) cells(share func(metrics.Ratio) string) []string {
	whole := func(n int64) string { return strconv.FormatInt(n, 10) }
	return slices.Concat([]string{r.File, r.Method, r.Model, r.Setting, whole(r.Points), whole(r.Superpoints),
		whole(r.Pieces)},
		r.Cells(share), []string{strconv.FormatFloat(r.Seconds, 'f', 3, 64)})
}

// write writes rows as a text table (in %), CSV or JSON (in shares).
func write(w io.Writer, format string, rows []row) error {
	switch format {
	case formatJSON:
		e := json.NewEncoder(w)
		e.SetIndent("", "  ")
		return e.Encode(rows)
	case formatCSV:
		c := csv.NewWriter(w)
		_ = c.Write(header(metrics.Names()))
		for i := range rows {
			_ = c.Write(rows[i].cells(func(r metrics.Ratio) string {
				if math.IsNaN(float64(r)) {
					return ""
				}
				return strconv.FormatFloat(float64(r), 'f', 6, 64)
			}))
		}
		c.Flush()
		return c.Error()
	}
	t := tabwriter.NewWriter(w, 2, 8, 2, ' ', 0)
	labels := metrics.Labels()
	for i := range labels {
		labels[i] += " %"
	}
	fmt.Fprintln(t, strings.Join(header(labels), "\t"))
	for i := range rows {
		fmt.Fprintln(t, strings.Join(rows[i].cells(percent), "\t"))
	}
	return t.Flush()
}

func percent(r metrics.Ratio) string {
	if math.IsNaN(float64(r)) {
		return "–"
	}
	return strconv.FormatFloat(100*float64(r), 'f', 1, 64)
}
