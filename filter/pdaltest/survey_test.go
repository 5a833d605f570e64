// SPDX-License-Identifier: BSD-3-Clause

package pdaltest

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"superpoint/testdata/las"
	"superpoint/testdata/must"
)

// record is what a point must keep, as text.
func record(p *las.Points, i int) string {
	return fmt.Sprintf("%.3f %.3f %.3f %d %d %d %d %d %.2f %d %d %d", p.X[i], p.Y[i], p.Z[i], p.Intensity[i],
		p.ReturnNumber[i], p.NumberOfReturns[i], p.Classification[i], p.PointSourceID[i], p.GPSTime[i], p.Red[i],
		p.Green[i], p.Blue[i])
}

// Results have the names of the sources, and their points in their order.
func TestResultsAreOfSources(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	var names []string
	var clouds []*las.Points
	for k := range 2 { // one in the other, so that tiles have points of both
		p := house(652_000+3*float64(k), 5_412_000, uint64(k+1))
		names, clouds = append(names, fmt.Sprintf("part %d.las", k)), append(clouds, p)
		raw := filepath.Join(t.TempDir(), "raw.las")
		must.OK(t, las.WriteFile(raw, p, .001))
		pdal(t, nil, "translate", raw, filepath.Join(folder, names[k]), "--writers.las.forward=all",
			"--writers.las.a_srs=EPSG:32632").ok(t)
	}
	project, _ := planned(t, []string{filepath.Join(folder, names[0]), filepath.Join(folder, names[1])}, "--model",
		"geometric", "--tile", "10", "--halo", "4")
	said := do(t, "survey", "run", project).stdout
	if !strings.Contains(said, "points in 2 files") {
		t.Errorf("it says %q", said)
	}
	count := map[int]int{}
	for k, name := range names {
		p := read(t, filepath.Join(project, "out", name))
		if p.Len() != clouds[k].Len() {
			t.Fatalf("%s: %d points of %d", name, p.Len(), clouds[k].Len())
		}
		for id, n := range ids(t, p, "SuperpointID") {
			count[id] += n
		}
	}
	dense(t, count)
}

// TestDamagedSurveyIsNamedAndRepaired damages a survey of two houses side by side, in tiles whose borders
// cross both: it says what is damaged, and makes again what was. Then it has every record once.
func TestDamagedSurveyIsNamedAndRepaired(t *testing.T) {
	t.Parallel()
	var sources, want, got []string
	folder := t.TempDir()
	for k := range 2 {
		path, p := filepath.Join(folder, fmt.Sprint(k, ".las")), house(652_000+24*float64(k), 5_412_000, uint64(k+1))
		must.OK(t, las.WriteFile(path, p, 0.001))
		sources = append(sources, path)
		for i := range p.Len() {
			want = append(want, record(p, i))
		}
	}
	project, _ := planned(t, sources, "--model", "geometric", "--tile", "10", "--halo", "4")
	run := func(args ...string) outcome {
		return try(t, append([]string{"survey", "run", project}, args...)...)
	}
	whole := must.Get(os.ReadFile(sources[1]))(t)
	must.OK(t, os.WriteFile(sources[1], whole[:len(whole)/2], 0o644))
	refused(t, run(), "", "tile", sources[1])
	merge := run("merge")
	if refused(t, merge, "", "is not finished"); strings.Contains(merge.stderr, "1 of 1") {
		t.Errorf("one process is counted: %s", merge.stderr)
	}
	refused(t, run("stitch"), "", "is not a step; the steps are cut, embed")
	must.OK(t, os.WriteFile(sources[1], whole, 0o644))
	run().ok(t)
	results := resultsOf(t, project)
	p := gathered(t, results...)
	for i := range p.Len() {
		got = append(got, record(p, i))
	}
	slices.Sort(want)
	if slices.Sort(got); len(results) != 2 || !slices.Equal(got, want) {
		t.Errorf("%d records in, %d out in %d files, or some differ", len(want), len(got), len(results))
	}
	count := ids(t, p, "SuperpointID")
	dense(t, count)
	var counted struct{ Points, Superpoints, Crossing int }
	readJSON(t, filepath.Join(project, "number", "0.json"), &counted)
	if counted.Points != len(want) || counted.Superpoints != len(count) || counted.Crossing == 0 {
		t.Errorf("%+v, %d ids", counted, len(count))
	}
	// a file between the steps: cut short it is made again, damaged it is named
	first := must.Get(os.Stat(results[0]))(t)
	pieces := filepath.Join(project, "refine", "3.pieces")
	before := must.Get(os.ReadFile(pieces))(t)
	must.OK(t, os.Truncate(pieces, 30))
	run().ok(t)
	if after, err := os.ReadFile(pieces); err != nil || !bytes.Equal(before, after) {
		t.Errorf("it is not as it was: %v", err)
	}
	if again, err := os.Stat(results[0]); err != nil || !again.ModTime().Equal(first.ModTime()) {
		t.Errorf("what was done was done again: %v", err)
	}
	before[len(before)/2] ^= 1
	must.OK(t, os.WriteFile(pieces, before, 0o644))
	must.OK(t, os.Remove(filepath.Join(project, "number", "0.json")))
	refused(t, run(), "", "tile 3", "3.pieces", "damaged")
	must.OK(t, os.Remove(pieces))
	run().ok(t)
}

// TestOutlier plans a house of which one point lies 100 km away: small tiles are refused, and others have the
// superpoints of the stage.
func TestOutlier(t *testing.T) {
	t.Parallel()
	p, at := house(652_000, 5_412_000, 1), place(t)
	p.X[7], p.Y[7] = p.X[7]+100_000, p.Y[7]+100_000
	must.OK(t, las.WriteFile(at("outlier.las"), p, 0.001))
	plan := []string{"survey", "plan", "--output", at("project"), "--model", "geometric", at("outlier.las")}
	refused(t, try(t, append(plan, "--tile", "10")...), at("project"), "take larger tiles", "filters.outlier")
	do(t, plan...)
	if done := do(t, "survey", "run", at("project")); !strings.Contains(done.stdout, "3,000 points") {
		t.Errorf("not all points: %s", done.stdout)
	}
	segment(t, at("outlier.las"), at("stage.laz")).ok(t)
	_, want := partition(t, []string{at("stage.laz")})
	if _, got := result(t, at("project")); !slices.Equal(got, want) {
		t.Error("the superpoints are not those of the stage")
	}
}

// TestSurveyWithClasses classifies a village tile by tile: nearly every point gets
// the class that it has when the village is one cloud.
func TestSurveyWithClasses(t *testing.T) {
	t.Parallel()
	p, at := scene(t)
	classes := []string{"--classes", "aerial", "--class_change", "all"}
	do(t, append(append([]string{"segment"}, classes...), at("plain.las"), at("whole.las"))...)
	do(t, append(append([]string{"survey", "plan", "--tile", "60", "--halo", "20", "--output", at("survey")},
		classes...), at("plain.las"))...)
	do(t, "survey", "run", at("survey"))
	key := func(p *las.Points, i int) string {
		return fmt.Sprintf("%.3f %.3f %.3f %.6f", p.X[i], p.Y[i], p.Z[i], p.GPSTime[i])
	}
	whole, class := read(t, at("whole.las")), map[string]uint8{}
	for i := range whole.Len() {
		class[key(whole, i)] = whole.Classification[i]
	}
	same, sure, q := 0, 0.0, gathered(t, resultsOf(t, at("survey"))...)
	points := q.Len()
	for i := range points {
		if q.Classification[i] == class[key(q, i)] {
			same++
		}
		sure += q.Extra["ClassConfidence"][i]
	}
	if points != p.Len() || float64(same) < 0.95*float64(points) || sure < 0.5*float64(points) {
		t.Errorf("%d of %d points, %.3f of them with the class of the whole, confidence %.3f", points, p.Len(),
			float64(same)/float64(points), sure/float64(points))
	}
	t.Logf("%.4f of the points have the class of the whole", float64(same)/float64(points))
}
