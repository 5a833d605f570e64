package main

import (
	"fmt"
	"path/filepath"
	"strconv"
)

// classTimes has the seconds and memory of classes, of the table that `classes.sh time` writes.
func (t *table) classTimes(folder string) error {
	path := filepath.Join(folder, "cells", "class-times.csv")
	rows, err := readTable(path)
	if err != nil || len(rows) == 0 {
		return err
	}
	t.line("\nProcesses with reading and writing. Where the load was above 0.5, other programs ran at the same time, " +
		"and only CPU seconds can be compared:\n")
	t.head("file", "method", "seconds", "CPU seconds", "MB", "cores", "load", "date")
	for i, row := range rows[1:] {
		var v [4]float64 // seconds, CPU seconds of the program and of the system, kB
		for k := range v {
			if v[k], err = strconv.ParseFloat(row[2+k], 64); err != nil {
				return fmt.Errorf("%s: line %d: %w", path, i+2, err)
			}
		}
		t.row(row[0], row[1], fmt.Sprintf("%.1f", v[0]), fmt.Sprintf("%.1f", v[1]+v[2]), fmt.Sprintf("%.0f", v[3]/1000),
			row[6], row[7], row[8])
	}
	return nil
}
