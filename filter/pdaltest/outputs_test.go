package pdaltest

import (
	"path/filepath"
	"testing"

	"superpoint/testdata/las"
	"superpoint/testdata/must"
)

// TestAcrossLinesInMetadata gives a flat scan whose points lie 25 times as close
// along its lines as the lines do.
func TestAcrossLinesInMetadata(t *testing.T) {
	t.Parallel()
	p := new(las.Points)
	for line := range 24 {
		for k := range 200 {
			p.X, p.Y, p.Z = append(p.X, 0.02*float64(k)), append(p.Y, 0.5*float64(line)), append(p.Z, 0.01*float64((k*7)%3))
		}
	}
	in := filepath.Join(t.TempDir(), "lines.las")
	must.OK(t, las.WriteFile(in, p, 0.001))
	across := func(wanted bool) float64 {
		o := pipeline(t, nil, in, superpoint(stage{"across_lines": wanted}), stage{"type": "writers.null"}).ok(t)
		points, is := o.stage[0]["across_lines"].(float64)
		if !is {
			t.Fatalf("across_lines is %v", o.stage[0]["across_lines"])
		}
		return points
	}
	if n := across(true); n < 0.9*24*200 || n > 24*200 {
		t.Errorf("%v points are joined across lines", n)
	}
	if n := across(false); n != 0 {
		t.Errorf("%v points are joined across lines although they may not be", n)
	}
}
