package compare

import (
	"math"
	"strings"
	"testing"

	"superpoint/filter"
	"superpoint/partition/metrics"
)

func result(file, system string, target float64, segments, pure int64) Result {
	return Result{Set: "town", File: file, System: system, Option: "target_size", Value: target,
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
	all := curves(results, []string{"town"}, []string{"ssp", "lin", "vccs"})
	// 0.86 lies halfway between 0.82 at 25 and 0.90 at 100: 50 segments by logarithm
	times, rival := ratio(all, "town", "ssp", 100)
	if rival != "lin" || math.Abs(times-2) > 1e-9 {
		t.Errorf("%v times fewer than %s", times, rival)
	}
	if times, _ = ratio(all, "nowhere", "ssp", 100); !math.IsNaN(times) {
		t.Errorf("%v for a set that is not there", times)
	}
}

func TestResultsSurviveTheirFile(t *testing.T) {
	path := t.TempDir() + "/results.csv"
	one, err := openTable(path)
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
	two, err := openTable(path)
	if err != nil || len(two.results) != 1 || two.results[0] != good || !two.has(good.key()) || two.has(failed.key()) {
		t.Errorf("%+v, %v", two, err)
	}
	two.close()
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
}

func TestPanicBecomesAResult(t *testing.T) {
	c := &Config{Systems: []System{{Name: "x", Options: filter.Options{Method: "vccs"}}}}
	r := c.measure(filter.Run{}, quiet{t}, nil, &Input{"town", "a"}, trial{&c.Systems[0], "target_size", 100})
	if !strings.Contains(r.Error, "internal error") {
		t.Errorf("%+v", r)
	}
}

type quiet struct{ t *testing.T }

func (q quiet) Read(string, []string) (*filter.View, error) { return nil, nil }
func (q quiet) Log(level int, text string)                  { q.t.Logf("log %d: %.60s", level, text) }
func (q quiet) Progress(string, float64)                    {}
