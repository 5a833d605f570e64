package main

import (
	"bytes"
	"cmp"
	"encoding/csv"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"superpoint/partition/metrics"
)

// cell is one system on one cloud, asked for pieces of a mean size.
type cell struct {
	set, file, system string // file is "" in a table of cells, which are of whole sets

	seed int // 0 if the system's name has none
	size int
	metrics.Counts
}

// counts are the columns that are kept.
func counts(c *metrics.Counts) (names []string, of []*int64) {
	return []string{"points", "segments", "pieces", "classified", "pure", "true_edges", "pred_edges", "true_found",
			"pred_confirmed"},
		[]*int64{&c.Points, &c.Segments, &c.Pieces, &c.Classified, &c.Pure, &c.TrueEdges, &c.Predicted, &c.TrueFound,
			&c.PredictedGood}
}

// unreached is the logarithm of the factor by which pieces may miss the wanted
// number: package compare's.
const unreached = 0.1

func (c *cell) reached() bool {
	return math.Abs(math.Log(float64(c.Pieces)*float64(c.size)/float64(c.Points))) <= unreached
}

// seeded splits the number of a training's seed from a system's name:
// ssp:paper-seal-2 is that of seed 2, ssp-cluster:m-1+x=3 that of seed 1.
func seeded(name string) (system string, seed int) {
	head, options, _ := strings.Cut(name, "+")
	at := strings.LastIndexByte(head, '-')
	seed, err := strconv.Atoi(head[at+1:])
	if at < 0 || err != nil {
		return name, 0
	}
	if options != "" {
		options = "+" + options
	}
	return head[:at] + options, seed
}

// given is a dimension of segments made elsewhere, as PEERS.md names them: system,
// setting and points a piece.
var given = regexp.MustCompile(`^id:(\w+)_(\d+)$`)

// readCells reads a table of cells, or results of compare, which have more columns.
func readCells(path string) ([]cell, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	rows, err := csv.NewReader(bytes.NewReader(text)).ReadAll()
	if err != nil || len(rows) == 0 {
		return nil, fmt.Errorf("%s: not a table: %w", path, err)
	}
	column := func(row []string, name string) string {
		if at := slices.Index(rows[0], name); at >= 0 {
			return row[at]
		}
		return ""
	}
	var all []cell
	for _, row := range rows[1:] {
		system, size := column(row, "system"), column(row, "value")
		if m := given.FindStringSubmatch(system); m != nil {
			system, size = m[1], m[2]
		} else if option := column(row, "option"); option != "" && option != "pieces" {
			continue
		}
		if column(row, "error") != "" {
			continue
		}
		c := cell{set: column(row, "set"), file: column(row, "file")}
		c.system, c.seed = seeded(system)
		if c.size, err = strconv.Atoi(size); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		names, of := counts(&c.Counts)
		for i, name := range names {
			if *of[i], err = strconv.ParseInt(column(row, name), 10, 64); err != nil {
				return nil, fmt.Errorf("%s: %s: %w", path, name, err)
			}
		}
		all = slices.DeleteFunc(all, func(old cell) bool { return old.key() == c.key() }) // of an older model
		all = append(all, c)
	}
	return all, nil
}

func (c *cell) key() string {
	return fmt.Sprint(c.set, "|", c.file, "|", c.system, "|", c.seed, "|", c.size)
}

// load reads the tables of those names, those that are there.
func load(folder string, names ...string) (all []cell, err error) {
	for _, name := range names {
		some, err := readCells(filepath.Join(folder, name+".csv"))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		all = append(all, some...)
	}
	return all, nil
}

// whole adds the files of every set up.
func whole(all []cell) (sets []cell) {
	for _, c := range all {
		c.file = ""
		at := slices.IndexFunc(sets, func(s cell) bool { return s.key() == c.key() })
		if at < 0 {
			sets = append(sets, c)
			continue
		}
		sets[at].Add(c.Counts)
	}
	return sets
}

// keep writes the cells of results as one table.
func keep(path string, results []string) error {
	var all []cell
	for _, file := range results {
		some, err := readCells(file)
		if err != nil {
			return err
		}
		all = append(all, some...)
	}
	all = whole(all)
	slices.SortStableFunc(all, func(a, b cell) int {
		return cmp.Or(cmp.Compare(a.set, b.set), cmp.Compare(a.system, b.system), cmp.Compare(a.seed, b.seed),
			cmp.Compare(a.size, b.size))
	})
	var b bytes.Buffer
	out := csv.NewWriter(&b)
	names, _ := counts(new(metrics.Counts))
	_ = out.Write(append([]string{"set", "system", "value"}, names...))
	for i := range all {
		c := &all[i]
		name, options, more := strings.Cut(c.system, "+")
		if c.seed > 0 {
			name += "-" + strconv.Itoa(c.seed)
		}
		if more {
			name += "+" + options
		}
		row := []string{c.set, name, strconv.Itoa(c.size)}
		_, of := counts(&c.Counts)
		for _, n := range of {
			row = append(row, strconv.FormatInt(*n, 10))
		}
		_ = out.Write(row)
	}
	out.Flush()
	return errors.Join(out.Error(), save(path, b.Bytes()))
}
