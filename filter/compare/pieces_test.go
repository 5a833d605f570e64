package compare

import (
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"superpoint/filter"
	"superpoint/filter/census"
	"superpoint/partition/metrics"
	"superpoint/partition/parallel"
	"superpoint/testdata/scan"
)

// TestSearchPieces: a method whose segments each lie in three pieces is asked
// for segments three times as large.
func TestSearchPieces(t *testing.T) {
	const points = 100_000
	runs := 0
	sized, a, err := searchPieces(100, points, func(target float64) (*attempt, error) {
		runs++
		return &attempt{report: metrics.Report{Counts: metrics.Counts{Pieces: int64(3 * math.Pow(points/target, .9))}}}, nil
	})
	if err != nil || math.Abs(a.miss) > closeEnough || runs > mostTries {
		t.Errorf("misses by %g after %d runs: %v", a.miss, runs, err)
	}
	if few := int64(3 * math.Pow(points/100, .9)); sized == nil || sized.report.Counts.Pieces != few {
		t.Errorf("the attempt of the wanted size is %+v", sized)
	}
	never := errors.New("never")
	if _, _, err := searchPieces(100, points, func(float64) (*attempt, error) { return nil, never }); err != never {
		t.Errorf("got %v", err)
	}
}

// TestStandings: the worst comparison stands first, only methods without a learned
// model are rivals, and equal superpoints are no equal components.
func TestStandings(t *testing.T) {
	results := []Result{result("a", "ssp", 100, 10, 900), result("a", "ssp:b", 100, 10, 990),
		result("a", "lin", 100, 10, 950), result("a", "vccs", 100, 10, 800)}
	for i := range results {
		results[i].Counts.Pieces = 10
		results[i].Counts.TrueFound, results[i].Counts.PredictedGood = 1, 1
	}
	for _, r := range slices.Clone(results) {
		r.Option = bySize
		if r.System == "lin" { // too few superpoints to be compared
			r.Counts.Segments = 5
		}
		results = append(results, r)
	}
	c := &Config{Targets: []float64{100}}
	for _, name := range []string{"ssp", "ssp:b", "lin", "vccs"} {
		method, _, _ := strings.Cut(name, ":")
		c.Systems = append(c.Systems, System{Name: name, Options: filter.Options{Method: method, Model: "auto"}})
	}
	sets, systems := []string{"town"}, []string{"ssp", "ssp:b", "lin", "vccs"}
	var b strings.Builder
	if err := c.standings(&b, curves(results, sets, systems), sets); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{"| ssp | connected components | 1 of 2 | 0 of 1 | 1 of 1 | -0.050,",
		"| ssp:b | connected components | 2 of 2 | 1 of 1 | 1 of 1 |", "| ssp | superpoints | 2 of 2 | 1 of 1 | 1 of 1 |",
		"| best rival |\n|---|---|---|---|---|---|\n| -0.050 | town | 100 | OOA | 0.900 | 0.950 lin |"} {
		if !strings.Contains(b.String(), want) {
			t.Errorf("no %q in\n%s", want, b.String())
		}
	}
}

// TestNoStripes measures the share of ground in stripes, superpoints one scan
// line wide, by the default model: at most 1.5 %, and fewer than the plain graph of
// nearest neighbours makes.
func TestNoStripes(t *testing.T) {
	for _, s := range []struct {
		name, scene string
		o           scan.Options
	}{
		{"aerial lines", "village", scan.Options{Mode: scan.Aerial, Density: 10, Stretch: 5}},
		{"spinning", "street", scan.Options{Mode: scan.Spinning}},
	} {
		view := simulated(t, s.scene, s.o)
		plain, _ := striped(t, view, false)
		joined, points := striped(t, view, true)
		t.Logf("%s: %.1f %% of the ground in stripes, %.1f %% with edges across lines of %d points", s.name, 100*plain,
			100*joined, points)
		if plain < 0.02 || joined > 0.015 || joined > plain*2/3 {
			t.Errorf("%s: %.1f %% of the ground in stripes, %.1f %% without edges across lines", s.name, 100*joined, 100*plain)
		}
	}
}

// striped returns the share of the ground's points in superpoints of linearity
// above 0.9, and how many points the metadata says are joined across lines.
func striped(t *testing.T, view *filter.View, across bool) (share float64, points int) {
	f, err := filter.New(&filter.Options{TargetSize: 100, AcrossLines: &across}, nil)
	if err != nil {
		t.Fatal(err)
	}
	s, err := f.Segment(filter.Run{}, view)
	if err != nil {
		t.Fatal(err)
	}
	ground := map[uint32]int{}
	all, id := 0, make([]float64, view.Len())
	for i, class := range view.Dimensions["Classification"] {
		id[i] = float64(s.ID[i])
		if class == 2 {
			ground[s.ID[i]]++
			all++
		}
	}
	groups, err := census.Group(id)
	if err != nil {
		t.Fatal(err)
	}
	forms, err := groups.Forms(parallel.Run{}, view.X, view.Y, view.Z,
		func(float64) [3]float64 { return [3]float64{1, 1, 1} })
	if err != nil {
		t.Fatal(err)
	}
	thin := 0
	for k, form := range forms {
		if form.Linearity > 0.9 {
			thin += ground[groups.ID[k]]
		}
	}
	return float64(thin) / float64(all), f.Summary().AcrossLines
}
