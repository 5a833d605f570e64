// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"superpoint/pipelines/commands/compare"
	"superpoint/pipelines/files/atomicfile"
)

// cell is the result of one system on one cloud for a wanted mean size of superpoints or components. The file
// is "" in tables of cells, which are of complete clouds.
type cell = compare.Result

// seeded splits the seed of a training from a system's name:
// ssp:paper-seal-2 is that of seed 2, ssp-cluster:m-1+x=3 that of seed 1.
func seeded(name string) (system string, seed int) {
	head, options, more := strings.Cut(name, "+")
	at := strings.LastIndexByte(head, '-')
	seed, err := strconv.Atoi(head[at+1:])
	if at < 0 || err != nil {
		return name, 0
	}
	if more {
		options = "+" + options
	}
	return head[:at] + options, seed
}

// readCells reads a table of cells, or results of compare; a missing file is an empty table.
func readCells(path string) ([]cell, error) {
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	all, _, err := compare.ReadResults(bytes.NewReader(text))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	for i := range all {
		all[i].Option = cmp.Or(all[i].Option, compare.ByPieces)
	}
	return with(all, func(c *cell) bool { return slices.Contains(ways(), c.Option) }), nil
}

func readTable(path string) ([][]string, error) {
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	rows, err := csv.NewReader(bytes.NewReader(text)).ReadAll()
	if err != nil || len(rows) == 0 {
		return nil, fmt.Errorf("%s: not a table: %w", path, err)
	}
	return rows, nil
}

// writeCells writes a table, sorted.
func writeCells(path string, all []cell) error {
	slices.SortStableFunc(all, func(a, b cell) int {
		return cmp.Or(cmp.Compare(a.Set, b.Set), cmp.Compare(a.System, b.System), cmp.Compare(a.Value, b.Value),
			cmp.Compare(a.Option, b.Option))
	})
	rows := [][]string{{"set", "system", "option", "value", "points", "segments", "pieces", "classified", "pure",
		"true_edges", "pred_edges", "true_found", "pred_confirmed"}}
	for i := range all {
		c := &all[i]
		row := []string{c.Set, c.System, c.Option, fmt.Sprint(c.Value)}
		for _, n := range []int64{c.Points, c.Segments, c.Pieces, c.Classified, c.Pure, c.TrueEdges, c.Predicted,
			c.TrueFound, c.PredictedGood} {
			row = append(row, strconv.FormatInt(n, 10))
		}
		rows = append(rows, row)
	}
	return writeTable(path, rows)
}

func writeTable(path string, rows [][]string) error {
	return atomicfile.Write(path, func(w io.Writer) error { return csv.NewWriter(w).WriteAll(rows) })
}

// together returns the cells of compare's results, of all files of a set added up.
func together(results []string) (all []cell, err error) {
	for _, file := range results {
		some, err := readCells(file)
		if err != nil {
			return nil, err
		}
		all = append(all, some...)
	}
	if len(all) == 0 {
		return nil, fmt.Errorf("no cells in %s", strings.Join(results, ", "))
	}
	return compare.Together(all), nil
}

// keep writes the cells of compare's results to one table, in place of those of the same clouds and systems.
func keep(path string, results []string) error {
	all, err := together(results)
	if err != nil {
		return err
	}
	kept, err := readCells(path)
	if err != nil {
		return err
	}
	return writeCells(path, renewed(kept, all))
}

// summary writes the summary of compare for results that are parts of the same sets.
func summary(w io.Writer, results []string) error {
	all, err := together(results)
	if err != nil {
		return err
	}
	return compare.Summary(w, all, distinct(all, cloudOf), distinct(all, sizeOf))
}

// renewed returns cells with those of the same clouds and systems replaced.
func renewed(kept, fresh []cell) []cell {
	type run struct{ cloud, system string }
	measured := map[run]bool{}
	for i := range fresh {
		measured[run{fresh[i].Set, fresh[i].System}] = true
	}
	return append(with(kept, func(c *cell) bool { return !measured[run{c.Set, c.System}] }), fresh...)
}

// load reads committed cells by the names of their tables, without those of clouds that training had.
func load(folder string, names ...string) (all []cell, err error) {
	for _, name := range names {
		some, err := readCells(filepath.Join(folder, "cells", name+".csv"))
		if err != nil {
			return nil, err
		}
		all = append(all, some...)
	}
	return with(all, func(c *cell) bool { return !learned(c.Set) }), nil
}

// with returns the cells for which test is true.
func with(all []cell, test func(c *cell) bool) []cell { return compare.Select(all, test) }

// distinct returns the values of a property of cells, in order.
func distinct[T string | int | float64](all []cell, of func(c *cell) T) (values []T) {
	seen := map[T]bool{}
	for i := range all {
		if v := of(&all[i]); !seen[v] {
			seen[v] = true
			values = append(values, v)
		}
	}
	slices.Sort(values)
	return values
}

func cloudOf(c *cell) string  { return c.Set }
func systemOf(c *cell) string { system, _ := seeded(c.System); return system }
func seedOf(c *cell) int      { _, seed := seeded(c.System); return seed }
func sizeOf(c *cell) float64  { return c.Value }
