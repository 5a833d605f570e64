// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"superpoint/embed/classes"
	"superpoint/partition/metrics"
	"superpoint/pipelines/commands/compare"
	"superpoint/pipelines/files/generated"
	"superpoint/pipelines/land/classrules"
	"superpoint/testdata/las"
	"superpoint/testdata/must"
)

// TestPagesAreOfTheCells: RESULTS.md, its figure and the blocks of pages are what the committed
// cells and what `make bench` wrote give.
func TestPagesAreOfTheCells(t *testing.T) {
	t.Parallel()
	for path := range must.Get(generated.Changed(filepath.Join("..", ".."), must.Get(files("."))(t)))(t) {
		t.Errorf("%s is not of cells/ and speed.csv; run go run ./pipelines/evidence", path)
	}
}

// made returns the row of a system on a cloud, asked for components of a size.
func made(cloud, system string, size int, pure, found int64) row {
	number := int64(1000 / size)
	return rowOf("", &cell{Set: cloud, System: system, Value: float64(size), Option: compare.ByPieces,
		Counts: metrics.Counts{Points: 1000, Segments: number, Pieces: number, Classified: 1000, Pure: pure,
			TrueEdges: 100,
			Predicted: 50, TrueFound: found, PredictedGood: 25}})
}

// TestKeep: results of compare become cells, the newest of a model counts, files of a set
// are added up, both ways are kept, and what is read again is the same.
func TestKeep(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	row := func(file, option, pure string) string {
		return "town," + file + ",ssp:m-2+x=1,m," + option + ",100,10,100,,1000,11,900," + pure +
			",40,30,20,15\n"
	}
	measured := filepath.Join(dir, "results.csv")
	text := "set,file,system,model,option,value,segments,mean_size,error,points,pieces," +
		"classified,pure,true_edges," +
		"pred_edges,true_found,pred_confirmed\n" + row("a.laz", "pieces", "1") +
		row("a.laz", "pieces", "850") +
		row("b.laz", "pieces", "800") + row("a.laz", "target_size", "7") + row("a.laz", "regularization", "1")
	must.OK(t, os.WriteFile(measured, []byte(text), 0o644))
	kept := filepath.Join(dir, "cells.csv")
	must.OK(t, keep(kept, []string{measured}))
	all, err := readCells(kept)
	must.OK(t, err)
	must.Need(t, len(all) == 2, "len(all) is %v, want 2", len(all))
	c := rowOf("", &all[0])
	must.Equal(t, c.system, "ssp:m+x=1", "c.system")
	must.Equal(t, c.seed, 2, "c.seed")
	must.Equal(t, c.Pure, 1650, "c.Pure")
	must.Equal(t, c.Pieces, 22, "c.Pieces")
	must.Equal(t, c.asked, compare.ByPieces, "c.asked")
	must.Equal(t, all[1].Pure, 7, "all[1].Pure")
	must.Equal(t, all[1].Option, compare.BySize, "all[1].Option")
}

// TestComparisons: ssp meets the best of its rivals that have the wanted number, at equal
// superpoints another one than at equal components, and a cloud where none has is left out.
func TestComparisons(t *testing.T) {
	t.Parallel()
	far := made("mosd_1", "ez_1", 50, 990, 90)
	far.Pieces = 5
	alone := made("mosd_1", "cp_1", 100, 950, 50)
	alone.Pieces, alone.Segments = 5, 5
	all := rows{made("mosd_1", ours, 50, 900, 60), made("mosd_1", "cp_1", 50, 880, 40),
		made("mosd_1", "cp_2", 50, 910, 30), far, made("mosd_1", ours, 100, 900, 60), alone}
	met, of := all.leads(compare.ByPieces, "OOA"), all.leads(compare.ByPieces, "F")
	must.Need(t, len(met) == 1, "len(met) is %v, want 1", len(met))
	must.Equal(t, met[0].rival, "cp_2", "met[0].rival")
	must.Hold(t, math.Abs(met[0].by+0.01) <= 1e-9, "met[0].by is %v, want -0.01 within 1e-9", met[0].by)
	must.Need(t, len(of) == 1, "len(of) is %v, want 1", len(of))
	must.Hold(t, of[0].by > 0, "of[0].by is %v, want more than 0", of[0].by)
	met = all.leads(compare.BySize, "OOA") // 20 superpoints, 5 components
	must.Need(t, len(met) == 1, "len(met) is %v, want 1", len(met))
	must.Equal(t, met[0].rival, "ez_1", "met[0].rival")
	must.Equal(t, all.Won(compare.ByPieces, "OOA"), "0 of 1 (-0.010, -0.010)", "OOA")
	a, ok := newAdvantage(nil, all)
	must.Hold(t, !ok, "%+v without results", a)
}

// TestScoreByHand: two classes that labels do not distinguish count as one, and a rare one is in no mean.
func TestScoreByHand(t *testing.T) {
	t.Parallel()
	s := &score{names: []string{"ground", "vegetation", "other", "water"}, merged: []int{0, 1, 1, 3},
		count: map[[2]int]int64{{0, 0}: 300, {0, 1}: 100, {1, 1}: 200, {3, 0}: 50}}
	got := s.figures()
	want := map[string]float64{accuracy: 500. / 650, "IoU ground": 300. / 450,
		"IoU vegetation+other": 200. / 300,
		meanIoU:                2. / 3}
	for k, v := range want {
		must.Hold(t, math.Abs(got[k]-v) <= 1e-12, "%v is %g, want %g", k, got[k], v)
	}
	must.Hold(t, len(got) == len(want), "%v", got)
	s.sure[8].points, s.sure[8].right, s.sure[8].confidence = 650, 490, 380
	s.unsure, s.very, s.broken = 100, 260, 65
	s.sure[3].right, s.sure[3].confidence = 10, 30 // too sure
	risks := s.risks()
	want = map[string]float64{"ground as vegetation+other": 100. / 400, calibration: 130. / 650,
		unsure:     100. / 500,
		broken:     65. / 650,
		brokenSure: 65. / 260}
	for k, v := range want { // 50 points of water are too few
		must.Hold(t, math.Abs(risks[k]-v) <= 1e-12,
			"%v is %g, want %g of %v: want math.Abs(risks[k]-v) at most 1e-12", k, risks[k], v, risks)
		must.Hold(t, len(risks) == len(want),
			"%v is %g, want %g of %v: len(risks) is not len(want)", k, risks[k], v, risks)
	}
}

// TestTrainingsOfClassifier: means over trainings are those of each training's mean over the clouds that
// have the figure; rivals do not count.
func TestTrainingsOfClassifier(t *testing.T) {
	t.Parallel()
	var all rows
	all.put("val", "a", own, meanIoU, 0.5)
	all.put("val", "b", own, meanIoU, 0.7)
	all.put("val", "c", own, accuracy, 0.1)
	all.put("val", "a", "seed 4", meanIoU, 0.8)
	all.put("val", "a", smrf, meanIoU, 0.1)
	must.Equal(t, all.Trainings(meanIoU), "0.700±0.141", "mean of 0.6 and 0.8")
	must.Equal(t, all.MeanOfTrainings(meanIoU), "0.70 (2)", "mean, and clouds of the training with most")
	must.Equal(t, all.Trainings(calibration), unmeasured, "a figure that no training has")
}

// TestScoreOfPoints: a label may mean several classes, which then count as one, also for other labels.
func TestScoreOfPoints(t *testing.T) {
	t.Parallel()
	r := &classrules.Rules{Classes: []classes.Class{{Code: 2, Name: "ground"}, {Code: 5, Name: "vegetation"},
		{Code: 1, Name: "other"}}, Sets: []classes.Set{{0}, {1}, {1, 2}}}
	s := scoreOf(r, []int{0, 0, 1, 1, 2, -1}, []float64{2, 5, 5, 64, 1, 2},
		[]float64{0.55, 0.9, 0.65, 1, 0.2, 1})
	must.Equal(t, s.unsure, 2, "s.unsure")
	must.Equal(t, s.very, 2, "points at 0.9 and above")
	must.Equal(t, s.broken, 1, "s.broken")
	must.Equal(t, s.count, map[[2]int]int64{{0, 0}: 1, {0, 1}: 1, {1, 1}: 3}, "s.count")
	var all, fresh rows
	all.put("val", "a", own, accuracy, 1)
	all.put("val", "a", own, meanIoU, 2)
	all.put("val", "of another day", smrf, accuracy, 3)
	all.put("val", "b", "forest", accuracy, 4)
	all.put("val", "b", "seed 4", accuracy, 7)
	all.put("third", "a", own, accuracy, 6)
	fresh.put("val", "a", own, accuracy, 5)
	got := fmt.Sprint(all.replace(fresh).lines(0))
	want := "[[third a superpoints accuracy 6] [val a superpoints accuracy 5] [val b forest accuracy 4] " +
		"[val b seed 4 accuracy 7]]"
	must.Hold(t, got == want, "%v", got)
}

// TestTerrainOfCells: a point of each square metre counts; a cell without terrain is off, and in no RMSE;
// one without that of the labels is left out. Half of the points of a cell decide whether it is built, or
// in a footprint.
func TestTerrainOfCells(t *testing.T) {
	t.Parallel()
	p := &las.Points{X: []float64{0.1, 0.9, 0.5, 1.5, -0.5, 5}, Y: []float64{0.1, 0.9, 1.5, 0.5, 0.5, 5}}
	p.Extra = map[string][]float64{
		"own":       {1, 9, 2, 9999, 0.3, 3},
		"smrf":      {1, 9, 2, 2, 2, 9999},
		"labels":    {1, 1, 2.6, 2, 0, 10002},
		"Footprint": {3, 0, 1, 7, 0, 0},
	}
	p.Classification = []uint8{6, 6, 2, 6, 6, 2}
	got := terrainOf(p, "a")
	for system, figures := range map[string]map[string]float64{
		own: {terrainRMSE: math.Sqrt(0.45 / 3), terrainWrong: 0.5, footprintIoU: 0.5,
			footprintPrecision: 2.0 / 3,
			footprintRecall:    2.0 / 3},
		smrf: {terrainRMSE: math.Sqrt(4.36 / 4), terrainWrong: 0.5},
	} {
		for figure, want := range figures {
			v, count := got.By(system).mean(figure)
			must.Hold(t, count == 1, "%s of %s is %v, want %v: count is not 1", figure, system, v, want)
			must.Hold(t, math.Abs(v-want) <= 1e-9,
				"%s of %s is %v, want %v: want math.Abs(v-want) at most 1e-9", figure, system, v, want)
		}
	}
}

// TestMeansOfRisks: a cloud without a confusion counts as 0, one without the class not at all, and SMRF is
// compared on clouds that have both.
func TestMeansOfRisks(t *testing.T) {
	t.Parallel()
	var s rows
	for _, v := range []struct {
		cloud, system, figure string
		value                 float64
	}{
		{"a", own, "IoU ground", 0.8}, {"b", own, "IoU ground", 0.6}, {"a", smrf, "IoU ground", 0.7},
		{"a", own, "ground as water", 0.1}, {"b", own, "IoU water", 1}, {"b", own, "water as ground", 0.3},
	} {
		s.put("dry", v.cloud, v.system, v.figure, v.value)
	}
	got := strings.Join([]string{s.Taken("water"), s.Taken("ground"), s.Mean(own, "IoU ground"),
		s.Gain("IoU ground", smrf)}, "; ")
	must.Hold(t, got == "ground 5.0; water 30.0; 0.700; +0.100", "%v", got)
}
