package compare

import (
	"math"
	"slices"
	"strings"
	"testing"

	"superpoint/embed/whole"
	"superpoint/filter"
	"superpoint/partition/metrics"
)

func result(file, system string, target float64, segments, pure int64) Result {
	return Result{Set: "town", File: file, System: system, Option: byPieces, Value: target,
		Counts: metrics.Counts{Points: 1000, Segments: segments, Classified: 1000, Pure: pure, TrueEdges: 1, Predicted: 1}}
}

func TestCurvesAddFilesUp(t *testing.T) {
	results := []Result{
		result("a", "ssp", 100, 10, 900), result("b", "ssp", 100, 14, 700),
		result("a", "ssp", 50, 20, 950), // missing on b: cannot be added up
		result("a", "lin", 100, 10, 500), result("b", "lin", 100, 10, 600),
	}
	all := curves(results, []string{"town"}, []string{"ssp", "lin"})
	if len(all) != 2 || len(all[0].points) != 1 {
		t.Fatalf("%+v", all)
	}
	if p := all[0].points[0]; p.segments != 24 || math.Abs(float64(p.scores.OOA)-0.8) > 1e-12 {
		t.Errorf("%+v", p)
	}
}

func TestRatio(t *testing.T) {
	results := []Result{
		result("a", "ssp", 100, 100, 900), result("a", "ssp", 50, 400, 980), result("a", "ssp", 200, 25, 820),
		result("a", "lin", 100, 100, 860), result("a", "vccs", 100, 100, 850),
	}
	for i := range results {
		results[i].Option = bySize
	}
	all := curves(results, []string{"town"}, []string{"ssp", "lin", "vccs"})
	// 0.86 lies halfway between 0.82 at 25 and 0.90 at 100: 50 segments by logarithm
	a := ratio(all, "town", "ssp", 100)
	if a.rival != "lin" || math.Abs(a.times-2) > 1e-9 || a.least {
		t.Errorf("%+v", a)
	}
	if a = ratio(all, "nowhere", "ssp", 100); !math.IsNaN(a.times) {
		t.Errorf("%+v for a set that is not there", a)
	}
}

func output(t *testing.T, path string) *whole.Output {
	to, err := new(whole.Files).Output(path)
	if err != nil {
		t.Fatal(err)
	}
	return to
}

func TestResultsSurviveTheirFile(t *testing.T) {
	path := t.TempDir() + "/results.csv"
	one, err := openTable(output(t, path))
	if err != nil {
		t.Fatal(err)
	}
	good, failed := result("a", "ssp", 100, 10, 900), result("a", "lin", 100, 0, 0)
	good.Seconds, good.BytesPerPoint, failed.Error = 1.25, 240, "broken,\nreally"
	for _, r := range []Result{good, failed} {
		if err := one.add(r); err != nil {
			t.Fatal(err)
		}
	}
	one.close()
	two, err := openTable(output(t, path))
	if err != nil || len(two.results) != 1 || two.results[0] != good || !two.has(good.key(), good.Model) ||
		two.has(good.key(), "newer") || two.has(failed.key(), "") {
		t.Errorf("%+v, %v", two, err)
	}
	newer := good
	newer.Model = "newer"
	if err := two.add(newer); err != nil {
		t.Fatal(err)
	}
	two.close()
	three, err := openTable(output(t, path))
	if err != nil || len(three.results) != 1 || three.results[0] != newer {
		t.Errorf("a result of a newer model: %+v, %v", three, err)
	}
	three.close()
	if _, err := readResults(strings.NewReader("a,b\n1,2\n")); err == nil {
		t.Error("another table was read")
	}
}

func TestFigureOfNothing(t *testing.T) {
	f, err := newFigure(nil, []string{"town"}, []string{"ssp"})
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	if err := f.svg(&b); err != nil || !strings.Contains(b.String(), "<svg") {
		t.Error(err)
	}
	if first, _, _ := strings.Cut(b.String(), "<text"); !strings.Contains(first, "fill:#FFFFFF") {
		t.Errorf("nothing white below the legend: %s", first)
	}
}

func TestPanicBecomesAResult(t *testing.T) {
	c := &Config{Systems: []System{{Name: "x", Options: filter.Options{Method: "vccs"}}}}
	all := c.measure(filter.Run{}, quiet{t}, nil, &Input{"town", "a"}, trial{&c.Systems[0], byPieces, 100}, &Rule{})
	if len(all) != 2 || !strings.Contains(all[0].Error, "internal error") || all[0].Error != all[1].Error {
		t.Errorf("%+v", all)
	}
}

type quiet struct{ t *testing.T }

func (q quiet) Read(string, []string) (*filter.View, error) { return nil, nil }
func (q quiet) Log(level int, text string)                  { q.t.Logf("log %d: %.60s", level, text) }
func (q quiet) Progress(string, float64)                    {}

func TestRules(t *testing.T) {
	c := &Config{Truth: "Classification", Rules: []Rule{
		{Match: "room_*", Model: "indoor", Truth: "PointSourceId", Objects: true},
		{Match: "*.laz", Merge: [][]int{{3, 4, 5}}, Ignore: []int{66}},
	}}
	for _, v := range []struct {
		file, dimension string
		from, want      []float64
		objects         bool
	}{
		{"a/room_1.laz", "PointSourceId", []float64{0, 1, 7}, []float64{1, 2, 8}, true},
		{"a/town.laz", "Classification", []float64{2, 3, 5, 66, 4}, []float64{2, 3, 3, 0, 3}, false},
		{"a/town.las", "Classification", []float64{2, 66}, []float64{2, 66}, false},
	} {
		rule := c.rule(&Input{"x", v.file})
		view := &filter.View{Dimensions: map[string][]float64{v.dimension: v.from}}
		if err := c.label(view, &rule); err != nil {
			t.Fatal(err)
		}
		if got := view.Dimensions[classColumn]; !slices.Equal(got, v.want) ||
			(view.Dimensions[objectColumn] != nil) != v.objects {
			t.Errorf("%s: classes %v, want %v; objects %v", v.file, got, v.want, view.Dimensions[objectColumn])
		}
	}
	rule := c.rule(&Input{"x", "room_1"})
	open, chosen := System{Options: filter.Options{Model: "auto"}}, System{Options: filter.Options{Model: "aerial"}}
	if a, b := open.options(&rule).Model, chosen.options(&rule).Model; a != "indoor" || b != "aerial" {
		t.Errorf("models %q and %q", a, b)
	}
}

func TestSummary(t *testing.T) {
	results := []Result{result("a", "ssp", 100, 100, 900), result("a", "ssp", 200, 25, 820),
		result("a", "lin", 100, 100, 860), result("a", "lin", 200, 25, 810)}
	for _, r := range slices.Clone(results) {
		r.Option = bySize
		results = append(results, r)
	}
	c := &Config{Targets: []float64{100, 200}}
	var b strings.Builder
	if err := summary(&b, c, curves(results, []string{"town"}, []string{"ssp", "lin"}), []string{"town"},
		[]string{"ssp", "lin"}); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"| town | 90.00 | 86.00 (lin) | 2.0 × |", "| town | 200 | lin | 25 |"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in\n%s", want, b.String())
		}
	}
}
