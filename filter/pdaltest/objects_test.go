package pdaltest

import (
	"os"
	"strings"
	"testing"

	"superpoint/testdata/must"
)

// TestObjects writes the objects of a simulated village that has true classes.
func TestObjects(t *testing.T) {
	t.Parallel()
	_, at := scene(t)
	pdal(t, nil, "superpoint", "segment", "--default_srs", "EPSG:32632", at("plain.las"), at("in.laz")).ok(t)
	pdal(t, nil, "superpoint", "objects", at("in.laz"), at("a.geojson")).ok(t)
	text := must.Get(os.ReadFile(at("a.geojson")))(t)
	houses, trees := strings.Count(string(text), `"MultiPolygon"`), strings.Count(string(text), `"Point"`)
	if houses < 5 || trees < 10 {
		t.Fatalf("%d houses and %d trees", houses, trees)
	}
	pdal(t, nil, "superpoint", "objects", at("in.laz"), at("a.gpkg")).ok(t)
	geoPackage(t, at("a.gpkg"), houses+trees, 32632, "RenderMetersInMapUnits", "214,96,77")
	validLayer(t, at("a.gpkg"), "buildings", houses, "max(abs(ST_Area(geom) - area)) < 0.1")
	validLayer(t, at("a.gpkg"), "trees", trees, "max(height) < 30 AND min(crown) > 1")

	pdal(t, nil, "superpoint", "segment", at("plain.las"), at("nowhere.las")).ok(t)
	pdal(t, nil, "superpoint", "objects", at("nowhere.las"), at("b.gpkg")).ok(t)
	geoPackage(t, at("b.gpkg"), houses+trees, -1, "RenderMetersInMapUnits")
}
