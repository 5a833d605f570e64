// SPDX-License-Identifier: BSD-3-Clause

package compare

import (
	"errors"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"superpoint/embed"
	"superpoint/filter"
	"superpoint/filter/cloud"
	"superpoint/filter/georef"
	"superpoint/filter/host"
	"superpoint/filter/message"
	"superpoint/filter/method"
	"superpoint/filter/option"
	"superpoint/filter/steps"
	"superpoint/filter/workspace"
	"superpoint/partition/base/parallel"
	"superpoint/partition/metrics"
	"superpoint/pipelines/commands/command"
	"superpoint/pipelines/files/atomicfile"
	"superpoint/pipelines/superpointstats"
	"superpoint/testdata/must"
	"superpoint/testdata/scan"
	"superpoint/testdata/scenes"
)

func result(file, system string, target float64, segments, pure int64) Result {
	return Result{Set: "town", File: file, System: system, Option: ByPieces, Value: target,
		Counts: metrics.Counts{Points: 1000, Segments: segments, Classified: 1000, Pure: pure, TrueEdges: 1,
			Predicted: 1}}
}

func TestFilesAreAddedUp(t *testing.T) {
	results := []Result{
		result("a", "ssp", 100, 10, 900), result("b", "ssp", 100, 14, 700),
		result("a", "ssp", 50, 20, 950), // missing on b: cannot be added up
		result("a", "lin", 100, 10, 500), result("b", "lin", 100, 10, 600),
	}
	all := complete(results, []string{"town"}, []string{"ssp", "lin"})
	must.Need(t, len(all) == 2, "%+v", all)
	p := all[0]
	must.Equal(t, p.Segments, 24, "p.Segments")
	must.Hold(t, math.Abs(float64(p.Scores().OOA)-0.8) <= 1e-12,
		"p.Scores().OOA is %v, want 0.8 within 1e-12", float64(p.Scores().OOA))
}

func output(t *testing.T, path string) *atomicfile.Output {
	return must.Get(new(atomicfile.Files).Output(path))(t)
}

func TestResultsSurviveTheirFile(t *testing.T) {
	path := t.TempDir() + "/results.csv"
	read := func() *table {
		all := newTable(output(t, path))
		must.OK(t, all.read())
		return all
	}
	one := read()
	good, failed := result("a", "ssp", 100, 10, 900), result("a", "lin", 100, 0, 0)
	good.Seconds, failed.Error = 1.25, "broken,\nreally"
	for _, r := range []Result{good, failed} {
		one.add(r)
	}
	must.OK(t, one.to.Write(one.write))
	two := read()
	must.Need(t, len(two.results) == 1, "len(two.results) is %v, want 1", len(two.results))
	must.Equal(t, two.results[0], good, "two.results[0]")
	must.Need(t, two.has(good.key(), good.Model), "two.has(good.key(), good.Model) is false")
	must.Hold(t, !two.has(good.key(), "newer"), `two.has(good.key(), "newer") is true`)
	must.Hold(t, !two.has(failed.key(), ""), `two.has(failed.key(), "") is true`)
	newer := good
	newer.Model = "newer"
	two.add(newer)
	must.OK(t, two.to.Write(two.write))
	three := read()
	must.Need(t, len(three.results) == 1,
		"a result of a newer model: len(three.results) is %v, want 1", len(three.results))
	must.Equal(t, three.results[0], newer, "a result of a newer model: three.results[0]")
	must.Fail(ReadResults(strings.NewReader("a,b\n1,2\n")))(t) // another table
}

func TestFigureOfNothing(t *testing.T) {
	var b strings.Builder
	err := WriteFigure(&b, nil, []string{"town"}, []string{"ssp"}, panels())
	must.OK(t, err)
	must.Say(t, b.String(), "<svg")
	first, _, _ := strings.Cut(b.String(), "<text")
	must.Hold(t, strings.Contains(first, "fill:#FFFFFF"), "nothing white below the legend: %s", first)
}

func TestPanicBecomesAResult(t *testing.T) {
	system := &System{Name: "x", Options: option.Options{Method: "vccs"}}
	c := &comparison{host: quiet{t: t}}
	all := c.measure(nil, &Input{"town", "a"}, trial{system, ByPieces, 100})
	must.Need(t, len(all) == 2, "len(all) is %v, want 2", len(all))
	must.Say(t, all[0].Error, "internal error")
	must.Equal(t, all[0].Error, all[1].Error, "all[0].Error")
}

type quiet struct {
	host.Host
	t *testing.T
}

func (q quiet) Log(level int, text string) { q.t.Logf("log %d: %.60s", level, text) }

func TestRules(t *testing.T) {
	rules := []Rule{
		{Match: "room_*", Model: "paper", Truth: "PointSourceId", Objects: true},
		{Match: "*.laz", Merge: [][]int{{5, 3, 4}}, Ignore: []int{66}},
	}
	for _, v := range []struct {
		file, dimension string
		from, want      []float64
		objects         bool
	}{
		{"a/room_1.laz", "PointSourceId", []float64{0, 1, 7}, []float64{1, 2, 8}, true},
		{"a/town.laz", "Classification", []float64{2, 3, 5, 66, 4}, []float64{2, 3, 3, 0, 3}, false},
		{"a/town.las", "Classification", []float64{2, 66}, []float64{2, 66}, false},
	} {
		rule := RuleFor(rules, v.file, "Classification")
		columns := &host.Columns{X: v.from, Dimensions: map[string][]float64{v.dimension: v.from}}
		got := must.Get(rule.truth(columns, ""))(t)
		must.Equal(t, got.class, v.want, "%s: classes", v.file)
		must.Equal(t, got.object != nil, v.objects, "%s: got.object != nil", v.file)
		must.Fail(rule.truth(columns, "Missing"))(t,
			`"Missing" is missing; name another one with --instances`)
	}
	rule := RuleFor(rules, "room_1", "Classification")
	open, chosen := System{Options: option.Options{Model: "auto"}},
		System{Options: option.Options{Model: "aerial"}}
	a, b := open.options(&rule).Model, chosen.options(&rule).Model
	must.Equal(t, a, "paper", "model of an open system")
	must.Equal(t, b, "aerial", "model of a system that names it")
}

// TestSearchPieces: a method whose segments each lie in three pieces is asked for segments three times as
// large.
func TestSearchPieces(t *testing.T) {
	const points = 100_000
	runs := 0
	sized, a, err := searchPieces(100, points, func(target float64) (*attempt, error) {
		runs++
		return &attempt{Counts: metrics.Counts{Pieces: int64(3 * math.Pow(points/target, .9))}}, nil
	})
	missed := miss(a.Pieces, 100, points)
	must.OK(t, err)
	must.Hold(t, math.Abs(missed) <= closeEnough,
		"math.Abs(missed) is %v, want at most %v", math.Abs(missed), closeEnough)
	must.Hold(t, runs <= mostTries, "runs is %v, want at most %v", runs, mostTries)
	must.Need(t, sized != nil, "sized is nil")
	must.Equal(t, sized.Pieces, int64(3*math.Pow(points/100, .9)), "sized.Pieces")
	// 200 clumps that do not count
	sized, _, err = searchPieces(100, points, func(target float64) (*attempt, error) {
		n := int64(200 + points/target)
		return &attempt{Counts: metrics.Counts{Segments: n, Pieces: n}}, nil
	})
	n := sized.Segments
	must.Need(t, err == nil, "%d superpoints where 1,000 are wanted: %v", n, err)
	must.Hold(t, n >= 980, "%d superpoints where 1,000 are wanted: n is %v, want at least 980", n, n)
	must.Hold(t, n <= 1020, "%d superpoints where 1,000 are wanted: n is %v, want at most 1020", n, n)
	never := errors.New("never")
	_, _, err = searchPieces(100, points, func(float64) (*attempt, error) { return nil, never })
	must.Hold(t, err == never, "got %v", err)
}

// TestNoStripes measures the share of ground in stripes, superpoints one scan line wide, by the default
// model: the mean over clouds of four seeds, because single ones differ, and fewer than the plain graph of
// nearest neighbours makes.
func TestNoStripes(t *testing.T) {
	const seeds = 4
	for _, s := range []struct {
		name, scene string
		o           scan.Options
		most        float64
	}{
		{"aerial lines", "village", scan.Options{Mode: scan.Aerial, Density: 10, Stretch: 5}, 0.02},
		{"spinning", "street", scan.Options{Mode: scan.Spinning}, 0.025},
	} {
		plain, joined := 0., 0.
		for seed := range uint64(seeds) {
			view := seeded(t, s.scene, s.o, seed)
			without, _ := striped(t, view, false)
			with, points := striped(t, view, true)
			t.Logf(
				"%s, seed %d: %.1f %% of the ground in stripes, %.1f %% with edges across lines of %d points",
				s.name, seed, 100*without, 100*with, points)
			plain, joined = plain+without/seeds, joined+with/seeds
		}
		must.Hold(t, plain >= 0.02, "%s: plain is %v, want at least 0.02", s.name, plain)
		must.Hold(t, joined <= s.most, "%s: joined is %v, want at most %v", s.name, joined, s.most)
		must.Hold(t, joined <= plain*2/3, "%s: joined is %v, want at most %v", s.name, joined, plain*2/3)
	}
}

// striped returns the share of the ground's points in superpoints of linearity
// above 0.9, and how many points the metadata says are joined across lines.
func striped(t *testing.T, view *cloud.View, across bool) (share float64, points int) {
	f := must.Get(filter.New(&option.Options{TargetSize: []float64{100}, AcrossLines: &across}, nil))(t)
	s := must.Get(f.Segment(steps.Run{}, view))(t)
	ground := map[uint32]int{}
	all, id := 0, make([]float64, view.Len())
	for i, class := range view.Dimensions["Classification"] {
		id[i] = float64(s.ID[i])
		if class == 2 {
			ground[s.ID[i]]++
			all++
		}
	}
	groups := must.Get(superpointstats.Group("ID", id))(t)
	forms := must.Get(groups.Forms(parallel.Run{}, view.X, view.Y, view.Z,
		func(float64) [3]float64 { return [3]float64{1, 1, 1} }))(t)
	thin := 0
	for k, form := range forms {
		if form.Linearity > 0.9 {
			thin += ground[groups.ID[k]]
		}
	}
	return float64(thin) / float64(all), f.Summary().AcrossLines
}

// kinds are simulated scans as the kinds of real ones; objects are the simulated
// ones indoors, and the connected parts of a class outdoors.
var kinds = []struct {
	name, scene string
	o           scan.Options
	indoor      bool
}{
	{"air", "village", scan.Options{Mode: scan.Aerial, Density: 10}, false},
	{"forest", "forest", scan.Options{Mode: scan.Ellipse, Density: 20}, false},
	{"spinning", "street", scan.Options{Mode: scan.Spinning}, false},
	{"mobile", "street", scan.Options{Mode: scan.Mobile}, false},
	{"facade", "facade", scan.Options{Mode: scan.Terrestrial}, false},
	{"room", "room", scan.Options{Mode: scan.Terrestrial}, true},
	{"handheld", "home", scan.Options{Mode: scan.Handheld}, true},
	{"table", "table", scan.Options{Mode: scan.Camera}, true},
}

// madeFor says for which kinds of scans a built-in model is; nil: for all.
var madeFor = map[string][]string{
	"any": nil, "aerial": {"air", "forest"},
	"paper": {"room", "handheld", "table"}, // rooms are the paper's S3DIS
}

// TestModelsAgainstHandCraftedFeatures measures every built-in model on simulated scans of the kinds that it
// is for, of a seed that no training has seen, at 100 points a superpoint. Its OOA is above that of
// hand-crafted features; and F of the default model is above that of every method without learning.
func TestModelsAgainstHandCraftedFeatures(t *testing.T) {
	for _, k := range kinds {
		view := simulated(t, k.scene, k.o)
		rule := Rule{Truth: "Classification", Merge: [][]int{{3, 4, 5}}, Ignore: []int{7, 18}}
		if k.indoor {
			rule = Rule{Truth: "PointSourceId", Objects: true}
		}
		truth := must.Get(rule.truth(&host.Columns{X: view.X, Dimensions: view.Dimensions}, ""))(t)
		w := must.Get(workspace.New(steps.Run{}, view, 20, 0, nil))(t)
		reached := func(o option.Options) *metrics.Report {
			o.TargetSize = []float64{100}
			s := must.Get(must.Get(filter.New(&o, nil))(t).SegmentIn(steps.Run{}, w))(t)
			r := must.Get(w.Measure(steps.Run{}, workspace.MetricsKNN, s.ID, truth.class, truth.object))(t)
			t.Logf("%s, %s%s: OOA %.3f, BR %.3f, BP %.3f", k.name, o.Method, o.Model, r.OOA,
				r.BRAsCoded, r.BP)
			return &r
		}
		crafted := reached(option.Options{Method: method.GeomGraph})
		rivals := map[string]*metrics.Report{method.GeomGraph: crafted}
		for _, name := range []string{method.VCCS, method.Lin} {
			rivals[name] = reached(option.Options{Method: name})
		}
		for _, model := range embed.Builtins() {
			of, ok := madeFor[model]
			must.Need(t, ok, "for which kinds of scans is %s?", model)
			if of != nil && !slices.Contains(of, k.name) {
				continue
			}
			r := reached(option.Options{Model: model})
			must.Hold(t, r.OOA > crafted.OOA, "%s, %s: OOA %.3f, hand-crafted features %.3f", k.name, model,
				r.OOA, crafted.OOA)
			for _, rival := range rivals {
				if of == nil {
					must.Hold(t, r.F() > rival.F(),
						"%s, %s: r.F() is %v, want more than %v", k.name, model, r.F(), rival.F())
				}
			}
		}
	}
}

// simulated scans a scene.
func simulated(t *testing.T, scene string, o scan.Options) *cloud.View {
	return seeded(t, scene, o, 3001)
}

// seeded is that scan of another seed.
func seeded(t *testing.T, scene string, o scan.Options, seed uint64) *cloud.View {
	s := must.Get(scenes.New(scene, scenes.Options{Seed: seed, Detail: .3}))(t)
	o.Points, o.Seed, o.Color = 25_000, seed, true
	p := must.Get(scan.Cloud(parallel.Run{}, s, o))(t)
	view := &cloud.View{X: p.X, Y: p.Y, Z: p.Z, Reference: georef.Reference{HorizontalUnit: 1,
		VerticalUnit: 1},
		Dimensions: map[string][]float64{"Classification": numbers(p.Classification),
			"PointSourceId": numbers(p.PointSourceID),
			"Red":           numbers(p.Red), "Green": numbers(p.Green), "Blue": numbers(p.Blue)}}
	return view
}

func numbers[T uint8 | uint16](from []T) []float64 {
	return slices.Collect(func(yield func(float64) bool) {
		for _, v := range from {
			if !yield(float64(v)) {
				return
			}
		}
	})
}

// TestOneTrueClass: points of one class have nothing to compare, unless some are of objects.
func TestOneTrueClass(t *testing.T) {
	for object, words := range map[float64]string{0: "all labelled points are of class 2", 1: ""} {
		labels := truthSet{}
		labels.add(&truth{class: []float64{0, 2, 2}, object: []float64{0, 0, object}})
		must.Says(t, labels.check(), words, "object %v", object)
	}
}

// TestCellsAreNoFormulas: a name is as it is, but for ./ before one that a spreadsheet takes for a formula.
func TestCellsAreNoFormulas(t *testing.T) {
	for name, want := range map[string]string{"a.laz": "a.laz", "a b.laz": "a b.laz", "": "",
		"a=b": "a=b", "é": "é"} {
		must.Equal(t, TableCell(name), want, "cell of %q", name)
	}
	for _, name := range []string{"=HYPERLINK(1).laz", "+1", "-1.laz", "--", "@SUM(A1)", "\t=1", "\r=1"} {
		must.Equal(t, TableCell(name), "./"+name, "cell of %q", name)
	}
}

// TestUserCodes: codes of national tables are class 1, unless they are predicted. A missed class of LAS stays
// one.
func TestUserCodes(t *testing.T) {
	count := map[[2]int]int64{{64, 1}: 5, {65, 2}: 3, {66, 66}: 7, {9, 2}: 4, {1, 1}: 1}
	want := map[[2]int]int64{{1, 1}: 6, {1, 2}: 3, {66, 66}: 7, {9, 2}: 4}
	must.Equal(t, mergeUserCodes(count), want, "codes")
	rows := ScoreClasses(map[[2]int]int64{{2, 2}: 300, {2, 6}: 100, {6, 6}: 99})
	all := rows[len(rows)-1] // 99 true points of class 6 are too few
	must.Equal(t, all.Name, "all", "all.Name")
	must.Equal(t, all.IoU, 0.75, "all.IoU")
}

func TestSystemsWithOptions(t *testing.T) {
	systems := must.Get(readSystems("lin, ssp:geometric+solver=cut-pursuit+adjacency_knn=7"))(t)
	o := systems[1].Options
	must.Equal(t, systems[1].Name, "ssp:geometric+solver=cut-pursuit+adjacency_knn=7", "systems[1].Name")
	must.Equal(t, o.Solver, "cut-pursuit", "o.Solver")
	must.Equal(t, o.AdjacencyKNN, 7, "o.AdjacencyKNN")
	must.Equal(t, o.Model, "geometric", "o.Model")
	for _, text := range []string{"ssp+solver", "lin+solver=local", "lin,lin", "ssp+nonsense=1",
		"id:Segment,id:Segment", "id:"} {
		_, err := readSystems(text)
		must.Hold(t, err != nil, "%q: no error", text)
	}
}

func TestRulesFile(t *testing.T) {
	for _, c := range []struct {
		text string
		ok   bool
	}{
		{"- {match: 'a_*', model: paper, truth: PointSourceId, objects: true}", true}, {"", true},
		{"- {model: paper}", false}, {"- {match: '['}", false}, {"- {match: a, objects: true, ignore: [1]}",
			false}, {"- {match: a, colour: red}", false}, {"match", false},
	} {
		file := filepath.Join(t.TempDir(), "rules.yaml")
		must.OK(t, os.WriteFile(file, []byte(c.text), 0o666))
		rules, err := rulesOf(file)
		must.Hold(t, (err == nil) == c.ok, "%q: %+v, %v", c.text, rules, err)
	}
}

// The text before = is the name of a data set, unless it is a part of a path.
func TestEqualsSignsInPaths(t *testing.T) {
	folder := filepath.Join(t.TempDir(), "town=new")
	must.OK(t, os.Mkdir(folder, 0o777))
	there := filepath.Join(folder, "a=b.laz")
	must.OK(t, os.WriteFile(there, nil, 0o666))
	t.Chdir(folder)
	for _, c := range []struct{ arg, set, path string }{
		{"town=a.laz", "town", "a.laz"},
		{"town=" + there, "town", there},
		{there, "a=b", there},
		{"a=b.laz", "a=b", "a=b.laz"},
		{"./x=y.laz", "x=y", "./x=y.laz"},
		{folder + "/missing.laz", "missing", folder + "/missing.laz"},
		{"plain.laz", "plain", "plain.laz"},
	} {
		got, err := labelledInputs(command.NewArguments("compare", nil), []string{c.arg})
		must.Need(t, err == nil, "%s: %v", c.arg, err)
		must.Equal(t, got[0].Set, c.set, "%s: got[0].Set", c.arg)
		must.Equal(t, got[0].Path, c.path, "%s: got[0].Path", c.arg)
	}
}

// TestRulesThatCannotBeRead: a file of rules that is missing, or in another encoding, is an error that names
// the option and the file; no file is no rule.
func TestRulesThatCannotBeRead(t *testing.T) {
	folder := t.TempDir()
	missing, latin := filepath.Join(folder, "missing.yaml"), filepath.Join(folder, "latin.yaml")
	must.OK(t, os.WriteFile(latin, []byte("- {match: 'Stra\xdfe_*'}\n"), 0o666))
	for _, file := range []string{missing, latin} {
		must.Fail(rulesOf(file))(t, "option rules", filepath.Base(file))
	}
	rules, err := rulesOf("")
	must.OK(t, err)
	must.Equal(t, len(rules), 0, "rules without a file")
}

// twoSquares is a host of files with two squares of points, which are classes 2 and 6 and segments 1 and 2.
type twoSquares struct {
	quiet
	warnings *[]string
}

func (h twoSquares) Log(level int, text string) {
	if level <= message.Warning {
		*h.warnings = append(*h.warnings, text)
	}
}

func (twoSquares) Progress(string, float64) {}

func (twoSquares) Read(string, []string) (*host.Columns, error) {
	c := &host.Columns{Dimensions: map[string][]float64{}}
	c.Reference = georef.Reference{HorizontalUnit: 1, VerticalUnit: 1}
	for i := range 400 {
		x, y := i%20, i/20
		c.X, c.Y, c.Z = append(c.X, float64(x)), append(c.Y, float64(y)), append(c.Z, float64(x/10*6))
		c.Dimensions["Classification"] = append(c.Dimensions["Classification"], float64(2+x/10*4))
		c.Dimensions["Segment"] = append(c.Dimensions["Segment"], float64(1+x/10))
	}
	return c, nil
}

// TestOnlyMissingResultsAreMeasured: a run measures what has no result, and a second run nothing: results
// that are there stay, also if they are others than would be measured now.
func TestOnlyMissingResultsAreMeasured(t *testing.T) {
	path := filepath.Join(t.TempDir(), "results.csv")
	c := &comparison{Labels: Labels{Truth: "Classification", AdjacencyKNN: 10},
		Systems: []System{{Name: "id:Segment", IDs: "Segment"}}, Inputs: []Input{{"town", "a.las"}},
		host: twoSquares{warnings: new([]string)}, table: newTable(output(t, path))}
	c.basis = must.Get(newBasis(c.Labels, c.Inputs, func(string) (string, error) { return "hash", nil },
		output(t, filepath.Join(filepath.Dir(path), "basis.yaml"))))(t)
	must.OK(t, c.file(0))
	must.Need(t, len(c.table.results) == 1, "%d results of one trial", len(c.table.results))
	first := c.table.results[0]
	must.Equal(t, first.Error, "", "error of the result")
	must.Equal(t, first.Segments, 2, "segments")
	must.Equal(t, first.Pure, first.Classified, "points in segments of one class")
	c.table.results[0].Segments = 77
	must.OK(t, c.file(0))
	must.Need(t, len(c.table.results) == 1, "%d results of one trial after a second run",
		len(c.table.results))
	must.Equal(t, c.table.results[0].Segments, 77, "segments of the result that was there")
}

// nowhere is a host of files without a spatial reference.
type nowhere struct{ twoSquares }

func (h nowhere) Read(path string, names []string) (*host.Columns, error) {
	c, err := h.twoSquares.Read(path, names)
	c.Reference = georef.Reference{}
	return c, err
}

// TestWarningsNameTheirFile: what is odd about a file is logged with its name.
func TestWarningsNameTheirFile(t *testing.T) {
	var warnings []string
	c := &comparison{Labels: Labels{Truth: "Classification", AdjacencyKNN: 10},
		Systems: []System{{Name: "id:Segment", IDs: "Segment"}}, Inputs: []Input{{"town", "a.las"}},
		host:  nowhere{twoSquares{warnings: &warnings}},
		table: newTable(output(t, t.TempDir()+"/results.csv"))}
	c.basis = must.Get(newBasis(c.Labels, c.Inputs, func(string) (string, error) { return "hash", nil },
		output(t, t.TempDir()+"/basis.yaml")))(t)
	must.OK(t, c.file(0))
	must.Need(t, len(warnings) == 1, "%d warnings, want 1: %q", len(warnings), warnings)
	must.Say(t, warnings[0], "a.las: the view has no spatial reference")
}

// TestRowOfCounts: a row has the file's name and counts, and the method of another row.
func TestRowOfCounts(t *testing.T) {
	counts := metrics.Counts{Points: 100, Segments: 7, Pieces: 9, Classified: 50, Pure: 40}
	got := newRow("b.las", row{File: "a.las", Method: "ssp", Points: 1, Superpoints: 2, Pieces: 3}, counts)
	got.Scores = metrics.Scores{OOA: got.OOA} // others are NaN, which equals nothing
	want := row{File: "b.las", Method: "ssp", Points: 100, Superpoints: 7, Pieces: 9, counts: counts}
	want.OOA = counts.Scores().OOA
	must.Equal(t, got, want, "row")
}
