package command

import (
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"superpoint/filter"
)

// collection is GeoJSON as outline writes it.
type collection struct {
	CRS *struct {
		Properties struct{ Name string }
	}
	Features []struct {
		Properties map[string]*float64
		Geometry   struct {
			Type        string
			Coordinates [][][][2]float64 // polygons, rings, positions
		}
	}
}

func readOutline(t *testing.T, path string) *collection {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	c := new(collection)
	if err := json.Unmarshal(text, c); err != nil {
		t.Fatalf("%v\n%.400s", err, text)
	}
	return c
}

func (m *made) outline(args ...string) *collection {
	m.t.Helper()
	path := filepath.Join(m.t.(*testing.T).TempDir(), "a.geojson")
	m.run(append([]string{"outline", "made.las", path}, args...)...)
	return readOutline(m.t.(*testing.T), path)
}

func (c *collection) expect(t *testing.T, feature int, want map[string]float64) {
	t.Helper()
	for name, v := range want {
		if got := c.Features[feature].Properties[name]; got == nil || math.Abs(*got-v) > 1e-4 {
			t.Errorf("%s of feature %d: %v, want %v", name, feature, got, v)
		}
	}
}

func (c *collection) shape(feature int) string {
	return fmt.Sprint(c.Features[feature].Geometry.Coordinates)
}

func TestOutlineOfSquares(t *testing.T) {
	c := twoSquares(t).outline("-mean", "Intensity")
	if len(c.Features) != 2 || c.CRS == nil || c.CRS.Properties.Name != "urn:ogc:def:crs:EPSG::32632" {
		t.Fatalf("%+v", c)
	}
	c.expect(t, 0, map[string]float64{"id": 1, "count": 16, "class": 2, "class_share": 1, "zmin": 100, "zmax": 100, "height": 0, "area": 9, "planarity": 1, "verticality": 0, "Intensity_mean": 10.5})
	c.expect(t, 1, map[string]float64{"id": 2, "class": 6, "zmin": 100.5, "area": 9, "linearity": 0, "scattering": 0})
	if got, want := c.shape(0), "[[[[600000 5e+06] [600003 5e+06] [600003 5.000003e+06] [600000 5.000003e+06] [600000 5e+06]]]]"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// TestOutlineKeepsHolesAndParts has a yard, and a superpoint in two parts.
func TestOutlineKeepsHolesAndParts(t *testing.T) {
	m := &made{memory: memory{t: t}}
	var yard [][3]float64
	for _, p := range square(0, 0, 0, 10) {
		if math.Abs(p[0]-5) > 2 || math.Abs(p[1]-5) > 2 {
			yard = append(yard, p)
		}
	}
	m.add(1, 1, yard...)
	m.add(2, 1, append(square(100, 0, 0, 3), square(120, 0, 0, 2)...)...)
	c := m.outline("-max_edge", "1.5")
	if rings := c.Features[0].Geometry.Coordinates; len(rings) != 1 || len(rings[0]) != 2 {
		t.Errorf("%v", rings)
	}
	// the hole is a square of side 6 whose corners are cut by half a square metre
	c.expect(t, 0, map[string]float64{"area": 100 - 36 + 4*0.5})
	if parts := c.Features[1].Geometry.Coordinates; len(parts) != 2 {
		t.Errorf("%v", parts)
	}
	c.expect(t, 1, map[string]float64{"area": 9 + 4})
	if c = m.outline("-max_edge", "50"); len(c.Features[0].Geometry.Coordinates[0]) != 1 {
		t.Errorf("%v", c.shape(0))
	}
	c.expect(t, 0, map[string]float64{"area": 100})
}

// TestOutlineOfPoles has superpoints that span no triangle: one point, a pole,
// and a row, beside a square by which points are 1 m apart.
func TestOutlineOfPoles(t *testing.T) {
	m := &made{memory: memory{t: t}}
	m.add(1, 1, square(0, 0, 0, 10)...)
	m.add(2, 1, [3]float64{20, 0, 0})
	m.add(3, 1, [3]float64{30, 0, 0}, [3]float64{30, 0, 1}, [3]float64{30, 0, 9})
	m.add(4, 1, [3]float64{40, 0, 0}, [3]float64{43, 4, 0}, [3]float64{46, 8, 0})
	c := m.outline()
	if got, want := c.shape(1), "[[[[19.5 -0.5] [20.5 -0.5] [20.5 0.5] [19.5 0.5] [19.5 -0.5]]]]"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	c.expect(t, 1, map[string]float64{"area": 1, "count": 1})
	c.expect(t, 2, map[string]float64{"area": 1, "height": 9, "verticality": 1})
	c.expect(t, 3, map[string]float64{"area": 11})
}

// TestOutlineUnits has one square in feet, in degrees, and without a reference.
func TestOutlineUnits(t *testing.T) {
	for _, c := range []struct {
		name, crs string
		reference filter.Reference
		unit      float64 // of coordinates per step of the square
		area      float64
	}{
		{"feet", "urn:ogc:def:crs:EPSG::2264", filter.Reference{WKT: `PROJCS["f",GEOGCS["g"],UNIT["foot",0.3048],AUTHORITY["EPSG","2264"]]`}, 1, 100 * 0.3048 * 0.3048},
		{"degrees", "urn:ogc:def:crs:OGC:1.3:CRS84", filter.Reference{WKT: `GEOGCS["w",UNIT["degree",0.0174532925199433],AUTHORITY["EPSG","4326"]]`}, 1e-5, 100 * 1.1131949 * 1.1057428},
		{"none", "", filter.Reference{}, 1, 100},
	} {
		m := &made{memory: memory{t: t}}
		m.add(1, 1, square(0, 0, 0, 10)...)
		m.columns.Reference = c.reference
		for i := range m.columns.X {
			m.columns.X[i] *= c.unit
			m.columns.Y[i] *= c.unit
		}
		got := m.outline()
		if c.crs == "" && got.CRS != nil || c.crs != "" && (got.CRS == nil || got.CRS.Properties.Name != c.crs) {
			t.Errorf("%s: %+v", c.name, got.CRS)
		}
		if v := *got.Features[0].Properties["area"]; math.Abs(v-c.area) > 0.001 {
			t.Errorf("%s: %v m², want %v", c.name, v, c.area)
		}
	}
}

// Convert implements Converter.
func (m *made) Convert(from, to, driver, reference string) error {
	text, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	m.converted = []string{filepath.Ext(to), driver, reference}
	if strings.Contains(to, "fails") {
		return errors.New("no room")
	}
	return os.WriteFile(to, text, 0o644)
}

func TestOutlineAsGeoPackage(t *testing.T) {
	m, folder := twoSquares(t), t.TempDir()
	path := filepath.Join(folder, "a.gpkg")
	m.run("outline", "made.las", path)
	if fmt.Sprint(m.converted) != "[.gpkg GPKG EPSG:32632]" || len(readOutline(t, path).Features) != 2 {
		t.Errorf("%v", m.converted)
	}
	if err := Run(m, []string{"outline", "made.las", filepath.Join(folder, "fails.gpkg")}); err == nil || !strings.Contains(err.Error(), "no room") || !strings.Contains(err.Error(), ".geojson") {
		t.Errorf("%v", err)
	}
	if left, err := os.ReadDir(folder); err != nil || len(left) != 1 {
		t.Errorf("%v, %v are left", left, err)
	}
	if err := Run(struct{ Host }{m}, []string{"outline", "made.las", path}); err == nil || !strings.Contains(err.Error(), "needs the GDAL of PDAL") {
		t.Errorf("%v", err)
	}
}

// TestDecimals prints lattice positions exactly.
func TestDecimals(t *testing.T) {
	for _, c := range []struct {
		steps  int64
		digits int
		want   string
	}{{6000001230, 4, "600000.123"}, {-5, 3, "-0.005"}, {1000, 3, "1"}, {0, 8, "0"}, {17, 0, "17"}, {-12345678, 8, "-0.12345678"}} {
		if got := string(appendDecimal(nil, c.steps, c.digits)); got != c.want {
			t.Errorf("%d / 10^%d: %s, want %s", c.steps, c.digits, got, c.want)
		}
	}
}
