package main

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"superpoint/embed/atomicfile"
	"superpoint/partition/metrics"
)

// way is one of the two ways to compare methods.
type way string

const (
	byComponents way = "connected components"
	bySuperpoint way = "superpoints"
)

func ways() []way { return []way{byComponents, bySuperpoint} }

// asked returns the names of the ways in the column option of compare's results.
func asked(option string) (w way, ok bool) {
	w, ok = map[string]way{"": byComponents, "pieces": byComponents, "target_size": bySuperpoint}[option]
	return w, ok
}

// cell is the result of one system on one cloud for a wanted mean size of superpoints or components.
type cell struct {
	cloud, file, system string // file is "" in tables of cells, which are of complete clouds

	seed  int // of training; 0 if the system's name has none
	size  int
	asked way
	metrics.Counts
}

// counts are the columns that are kept.
func counts(c *metrics.Counts) (names []string, of []*int64) {
	return []string{"points", "segments", "pieces", "classified", "pure", "true_edges", "pred_edges", "true_found",
			"pred_confirmed"},
		[]*int64{&c.Points, &c.Segments, &c.Pieces, &c.Classified, &c.Pure, &c.TrueEdges, &c.Predicted, &c.TrueFound,
			&c.PredictedGood}
}

// unreached is the logarithm of the largest ratio of a number to the wanted one, as in package compare.
const unreached = 0.1

// reached reports whether a cell has about the wanted number of superpoints or components.
func (c *cell) reached(w way) bool {
	n := c.Segments
	if w == byComponents {
		n = c.Pieces
	}
	return math.Abs(math.Log(float64(n)*float64(c.size)/float64(c.Points))) <= unreached
}

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

// unseeded is the inverse of seeded.
func (c *cell) unseeded() string {
	name, options, more := strings.Cut(c.system, "+")
	if c.seed > 0 {
		name += "-" + strconv.Itoa(c.seed)
	}
	if more {
		name += "+" + options
	}
	return name
}

// given is a dimension of segments made elsewhere, as peers.py names them: system,
// setting and points a component, or points an id.
var given = regexp.MustCompile(`^id:(\w+?)_(ids_)?(\d+)$`)

// readCells reads a table of cells, or results of compare, which have more columns; a missing file is an
// empty table. The last row of a key counts.
func readCells(path string) ([]cell, error) {
	rows, err := readTable(path)
	if err != nil || len(rows) == 0 {
		return nil, err
	}
	at := map[string]int{}
	var all []cell
	for _, row := range rows[1:] {
		column := func(name string) string {
			if i := slices.Index(rows[0], name); i >= 0 {
				return row[i]
			}
			return ""
		}
		c, ok, err := parseCell(column)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		if !ok {
			continue
		}
		if i, twice := at[c.key()]; twice {
			all[i] = c
			continue
		}
		at[c.key()] = len(all)
		all = append(all, c)
	}
	return all, nil
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

// parseCell parses a row; ok is false for rows of errors and of λ̃.
func parseCell(column func(name string) string) (c cell, ok bool, err error) {
	system, size := column("system"), column("value")
	if m := given.FindStringSubmatch(system); m != nil {
		system, size, c.asked = m[1], m[3], byComponents
		if m[2] != "" {
			c.asked = bySuperpoint
		}
	} else if c.asked, ok = asked(column("option")); !ok {
		return c, false, nil
	}
	if column("error") != "" {
		return c, false, nil
	}
	c.cloud, c.file = column("set"), column("file")
	c.system, c.seed = seeded(system)
	if c.size, err = strconv.Atoi(size); err != nil {
		return c, false, err
	}
	names, of := counts(&c.Counts)
	for i, name := range names {
		if *of[i], err = strconv.ParseInt(column(name), 10, 64); err != nil {
			return c, false, fmt.Errorf("%s: %w", name, err)
		}
	}
	return c, true, nil
}

func (c *cell) key() string {
	return fmt.Sprint(c.cloud, "|", c.file, "|", c.system, "|", c.seed, "|", c.size, "|", c.asked)
}

// together adds the counts of the files of every cloud.
func together(all []cell) (clouds []cell) {
	at := map[string]int{}
	for _, c := range all {
		c.file = ""
		if i, there := at[c.key()]; there {
			clouds[i].Add(c.Counts)
			continue
		}
		at[c.key()] = len(clouds)
		clouds = append(clouds, c)
	}
	return clouds
}

// writeCells writes a table, sorted.
func writeCells(path string, all []cell) error {
	slices.SortStableFunc(all, func(a, b cell) int {
		return cmp.Or(cmp.Compare(a.cloud, b.cloud), cmp.Compare(a.system, b.system), cmp.Compare(a.seed, b.seed),
			cmp.Compare(a.size, b.size), cmp.Compare(a.asked, b.asked))
	})
	names, _ := counts(new(metrics.Counts))
	rows := [][]string{append([]string{"set", "system", "option", "value"}, names...)}
	for i := range all {
		c := &all[i]
		option := "pieces"
		if c.asked == bySuperpoint {
			option = "target_size"
		}
		row := []string{c.cloud, c.unseeded(), option, strconv.Itoa(c.size)}
		_, of := counts(&c.Counts)
		for _, n := range of {
			row = append(row, strconv.FormatInt(*n, 10))
		}
		rows = append(rows, row)
	}
	return writeTable(path, rows)
}

func writeTable(path string, rows [][]string) error {
	return atomicfile.Write(path, func(w io.Writer) error { return csv.NewWriter(w).WriteAll(rows) })
}

// keep writes the cells of compare's results to one table, in place of those of the same clouds and systems.
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
	return writeCells(path, renewed(kept, together(all)))
}

// renewed returns cells with those of the same clouds and systems replaced.
func renewed(kept, fresh []cell) []cell {
	type run struct{ cloud, system string }
	measured := map[run]bool{}
	for i := range fresh {
		measured[run{fresh[i].cloud, fresh[i].system}] = true
	}
	return append(with(kept, func(c *cell) bool { return !measured[run{c.cloud, c.system}] }), fresh...)
}

// load reads committed cells by the names of their tables.
func load(folder string, names ...string) (all []cell, err error) {
	for _, name := range names {
		some, err := readCells(filepath.Join(folder, "cells", name+".csv"))
		if err != nil {
			return nil, err
		}
		all = append(all, some...)
	}
	return all, nil
}

// with returns the cells for which test is true.
func with(all []cell, test func(c *cell) bool) (some []cell) {
	for i := range all {
		if test(&all[i]) {
			some = append(some, all[i])
		}
	}
	return some
}

// distinct returns the values of a property of cells, in order.
func distinct[T string | int](all []cell, of func(c *cell) T) (values []T) {
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

func (c *cell) ofCloud() string  { return c.cloud }
func (c *cell) ofSystem() string { return c.system }
func (c *cell) ofSeed() int      { return c.seed }
func (c *cell) ofSize() int      { return c.size }
