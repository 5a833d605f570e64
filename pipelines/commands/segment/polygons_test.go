// SPDX-License-Identifier: BSD-3-Clause

package segment

import (
	"os"
	"path/filepath"
	"testing"

	"superpoint/pipelines/job"
	"superpoint/testdata/must"
)

// TestPolygons: geometries are polygons with an unambiguous inside, or the error names the feature, the place
// and a remedy. Those without an area are left out.
func TestPolygons(t *testing.T) {
	t.Parallel()
	const (
		square = "POLYGON ((0 0,1 0,1 1,0 1,0 0))"
		repair = "; repair a copy, for example by ogr2ogr -makevalid"
	)
	for _, c := range []struct {
		name, rows string
		words      string // of the error; "" = none
	}{
		{"a square", "\"" + square + "\",\n", ""},
		{"an empty shape beside another", "\"POLYGON EMPTY\",\n\"POLYGON ((0 0,1 0,1 1,0 0))\",\n", ""},
		{"a square before an empty shape", "\"" + square + "\",\n\"POLYGON EMPTY\",\n", ""},
		{"a row without a shape", ",1\n\"MULTIPOLYGON (((0 0,1 0,1 1,0 0)))\",2\n", ""},
		{"a hole", "\"POLYGON ((0 0,9 0,9 9,0 9,0 0),(1 1,2 1,2 2,1 2,1 1))\",\n", ""},
		{"heights", "\"POLYGON Z ((0 0 5,1 0 5,1 1 5,0 0 5))\",\n", ""},
		{"parts that overlap", "\"MULTIPOLYGON (((0 0,2 0,2 2,0 0)),((1 0,3 0,3 2,1 0)))\",\n", ""},
		{"a point twice", "\"POLYGON ((0 0,1 0,1 0,1 1,0 1,0 0))\",\n", ""},
		{"a spike", "\"POLYGON ((0 0,4 0,4 4,2 4,2 6,2 4,0 4,0 0))\",\n", ""},
		{"a ring that touches itself", "\"POLYGON ((0 0,4 0,2 2,4 4,0 4,2 2,0 0))\",\n", ""},
		{"a line beside a square", "\"POLYGON ((0 0,1 1,0 0))\",\n\"" + square + "\",\n", ""},
		{"only empty shapes", "\"POINT EMPTY\",\n\"MULTIPOLYGON EMPTY\",\n",
			"no polygons with an area; give a vector file"},
		{"nothing", "", "no polygons"},
		{"a ring of two points", "\"POLYGON ((0 0,1 1,0 0))\",\n", "no polygons with an area"},
		{"a ring of one point", "\"POLYGON ((0 0,0 0,0 0,0 0))\",\n", "no polygons with an area"},
		{"a line string", "\"" + square + "\",\n\"LINESTRING (0 0,1 0)\",\n",
			"feature 2: it is a linestring"},
		{"a bow tie", "\"POLYGON ((0 0,4 4,4 0,0 4,0 0))\",\n",
			"feature 1: it crosses itself at 2 2" + repair},
		{"a bow tie beside a square", "\"" + square + "\",\n\"POLYGON ((0 0,4 4,4 0,0 4,0 0))\",\n",
			"feature 2: it crosses"},
		{"a loop in a large ring", "\"POLYGON ((0 0,9 0,9 9,4 9,6 5,8 5,4 8,0 9,0 0))\",\n",
			"it crosses itself at 4.8 7.4; repair"},
		{"a part that crosses itself", "\"MULTIPOLYGON (((9 9,8 9,8 8,9 9)),((0 0,4 4,4 0,0 4,0 0)))\",\n",
			"feature 1: it crosses"},
		{"a hole that crosses itself", "\"POLYGON ((0 0,9 0,9 9,0 9,0 0),(1 1,5 5,5 1,1 5,1 1))\",\n",
			"it crosses itself at 3 3"},
		{"a ring that is open", "\"POLYGON ((0 0,1 0,1 1,0 1))\",\n",
			"a ring is not closed: it begins at 0 0 and ends at 0 1"},
		{"a hole outside", "\"POLYGON ((0 0,1 0,1 1,0 0),(5 5,6 5,6 6,5 5))\",\n", "interior ring outside"},
		{"a hole in a hole", "\"POLYGON ((0 0,9 0,9 9,0 9,0 0),(1 1,1 8,8 8,8 1,1 1),(2 2,2 3,3 3,2 2))\",\n",
			"nested"},
		{"no numbers", "\"POLYGON ((nan 0,1 0,1 1,nan 0))\",\n", "feature 1: invalid WKT"},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := filepath.Join(t.TempDir(), "layer.csv")
			must.OK(t, os.WriteFile(path, []byte("WKT,\n"+c.rows), 0o666))
			_, err := readPolygons(path)
			must.Says(t, err, c.words, "polygons")
		})
	}
}

// TestReferenceOfGeoJSON: only a GeoJSON object that has no member crs lacks a reference.
func TestReferenceOfGeoJSON(t *testing.T) {
	t.Parallel()
	for text, lacks := range map[string]bool{
		`{"type": "FeatureCollection", "features": []}`:              true,
		`{"type": "FeatureCollection", "crs": {"type": "name"}}`:     false,
		`{"type": "FeatureCollection", "crs": null, "features": []}`: false,
		`{"type": "FeatureCollection"`:                               false,
		`{"features": []}`:                                           false,
		"SQLite format 3":                                            false,
	} {
		path := filepath.Join(t.TempDir(), "area.geojson")
		must.OK(t, os.WriteFile(path, []byte(text), 0o666))
		must.Hold(t, lacksReference(path) == lacks, "%s: %v", text, !lacks)
	}
	must.Hold(t, !lacksReference(filepath.Join(t.TempDir(), "none")), "a file that is not there")
}

// TestNameOfArea: GDAL names a layer after its file, so every control character is refused before
// GDAL is called.
func TestNameOfArea(t *testing.T) {
	for _, name := range []string{"a\tb.gpkg", "a\nb.gpkg", "a\x7fb.gpkg", "a\u0085b.gpkg"} {
		_, err := openArea(nil, job.Pinned{Path: name, Read: "copy.gpkg"})
		must.Fail(err)(t, "option area", "control character", "rename the file")
	}
}
