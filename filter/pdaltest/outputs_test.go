package pdaltest

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
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
