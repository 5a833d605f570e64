package pdaltest

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"superpoint/testdata/las"
	"superpoint/testdata/must"
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

// TestOutputsOfTheStage: LAZ has the outputs, in types that hold them, and the spatial reference; the metadata counts.
func TestOutputsOfTheStage(t *testing.T) {
	t.Parallel()
	in, points := houseFile(t, 400000, 6000000, 1)
	laz := filepath.Join(t.TempDir(), "out.laz")
	o := pipeline(t, nil, reader(in), superpoint(stage{"color": true, "dimension": "ClusterID"}), writer(laz)).ok(t)
	back := unpacked(t, laz)
	out, file := read(t, back), must.Get(las.Read(back))(t)
	sameDimensions(t, points, out)
	if !strings.Contains(out.WKT, "UTM zone 32N") {
		t.Errorf("the spatial reference is now %q", out.WKT)
	}
	for name, kind := range map[string]string{"ClusterID": "uint32", "SuperpointColor": "uint8", "Embedding0": "float",
		"Embedding3": "float", "SuperpointID": ""} {
		if e := file.Extra(name); (e == nil) != (kind == "") || e != nil && las.Kinds[e.Kind] != kind {
			t.Errorf("dimension %s is not %s: %+v", name, kind, e)
		}
	}
	count := ids(t, out, "ClusterID")
	dense(t, count)
	if got := o.stage[0]; got["superpoints"] != float64(len(count)) || got["points"] != float64(points.Len()) {
		t.Errorf("the metadata has %v superpoints of %v points, the file %d of %d", got["superpoints"], got["points"],
			len(count), points.Len())
	}
	if len(count) < 3 || len(count) > 300 {
		t.Errorf("%d superpoints for a box on a plane", len(count))
	}
}
