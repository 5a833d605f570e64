// SPDX-License-Identifier: BSD-3-Clause

package layers

import (
	"image"
	"slices"
	"strings"
	"testing"

	"superpoint/filter/georef"
	"superpoint/pipelines/files/pdalprocess"
	"superpoint/testdata/must"
)

// The share of points that are there twice is that of the area of the tiles.
func TestOverlapsHaveAShare(t *testing.T) {
	metres := georef.Reference{HorizontalUnit: 1}
	tile := func(path string, x float64) *Header {
		return &Header{path, pdalprocess.Bounds{MinX: x, MaxX: x + 35, MaxY: 60}, metres}
	}
	text := overlaps([]*Header{tile("west", 0), tile("east", 25)})
	must.Hold(t, strings.HasPrefix(text, "west and east overlap by 10 × 60 m (29 % of the area of all)"),
		"got %q, want %q at its start", text, "west and east overlap by 10 × 60 m (29 % of the area of all)")
	must.Say(t, text, "leave out buffers")
	must.Equal(t, overlaps([]*Header{tile("west", 0), tile("east", 35)}), "", "overlaps of neighbours")
}

// TestArgumentsOfGDAL has each kind of spatial reference.
func TestArgumentsOfGDAL(t *testing.T) {
	const utm = `PROJCS["u",GEOGCS["g"],UNIT["metre",1],AUTHORITY["EPSG","32632"]]`
	const own = "PROJCS[\"own\",\n  GEOGCS[\"g\"],UNIT[\"metre\",1]]"
	for wkt, want := range map[string]string{utm: "EPSG:32632", "": "NULL",
		own: `PROJCS["own", GEOGCS["g"],UNIT["metre",1]]`} {
		got := gdalArguments(&Layer{Name: "a", Geometry: "POINT"}, false, georef.Reference{WKT: wkt})
		if !slices.Equal(got, []string{"-f", "GPKG", "-unsetFid", "-nln", "a", "-nlt", "POINT", "-a_srs",
			want, "-lco",
			"FID=fid"}) {
			t.Errorf("%q", got)
		}
	}
}

// TestPositions prints lattice positions exactly.
func TestPositions(t *testing.T) {
	for want, at := range map[string]image.Point{"[600000.123,-0.005]": {600000123, -5}, "[1,0]": {1000, 0}} {
		must.Equal(t, string(AppendPosition(nil, at, 3)), want, "%v", at)
	}
}
