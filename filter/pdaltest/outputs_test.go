package pdaltest

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"superpoint/testdata/las"
)

// TestOutputsAreNeverInputs asks commands, through pdal, to write to what they
// read. All pairs of all commands are in filter/command and embed/train.
func TestOutputsAreNeverInputs(t *testing.T) {
	folder := t.TempDir()
	points := filepath.Join(folder, "points.las")
	pipeline(t, nil, faux(2000), superpoint(nil), writer(points)).ok(t)
	good, err := os.ReadFile(points)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ input, args string }{
		{"a.laz", "eval --id SuperpointID --output {} {}"},
		{"a.csv", "table {} {}"},
		{"a.csv", "graph {} {}"},
		{"a.png", "render {} {}"},
		{"a.geojson", "outline {} {}"},
		{"a.gpkg", "outline {} {}"},
		{"a.stl", "mesh {} {}"},
		{"figure.png", "compare --systems geom-graph --output {dir} {}"},
		{"plan.json", "survey plan --output {dir} {}"},
		{"room.csv", "train --input {} --output {dir}/room"},
	} {
		dir := t.TempDir()
		link, path := filepath.Join(dir, c.input), filepath.Join(dir, "original.las")
		if err := os.WriteFile(path, good, 0o666); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(path, link); err != nil {
			t.Fatal(err)
		}
		o := pdal(t, nil, append([]string{"superpoint"},
			strings.Fields(strings.NewReplacer("{dir}", dir, "{}", link).Replace(c.args))...)...)
		if o.code != 1 || !strings.Contains(o.stderr, link) || !strings.Contains(o.stderr, "name another output") {
			t.Errorf("%s: exit code %d\n%s", c.args, o.code, o.stderr)
		}
		if after, _ := os.ReadFile(path); !bytes.Equal(after, good) {
			t.Errorf("%s: the input of %d bytes has %d", c.args, len(good), len(after))
		}
	}
}

// TestAcrossLinesInMetadata gives a flat scan whose points lie 25 times as close
// along its lines as the lines do.
func TestAcrossLinesInMetadata(t *testing.T) {
	p := new(las.Points)
	for line := range 24 {
		for k := range 200 {
			p.X, p.Y, p.Z = append(p.X, 0.02*float64(k)), append(p.Y, 0.5*float64(line)), append(p.Z, 0.01*float64((k*7)%3))
		}
	}
	in := filepath.Join(t.TempDir(), "lines.las")
	if err := las.WriteFile(in, p, 0.001); err != nil {
		t.Fatal(err)
	}
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
