package main

import (
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strconv"

	"superpoint/embed/whole"
)

// A key says what was measured: of which set of files (val, test), on which file, of
// which method (superpoints, forest, …), and which measure (accuracy, mIoU, IoU of a
// class, accuracy with so many labels).
type key struct{ set, file, method, measure string }

// cells are measured values: what the tables of README.md are made of.
type cells map[key]float64

// heading is the first row of a table of cells.
var heading = []string{"set", "file", "method", "measure", "value"}

// readCells reads a table; one that is not there is empty.
func readCells(path string) (cells, error) {
	file, err := os.Open(path)
	if errors.Is(err, fs.ErrNotExist) {
		return cells{}, nil
	}
	if err != nil {
		return nil, err
	}
	defer file.Close()
	rows, err := csv.NewReader(file).ReadAll()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if len(rows) == 0 || !slices.Equal(rows[0], heading) {
		return nil, fmt.Errorf("%s: the first row must be %v", path, heading)
	}
	all := cells{}
	for _, row := range rows[1:] {
		k := key{row[0], row[1], row[2], row[3]}
		if _, twice := all[k]; twice {
			return nil, fmt.Errorf("%s: %v is there twice", path, k)
		}
		if all[k], err = strconv.ParseFloat(row[4], 64); err != nil {
			return nil, fmt.Errorf("%s: value of %v: %w", path, k, err)
		}
	}
	return all, nil
}

// replace puts new cells in the place of all that their methods had on their files.
func (c cells) replace(with cells) {
	for k := range with {
		maps.DeleteFunc(c, func(o key, _ float64) bool { return o.set == k.set && o.file == k.file && o.method == k.method })
	}
	maps.Copy(c, with)
}

// sorted lists the keys in the order of the table.
func (c cells) sorted() []key {
	return slices.SortedFunc(maps.Keys(c), func(a, b key) int {
		return slices.Compare([]string{a.set, a.file, a.method, a.measure}, []string{b.set, b.file, b.method, b.measure})
	})
}

// write writes the table, values to six places.
func (c cells) write(path string) error {
	rows := [][]string{heading}
	for _, k := range c.sorted() {
		rows = append(rows, []string{k.set, k.file, k.method, k.measure, strconv.FormatFloat(c[k], 'f', 6, 64)})
	}
	return whole.Write(path, func(w io.Writer) error { return csv.NewWriter(w).WriteAll(rows) })
}
