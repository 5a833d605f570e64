package compare

import (
	"testing"

	"superpoint/filter"
	"superpoint/filter/census"
	"superpoint/partition/parallel"
	"superpoint/testdata/scan"
)

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
