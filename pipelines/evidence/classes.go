// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"flag"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"superpoint/pipelines/commands/classrules"
	"superpoint/testdata/las"
)

// share is a measured share of classes: of which set, cloud and method, and which measure.
type share struct{ set, cloud, method, measure string }

// shares are what cells/classes.csv keeps.
type shares map[share]float64

// classesRules are the rules of the built-in classes.
const classesRules = "embed/train/recipes/classes-aerial.yaml"

// The methods and measures.
const (
	own    = "superpoints"
	forest = "forest"
	opc    = "OpenPointClass"

	smrf = "SMRF"

	accuracy    = "accuracy"
	meanIoU     = "mIoU"
	iouOf       = "IoU "
	takenFor    = " as "
	calibration = "calibration error"
	unsure      = "right below 0.6"
	broken      = "wrong at 0.9"
)

func readShares(path string) (shares, error) {
	rows, err := readTable(path)
	if err != nil {
		return nil, err
	}
	all := shares{}
	for i, row := range rows {
		if i == 0 {
			continue
		}
		if len(row) != 5 {
			return nil, fmt.Errorf("%s: line %d has %d columns, not 5", path, i+1, len(row))
		}
		if all[share{row[0], row[1], row[2], row[3]}], err = strconv.ParseFloat(row[4], 64); err != nil {
			return nil, fmt.Errorf("%s: line %d: %w", path, i+1, err)
		}
	}
	return all, nil
}

// replace puts new shares in the place of all that their methods had on their clouds.
func (s shares) replace(with shares) {
	for k := range with {
		maps.DeleteFunc(s, func(o share, _ float64) bool {
			return o.set == k.set && o.cloud == k.cloud && o.method == k.method
		})
	}
	maps.Copy(s, with)
}

func (s shares) sorted() []share {
	return slices.SortedFunc(maps.Keys(s), func(a, b share) int {
		return slices.Compare([]string{a.set, a.cloud, a.method, a.measure}, []string{b.set, b.cloud, b.method, b.measure})
	})
}

func (s shares) write(path string) error {
	rows := [][]string{{"set", "file", "method", "measure", "value"}}
	for _, k := range s.sorted() {
		rows = append(rows, []string{k.set, k.cloud, k.method, k.measure, strconv.FormatFloat(s[k], 'f', 6, 64)})
	}
	return writeTable(path, rows)
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
	measured := shares{}
	for _, path := range flags.Args() {
		p, err := las.ReadFile(path)
		if err != nil {
			return err
		}
		name := strings.TrimSuffix(filepath.Base(path), filepath.Ext(path))
		if *heights {
			measured.replace(terrainOf(p, name))
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
		mine := found.shares(*set, name, own)
		maps.Copy(mine, found.risks(*set, name))
		measured.replace(mine)
		if filtered := p.Extra[smrfClass]; filtered != nil {
			ground := share{*set, name, smrf, iouOf + "ground"}
			if v, known := scoreOf(r, meaning, filtered, nil).shares(*set, name, smrf)[ground]; known {
				measured.replace(shares{ground: v})
			}
		}
	}
	for _, k := range measured.sorted() {
		fmt.Printf("%s,%s,%s,%s,%.4f\n", k.set, k.cloud, k.method, k.measure, measured[k])
	}
	if *table == "" {
		return nil
	}
	all, err := readShares(*table)
	if err != nil {
		return err
	}
	all.replace(measured)
	return all.write(*table)
}

// clouds lists those of a set on which a method has a measure.
func (s shares) clouds(set, method, measure string) (names []string) {
	for _, k := range s.sorted() {
		if k.set == set && k.method == method && k.measure == measure {
			names = append(names, k.cloud)
		}
	}
	return names
}

func (p *page) shares() (shares, error) {
	return readShares(filepath.Join(p.folder, "cells", "classes.csv"))
}

// ClassMeans are the classes of superpoints beside those of rivals.
func (p *page) ClassMeans() (string, error) {
	s, err := p.shares()
	t := newTable("set", "mean", own, forest, opc, smrf, "PMF", "CSF")
	for _, set := range []string{"val", "second", "third", "val3"} {
		t.classMeans(s, set, meanIoU, own, forest, opc)
		t.classMeans(s, set, iouOf+"ground", own, forest, opc, smrf, "PMF", "CSF")
	}
	return t.text(), err
}

// classMeans is a row: the means of a measure over the clouds of a set that all methods of the set have.
func (t *table) classMeans(s shares, set, measure string, methods ...string) {
	clouds, mean := s.common(set, measure, methods...)
	if clouds == 0 {
		return
	}
	row := []string{fmt.Sprintf("%s (%d)", title(set), clouds), measure}
	for _, m := range methods {
		row = append(row, shown(mean, m))
	}
	for len(row) < 8 {
		row = append(row, "")
	}
	t.row(row...)
}

// common returns the number of clouds of a set that all methods of the set have, and the methods' means over these.
func (s shares) common(set, measure string, methods ...string) (clouds int, mean map[string]float64) {
	common := slices.DeleteFunc(s.clouds(set, methods[0], measure), learned)
	for _, m := range methods {
		if of := s.clouds(set, m, measure); len(of) > 0 {
			common = slices.DeleteFunc(common, func(cloud string) bool { return !slices.Contains(of, cloud) })
		}
	}
	mean = map[string]float64{}
	for _, m := range methods {
		for _, cloud := range common {
			if v, known := s[share{set, cloud, m, measure}]; known {
				mean[m] += v / float64(len(common))
			}
		}
	}
	return len(common), mean
}

// shown returns a value as a table cell.
func shown[K comparable](values map[K]float64, key K) string {
	if v, known := values[key]; known {
		return fmt.Sprintf("%.3f", v)
	}
	return "–"
}
