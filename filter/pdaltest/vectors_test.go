// SPDX-License-Identifier: BSD-3-Clause

package pdaltest

import (
	"bytes"
	"encoding/binary"
	"encoding/csv"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/hschendel/stl"
	"github.com/peterstace/simplefeatures/geom"

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

type feature struct {
	Properties map[string]float64
	Geometry   geom.Geometry // must be valid
}

// features reads GeoJSON, whose polygons must have the area of their column, and returns its reference.
func features(t *testing.T, path string) (crs string, all []feature) {
	t.Helper()
	var c struct {
		CRS      struct{ Properties struct{ Name string } }
		Features []feature
	}
	readJSON(t, path, &c)
	for _, f := range c.Features {
		if a := f.Geometry.Area(); f.Geometry.IsMultiPolygon() && math.Abs(a-f.Properties["area"]) > 0.051 {
			t.Errorf("%s: %v have %v m²", path, f.Properties, a)
		}
	}
	return c.CRS.Properties.Name, c.Features
}

// sheet returns the rows of a CSV file.
func sheet(t *testing.T, path string) [][]string {
	t.Helper()
	return must.Get(csv.NewReader(bytes.NewReader(must.Get(os.ReadFile(path))(t))).ReadAll())(t)
}

// TestVectorsOfAHouse describes the filter's own result: every superpoint has a row and its points, and those that are
// visible have an outline, in all formats.
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
	if crs != "urn:ogc:def:crs:EPSG::32632" || len(all) < 5 || len(rows) != len(count)+1 ||
		len(edges) < len(count) {
		t.Fatalf("%s, %d outlines, %d rows, %d edges for %d superpoints", crs, len(all), len(rows), len(edges), len(count))
	}
	for _, f := range all {
		id := int(f.Properties["id"])
		if n := count[id]; f.Properties["count"] != float64(n) || !(f.Geometry.Area() > 0) {
			t.Errorf("superpoint %d has %v points: %v", id, n, f.Properties)
		}
	}
	for _, row := range rows[1:] {
		if id := must.Get(strconv.Atoi(row[0]))(t); row[1] != strconv.Itoa(count[id]) {
			t.Errorf("superpoint %d has %v points: %v", id, count[id], row)
		}
	}
	checkFiles(t, at(""), "a.csv", "a.geojson", "a.gpkg", "a.stl", "g.csv")
	if solid, err := stl.ReadFile(at("a.stl")); err != nil || len(solid.Triangles) < 1000 {
		t.Errorf("%d triangles, %v", len(solid.Triangles), err)
	}
	geoPackage(t, at("a.gpkg"), len(all), 32632)
}

// geoPackage checks the bytes of a GeoPackage, without a database: what it is,
// the spatial reference in the head of every geometry (OGC 12-128r19, 2.1.3), and
// the style for QGIS, which has the words.
func geoPackage(t *testing.T, path string, n int, srs int32, words ...string) {
	t.Helper()
	database, err := os.ReadFile(path)
	if err != nil || !strings.HasPrefix(string(database), "SQLite format 3\x00") || string(database[68:72]) != "GPKG" {
		t.Fatalf("%s begins with %.16q, %v", path, database, err)
	}
	heads := regexp.MustCompile(`(?s)GP\x00[\x01-\x0f](.{4})`).FindAllSubmatch(database, -1)
	for _, head := range heads {
		if got := int32(binary.LittleEndian.Uint32(head[1])); got != srs {
			t.Errorf("%s: a geometry has the spatial reference %d, want %d", path, got, srs)
		}
	}
	if len(heads) < n {
		t.Errorf("%s has %d geometries, want %d", path, len(heads), n)
	}
	if words == nil {
		words = []string{"array_get(array("}
	}
	for _, want := range append(words, "layer_styles", "styleQML", "<renderer-v2") {
		if !bytes.Contains(database, []byte(want)) {
			t.Errorf("%s: %q is missing", path, want)
		}
	}
}

// TestReferencesOfVectors writes two files into one, and a cloud without a spatial reference.
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
	refused(t, try(t, "outline", plain, in, at("b.gpkg")), at("b.gpkg"), "segmented.las",
		"(EPSG:32632)", "plain.las", "(none)")
	do(t, "outline", in, in, at("two.gpkg"))
	geoPackage(t, at("two.gpkg"), 10, 32632)
}
