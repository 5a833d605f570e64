// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"cmp"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"maps"
	"math"
	"os"
	"path"
	"slices"
	"strconv"
	"strings"

	"superpoint/partition/metrics"
	"superpoint/pipelines/commands/compare"
	"superpoint/pipelines/files/atomicfile"
)

// row is what was measured of one system on one cloud: for a wanted mean size, or of classes.
type row struct {
	set, cloud string
	trained    string             // the system with the seed of its training
	system     string             // without it
	seed       int                // 0: none
	size       float64            // wanted mean points; 0 for classes
	asked      string             // what was to have that size: compare.ByPieces or BySize
	of         map[string]float64 // figures by their names
	metrics.Counts
}

// rowOf returns the row of a cell.
func rowOf(set string, c *cell) row {
	r := row{set: set, cloud: c.Set, trained: c.System, size: c.Value, asked: c.Option, Counts: c.Counts}
	r.system, r.seed = seeded(c.System)
	s := c.Scores() // F is computed from BR as coded
	r.of = map[string]float64{"OOA": s.OOA.Known(), "F": s.F().Known(), "BR": s.BRAsCoded.Known(),
		"BP": s.BP.Known()}
	return r
}

// seeded splits the seed of a training from a system's name:
// ssp:paper-seal-2 was trained with seed 2, ssp-cluster:m-1+x=3 with seed 1.
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

func cloudOf(r *row) string   { return r.cloud }
func systemOf(r *row) string  { return r.system }
func trainedOf(r *row) string { return r.trained }
func seedOf(r *row) int       { return r.seed }
func sizeOf(r *row) float64   { return r.size }

// placeOf returns cloud and size.
func placeOf(r *row) string { return fmt.Sprint(r.cloud, "|", r.size) }

// Systems of `superpoint compare`, and of classes.
const (
	ours = "ssp"
	own  = "superpoints"
	smrf = "SMRF"
)

func isOurs(r *row) bool  { return r.system == ours }
func isRival(r *row) bool { return !isOurs(r) }

// is reports whether a pattern is of the system, with or without a seed.
func (r *row) is(pattern string) bool {
	return matches(pattern, r.system) || matches(pattern, r.trained)
}

func matches(pattern, name string) bool {
	ok, err := path.Match(pattern, name)
	return ok && err == nil
}

// groups are the rows by a key, in the order of the keys.
func groups[T any, K cmp.Ordered](all []T, key func(r *T) K) iter.Seq2[K, []T] {
	by := map[K][]T{}
	for i := range all {
		k := key(&all[i])
		by[k] = append(by[k], all[i])
	}
	return func(yield func(K, []T) bool) {
		for _, k := range slices.Sorted(maps.Keys(by)) {
			if !yield(k, by[k]) {
				return
			}
		}
	}
}

// distinct returns the values of a key, in order.
func distinct[T any, K cmp.Ordered](all []T, key func(r *T) K) (values []K) {
	for k := range groups(all, key) {
		values = append(values, k)
	}
	return values
}

// shared returns the rows at the places where every one of some systems has one, and the places.
func shared(all []row, place func(r *row) string, systems []string) (some []row, places []string) {
	for at, here := range groups(all, place) {
		if !slices.ContainsFunc(systems, func(s string) bool {
			return !slices.ContainsFunc(here, func(r row) bool { return r.is(s) })
		}) {
			some, places = append(some, here...), append(places, at)
		}
	}
	return some, places
}

// highest returns the row with the highest value of a figure; nil if there is none.
func highest(some []row, figure string) (best *row) {
	for i := range some {
		if best == nil || some[i].of[figure] > best.of[figure] {
			best = &some[i]
		}
	}
	return best
}

// unreached is the logarithm of the largest ratio of a number to the wanted one. Some wanted numbers
// cannot be reached: there are at least as many components as parts of the 5-nn graph.
const unreached = 0.1

// reached reports whether a row has about the wanted number of superpoints or of their connected components.
func (r *row) reached(way string) bool {
	n := r.Segments
	if way == compare.ByPieces {
		n = r.Pieces
	}
	return math.Abs(math.Log(float64(n)*r.size/float64(r.Points))) <= unreached
}

// reaching returns the rows that are comparable in one of the two ways: at equal numbers of connected
// components on the graph that all are measured on, because superpoints that fall apart there have more
// borders than their number says, or at equal numbers of superpoints. Of a system at a place it is the row
// that was asked for this number, else one that was asked for the other.
func reaching(all []row, way string) (some []row) {
	at := map[string]int{}
	for _, r := range compare.Select(all, func(r *row) bool { return r.reached(way) }) {
		key := placeOf(&r) + r.trained
		i, known := at[key]
		switch {
		case !known:
			at[key] = len(some)
			some = append(some, r)
		case r.asked == way:
			some[i] = r
		}
	}
	return some
}

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
	return compare.Select(all, func(c *cell) bool {
		c.Option = cmp.Or(c.Option, compare.ByPieces)
		return c.Option == compare.ByPieces || c.Option == compare.BySize
	}), nil
}

// readTable reads a table with a head: lines by the names of columns, whose values are numbers where they
// can.
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
		return cmp.Or(cmp.Compare(a.Set, b.Set), cmp.Compare(a.System, b.System),
			cmp.Compare(a.Value, b.Value),
			cmp.Compare(a.Option, b.Option))
	})
	return atomicfile.Write(path, func(w io.Writer) error {
		return compare.WriteResults(w, all, "set", "system", "option", "value", "points", "segments",
			"pieces", "classified",
			"pure", "true_edges", "pred_edges", "true_found", "pred_confirmed")
	})
}

// keep writes the cells of compare's results to one table; they replace cells of the same clouds and systems.
// All files of a set are added up.
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
	others := compare.Select(kept, func(r *T) bool { return !slices.Contains(measured, key(r)) })
	return append(others, fresh...)
}
