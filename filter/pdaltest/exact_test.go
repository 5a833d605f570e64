// SPDX-License-Identifier: BSD-3-Clause

package pdaltest

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"superpoint/pipelines/commands/survey"
	"superpoint/testdata/las"
	"superpoint/testdata/must"
	"superpoint/testdata/realdata"
)

// town writes two files side by side: houses on rolling ground, a few points high above, whose
// nearest neighbours are far, and a few points far out, which are joined by long edges with points
// that do not know of them.
func town(t *testing.T) (files []string) {
	random := rand.New(rand.NewPCG(9, 1))
	for k := range 2 {
		p := new(las.Points)
		add := func(x, y, z float64, class uint8) {
			p.X, p.Y, p.Z = append(p.X, 652_000+x), append(p.Y, 5_412_000+y), append(p.Z, 100+z)
			p.Classification = append(p.Classification, class)
		}
		for range 4500 {
			x, y := 90*(float64(k)+random.Float64()), 70*random.Float64()
			z, class := 2*math.Sin(x/13)+math.Cos(y/9)+.03*random.NormFloat64(), uint8(2)
			if a, b := math.Mod(x, 31), math.Mod(y, 23); a > 8 && a < 19 && b > 5 && b < 15 {
				z, class = z+6, 6
			} else if a < 5 && b > 17 {
				z, class = z+5*random.Float64(), 5
			}
			add(x, y, z, class)
		}
		for range 3 {
			add(90*(float64(k)+random.Float64()), 70*random.Float64(), 20+10*random.Float64(), 1)
		}
		for i := range 6 {
			add(45+float64(90*k)+.4*float64(i), 100+.3*float64(i%3), 1, 1)
		}
		files = append(files, filepath.Join(t.TempDir(), fmt.Sprintf("cloud%d.las", k)))
		must.OK(t, las.WriteFile(files[k], p, 0.001))
	}
	return files
}

// partition returns the points of LAS or LAZ files in the order of their positions,
// and their ids, level by level.
func partition(t *testing.T, files []string) (places [][3]float64, ids []int) {
	type point struct {
		at [3]float64
		id [3]int
	}
	var all []point
	p, levels := gathered(t, files...), 0
	for i := range p.Len() {
		mm := func(v float64) float64 { return math.Round(1000 * v) }
		next := point{at: [3]float64{mm(p.X[i]), mm(p.Y[i]), mm(p.Z[i])}}
		for k, name := range []string{"SuperpointID", "SuperpointID1", "SuperpointID2"} {
			if p.Extra[name] != nil {
				next.id[k], levels = int(p.Extra[name][i]), k+1
			}
		}
		all = append(all, next)
	}
	slices.SortFunc(all, func(a, b point) int { return slices.Compare(a.at[:], b.at[:]) })
	for _, p := range all {
		places = append(places, p.at)
	}
	for k := range levels {
		for _, p := range all {
			ids = append(ids, p.id[k])
		}
	}
	return places, ids
}

// planned plans a survey and returns its folder and the number of its tiles.
func planned(t *testing.T, files []string, options ...string) (project string, tiles int) {
	t.Helper()
	project = filepath.Join(t.TempDir(), "project")
	do(t, append(append([]string{"survey", "plan", "--output", project}, options...), files...)...)
	var plan struct{ Tiles []struct{} }
	readJSON(t, filepath.Join(project, "plan.json"), &plan)
	return project, len(plan.Tiles)
}

// result reads what a survey has made.
func result(t *testing.T, project string) ([][3]float64, []int) {
	t.Helper()
	return partition(t, resultsOf(t, project))
}

// staged returns what the stage makes of the merged files.
func staged(t *testing.T, files []string, options stage) ([][3]float64, []int) {
	t.Helper()
	merged := filepath.Join(t.TempDir(), "stage.las")
	out := writer(merged)
	p := gathered(t, files...)
	for axis, first := range map[string]float64{"x": p.X[0], "y": p.Y[0], "z": p.Z[0]} {
		// that of "auto" is not always in whole millimetres
		out["scale_"+axis], out["offset_"+axis] = .001, math.Floor(first)
	}
	with := stage{"type": "filters.superpoint"}
	maps.Copy(with, options)
	var stages []any
	for _, path := range files {
		stages = append(stages, path)
	}
	pipeline(t, nil, append(stages, stage{"type": "filters.merge"}, with, out)...).ok(t)
	return partition(t, []string{merged})
}

// sameOptions are options with which the stage and a survey have to make the same ids.
func sameOptions() []stage {
	return []stage{{}, {"regularization": "1"}, {"target_size": "100,400,1600"},
		{"model": "geometric", "target_size": "300"}}
}

// sameAsStage compares a survey with what the stage makes of all points with the same
// options.
func sameAsStage(t *testing.T, files []string, options stage, tiles ...string) {
	t.Helper()
	var args []string
	for name, value := range options {
		if name != "threads" {
			args = append(args, "--"+name, fmt.Sprint(value))
		}
	}
	places, want := staged(t, files, options)
	for _, tile := range tiles {
		project, n := planned(t, files, append(args, "--tile", tile)...)
		do(t, "survey", "run", project)
		at, got := result(t, project)
		if !slices.Equal(at, places) || !slices.Equal(got, want) {
			t.Errorf("%v %v: %d tiles of %s m: %d superpoints, the stage makes %d others", files, options, n, tile,
				slices.Max(got), slices.Max(want))
		}
	}
}

// Equal options give equal ids at all levels: of the stage on all points, and of a survey, whatever the
// size of its tiles.
func TestSurveyEqualsStage(t *testing.T) {
	t.Parallel()
	files := town(t)
	for k, options := range sameOptions() {
		sameAsStage(t, files, options, []string{"5000", "60"}[min(k, 1):]...)
	}
}

// The same holds for real clouds, of which two are larger than the sample that spacing and λ are measured on: one has
// scan lines, the other is a part of a tile. That of trees has clumps. The stage runs on one thread, surveys on all.
func TestSurveyEqualsStageOnRealTiles(t *testing.T) {
	t.Parallel()
	folder, err := realdata.Folder()
	if err != nil {
		t.Skip(err)
	}
	launcher(t)
	for name, tile := range map[string]string{"val/lidarhd_77060_627760.laz": "25",
		"val/ahn4_trees_median_patch_13.laz":        "15",
		"train/ign_689400_6735450_crop_2_water.laz": "110", "train/ahn3_cropped_1.laz": "70"} {
		path, options := filepath.Join(folder, name), sameOptions()[:3]
		switch tile {
		case "70":
			part := filepath.Join(t.TempDir(), "part.laz")
			pdal(t, nil, "translate", path, part, "crop", "--writers.las.forward=all",
				"--filters.crop.bounds=([84800,84900],[447412,447490])").ok(t)
			path, options = part, options[:full(1, 3)]
		case "110": // hundreds of thousands of points, some ten seconds for each of the options
			options = options[:full(1, 3)]
		default:
			energies(t, path)
		}
		for k, options := range options {
			options["threads"] = 1
			t.Run(fmt.Sprint(filepath.Base(name), " ", k), func(t *testing.T) {
				t.Parallel()
				sameAsStage(t, []string{path}, options, tile)
			})
		}
	}
}

// energies compares the solvers: the energy of the default is at most 1.005 times that of cut pursuit with `aerial` and
// 1.04 times with `any`, whose differences are smaller and whose λ̃ is ten times as large.
func energies(t *testing.T, tile string) {
	for model, limit := range map[string]float64{"any": 1.04, "aerial": 1.005} {
		energy := map[string]float64{}
		for _, solver := range []string{"cut-pursuit", "auto"} {
			o := pipeline(t, nil, tile, stage{"type": "filters.superpoint", "model": model, "solver": solver},
				stage{"type": "writers.null"}).ok(t)
			energy[solver], _ = o.stage[0]["energy"].(float64)
		}
		if pursuit := energy["cut-pursuit"]; pursuit <= 0 || energy["auto"] > limit*pursuit {
			t.Errorf("%s: energies %v", model, energy)
		}
	}
}

// Tiles give the superpoints of the full cloud, whatever their size, in whatever order
// they are worked on, by however many processes, of which some are killed at any time.
func TestTilesEqualFullCloud(t *testing.T) {
	t.Parallel()
	files := town(t)
	places, want := staged(t, files, nil)
	small, n := planned(t, files, "--tile", "40", "--halo", "20")
	do(t, "survey", "run", small)
	if at, got := result(t, small); n < 6 || !slices.Equal(at, places) || !slices.Equal(got, want) {
		t.Errorf("%d tiles of 40 m: other points or superpoints than the full cloud", n)
	}
	checkHalos(t, small, n)

	random := rand.New(rand.NewPCG(11, 12))
	spread, n := planned(t, files, "--tile", "95")
	for range 3 {
		killed := exec.Command(launcher(t), "superpoint", "survey", "run", "--threads", "1", spread)
		must.OK(t, killed.Start())
		time.Sleep(time.Duration(random.IntN(1500)) * time.Millisecond)
		if err := killed.Process.Kill(); err != nil && !errors.Is(err, os.ErrProcessDone) {
			t.Fatal(err)
		}
		_ = killed.Wait() // it may have been done
	}
	for _, step := range survey.Steps() {
		switch {
		case step.Name == "cut": // tiles cut their sources
		case step.Over != survey.Tiles:
			do(t, "survey", "run", spread, step.Name)
		default:
			for _, k := range random.Perm(n) {
				do(t, "survey", "run", "--threads", fmt.Sprint(1+k%2), spread, step.Name, fmt.Sprint(k))
			}
		}
	}
	if at, got := result(t, spread); n < 2 || !slices.Equal(at, places) || !slices.Equal(got, want) {
		t.Errorf("%d tiles of 95 m: other points or superpoints than the full cloud", n)
	}
}

// checkHalos tests that a survey had edges longer than the reach, places beyond the halo to
// look at, and halos that were too narrow to merge in.
func checkHalos(t *testing.T, project string, tiles int) {
	t.Helper()
	beyond, widened, edges := 0, 0, 0
	for n := range tiles {
		var embedded struct {
			Places    int
			LongEdges int `json:"long_edges"`
		}
		var coarsened struct{ Halo float64 }
		readJSON(t, filepath.Join(project, "embed", fmt.Sprint(n)+".json"), &embedded)
		readJSON(t, filepath.Join(project, "coarsen", fmt.Sprint(n)+".json"), &coarsened)
		beyond, edges = beyond+embedded.Places, edges+embedded.LongEdges
		if coarsened.Halo > 20 {
			widened++
		}
	}
	if beyond == 0 || widened == 0 || edges == 0 {
		t.Errorf("%d places beyond halos, %d halos widened, %d long edges: nothing is tested", beyond, widened, edges)
	}
}

// What tiles cannot do exactly is refused, with what to do instead.
func TestSurveysRefuseInexactOptions(t *testing.T) {
	t.Parallel()
	path, _ := houseFile(t, 652_000, 5_412_000, 1)
	for _, c := range [][]string{{"--method", "vccs"}, {"--method", "ssp-cluster", "--model", "aerial"},
		{"--solver", "cut-pursuit"}, {"--delaunay", "true"}, {"--color", "true"}, {"--vote", "Classification"}} {
		project := filepath.Join(t.TempDir(), "project")
		o := try(t, append(append([]string{"survey", "plan", "--output", project}, c...), path)...)
		refused(t, o, filepath.Join(project, "plan.json"), "option "+c[0][2:], ";")
	}
}
