package pdaltest

import (
	"os"
	"strings"
	"testing"

	"superpoint/testdata/must"
)

// TestLabelsOfVectorLayers classifies a village by the classes of outlines, as a
// GeoPackage, as GeoJSON, and as a GeoPackage of points without ids.
func TestLabelsOfVectorLayers(t *testing.T) {
	t.Parallel()
	p, at := scene(t)
	pdal(t, nil, "superpoint", "segment", "--default_srs", "EPSG:32632", at("plain.las"), at("in.las")).ok(t)
	pdal(t, nil, "superpoint", "outline", at("in.las"), at("labels.gpkg")).ok(t)
	pdal(t, nil, "superpoint", "outline", at("in.las"), at("labels.geojson")).ok(t)
	pdal(t, nil, "superpoint", "objects", "--min_crown", "4", at("in.las"), at("both.geojson")).ok(t)
	trees := only(t, at("both.geojson"), `"Point"`)
	must.OK(t, os.WriteFile(at("trees.geojson"), []byte(strings.ReplaceAll(trees, `"id"`, `"tree"`)), 0o644))
	var first []uint8
	for _, labels := range []string{"labels.gpkg", "labels.geojson"} {
		pdal(t, nil, "superpoint", "classify", "--labels", at(labels), "--class_change", "all", at("in.las"),
			at("out.las")).ok(t)
		out := read(t, at("out.las"))
		right := 0
		for i, c := range out.Classification {
			if c == p.Classification[i] {
				right++
			}
		}
		if share := float64(right) / float64(p.Len()); share < 0.85 {
			t.Errorf("%s: %.3f of the points have their class", labels, share)
		}
		if first != nil && string(first) != string(out.Classification) {
			t.Errorf("%s and labels.gpkg give other classes", labels)
		}
		first = out.Classification
	}
	pdal(t, nil, "superpoint", "propose", "--labels", at("trees.geojson"), at("in.las"), at("next.csv")).ok(t)
	pdal(t, nil, "superpoint", "outline", "--label", "aerial", "--top", at("in.las"), at("empty.gpkg")).ok(t)
	geoPackage(t, at("empty.gpkg"), 100, 32632, "categorizedSymbol", "ValueMap")
	refused(t, pdal(t, nil, "superpoint", "propose", "--labels", at("empty.gpkg"), at("in.las"), at("next2.csv")),
		at("next2.csv"), "empty.gpkg", "it has no labels")
}

// only keeps the features of a GeoJSON file, one a line, that have a word.
func only(t *testing.T, path, word string) string {
	t.Helper()
	text := must.Get(os.ReadFile(path))(t)
	lines := strings.Split(string(text), "\n")
	var kept []string
	for _, line := range lines[1 : len(lines)-2] {
		if strings.Contains(line, word) {
			kept = append(kept, strings.TrimSuffix(line, ","))
		}
	}
	if len(kept) == 0 {
		t.Fatalf("%s: no feature has %s", path, word)
	}
	return lines[0] + "\n" + strings.Join(kept, ",\n") + "\n" + strings.Join(lines[len(lines)-2:], "\n")
}
