// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"encoding/csv"
	"flag"
	"fmt"
	"io"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"superpoint/embed/classes"
	"superpoint/pipelines/commands/compare"
	"superpoint/pipelines/files/atomicfile"
	"superpoint/pipelines/land/classrules"
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
	brokenSure  = "wrong of those at 0.9"
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
		all.put(fmt.Sprint(line["set"]), fmt.Sprint(line["file"]), fmt.Sprint(line["method"]),
			fmt.Sprint(line["measure"]), v)
	}
	return all, err
}

// replace puts new rows in the place of all of their sets and systems, as a set may have lost clouds. SMRF is
// measured with superpoints; rows of other rivals stay.
func (all rows) replace(fresh rows) rows {
	old := func(r row) bool {
		return slices.ContainsFunc(fresh, func(f row) bool {
			isSystem := r.system == f.system || r.system == smrf && f.system == own
			return r.set == f.set && isSystem
		})
	}
	return append(slices.DeleteFunc(slices.Clone(all), old), fresh...)
}

// lines are the lines of the table, sorted.
func (all rows) lines(digits int) (lines [][]string) {
	for _, r := range all {
		for figure, v := range r.of {
			lines = append(lines, []string{r.set, r.cloud, r.system, figure,
				strconv.FormatFloat(v, 'f', digits, 64)})
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
	training := flags.String("training", "",
		"training of the classifier, \"seed 4\", or its \"20 labels\"; none: the built-in one")
	model := flags.String("model", "", "keep the figures of surveys left out of this classifier")
	if err := flags.Parse(args); err != nil {
		return err
	}
	r, err := classrules.Read(*rules)
	if err != nil {
		return err
	}
	var measured rows
	if *model != "" {
		if measured, err = leftOutOf(*model); err != nil {
			return err
		}
	}
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
		of, err := classesOf(p, r, path)
		if err != nil {
			return err
		}
		for k := range of {
			of[k].set = *set
			of[k].cloud = name
		}
		measured = append(measured, of...)
	}
	if *training != "" {
		measured = measured.By(own)
		for k := range measured {
			measured[k].system = *training
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
	lines := append([][]string{{"set", "file", "method", "measure", "value"}},
		all.replace(measured).lines(6)...)
	return atomicfile.Write(*table, func(w io.Writer) error { return csv.NewWriter(w).WriteAll(lines) })
}

// leftOutOf returns the figures of surveys left out of a classifier.
func leftOutOf(path string) (rows, error) {
	file, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	m, err := classes.Load(file)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return figuresOf(m.Card), nil
}

// classesOf measures the classes of a file, and its ground by filters.smrf if it has that.
func classesOf(p *las.Points, r *classrules.Rules, path string) (measured rows, err error) {
	if p.Extra[guessed] == nil {
		return nil, fmt.Errorf("%s: no dimension %s; classify it by superpoint segment --class_dimension %s",
			path, guessed, guessed)
	}
	meaning, err := meaningOf(p, r, path)
	if err != nil {
		return nil, err
	}
	found := scoreOf(r, meaning, p.Extra[guessed], p.Extra[confidence])
	mine := row{system: own, of: found.figures()}
	maps.Copy(mine.of, found.risks())
	measured = rows{mine}
	filtered := p.Extra[smrfClass]
	if filtered == nil {
		return measured, nil
	}
	const ground = iouOf + "ground"
	if v, known := scoreOf(r, meaning, filtered, nil).figures()[ground]; known {
		measured = append(measured, row{system: smrf, of: map[string]float64{ground: v}})
	}
	return measured, nil
}

// score counts points by class. Classes that some label of the
// file does not distinguish count as one.
type score struct {
	names  []string
	merged []int                                             // class → the one it counts as
	count  map[[2]int]int64                                  // by true and guessed class
	sure   [bins]struct{ points, right, confidence float64 } // by confidence
	unsure int                                               // right points below sureAbove
	very   int                                               // points at verySure or above
	broken int                                               // wrong ones of these
}

// bins is the number of steps of confidence in the expected calibration error, sureAbove and verySure the
// confidences from which on a class is said to be sure, and hardly to need a look, and leastTaken the share
// of a class's points taken for another class from which on it is kept.
const (
	bins       = 15
	sureAbove  = 0.6
	verySure   = 0.9
	leastTaken = 0.005
)

// scoreOf counts the points of a file by what their labels mean, their class and its confidence; nil is
// always sure.
func scoreOf(r *classrules.Rules, meaning []int, guess, confidence []float64) *score {
	s := &score{merged: make([]int, len(r.Classes)), count: map[[2]int]int64{}}
	for k, class := range r.Classes {
		s.names, s.merged[k] = append(s.names, class.Name), k
	}
	for set := range slices.Values(slices.Compact(slices.Sorted(slices.Values(meaning)))) {
		if set >= 0 {
			for _, k := range r.Sets[set] {
				s.merge(s.merged[k], s.merged[r.Sets[set][0]])
			}
		}
	}
	for i, set := range meaning {
		if set < 0 {
			continue
		}
		g := slices.IndexFunc(r.Classes,
			func(class classes.Class) bool { return float64(class.Code) == guess[i] })
		if g < 0 {
			g = slices.Index(s.names, "other")
		}
		sure := 1.0
		if confidence != nil {
			sure = confidence[i]
		}
		s.add(s.merged[r.Sets[set][0]], s.merged[g], sure)
	}
	return s
}

// add counts a point.
func (s *score) add(truth, guess int, confidence float64) {
	s.count[[2]int{truth, guess}]++
	bin := &s.sure[min(int(confidence*bins), bins-1)]
	bin.points, bin.confidence = bin.points+1, bin.confidence+confidence
	very := confidence >= verySure
	if very {
		s.very++
	}
	if truth != guess {
		if very {
			s.broken++
		}
		return
	}
	bin.right++
	if confidence < sureAbove {
		s.unsure++
	}
}

func (s *score) merge(from, to int) {
	for k, m := range s.merged {
		if m == from {
			s.merged[k] = to
		}
	}
}

// figures are the overall accuracy, the IoU of each class that has enough points, and its mean.
func (s *score) figures() map[string]float64 {
	of := map[string]float64{}
	for _, r := range compare.ScoreClasses(s.count) {
		switch {
		case r.Class == nil:
			of[accuracy] = float64(r.Recall)
			if mean := float64(r.IoU); !math.IsNaN(mean) {
				of[meanIoU] = mean
			}
		case r.Points >= compare.FewestPoints:
			of[iouOf+s.name(*r.Class)] = float64(r.IoU)
		}
	}
	return of
}

// risks has the share of each class's points taken for another class, the expected calibration error (Guo et
// al. 2017, arXiv:1706.04599), the share of right points that are not sure, and the share of points that are
// wrong and very sure: of all, and of those that are very sure.
func (s *score) risks() map[string]float64 {
	of := map[string]float64{}
	points := 0.0
	right := 0.0
	gap := 0.0
	for _, r := range compare.ScoreClasses(s.count) {
		for g := range s.names {
			if r.Class == nil || g == *r.Class || r.Points < compare.FewestPoints {
				continue
			}
			if part := float64(s.count[[2]int{*r.Class, g}]) / float64(r.Points); part >= leastTaken {
				of[s.name(*r.Class)+takenFor+s.name(g)] = part
			}
		}
	}
	for _, b := range s.sure {
		points += b.points
		right += b.right
		gap += math.Abs(b.right - b.confidence)
	}
	of[calibration] = gap / max(1, points)
	of[unsure] = float64(s.unsure) / max(1, right)
	of[broken] = float64(s.broken) / max(1, points)
	of[brokenSure] = float64(s.broken) / max(1, float64(s.very))
	return of
}

// name is the name of a class, with the names of the classes that count as one with it.
func (s *score) name(k int) string {
	all := []string{s.names[k]}
	for o, m := range s.merged {
		if m == k && o != k {
			all = append(all, s.names[o])
		}
	}
	return strings.Join(all, "+")
}

// Measures of terrain and footprints, and the set of their cells.
const (
	terrainSet   = "terrain"
	terrainRMSE  = "RMSE"
	terrainWrong = "off by 0.5 m"

	footprintIoU       = "footprints IoU"
	footprintPrecision = "footprints precision"
	footprintRecall    = "footprints recall"
)

// square is a square metre with points.
type square struct {
	first  int // point
	inside int // number of points in a footprint less the number of the others
	built  int // number of points of class building less the number of the others
}

// terrainOf compares terrain with the labels' terrain in every square metre with a point, from the heights of
// points over both. A cell where the labels' terrain has no height is left out; one where only the other has
// none is off. A cell belongs to a footprint, or to a building by labels, if half of its points do.
func terrainOf(p *las.Points, name string) (all rows) {
	const building = 6
	sign := map[bool]int{true: 1, false: -1}
	heights := map[string][]float64{own: p.Extra["own"], smrf: p.Extra["smrf"]}
	at := map[[2]float64]*square{}
	var cells []*square
	for i, x := range p.X {
		key := [2]float64{math.Floor(x), math.Floor(p.Y[i])}
		if at[key] == nil {
			at[key] = &square{first: i}
			cells = append(cells, at[key])
		}
		at[key].inside += sign[p.Extra["Footprint"][i] > 0]
		at[key].built += sign[p.Classification[i] == building]
	}
	count := map[[2]bool]float64{} // of cells, by whether they are of a footprint, and built
	for _, c := range cells {
		count[[2]bool{c.inside >= 0, c.built >= 0}]++
	}
	both := count[[2]bool{true, true}]
	extra := count[[2]bool{true, false}]
	missed := count[[2]bool{false, true}]
	all.put(terrainSet, name, own, footprintIoU, both/(both+extra+missed))
	all.put(terrainSet, name, own, footprintPrecision, both/(both+extra))
	all.put(terrainSet, name, own, footprintRecall, both/(both+missed))
	for method, over := range heights {
		square := 0.0
		compared := 0.0
		labelled := 0.0
		wrong := 0.0
		for _, c := range cells {
			height := over[c.first]
			label := p.Extra["labels"][c.first]
			if isEmpty(label) {
				continue
			}
			labelled++
			d := height - label
			if math.Abs(d) > .5 {
				wrong++
			}
			if !isEmpty(height) {
				square += d * d
				compared++
			}
		}
		all.put(terrainSet, name, method, terrainRMSE, math.Sqrt(square/max(1, compared)))
		all.put(terrainSet, name, method, terrainWrong, wrong/max(1, labelled))
	}
	return all
}

// emptyCell is a height in metres that only points over an empty cell (−9999) have.
const emptyCell = 5000

// isEmpty reports whether the terrain below a point has no height.
func isEmpty(over float64) bool { return math.Abs(over) > emptyCell }
