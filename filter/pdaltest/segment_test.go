package pdaltest

import (
	"math"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"superpoint/testdata/las"
)

// sameDimensions fails the test unless a and b agree in everything a LAS file
// of format 7 holds.
func sameDimensions(t *testing.T, a, b *las.Points) {
	t.Helper()
	for _, c := range []struct {
		name string
		same bool
	}{
		{"X", slices.Equal(a.X, b.X)}, {"Y", slices.Equal(a.Y, b.Y)}, {"Z", slices.Equal(a.Z, b.Z)},
		{"Intensity", slices.Equal(a.Intensity, b.Intensity)},
		{"ReturnNumber", slices.Equal(a.ReturnNumber, b.ReturnNumber)},
		{"NumberOfReturns", slices.Equal(a.NumberOfReturns, b.NumberOfReturns)},
		{"Classification", slices.Equal(a.Classification, b.Classification)},
		{"ScanAngle", slices.Equal(a.ScanAngle, b.ScanAngle)},
		{"PointSourceId", slices.Equal(a.PointSourceID, b.PointSourceID)},
		{"GpsTime", slices.Equal(a.GPSTime, b.GPSTime)},
		{"Red", slices.Equal(a.Red, b.Red)}, {"Green", slices.Equal(a.Green, b.Green)}, {"Blue",
			slices.Equal(a.Blue, b.Blue)},
	} {
		if !c.same {
			t.Errorf("dimension %s changed", c.name)
		}
	}
}

func TestLAZKeepsEverythingAndGainsSuperpoints(t *testing.T) {
	t.Parallel()
	in, points := houseFile(t, 400000, 6000000, 1)
	dir := t.TempDir()
	laz, back := filepath.Join(dir, "out.laz"), filepath.Join(dir, "back.las")
	o := pipeline(t, nil, reader(in), superpoint(stage{"color": true}), writer(laz)).ok(t)
	pipeline(t, nil, laz, writer(back)).ok(t)

	out := read(t, back)
	sameDimensions(t, points, out)
	if !strings.Contains(out.WKT, "UTM zone 32N") {
		t.Errorf("the spatial reference is now %q", out.WKT)
	}
	count := ids(t, out, "SuperpointID")
	dense(t, count)
	if got := o.stage[0]["superpoints"]; got != float64(len(count)) {
		t.Errorf("metadata says %v superpoints, the file has %d", got, len(count))
	}
	if got := o.stage[0]["points"]; got != float64(points.Len()) {
		t.Errorf("metadata says %v points of %d", got, points.Len())
	}
	if len(count) < 3 || len(count) > 300 {
		t.Errorf("%d superpoints for a box on a plane", len(count))
	}
	for _, name := range []string{"Embedding0", "Embedding1", "Embedding2", "Embedding3"} {
		for i, v := range out.Extra[name] {
			if math.IsNaN(v) || v != float64(float32(v)) {
				t.Fatalf("%s of point %d is %v, not a 32-bit number", name, i, v)
			}
		}
		if len(out.Extra[name]) != points.Len() {
			t.Errorf("dimension %s is missing", name)
		}
	}
	for i, v := range out.Extra["SuperpointColor"] {
		if v < 0 || v > 31 {
			t.Fatalf("color %v of point %d", v, i)
		}
	}
}

func TestDimensionTypes(t *testing.T) {
	t.Parallel()
	in, _ := houseFile(t, 0, 0, 1)
	laz := filepath.Join(t.TempDir(), "out.laz")
	pipeline(t, nil, reader(in), superpoint(stage{"color": true, "dimension": "ClusterID"}), writer(laz)).ok(t)
	schema := pdal(t, nil, "info", "--schema", laz).ok(t).stdout
	for _, d := range []struct{ name, size, kind string }{
		{"ClusterID", "4", "unsigned"}, {"SuperpointColor", "1", "unsigned"}, {"Embedding0", "4", "floating"},
	} {
		at := strings.Index(schema, `"name": "`+d.name+`"`)
		if at < 0 {
			t.Fatalf("dimension %s is missing in\n%s", d.name, schema)
		}
		entry := schema[at:min(at+120, len(schema))]
		if !strings.Contains(entry, `"size": `+d.size) || !strings.Contains(entry, d.kind) {
			t.Errorf("dimension %s is not %s of %s bytes: %s", d.name, d.kind, d.size, entry)
		}
	}
	if strings.Contains(schema, "SuperpointID") {
		t.Error("SuperpointID is there although the option dimension says ClusterID")
	}
}
