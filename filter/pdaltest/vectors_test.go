// SPDX-License-Identifier: BSD-3-Clause

package pdaltest

import (
	"bytes"
	"encoding/binary"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/hschendel/stl"
	"github.com/peterstace/simplefeatures/geom"

	"superpoint/filter/message"
	"superpoint/testdata/las"
	"superpoint/testdata/must"
)

// segmentedHouse has superpoints and embeddings.
func segmentedHouse(t *testing.T) (string, *las.Points) {
	t.Helper()
	in, _ := houseFile(t, 400000, 6000000, 1)
	path := filepath.Join(t.TempDir(), "segmented.las")
	pipeline(t, nil, reader(in), superpoint(nil), writer(path)).ok(t)
	return path, read(t, path)
}

// numbers are the attributes of a feature that are numbers.
type numbers map[string]float64

func (n *numbers) UnmarshalJSON(text []byte) error {
	var all map[string]any
	if err := json.Unmarshal(text, &all); err != nil {
		return err
	}
	*n = numbers{}
	for name, value := range all {
		if number, is := value.(float64); is {
			(*n)[name] = number
		}
	}
	return nil
}

type feature struct {
	Properties numbers
	Geometry   geom.Geometry // must be valid
}

// features reads GeoJSON, whose polygons must have the area of their column, and returns its reference.
func features(t *testing.T, path string) (crs string, all []feature) {
	t.Helper()
	return featuresIn(t, path, 1)
}

// featuresIn reads GeoJSON in units of some metres.
func featuresIn(t *testing.T, path string, metres float64) (crs string, all []feature) {
	t.Helper()
	var c struct {
		CRS      struct{ Properties struct{ Name string } }
		Features []feature
	}
	readJSON(t, path, &c)
	for _, f := range c.Features {
		a := f.Geometry.Area() * metres * metres
		if f.Geometry.IsMultiPolygon() {
			must.Hold(t, math.Abs(a-f.Properties["area"]) <= 0.051,
				"%s: a is %v, want %v within 0.051", path, a, f.Properties["area"])
		}
	}
	return c.CRS.Properties.Name, c.Features
}

// sheet returns the rows of a CSV file.
func sheet(t *testing.T, path string) [][]string {
	t.Helper()
	return must.Get(csv.NewReader(bytes.NewReader(must.Get(os.ReadFile(path))(t))).ReadAll())(t)
}

// TestVectorsOfAHouse describes the filter's own result: every superpoint has a row and its points, and those
// that are visible have an outline, in all formats.
func TestVectorsOfAHouse(t *testing.T) {
	t.Parallel()
	in, points := segmentedHouse(t)
	count, at := ids(t, points, "SuperpointID"), place(t)
	for _, args := range [][]string{{"outline", in, at("a.geojson")}, {"outline", in, at("a.gpkg")},
		{"table", in, at("a.csv")},
		{"graph", in, at("g.csv")}, {"mesh", in, at("a.stl")}} {
		do(t, args...)
	}
	crs, all := features(t, at("a.geojson"))
	rows, edges := sheet(t, at("a.csv")), sheet(t, at("g.csv"))
	must.Need(t, crs == "urn:ogc:def:crs:EPSG::32632",
		"crs is %q, want %q", crs, "urn:ogc:def:crs:EPSG::32632")
	must.Need(t, len(all) >= 5, "outlines: got %v, want at least 5", len(all))
	must.Need(t, len(rows) == len(count)+1, "rows: got %v, want %v", len(rows), len(count)+1)
	must.Need(t, len(edges) >= len(count), "len(edges) is %v, want at least %v", len(edges), len(count))
	for _, f := range all {
		id := int(f.Properties["id"])
		n := count[id]
		must.Equal(t, f.Properties["count"], float64(n),
			`superpoint %d has %v points: f.Properties["count"]`, id, n)
		must.Hold(t, f.Geometry.Area() > 0,
			"superpoint %d has %v points: f.Geometry.Area() is %v, want more than 0",
			id, n, f.Geometry.Area())
	}
	for _, row := range rows[1:] {
		id := must.Get(strconv.Atoi(row[0]))(t)
		must.Hold(t, row[1] == strconv.Itoa(count[id]), "superpoint %d has %v points: %v", id, count[id], row)
	}
	checkFiles(t, at(""), "a.csv", "a.geojson", "a.gpkg", "a.stl", "g.csv")
	solid, err := stl.ReadFile(at("a.stl"))
	must.OK(t, err)
	must.Hold(t, len(solid.Triangles) >= 1000,
		"triangles: got %v, want at least 1000", len(solid.Triangles))
	geoPackage(t, at("a.gpkg"), len(all), 32632)
}

// geoPackage checks the bytes of a GeoPackage, without a database: what it is, the spatial reference in the
// head of every geometry (OGC 12-128r19, 2.1.3), and the style for QGIS, which has the words.
func geoPackage(t *testing.T, path string, n int, srs int32, words ...string) {
	t.Helper()
	database, err := os.ReadFile(path)
	if err != nil || !strings.HasPrefix(string(database), "SQLite format 3\x00") ||
		string(database[68:72]) != "GPKG" {
		t.Fatalf("%s begins with %.16q, %v", path, database, err)
	}
	heads := regexp.MustCompile(`(?s)GP\x00[\x01-\x0f](.{4})`).FindAllSubmatch(database, -1)
	for _, head := range heads {
		must.Equal(t, int32(binary.LittleEndian.Uint32(head[1])), srs,
			"%s: spatial reference of a geometry", path)
	}
	must.Hold(t, len(heads) >= n, "%s has %d geometries, want %d", path, len(heads), n)
	if words == nil {
		words = []string{"array_get(array("}
	}
	for _, want := range append(words, "layer_styles", "styleQML", "<renderer-v2") {
		must.Hold(t, bytes.Contains(database, []byte(want)), "%s: %q is missing", path, want)
	}
}

// TestReferencesOfVectors writes two files into one, and a cloud without a spatial reference. TestMistakes
// has files whose references differ.
func TestReferencesOfVectors(t *testing.T) {
	t.Parallel()
	in, _ := segmentedHouse(t)
	at := place(t)
	plain := at("plain.las")
	pipeline(t, nil, stage{"type": "readers.faux", "mode": "grid", "bounds": "([0,10],[0,10],[0,1])"},
		stage{"type": "filters.ferry", "dimensions": "=>SuperpointID"}, stage{"type": "filters.assign",
			"assignment": "SuperpointID[:]=1"}, writer(plain)).ok(t)
	do(t, "outline", plain, at("a.gpkg"))
	geoPackage(t, at("a.gpkg"), 1, -1)
	east := at("east.las")
	pipeline(t, nil, in, stage{"type": "filters.transformation",
		"matrix": "1 0 0 100 0 1 0 0 0 0 1 0 0 0 0 1"},
		writer(east)).ok(t)
	do(t, "outline", in, east, at("two.gpkg"))
	geoPackage(t, at("two.gpkg"), 10, 32632)
}

// TestColumnsWithoutValues: the columns of objects have their types also if a layer has no features, or if no
// feature has a value, so that maps of several places can be merged.
func TestColumnsWithoutValues(t *testing.T) {
	t.Parallel()
	at := place(t)
	flat := at("flat.las")
	ids := stage{"type": "filters.ferry", "dimensions": "=>SuperpointID,=>Classification"}
	set := func(value string) stage { return stage{"type": "filters.assign", "assignment": value} }
	pipeline(t, nil, stage{"type": "readers.faux", "mode": "grid", "bounds": "([0,40],[0,40],[0,1])"}, ids,
		set("SuperpointID[:]=1"), set("Classification[:]=2"), writer(flat)).ok(t)
	do(t, "objects", flat, at("none.gpkg"))
	geoPackage(t, at("none.gpkg"), 0, -1, `"id" MEDIUMINT`, `"roof" TEXT`, `"eave" REAL`, `"crown" REAL`)
}

// polygons writes GeoJSON with rings, each a polygon, in a spatial reference; "" = none that GDAL reads.
func polygons(t *testing.T, path, code string, rings ...[][2]float64) {
	t.Helper()
	features := []any{}
	for _, ring := range rings {
		shape := map[string]any{"type": "Polygon", "coordinates": []any{append(slices.Clip(ring), ring[0])}}
		features = append(features, map[string]any{"type": "Feature", "properties": map[string]any{},
			"geometry": shape})
	}
	all := map[string]any{"type": "FeatureCollection", "features": features}
	if code != "" {
		all["crs"] = map[string]any{"type": "name", "properties": map[string]any{"name": code}}
	}
	must.OK(t, os.WriteFile(path, must.Get(json.Marshal(all))(t), 0o600))
}

// TestArea segments the points in polygons, also in polygons of another spatial reference. All others are as
// before.
func TestArea(t *testing.T) {
	t.Parallel()
	p, at := scene(t)
	// on no point
	const west, east, south, north, middle, low = 60.0005, 90.0005, 20.0005, 70.0005, 50.0005, 10.0005
	rings := [][][2]float64{{{low, low}, {middle, low}, {middle, low + 30}},
		{{west, south}, {east, south}, {east, north}, {west, north}}}
	polygons(t, at("metres.geojson"), "EPSG:32632", rings...)
	corners := &las.Points{}
	for _, c := range slices.Concat(rings...) {
		corners.X, corners.Y, corners.Z = append(corners.X, c[0]), append(corners.Y, c[1]),
			append(corners.Z, 0)
	}
	must.OK(t, las.WriteFile(at("corners.las"), corners, 0.0001))
	pdal(t, nil, "translate", at("corners.las"), at("corners.txt"), "reprojection",
		"--readers.las.override_srs="+utm,
		"--filters.reprojection.out_srs=EPSG:4326", "--writers.text.precision=12", "--writers.text.order=X,Y",
		"--writers.text.write_header=false", "--writers.text.keep_unspecified=false").ok(t)
	var degrees [][2]float64
	for line := range strings.Lines(string(must.Get(os.ReadFile(at("corners.txt")))(t))) {
		var c [2]float64
		must.Get(fmt.Sscanf(line, "%g,%g", &c[0], &c[1]))(t)
		degrees = append(degrees, c)
	}
	polygons(t, at("degrees.geojson"), "EPSG:4326", degrees[:3], degrees[3:])

	in := func(i int) bool {
		x, y := math.Round(1000*p.X[i])/1000, math.Round(1000*p.Y[i])/1000
		return x > west && x < east && y > south && y < north || y > low && x < middle &&
			4*(y-low) < 3*(x-low)
	}
	o := do(t, "segment", "--default_srs", utm, "--class_change", "all", "--classes", "aerial", "--area",
		at("metres.geojson"), at("plain.las"), at("out.las"))
	got := read(t, at("out.las"))
	inside, ids := 0, got.Extra["SuperpointID"]
	for i := range p.X {
		switch {
		case in(i) != (ids[i] > 0):
			t.Fatalf("point %d at %v %v has id %v", i, p.X[i], p.Y[i], ids[i])
		case in(i):
			inside++
		case got.Classification[i] != p.Classification[i]:
			t.Fatalf("point %d outside of class %d gets %d", i, p.Classification[i], got.Classification[i])
		}
	}
	want := message.Thousands(int64(inside)) + " of " + message.Count(len(p.X), "point")
	must.Need(t, inside >= 1000, "inside is %v, want at least 1000", inside)
	must.Need(t, strings.Contains(o.stdout, want), "no %q in %s", want, o.stdout)
	do(t, "segment", "--default_srs", utm, "--class_change", "all", "--classes", "aerial", "--where",
		"Z > -100", "--area",
		at("degrees.geojson"), at("plain.las"), at("again.las"))
	again := read(t, at("again.las"))
	must.Equal(t, again.Extra["SuperpointID"], ids, `again.Extra["SuperpointID"]`)
	must.Equal(t, again.Classification, got.Classification, "again.Classification")

	for _, kept := range []bool{false, true, false} {
		o := do(t, "segment", "--model", "geometric", "--area", at("metres.geojson"), at("plain.las"),
			at("folder")+"/")
		must.Hold(t, strings.Contains(o.stderr, "of the same inputs") == kept, "kept, %v: %s",
			!kept, o.stderr)
		if kept {
			polygons(t, at("metres.geojson"), "EPSG:32632", rings[0])
		}
	}
	checkFarArea(t, p, at)
	checkProjectedGeoJSON(t, at, rings)
	polygons(t, at("empty.geojson"), utm)
	polygons(t, at("crossing.geojson"), "EPSG:32632", rings[0], [][2]float64{{0, 0}, {4, 4}, {4, 0}, {0, 4}})
	polygons(t, at("outside.geojson"), "EPSG:3395", [][2]float64{{1e12, 1e12}, {2e12, 1e12}, {2e12, 2e12}})
	polygons(t, at("beyond.geojson"), "EPSG:4326", [][2]float64{{8, 47}, {9, 47}, {9, 91}})
	polygons(t, at("world.geojson"), "EPSG:4326", [][2]float64{{-180, -90}, {180, -90},
		{180, 90}, {-180, 90}})
	for name, words := range map[string]string{"corners.las": "GDAL cannot read it", "none.gpkg": "none.gpkg",
		"empty.geojson": "it has ", "crossing.geojson": "feature 2: it crosses itself at 2 2; repair",
		"outside.geojson": "outside of its domain", "world.geojson": "outside of its domain",
		"beyond.geojson": "outside of the domain"} {
		refused(t, try(t, "segment", "--default_srs", utm, "--area", at(name), at("plain.las"),
			at("never.las")), at("never.las"), "option area: ",
			words)
	}
}

// checkProjectedGeoJSON segments by GeoJSON without a reference in the coordinates of the points, which its
// standard does not allow, with a warning, and refuses the coordinates of another file that says that it is
// in degrees.
func checkProjectedGeoJSON(t *testing.T, at func(string) string, rings [][][2]float64) {
	t.Helper()
	const east = 5000 // so that X is no longitude
	var shifted [][][2]float64
	for _, ring := range rings {
		moved := slices.Clone(ring)
		for k := range moved {
			moved[k][0] += east
		}
		shifted = append(shifted, moved)
	}
	p := read(t, at("plain.las"))
	for i := range p.X {
		p.X[i] += east
	}
	must.OK(t, las.WriteFile(at("east.las"), p, 0.001))
	polygons(t, at("east.geojson"), "EPSG:32632", shifted...)
	polygons(t, at("unnamed.geojson"), "", shifted...)
	var points [2]string
	for k, area := range []string{"east.geojson", "unnamed.geojson"} {
		o := do(t, "segment", "--force", "--model", "geometric", "--default_srs", utm, "--area", at(area),
			at("east.las"),
			at("east_out.las"))
		points[k], _, _ = strings.Cut(o.stdout, " superpoints")
		warned := strings.Contains(o.stderr, "GeoJSON without crs is in degrees")
		must.Hold(t, warned == (k == 1), "%s: warned %v: %s", area, warned, o.stderr)
	}
	must.Equal(t, points[1], points[0], "points in polygons without a reference")
	polygons(t, at("degrees_by_name.geojson"), "EPSG:4326", shifted...)
	refused(t, try(t, "segment", "--area", at("degrees_by_name.geojson"), at("plain.las"), at("never.las")),
		at("never.las"),
		"in degrees, and its coordinates, such as 50", "ogr2ogr -a_srs")
}

// checkFarArea segments a file far from the polygons: alone with a warning, and beside another file without.
func checkFarArea(t *testing.T, p *las.Points, at func(string) string) {
	t.Helper()
	far := *p
	far.X = slices.Clone(p.X)
	for i := range far.X {
		far.X[i] += 1000
	}
	must.OK(t, las.WriteFile(at("far.las"), &far, 0.001))
	for inputs, warned := range map[string]bool{"plain.las far.las": false, "far.las": true} {
		args := []string{"segment", "--force", "--model", "geometric", "--area", at("metres.geojson")}
		for name := range strings.FieldsSeq(inputs) {
			args = append(args, at(name))
		}
		o := do(t, append(args, at("some")+"/")...)
		must.Equal(t, strings.Contains(o.stderr, "polygons of `area` select none"), warned,
			"%s: strings.Contains(o.stderr, \"polygons of `area` select none\")", inputs)
		must.Hold(t, !strings.Contains(o.stderr, "nothing to segment"),
			"%s: got %q, want no %q in it", inputs, o.stderr, "nothing to segment")
		must.Hold(t, strings.Contains(o.stdout, ": 0 of "),
			"%s: no %q in %s", inputs, ": 0 of ", o.stdout)
		must.Hold(t, strings.Contains(o.stderr, "check their spatial reference and the order") == warned,
			"%s: %s", inputs,
			o.stderr)
	}
}
