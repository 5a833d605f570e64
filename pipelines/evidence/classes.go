// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"encoding/csv"
	"flag"
	"fmt"
	"io"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"superpoint/pipelines/commands/classrules"
	"superpoint/pipelines/files/atomicfile"
	"superpoint/testdata/las"
)

// classCells has what was measured of classes, from the folder of the page: rows without a size.
const classCells = "cells/classes.csv"

// classesRules are the rules of the built-in classes.
const classesRules = "embed/train/recipes/classes-aerial.yaml"

// Figures of classes.
const (
	accuracy    = "accuracy"
	meanIoU     = "mIoU"
	iouOf       = "IoU "
	takenFor    = " as "
	calibration = "calibration error"
	unsure      = "right below 0.6"
	broken      = "wrong at 0.9"
)

// put adds a figure; rows are by set, cloud and method.
func (all *rows) put(set, cloud, method, figure string, v float64) {
	same := func(r row) bool { return r.set == set && r.cloud == cloud && r.system == method }
	at := slices.IndexFunc(*all, same)
	if at < 0 {
		at = len(*all)
		*all = append(*all, row{set: set, cloud: cloud, system: method, of: map[string]float64{}})
	}
	(*all)[at].of[figure] = v
}

func readShares(path string) (all rows, err error) {
	lines, err := readTable(path)
	for i, line := range lines {
		v, number := line["value"].(float64)
		if !number {
			return nil, fmt.Errorf("%s: line %d: the value %v is no number", path, i+2, line["value"])
		}
		all.put(fmt.Sprint(line["set"]), fmt.Sprint(line["file"]), fmt.Sprint(line["method"]), fmt.Sprint(line["measure"]), v)
	}
	return all, err
}

// replace puts new rows in the place of all of their sets but those of rivals, as a set may have lost clouds.
func (all rows) replace(fresh rows) rows {
	old := func(r row) bool {
		return (r.system == own || r.system == smrf) &&
			slices.ContainsFunc(fresh, func(f row) bool { return f.set == r.set })
	}
	return append(slices.DeleteFunc(slices.Clone(all), old), fresh...)
}

// lines are those of the table, sorted.
func (all rows) lines(digits int) (lines [][]string) {
	for _, r := range all {
		for figure, v := range r.of {
			lines = append(lines, []string{r.set, r.cloud, r.system, figure, strconv.FormatFloat(v, 'f', digits, 64)})
		}
	}
	slices.SortFunc(lines, slices.Compare)
	return lines
}

// Dimensions with the classes to measure, their confidence, and 2 where filters.smrf says ground.
const guessed, confidence, smrfClass = "Class", "ClassConfidence", "Smrf"

// classesCommand measures the classes of tiles; classes.sh calls it. The rows of rivals are recorded.
func classesCommand(args []string) error {
	flags := flag.NewFlagSet("classes", flag.ContinueOnError)
	rules := flags.String("rules", classesRules, "what labels mean")
	set := flags.String("set", "val", "set that the files are of")
	table := flags.String("cells", "", "table to put the measures into")
	heights := flags.Bool("terrain", false, "measure terrain, not classes")
	if err := flags.Parse(args); err != nil {
		return err
	}
	r, err := classrules.Read(*rules)
	if err != nil {
		return err
	}
	var measured rows
	for _, path := range flags.Args() {
		p, err := las.ReadFile(path)
		if err != nil {
			return err
		}
		name := strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
		if *heights {
			measured = append(measured, terrainOf(p, name)...)
			continue
		}
		if p.Extra[guessed] == nil {
			return fmt.Errorf("%s: no dimension %s; classify it by superpoint segment --class_dimension %s", path, guessed,
				guessed)
		}
		labels := make([]float64, p.Len())
		for i, v := range p.Classification {
			labels[i] = float64(v)
		}
		meaning, err := r.Meaning(filepath.Base(path), labels)
		if err != nil {
			return fmt.Errorf("%s: %w", path, err)
		}
		found := scoreOf(r, meaning, p.Extra[guessed], p.Extra[confidence])
		mine := row{set: *set, cloud: name, system: own, of: found.figures()}
		maps.Copy(mine.of, found.risks())
		measured = append(measured, mine)
		if filtered := p.Extra[smrfClass]; filtered != nil {
			const ground = iouOf + "ground"
			if v, known := scoreOf(r, meaning, filtered, nil).figures()[ground]; known {
				measured = append(measured, row{set: *set, cloud: name, system: smrf, of: map[string]float64{ground: v}})
			}
		}
	}
	for _, line := range measured.lines(4) {
		fmt.Println(strings.Join(line, ","))
	}
	if *table == "" {
		return nil
	}
	all, err := readShares(*table)
	if err != nil {
		return err
	}
	lines := append([][]string{{"set", "file", "method", "measure", "value"}}, all.replace(measured).lines(6)...)
	return atomicfile.Write(*table, func(w io.Writer) error { return csv.NewWriter(w).WriteAll(lines) })
}
