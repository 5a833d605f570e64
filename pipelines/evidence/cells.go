// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"cmp"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"slices"
	"strconv"
	"strings"

	"superpoint/pipelines/commands/compare"
	"superpoint/pipelines/files/atomicfile"
)

// cell is the result of one system on one cloud for a wanted mean size of superpoints or components. The file
// is "" in tables of cells, which are of complete clouds.
type cell = compare.Result

// readCells reads a table of cells, or results of compare; a missing file is an empty table.
func readCells(path string) ([]cell, error) {
	in, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer in.Close()
	all, _, err := compare.ReadResults(in)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return with(all, func(c *cell) bool {
		c.Option = cmp.Or(c.Option, compare.ByPieces)
		return c.Option == compare.ByPieces || c.Option == compare.BySize
	}), nil
}

// readTable reads a table with a head: lines by the names of columns, whose values are numbers where they can.
func readTable(path string) (lines []map[string]any, err error) {
	in, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer in.Close()
	rows, err := csv.NewReader(in).ReadAll()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	for _, row := range rows[1:] {
		line := map[string]any{}
		for k, name := range rows[0] {
			line[name] = row[k]
			if x, err := strconv.ParseFloat(row[k], 64); err == nil {
				line[name] = x
			}
		}
		lines = append(lines, line)
	}
	return lines, nil
}

// writeCells writes a table, sorted.
func writeCells(path string, all []cell) error {
	slices.SortStableFunc(all, func(a, b cell) int {
		return cmp.Or(cmp.Compare(a.Set, b.Set), cmp.Compare(a.System, b.System), cmp.Compare(a.Value, b.Value),
			cmp.Compare(a.Option, b.Option))
	})
	return atomicfile.Write(path, func(w io.Writer) error {
		return compare.WriteResults(w, all, "set", "system", "option", "value", "points", "segments", "pieces", "classified",
			"pure", "true_edges", "pred_edges", "true_found", "pred_confirmed")
	})
}

// keep writes the cells of compare's results to one table, in place of those of the same clouds and systems. All files
// of a set are added up.
func keep(path string, results []string) error {
	var all []cell
	for _, file := range results {
		some, err := readCells(file)
		if err != nil {
			return err
		}
		all = append(all, some...)
	}
	if len(all) == 0 {
		return fmt.Errorf("no cells in %s", strings.Join(results, ", "))
	}
	kept, err := readCells(path)
	if err != nil {
		return err
	}
	fresh := compare.Together(all)
	return writeCells(path, renewed(kept, fresh, func(c *cell) string { return c.Set + "|" + c.System }))
}

// renewed returns what is kept, with what is fresh in place of all that has one of its keys.
func renewed[T any](kept, fresh []T, key func(r *T) string) []T {
	measured := distinct(fresh, key)
	return append(with(kept, func(r *T) bool { return !slices.Contains(measured, key(r)) }), fresh...)
}
