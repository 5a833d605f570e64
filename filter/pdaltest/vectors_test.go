package pdaltest

import (
	"bytes"
	"encoding/binary"
	"encoding/csv"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/hschendel/stl"
	"github.com/parquet-go/parquet-go"

	"superpoint/testdata/las"
	"superpoint/testdata/must"
)

// squaresFile has two level squares of side 3 m, 1 m and 0.5 m apart, with ids
// 1 and 2, and a point of id 0.
func squaresFile(t *testing.T) string {
	t.Helper()
	p := &las.Points{Extra: map[string][]float64{}}
	add := func(id, x, y, z float64) {
		p.X, p.Y, p.Z = append(p.X, x), append(p.Y, y), append(p.Z, z)
		p.Classification = append(p.Classification, uint8(2+id))
		p.Intensity = append(p.Intensity, uint16(100*id))
		p.Extra["SuperpointID"] = append(p.Extra["SuperpointID"], id)
	}
	for i := range 16 {
		x, y := float64(i%4), float64(i/4)
		add(1, 600000+x, 5000000+y, 100)
		add(2, 600004+x, 5000000+y, 100.5)
	}
	add(0, 600050, 5000050, 0)
	plain := filepath.Join(t.TempDir(), "plain.las")
	must.OK(t, las.WriteFile(plain, p, 0.001))
	path := filepath.Join(t.TempDir(), "squares.laz")
	pipeline(t, nil, reader(plain), writer(path)).ok(t) // gives it a spatial reference
	return path
}

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
	Geometry   struct{ Coordinates [][][][2]float64 }
}

func features(t *testing.T, path string) (crs string, all []feature) {
	t.Helper()
	var c struct {
		CRS      struct{ Properties struct{ Name string } }
		Features []feature
	}
	readJSON(t, path, &c)
	return c.CRS.Properties.Name, c.Features
}

func sheet(t *testing.T, path string) []map[string]float64 {
	t.Helper()
	f := must.Get(os.Open(path))(t)
	defer f.Close()
	lines := must.Get(csv.NewReader(f).ReadAll())(t)
	var rows []map[string]float64
	for _, line := range lines[1:] {
		row := map[string]float64{}
		for k, cell := range line {
			row[lines[0][k]] = must.Get(strconv.ParseFloat(cell, 64))(t)
		}
		rows = append(rows, row)
	}
	return rows
}

// TestVectorsOfAHouse describes the filter's own result: every superpoint has
// an outline, a row and its points, in all formats.
func TestVectorsOfAHouse(t *testing.T) {
	t.Parallel()
	in, points := segmentedHouse(t)
	count, folder := ids(t, points, "SuperpointID"), t.TempDir()
	at := func(name string) string { return filepath.Join(folder, name) }
	for _, args := range [][]string{{"outline", in, at("a.geojson")}, {"outline", in, at("a.gpkg")},
		{"table", in, at("a.csv")}, {"table", in, at("a.parquet")}, {"graph", in, at("g.csv")},
		{"mesh", in, at("a.stl")}} {
		pdal(t, nil, append([]string{"superpoint"}, args...)...).ok(t)
	}
	crs, all := features(t, at("a.geojson"))
	rows, edges := sheet(t, at("a.csv")), sheet(t, at("g.csv"))
	if crs != "urn:ogc:def:crs:EPSG::32632" || len(all) != len(count) || len(rows) != len(count) ||
		len(edges) < len(count)-1 {
		t.Fatalf("%s, %d outlines, %d rows, %d edges for %d superpoints", crs, len(all), len(rows), len(edges), len(count))
	}
	for k, f := range all {
		n := float64(count[int(f.Properties["id"])])
		if f.Properties["count"] != n || rows[k]["count"] != n || !(f.Properties["area"] > 0) ||
			len(f.Geometry.Coordinates) == 0 {
			t.Errorf("superpoint %d has %v points: %v, %v", k, n, f.Properties, rows[k])
		}
	}
	file := must.Get(os.Open(at("a.parquet")))(t)
	defer file.Close()
	if r := parquet.NewReader(file); r.NumRows() != int64(len(rows)) || len(r.Schema().Fields()) != len(rows[0]) {
		t.Errorf("Parquet has %d rows of %d", r.NumRows(), len(r.Schema().Fields()))
	}
	if left, err := os.ReadDir(folder); err != nil || len(left) != 6 {
		t.Errorf("%v, %v", left, err)
	}
	if solid, err := stl.ReadFile(at("a.stl")); err != nil || len(solid.Triangles) < 1000 {
		t.Errorf("%d triangles, %v", len(solid.Triangles), err)
	}
	geoPackage(t, at("a.gpkg"), len(all), 32632)
	validPolygons(t, at("a.gpkg"), len(count), "max(abs(ST_Area(geom) - area)) < 0.001")
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

// TestVectorsOfTop divides the plane: every edge bounds one superpoint on a side,
// and the areas are those of the polygons.
func TestVectorsOfTop(t *testing.T) {
	t.Parallel()
	in, _ := segmentedHouse(t)
	folder := t.TempDir()
	at := func(name string) string { return filepath.Join(folder, name) }
	for _, name := range []string{"a.geojson", "a.gpkg"} {
		pdal(t, nil, "superpoint", "outline", "--top", in, at(name)).ok(t)
	}
	_, all := features(t, at("a.geojson"))
	type edge [2][2]float64
	left := map[edge]float64{}
	outer, sum := 0.0, 0.0
	for _, f := range all {
		sum += f.Properties["area"]
		for _, polygon := range f.Geometry.Coordinates {
			for _, ring := range polygon {
				for i := range len(ring) - 1 {
					e := edge{ring[i], ring[i+1]}
					if left[e] != 0 {
						t.Errorf("%v bounds superpoints %v and %v", e, left[e], f.Properties["id"])
					}
					left[e] = f.Properties["id"]
				}
			}
		}
	}
	x, y := all[0].Geometry.Coordinates[0][0][0][0], all[0].Geometry.Coordinates[0][0][0][1]
	for e := range left {
		if _, shared := left[edge{e[1], e[0]}]; !shared { // the rim of the whole
			outer += ((e[0][0]-x)*(e[1][1]-y) - (e[1][0]-x)*(e[0][1]-y)) / 2
		}
	}
	if len(all) < 5 || math.Abs(outer-sum) > 0.001*float64(len(all)) {
		t.Errorf("%d polygons of %v m² in a rim of %v m²", len(all), sum, outer)
	}
	geoPackage(t, at("a.gpkg"), len(all), 32632)
	validPolygons(t, at("a.gpkg"), len(all), "abs(sum(ST_Area(geom)) - ST_Area(ST_Union(geom))) < 1e-6 * "+
		"sum(ST_Area(geom))")
}

// TestVectorFormats writes what GDAL knows by its ending, two files into one, and
// a cloud without a spatial reference.
func TestVectorFormats(t *testing.T) {
	t.Parallel()
	in, folder := squaresFile(t), t.TempDir()
	at := func(name string) string { return filepath.Join(folder, name) }
	for _, name := range []string{"a.fgb", "a.kml", "a.shp"} {
		pdal(t, nil, "superpoint", "outline", in, at(name)).ok(t)
	}
	for name, begins := range map[string]string{"a.fgb": "fgb\x03fgb", "a.kml": "<?xml", "a.shp": "\x00\x00\x27\x0a",
		"a.dbf": "\x03", "a.prj": "PROJCS"} {
		if text, err := os.ReadFile(at(name)); err != nil || !strings.HasPrefix(string(text), begins) {
			t.Errorf("%s: %v, begins with %.8q", name, err, text)
		}
	}
	o := pdal(t, nil, "superpoint", "outline", in, at("a.parquet"))
	if _, err := os.Stat(at("a.parquet")); o.code == 0 && err != nil || o.code != 0 &&
		!strings.Contains(o.stderr, "has no driver Parquet; write .gpkg") {
		t.Errorf("a.parquet: exit code %d, %v, %s", o.code, err, o.stderr)
	}
	plain := filepath.Join(folder, "plain.las")
	pipeline(t, nil, stage{"type": "readers.faux", "mode": "grid", "bounds": "([0,10],[0,10],[0,1])"},
		stage{"type": "filters.ferry", "dimensions": "=>SuperpointID"}, stage{"type": "filters.assign",
			"assignment": "SuperpointID[:]=1"}, writer(plain)).ok(t)
	pdal(t, nil, "superpoint", "outline", plain, at("a.gpkg")).ok(t)
	geoPackage(t, at("a.gpkg"), 1, -1)
	refused(t, pdal(t, nil, "superpoint", "outline", plain, at("b.kml")), at("b.kml"), "b.kml", "no spatial reference")
	refused(t, pdal(t, nil, "superpoint", "outline", plain, in, at("b.gpkg")), at("b.gpkg"), "squares.laz",
		"(EPSG:32632)", "plain.las", "(none)")
	pdal(t, nil, "superpoint", "outline", in, in, at("two.gpkg")).ok(t)
	geoPackage(t, at("two.gpkg"), 4, 32632)
}

// validPolygons asks GEOS, through ogrinfo, if it is there.
func validPolygons(t *testing.T, path string, n int, same string) {
	t.Helper()
	validLayer(t, path, "superpoints", n, same)
}

func validLayer(t *testing.T, path, layer string, n int, same string) {
	t.Helper()
	ogrinfo, err := exec.LookPath("ogrinfo")
	if err != nil {
		t.Log("ogrinfo is not installed (apt-get install gdal-bin): GEOS is not asked")
		return
	}
	text, err := exec.Command(ogrinfo, "-q", "-dialect", "sqlite", "-sql",
		"SELECT count(*) AS n, sum(ST_IsValid(geom)) AS valid, "+same+" AS same FROM "+layer, path).CombinedOutput()
	if strings.Contains(string(text), "no such function") {
		t.Log("this ogrinfo has no GEOS:", string(text))
		return
	}
	must.OK(t, err)
	for _, want := range []string{"n (Integer) = " + strconv.Itoa(n), "valid (Integer) = " + strconv.Itoa(n),
		"same (Integer) = 1"} {
		if !strings.Contains(string(text), want) {
			t.Errorf("want %q:\n%s", want, text)
		}
	}
}
