package command

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// yard has ground, a house of two superpoints and a tree.
func yard(t *testing.T) *made {
	m := &made{madeUp: madeUp{t: t}}
	m.add(1, 2, square(600000, 5000000, 100, 40)...)
	m.add(2, 6, square(600005, 5000005, 106, 7)...)
	m.add(3, 6, square(600012, 5000005, 108, 7)...)
	m.add(4, 5, square(600028, 5000028, 109, 4)...)
	m.add(4, 5, [3]float64{600030, 5000030, 109.5})
	return m
}

type thing struct {
	Properties map[string]float64
	Geometry   struct {
		Type        string
		Coordinates any
	}
}

func things(t *testing.T, path string) (all []thing) {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	var c struct{ Features []thing }
	if err := json.Unmarshal(text, &c); err != nil {
		t.Fatalf("%v\n%s", err, text)
	}
	return c.Features
}

func TestObjects(t *testing.T) {
	m := yard(t)
	for range m.columns.X {
		m.columns.Dimensions["ClassConfidence"] = append(m.columns.Dimensions["ClassConfidence"], 0.75)
	}
	path := filepath.Join(t.TempDir(), "a.geojson")
	m.run("objects", "--cell", "1", "made.las", path)
	all := things(t, path)
	if len(all) != 2 || all[0].Geometry.Type != "MultiPolygon" || all[1].Geometry.Type != "Point" {
		t.Fatalf("%+v", all)
	}
	for k, want := range []map[string]float64{
		{"id": 1, "class": 6, "height": 8, "ground": 100, "top": 108, "points": 128, "superpoints": 2, "confidence": 0.75},
		{"id": 1, "class": 5, "height": 9.5, "ground": 100, "top": 109.5, "points": 26, "superpoints": 1,
			"area": 25, "crown": 5.64},
	} {
		for name, v := range want {
			if got, there := all[k].Properties[name]; !there || got != v {
				t.Errorf("%s of object %d is %v, want %v", name, k, got, v)
			}
		}
	}
	if a := all[0].Properties["area"]; a < 110 || a > 130 { // 15 × 8 cells
		t.Errorf("the house has %v m²", a)
	}
	if at := fmt.Sprint(all[1].Geometry.Coordinates); at != "[600030 5.00003e+06]" {
		t.Errorf("the tree is at %s", at)
	}
	m.run("objects", "--cell", "1", "--min_area", "200", "--trees", "7", "made.las", path)
	if all = things(t, path); len(all) != 0 {
		t.Errorf("%+v", all)
	}
}

func TestObjectsAsGeoPackage(t *testing.T) {
	m, path := yard(t), filepath.Join(t.TempDir(), "a.gpkg")
	m.run("objects", "--cell", "1", "made.las", path)
	want := []string{
		".gpkg -f GPKG -unsetFid -nln buildings -nlt MULTIPOLYGON -a_srs EPSG:32632 -lco FID=fid",
		".gpkg -f GPKG -unsetFid -nln trees -nlt POINT -update -a_srs EPSG:32632 -lco FID=fid",
		".gpkg -f GPKG -update -nlt NONE -lco FID=id",
	}
	if !slices.Equal(m.converted, want) {
		t.Errorf("%q", m.converted)
	}
	for _, text := range []string{`"f_table_name":"buildings"`, `"f_table_name":"trees"`, `value=\"crown\"`} {
		if !strings.Contains(strings.ReplaceAll(m.style, `\u0026quot;`, `"`), text) &&
			!strings.Contains(strings.NewReplacer(`\u003c`, "<", `\u003e`, ">").Replace(m.style), text) {
			t.Errorf("no %s in %.300s", text, m.style)
		}
	}
}

func TestObjectsRefuse(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.geojson")
	for args, want := range map[string]string{
		"made.las " + path[:len(path)-7] + "shp":   "ends in .gpkg",
		"--buildings 5 made.las " + path:           "class 5 is named by two",
		"--class Missing made.las " + path:         `dimension "Missing" is missing`,
		"--trees tree made.las " + path:            `"tree" is no class`,
		"--cell 0.0011 made.las " + path + " more": "name one point cloud",
	} {
		if err := Run(yard(t), append([]string{"objects"}, strings.Fields(args)...)); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", args, err, want)
		}
	}
}
