package main

import (
	"path/filepath"
	"slices"
	"testing"

	"superpoint/testdata/las"
	"superpoint/testdata/must"
)

// TestPlain: a label that may mean several classes, and one of no class, become 0, and
// coordinates begin at 0.
func TestPlain(t *testing.T) {
	t.Parallel()
	from, folder := filepath.Join(t.TempDir(), "ahn_a.las"), t.TempDir()
	p := &las.Points{X: []float64{80000, 80003, 80001, 80002}, Y: []float64{7, 5, 6, 8}, Z: []float64{-2, -1, 0, 1},
		Classification: []uint8{1, 2, 26, 200}, Red: make([]uint16, 4), Green: make([]uint16, 4), Blue: make([]uint16, 4)}
	must.OK(t, las.WriteFile(from, p, 0))
	must.OK(t, plainCommand([]string{"-rules", filepath.Join("../..", classesRules), folder, from}))
	got, err := las.ReadFile(filepath.Join(folder, "ahn_a.las"))
	must.OK(t, err)
	if want := []uint8{0, 2, 1, 0}; !slices.Equal(got.Classification, want) || got.Red != nil {
		t.Errorf("classes %d, colors %d; want %d and none", got.Classification, got.Red, want)
	}
	for _, axis := range [][]float64{got.X, got.Y, got.Z} {
		if least, most := slices.Min(axis), slices.Max(axis); least != 0 || most < 2.999 || most > 3.001 {
			t.Errorf("from %g to %g, want 0 to 3", least, most)
		}
	}
}
