// SPDX-License-Identifier: BSD-3-Clause

package compare

import (
	"encoding/csv"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"strings"
	"text/tabwriter"

	"superpoint/partition/metrics"
	"superpoint/pipelines/commands/command"
)

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
