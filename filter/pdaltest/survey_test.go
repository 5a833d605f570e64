// SPDX-License-Identifier: BSD-3-Clause

package pdaltest

import (
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"superpoint/filter/steps"
	"superpoint/pipelines/commands/survey"
	"superpoint/pipelines/commands/survey/folder"
	"superpoint/testdata/las"
	"superpoint/testdata/must"
	"superpoint/testdata/realdata"
)

// TestManyTiles counts the processes of a survey of equal tiles: one process describes, unpacks or packs
// them. Messages about many files are short, and a log has lines of progress.
func TestManyTiles(t *testing.T) {
	t.Parallel()
	const tiles = 8
	at := place(t)
	must.OK(t, os.Mkdir(at("tiles"), 0o777))
	for k := range tiles {
		must.OK(t, las.WriteFile(at("raw.las"), house(652_000+24*float64(k), 5_412_000, uint64(k+1)), 0.001))
		pdal(t, nil, "translate", at("raw.las"), at(fmt.Sprint("tiles/", k, ".laz")),
			"--writers.las.forward=all").ok(t)
	}
	count := func(infos, pipelines int, args ...string) outcome {
		t.Helper()
		command := exec.Command(straced(t),
			append([]string{"-f", "--seccomp-bpf", "-qq", "-e", "trace=execve", "-o",
				at("trace"), launcher(t), "superpoint", "survey"}, args...)...)
		command.Env = append(os.Environ(), "SUPERPOINT_PROGRESS=1")
		o := outcomeOf(t, command).ok(t)
		trace := string(must.Get(os.ReadFile(at("trace")))(t))
		must.Hold(t, strings.Count(trace, `, "info"`) <= infos,
			"%v starts other processes:\n%s: want strings.Count(trace, `, \"info\"`) at most infos",
			args, trace)
		must.Hold(t, strings.Count(trace, `, "pipeline"`) == pipelines,
			"%v starts other processes:\n%s: strings.Count(trace, `, \"pipeline\"`) is not pipelines",
			args, trace)
		return o
	}
	count(runtime.GOMAXPROCS(0), 1, "plan", "--output", at("project"), "--model", "geometric", "--tile",
		"24", "--halo",
		"4", at("tiles"))
	o := count(0, 3, "run", at("project"))
	must.Hold(t, regexp.MustCompile(`(?m)^[a-z]+ \d+/\d+.* \d+ %$`).MatchString(o.stderr),
		"no progress in %q", o.stderr)
	do(t, "survey", "plan", "--output", at("few"), "--model", "geometric", "--tile", "2.5", at("tiles"))
	_, text := limited(t, "ulimit -n 64", "superpoint", "survey", "run", at("few"))
	must.Say(t, text, "(ulimit -n 4096)")
	must.Equal(t, strings.Count(text, "too many"), 1, `strings.Count(text, "too many")`)
	for k := range 4 {
		must.OK(t, os.Truncate(at(fmt.Sprint("tiles/", k, ".laz")), 3000))
	}
	o = try(t, "survey", "run", at("project"))
	refused(t, o, "", "4 of 8 files changed since", at("tiles/0.laz"), "and 1 more")
	must.Hold(t, strings.Count(o.stderr, ".laz") == 3, "%s", o.stderr)
	o = try(t, "info", at("tiles"))
	refused(t, o, "", "4 of 8 files cannot be read", at("tiles/0.laz"), at("tiles/3.laz"))
	must.Hold(t, strings.Count(o.stdout, "spacing") == 4, "%s", o.stdout)
}

// TestDamagedSurveyIsNamedAndRepaired damages a survey of two houses, one in the other, in tiles whose
// borders cross both: the survey names the damaged files and makes them again. Then results have the names
// of the sources, and every record once, in the order of the source.
func TestDamagedSurveyIsNamedAndRepaired(t *testing.T) {
	t.Parallel()
	var sources, made []string
	folder, count, points := t.TempDir(), map[int]int{}, 0
	for k := range 2 {
		sources = append(sources, filepath.Join(folder, fmt.Sprintf("part %d.las", k)))
		must.OK(t, las.WriteFile(sources[k], house(652_000+3*float64(k), 5_412_000, uint64(k+1)), 0.001))
	}
	project, _ := planned(t, sources, "--model", "geometric", "--tile", "10", "--halo", "4")
	run := func(args ...string) outcome {
		return try(t, append([]string{"survey", "run", project}, args...)...)
	}
	whole := must.Get(os.ReadFile(sources[1]))(t)
	must.OK(t, os.WriteFile(sources[1], whole[:len(whole)/2], 0o644))
	refused(t, run(), "", sources[1], "changed since the survey was planned")
	refused(t, run("embed", "0"), "", "tile", sources[1])
	merge := run("merge")
	refused(t, merge, "", "is not finished")
	must.Hold(t, !strings.Contains(merge.stderr, "1 of 1"), "one process is counted: %s", merge.stderr)
	refused(t, run("stitch"), "", "is not a step; the steps are cut, embed")
	must.OK(t, os.WriteFile(sources[1], whole, 0o644))
	must.Say(t, run().ok(t).stdout, "points in 2 files")
	for k, path := range sources {
		made = append(made, filepath.Join(project, "out", filepath.Base(path)))
		f := must.Get(las.Read(made[k]))(t)
		sameCloud(t, path, must.Get(las.Read(path))(t), f, outputs[1:]...)
		points += len(f.Records)
		for id, n := range ids(t, f.Points(), "SuperpointID") {
			count[id] += n
		}
	}
	must.Equal(t, resultsOf(t, project), made, "results")
	dense(t, count)
	var counted struct{ Points, Superpoints, Crossing int }
	readJSON(t, filepath.Join(project, "number", "0.json"), &counted)
	must.Equal(t, counted.Points, points, "counted.Points")
	must.Equal(t, counted.Superpoints, len(count), "counted.Superpoints")
	must.Hold(t, counted.Crossing != 0, "counted.Crossing is 0")
	// a file between the steps: cut short it is made again, damaged it is named
	first := must.Get(os.Stat(made[0]))(t)
	pieces := filepath.Join(project, "refine", "3.pieces")
	before := must.Get(os.ReadFile(pieces))(t)
	must.OK(t, os.Truncate(pieces, 30))
	run().ok(t)
	must.Equal(t, must.Get(os.ReadFile(pieces))(t), before, "pieces, made again")
	must.Hold(t, must.Get(os.Stat(made[0]))(t).ModTime().Equal(first.ModTime()),
		"what was done was done again")
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
	const points = 5000 // the stage solves problems of at most 4,096 exactly, where surveys may differ
	p, at := denseHouse(points, 652_000, 5_412_000, 1), place(t)
	p.X[7], p.Y[7] = p.X[7]+100_000, p.Y[7]+100_000
	must.OK(t, las.WriteFile(at("outlier.las"), p, 0.001))
	beside := denseHouse(points, 652_100, 5_412_000, 2)
	must.OK(t, las.WriteFile(at("beside.las"), beside, 0.001))
	plan := []string{"survey", "plan", "--output", at("project"), "--tile", "10", at("beside.las")}
	tooMany := try(t, append(plan, at("outlier.las"))...)
	refused(t, tooMany, at("project"), "take larger tiles", at("outlier.las")+": 1 of 5000 points",
		"point 7 at")
	runAdvice(t, tooMany.stderr, at("near.las"))
	must.Equal(t, read(t, at("near.las")).Len(), points-1, "points that the command keeps")
	do(t, append(plan, at("near.las"))...)
	must.OK(t, os.RemoveAll(at("project")))
	p.X[7] += 1e7
	must.OK(t, las.WriteFile(at("abroad.las"), p, 0.01))
	p.X[7] -= 1e7
	refused(t, try(t, "survey", "plan", "--output", at("project"), at("abroad.las"), at("beside.las")),
		at("project"), "rounded to 0.01 m", at("abroad.las")+": 1 of 5000 points", "point 7 at",
		"filters.range.limits=\"X[:")
	must.Say(t, surveyed(t, at("project"), "--model", "geometric", at("outlier.las")).stdout, "5,000 points")
	high := *p
	high.Z = slices.Clone(p.Z)
	high.X, high.Y = slices.Clone(p.X), slices.Clone(p.Y)
	high.X[7], high.Y[7] = high.X[8], high.Y[8]
	high.Z[7] += 100_000
	must.OK(t, las.WriteFile(at("high.las"), &high, 0.001))
	warned := do(t, "survey", "plan", "--output", at("high"), "--model", "geometric", at("high.las")).stderr
	must.Say(t, warned, "high.las: Z from", "point 7 at")
	refused(t, try(t, "survey", "run", at("high")), "", "tile 0", at("high.las"), "21 km")
	runAdvice(t, warned, at("low.las"))
	surveyed(t, at("low"), "--model", "geometric", at("low.las"))
	segment(t, at("outlier.las"), at("stage.laz")).ok(t)
	places, want := partition(t, []string{at("stage.laz")})
	samePartition(t, "survey", resultsOf(t, at("project")), places, want)
}

// TestSurveyWithClasses: every point of a survey gets the class and the confidence that the stage gives it in
// one cloud.
func TestSurveyWithClasses(t *testing.T) {
	t.Parallel()
	p, at := scene(t)
	classes := []string{"--classes", "aerial", "--class_change", "all"}
	do(t, append(append([]string{"segment"}, classes...), at("plain.las"), at("whole.las"))...)
	surveyed(t, at("survey"), append(classes, "--tile", "30", "--halo", "20", at("plain.las"))...)
	key := func(p *las.Points, i int) string {
		return fmt.Sprintf("%.3f %.3f %.3f %.6f", p.X[i], p.Y[i], p.Z[i], p.GPSTime[i])
	}
	type land struct {
		class uint8
		sure  float64
	}
	whole, want := read(t, at("whole.las")), map[string]land{}
	for i := range whole.Len() {
		want[key(whole, i)] = land{whole.Classification[i], whole.Extra["ClassConfidence"][i]}
	}
	got := gathered(t, resultsOf(t, at("survey"))...)
	must.Equal(t, got.Len(), p.Len(), "points")
	for i := range got.Len() {
		is := land{got.Classification[i], got.Extra["ClassConfidence"][i]}
		must.Need(t, is == want[key(got, i)], "point %d: %+v, the stage gives %+v", i, is, want[key(got, i)])
	}
}

// town writes two files side by side: houses on rolling ground, a few points high above, whose nearest
// neighbours are far, and a few points far out, which are joined by long edges with points that do not know
// of them.
func town(t *testing.T, wkt string) (files []string) {
	random := rand.New(rand.NewPCG(9, 1))
	for k := range 2 {
		p := &las.Points{WKT: wkt}
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

// partition returns the points of LAS or LAZ files in the order of their positions, and their ids, level by
// level.
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

// surveyed plans a survey and runs it, and returns the outcome of the run.
func surveyed(t *testing.T, project string, inputs ...string) outcome {
	t.Helper()
	do(t, append([]string{"survey", "plan", "--output", project}, inputs...)...)
	return do(t, "survey", "run", project)
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

// samePartition fails the test unless files have the points and ids of others, level by level.
func samePartition(t *testing.T, what string, files []string, places [][3]float64, ids []int) {
	t.Helper()
	at, got := partition(t, files)
	must.Equal(t, at, places, "%s: at", what)
	must.Equal(t, got, ids, "%s", what)
}

// staged returns the result of the stage for the merged files.
func staged(t *testing.T, files []string, options stage) ([][3]float64, []int) {
	t.Helper()
	all := filepath.Join(t.TempDir(), "stage.las")
	out := writer(all)
	p := gathered(t, files...)
	for axis, first := range map[string]float64{"x": p.X[0], "y": p.Y[0], "z": p.Z[0]} {
		// the offset that "auto" computes is not always in whole millimetres
		out["scale_"+axis], out["offset_"+axis] = .001, math.Floor(first)
	}
	with := stage{"type": "filters.superpoint"}
	maps.Copy(with, options)
	pipeline(t, nil, append(merged(files), with, out)...).ok(t)
	return partition(t, []string{all})
}

// sameOptions are options with which the stage and a survey have to make the same ids.
func sameOptions() []stage {
	return []stage{{}, {"regularization": "1"}, {"target_size": "100,400,1600"},
		{"model": "geometric", "target_size": "300"}}
}

// sameAsStage compares a survey with the result of the stage for all points with the same options.
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
		samePartition(t, fmt.Sprintf("%v %v: %d tiles of %s m", files, options, n, tile),
			resultsOf(t, project), places, want)
	}
}

// Equal options give equal ids at all levels: of the stage on all points, and of a survey, whatever the
// size of its tiles, also in a Mercator projection, with a town on both sides of a step of its unit.
func TestSurveyEqualsStage(t *testing.T) {
	t.Parallel()
	files := town(t, "")
	for k, options := range sameOptions() {
		sameAsStage(t, files, options, []string{"5000", "60"}[min(k, 1):]...)
	}
	const mercator = `PROJCS["m",` + wktGeographic +
		`,PROJECTION["Mercator_1SP"],PARAMETER["central_meridian",0],` +
		`PARAMETER["scale_factor",1],PARAMETER["false_easting",0],PARAMETER["false_northing",-3643],UNIT["metre",1]]`
	sameAsStage(t, town(t, mercator), stage{"model": "geometric"}, "20")
}

// The same holds for real clouds, of which two are larger than the sample that spacing and λ are measured on:
// one has scan lines. The cloud of trees has clumps. Clouds are parts of tiles: what the claim needs of them,
// more points than the sample, or several tiles, they have at half of the size. The stage runs on one thread,
// surveys on all.
func TestSurveyEqualsStageOnRealTiles(t *testing.T) {
	t.Parallel()
	folder, err := realdata.Folder()
	if err != nil {
		t.Skip(err)
	}
	launcher(t)
	for _, c := range []struct {
		name, bounds string // of the part; "" = all
		sampled      bool   // such a cloud takes some ten seconds for each of the options
		tile         string
	}{
		{"val/lidarhd_77060_627760.laz", "([770600,770650],[6277550,6277577])", false, "25"},
		{"val/ahn4_trees_median_patch_13.laz", "", false, "15"},
		{"train/ign_689400_6735450_crop_2_water.laz", "([689400,689450],[6735450,6735484])", true, "110"},
		{"train/ahn3_cropped_1.laz", "([84800,84900],[447412,447468])", true, "70"},
	} {
		path, options := filepath.Join(folder, c.name), sameOptions()[:3]
		if c.bounds != "" {
			path = part(t, path, c.bounds)
		}
		if c.sampled {
			count := read(t, path).Len()
			must.Hold(t, count > steps.SampleWhole, "%d points of %s are not sampled", count, c.name)
			options = options[:full(1, 3)]
		} else {
			energies(t, path)
		}
		for k, options := range options {
			options["threads"] = 1
			t.Run(fmt.Sprint(filepath.Base(c.name), " ", k), func(t *testing.T) {
				t.Parallel()
				sameAsStage(t, []string{path}, options, c.tile)
			})
		}
	}
}

// part writes the points of a file within bounds to a file of LAS 1.4, and returns it. PDAL 2.2 cannot write
// all classes of these tiles to LAZ.
func part(t *testing.T, path, bounds string) string {
	t.Helper()
	part := filepath.Join(t.TempDir(), "part.las")
	pdal(t, nil, "translate", path, part, "crop", "--writers.las.forward=all",
		"--writers.las.minor_version=4", "--filters.crop.bounds="+bounds).ok(t)
	return part
}

// energies compares the solvers: the energy of the default is at most 1.005 times the energy of cut
// pursuit with `aerial` and 1.04 times with `any`, whose differences are smaller and whose λ̃ is ten times
// as large.
func energies(t *testing.T, tile string) {
	for model, limit := range map[string]float64{"any": 1.04, "aerial": 1.005} {
		energy := map[string]float64{}
		for _, solver := range []string{"cut-pursuit", "auto"} {
			o := pipeline(t, nil, tile, stage{"type": "filters.superpoint", "model": model, "solver": solver},
				stage{"type": "writers.null"}).ok(t)
			energy[solver], _ = o.stage[0]["energy"].(float64)
		}
		pursuit := energy["cut-pursuit"]
		must.Hold(t, pursuit > 0, "%s: pursuit is %v, want more than 0", model, pursuit)
		must.Hold(t, energy["auto"] <= limit*pursuit,
			`%s: energy["auto"] is %v, want at most %v`, model, energy["auto"], limit*pursuit)
	}
}

// Tiles give the superpoints of the full cloud, whatever their size, in whatever order
// they are worked on, by however many processes, of which some are killed at any time.
func TestTilesEqualFullCloud(t *testing.T) {
	t.Parallel()
	files := town(t, "")
	places, want := staged(t, files, nil)
	small, n := planned(t, files, "--tile", "40", "--halo", "20")
	do(t, "survey", "run", small)
	samePartition(t, "tiles of 40 m", resultsOf(t, small), places, want)
	must.Hold(t, n >= 6, "%d tiles of 40 m", n)
	checkHalos(t, small, n)

	random := rand.New(rand.NewPCG(11, 12))
	spread, n := planned(t, files, "--tile", "95")
	for range 3 {
		killed := exec.Command(launcher(t), "superpoint", "survey", "run", "--threads", "1", spread)
		must.OK(t, killed.Start())
		time.Sleep(time.Duration(random.IntN(1500)) * time.Millisecond)
		err := killed.Process.Kill()
		if err != nil {
			must.Need(t, errors.Is(err, os.ErrProcessDone), "error %v, want os.ErrProcessDone", err)
		}
		_ = killed.Wait() // it may have been done
	}
	for _, step := range survey.Steps() {
		switch {
		case step.Name == "cut": // tiles cut their sources
		case step.Over != folder.Tiles:
			do(t, "survey", "run", spread, step.Name)
		default:
			for _, k := range random.Perm(n) {
				do(t, "survey", "run", "--threads", fmt.Sprint(1+k%2), spread, step.Name, fmt.Sprint(k))
			}
		}
	}
	samePartition(t, "tiles of 95 m", resultsOf(t, spread), places, want)
	must.Hold(t, n >= 2, "%d tiles of 95 m", n)
}

// TestWrongHeightsInHeaders: superpoints of tiles equal the stage's, whatever heights the headers have.
func TestWrongHeightsInHeaders(t *testing.T) {
	t.Parallel()
	files := town(t, "")
	places, want := staged(t, files, nil)
	for k, file := range files {
		const highest, lowest = 211, 219 // bytes of a header of LAS
		data := must.Get(os.ReadFile(file))(t)
		binary.LittleEndian.PutUint64(data[highest:], math.Float64bits(900.5+float64(k)))
		binary.LittleEndian.PutUint64(data[lowest:], math.Float64bits(-333.25))
		must.OK(t, os.WriteFile(file, data, 0o644))
	}
	project, _ := planned(t, files, "--tile", "60")
	do(t, "survey", "run", project)
	samePartition(t, "tiles", resultsOf(t, project), places, want)
}

// TestWrongPlacesInHeaders: a survey is refused if points lie outside the bounds in the header of their file,
// because tiles beyond the bounds do not read it. The error names the file and the remedy.
func TestWrongPlacesInHeaders(t *testing.T) {
	t.Parallel()
	const highestX, highestY, lowestY = 179, 195, 203 // bytes of a header of LAS
	for _, c := range []struct {
		name  string
		file  int
		at    int
		value float64
	}{
		{"half of a file between others", 0, highestX, 652_045},
		{"beyond the edge of the survey", 1, highestX, 652_178},
		{"half in Y", 1, highestY, 5_412_030},
		{"a metre in Y", 0, lowestY, 5_412_001},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			files := town(t, "")
			data := must.Get(os.ReadFile(files[c.file]))(t)
			put := func(at int, v float64) { binary.LittleEndian.PutUint64(data[at:], math.Float64bits(v)) }
			put(c.at, c.value)
			must.OK(t, os.WriteFile(files[c.file], data, 0o644))
			project, _ := planned(t, files, "--tile", "60")
			refused(t, try(t, "survey", "run", project), filepath.Join(project, "out"), files[c.file],
				"lies outside the bounds", "pdal translate")
		})
	}
}

// TestFarPlacesInHeaders: a survey that is too wide by the bounds in a header alone is refused, with the file
// and the remedy, whether all of the file or a part of it is said to be far away.
func TestFarPlacesInHeaders(t *testing.T) {
	t.Parallel()
	const highestX, lowestX = 179, 187 // bytes of a header of LAS
	for name, lowest := range map[string]float64{"the whole file": 1e7 - 1, "a part of it": 651_900} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			files := town(t, "")
			data := must.Get(os.ReadFile(files[0]))(t)
			binary.LittleEndian.PutUint64(data[highestX:], math.Float64bits(1e7))
			binary.LittleEndian.PutUint64(data[lowestX:], math.Float64bits(lowest))
			must.OK(t, os.WriteFile(files[0], data, 0o644))
			project := filepath.Join(t.TempDir(), "project")
			o := try(t, append([]string{"survey", "plan", "--output", project, "--tile", "60"}, files...)...)
			refused(t, o, filepath.Join(project, "plan.json"), files[0],
				"rewrite the file with pdal translate")
		})
	}
}

// checkHalos tests that a survey had edges longer than the reach, places beyond the halo
// that had to be read, and halos that were too narrow for the merge.
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
	must.Hold(t, beyond != 0, "beyond is 0")
	must.Hold(t, widened != 0, "widened is 0")
	must.Hold(t, edges != 0, "edges is 0")
}

// What tiles cannot do exactly is refused, with what to do instead.
func TestSurveysRefuseInexactOptions(t *testing.T) {
	t.Parallel()
	path, _ := houseFile(t, 652_000, 5_412_000, 1)
	for _, c := range [][]string{{"--method", "vccs"}, {"--method", "ssp-cluster", "--model", "aerial"},
		{"--solver", "cut-pursuit"}, {"--delaunay", "true"}, {"--color", "true"},
		{"--vote", "Classification"}} {
		project := filepath.Join(t.TempDir(), "project")
		o := try(t, append(append([]string{"survey", "plan", "--output", project}, c...), path)...)
		refused(t, o, filepath.Join(project, "plan.json"), "option "+c[0][2:], ";")
	}
}
