package pdaltest

import (
	"encoding/csv"
	"encoding/json"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/hschendel/stl"
	"github.com/parquet-go/parquet-go"

	"superpoint/testdata/las"
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
	if err := las.WriteFile(plain, p, 0.001); err != nil {
		t.Fatal(err)
	}
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
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var c struct {
		CRS      struct{ Properties struct{ Name string } }
		Features []feature
	}
	if err := json.Unmarshal(text, &c); err != nil {
		t.Fatal(err)
	}
	return c.CRS.Properties.Name, c.Features
}

func sheet(t *testing.T, path string) []map[string]float64 {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines, err := csv.NewReader(f).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	var rows []map[string]float64
	for _, line := range lines[1:] {
		row := map[string]float64{}
		for k, cell := range line {
			if row[lines[0][k]], err = strconv.ParseFloat(cell, 64); err != nil {
				t.Fatal(err)
			}
		}
		rows = append(rows, row)
	}
	return rows
}

// TestSquares asserts exact values of every command.
func TestSquares(t *testing.T) {
	in, folder := squaresFile(t), t.TempDir()
	at := func(name string) string { return filepath.Join(folder, name) }
	command := func(args ...string) string {
		return pdal(t, nil, append([]string{"superpoint"}, args...)...).ok(t).stderr
	}
	command("outline", "--mean", "Intensity", in, at("a.geojson"))
	crs, all := features(t, at("a.geojson"))
	if crs != "urn:ogc:def:crs:EPSG::32632" || len(all) != 2 {
		t.Fatalf("%s, %d features", crs, len(all))
	}
	for k, f := range all {
		id := float64(k + 1)
		for name, want := range map[string]float64{"id": id, "count": 16, "class": 2 + id, "class_share": 1, "area": 9, "height": 0, "zmin": 99.5 + id/2, "planarity": 1, "Intensity_mean": 100 * id} {
			if math.Abs(f.Properties[name]-want) > 1e-6 {
				t.Errorf("%s of superpoint %v is %v, want %v", name, id, f.Properties[name], want)
			}
		}
		if len(f.Geometry.Coordinates) != 1 || len(f.Geometry.Coordinates[0]) != 1 || len(f.Geometry.Coordinates[0][0]) != 5 {
			t.Errorf("%v", f.Geometry)
		}
	}
	command("graph", "--adjacency_knn", "4", in, at("a.csv"))
	edges := sheet(t, at("a.csv"))
	if len(edges) != 1 || edges[0]["a"] != 1 || edges[0]["b"] != 2 || edges[0]["border"] != 4.472 || edges[0]["height_difference"] != 0.5 || edges[0]["normal_angle"] != 0 {
		t.Errorf("%v", edges)
	}
	command("table", in, at("t.csv"))
	if rows := sheet(t, at("t.csv")); len(rows) != 2 || rows[1]["x"] != 600005.5 || rows[1]["z"] != 100.5 || rows[1]["normal_z"] != 1 || rows[1]["Intensity_mean"] != 200 {
		t.Errorf("%v", rows)
	}
	told := command("mesh", in, at("a.stl"))
	if !strings.Contains(told, "origin 600000 5000000 100 m") {
		t.Errorf("mesh says %q", told)
	}
	solid, err := stl.ReadFile(at("a.stl"))
	if err != nil || len(solid.Triangles) != 36 || solid.Measure().Len != (stl.Vec3{7, 3, 0.5}) || solid.Triangles[0].Normal != (stl.Vec3{0, 0, 1}) {
		t.Errorf("%d triangles, %+v, %v", len(solid.Triangles), solid.Measure(), err)
	}
}

// TestVectorsOfAHouse describes the filter's own result: every superpoint has
// an outline, a row and its points, in all formats.
func TestVectorsOfAHouse(t *testing.T) {
	in, points := segmentedHouse(t)
	count, folder := ids(t, points, "SuperpointID"), t.TempDir()
	at := func(name string) string { return filepath.Join(folder, name) }
	for _, args := range [][]string{{"outline", in, at("a.geojson")}, {"outline", in, at("a.gpkg")}, {"table", in, at("a.csv")}, {"table", in, at("a.parquet")}, {"graph", in, at("g.csv")}} {
		pdal(t, nil, append([]string{"superpoint"}, args...)...).ok(t)
	}
	crs, all := features(t, at("a.geojson"))
	rows, edges := sheet(t, at("a.csv")), sheet(t, at("g.csv"))
	if crs != "urn:ogc:def:crs:EPSG::32632" || len(all) != len(count) || len(rows) != len(count) || len(edges) < len(count)-1 {
		t.Fatalf("%s, %d outlines, %d rows, %d edges for %d superpoints", crs, len(all), len(rows), len(edges), len(count))
	}
	for k, f := range all {
		n := float64(count[int(f.Properties["id"])])
		if f.Properties["count"] != n || rows[k]["count"] != n || !(f.Properties["area"] > 0) || len(f.Geometry.Coordinates) == 0 {
			t.Errorf("superpoint %d has %v points: %v, %v", k, n, f.Properties, rows[k])
		}
	}
	file, err := os.Open(at("a.parquet"))
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	if r := parquet.NewReader(file); r.NumRows() != int64(len(rows)) || len(r.Schema().Fields()) != len(rows[0]) {
		t.Errorf("Parquet has %d rows of %d", r.NumRows(), len(r.Schema().Fields()))
	}
	database, err := os.ReadFile(at("a.gpkg"))
	if err != nil || !strings.HasPrefix(string(database), "SQLite format 3\x00") || string(database[68:72]) != "GPKG" {
		t.Errorf("a.gpkg begins with %.16q, %v", database, err)
	}
	if left, err := os.ReadDir(folder); err != nil || len(left) != 5 {
		t.Errorf("%v, %v", left, err)
	}
	validPolygons(t, at("a.gpkg"), len(count))
}

// validPolygons asks GEOS, through ogrinfo, if it is there.
func validPolygons(t *testing.T, path string, n int) {
	t.Helper()
	ogrinfo, err := exec.LookPath("ogrinfo")
	if err != nil {
		t.Log("ogrinfo is not installed (apt-get install gdal-bin): GEOS is not asked")
		return
	}
	text, err := exec.Command(ogrinfo, "-q", "-dialect", "sqlite", "-sql",
		"SELECT count(*) AS n, sum(ST_IsValid(geom)) AS valid, max(abs(ST_Area(geom) - area)) < 0.001 AS same, min(srid(geom)) AS srid FROM superpoints", path).CombinedOutput()
	if err != nil || strings.Contains(string(text), "no such function") {
		t.Skipf("ogrinfo: %v\n%s", err, text)
	}
	for _, want := range []string{"n (Integer) = " + strconv.Itoa(n), "valid (Integer) = " + strconv.Itoa(n), "same (Integer) = 1"} {
		if !strings.Contains(string(text), want) {
			t.Errorf("want %q:\n%s", want, text)
		}
	}
}

func TestVectorErrors(t *testing.T) {
	in, _ := houseFile(t, 0, 0, 1)
	for _, c := range []struct {
		args  []string
		words []string
	}{
		{[]string{"outline", in, "a.gpkg"}, []string{"house.las", "SuperpointID", "filters.superpoint", "--id"}},
		{[]string{"outline", in, "a.shp"}, []string{".gpkg or .geojson"}},
		{[]string{"mesh", "--id", "Nothing", in, "a.stl"}, []string{"house.las", "Nothing"}},
		{[]string{"table", in}, []string{".csv or .parquet"}},
		{[]string{"table", "--id", "Classification", "--dimensions", "Nothing", in, "a.csv"}, []string{"house.las", "Nothing"}},
		{[]string{"graph", "--id", "Classification", in, "/nowhere/a.csv"}, []string{"/nowhere"}},
		{[]string{"outline", "--id", "Classification", in, "/nowhere/a.gpkg"}, []string{"/nowhere"}},
	} {
		refused(t, pdal(t, nil, append([]string{"superpoint"}, c.args...)...), "", c.words...)
	}
}
