// SPDX-License-Identifier: BSD-3-Clause

package commands

import (
	"encoding/json"
	"encoding/xml"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/golang/geo/r3"
	"github.com/hschendel/stl"
	"github.com/peterstace/simplefeatures/geom"

	"superpoint/filter/georef"
	"superpoint/filter/models"
	"superpoint/pipelines/layers"
	"superpoint/testdata/must"
)

// collection is GeoJSON as outline and objects write it.
type collection struct {
	CRS *struct {
		Properties struct{ Name string }
	}
	Features []struct {
		Properties map[string]any
		Geometry   geom.Geometry
	}
}

func readCollection(t testing.TB, path string) (c collection) {
	t.Helper()
	must.OK(t, json.Unmarshal(must.Get(os.ReadFile(path))(t), &c))
	return c
}

func (m *fakeHost) outline(args ...string) collection {
	m.t.Helper()
	return readCollection(m.t, m.write("outline", "a.geojson", args...))
}

// expect compares numbers of a feature to 1e-4.
func (c *collection) expect(t *testing.T, feature int, want map[string]float64) {
	t.Helper()
	for name, v := range want {
		got, is := c.Features[feature].Properties[name].(float64)
		must.Hold(t, is, "feature %d has no number %s", feature, name)
		must.Hold(t, math.Abs(got-v) <= 1e-4,
			"%s of feature %d: got %v, want %v within 1e-4", name, feature, got, v)
	}
}

// Polygons returns the polygons of a feature, and the number of holes of the first.
func (c *collection) polygons(feature int) (polygons, holes int) {
	m := c.Features[feature].Geometry.MustAsMultiPolygon()
	return m.NumPolygons(), m.PolygonN(0).NumInteriorRings()
}

func TestOutlineOfSquares(t *testing.T) {
	c := twoSquares(t).outline()
	must.Need(t, len(c.Features) == 2, "len(c.Features) is %v, want 2", len(c.Features))
	must.Need(t, c.CRS != nil, "c.CRS is nil")
	must.Need(t, c.CRS.Properties.Name == "urn:ogc:def:crs:EPSG::32632",
		"c.CRS.Properties.Name is %q, want %q", c.CRS.Properties.Name, "urn:ogc:def:crs:EPSG::32632")
	c.expect(t, 0, map[string]float64{"id": 1, "count": 16, "class": 2, "class_share": 1,
		"zmin": 100, "zmax": 100,
		"height": 0, "area": 15.75, "planarity": 1, "verticality": 0})
	c.expect(t, 1, map[string]float64{"id": 2, "class": 6, "zmin": 100.5, "area": 15.75, "linearity": 0,
		"scattering": 0})
	// 16 cells of a metre, within half a cell
	got, want := c.Features[0].Geometry.AsText(),
		"MULTIPOLYGON(((600000.5 5000000,600004 5000000,600004 5000004,"+
			"600000.5 5000004,600000 5000003.5,600000 5000000.5,600000.5 5000000)))"
	must.Hold(t, got == want, "%s, want %s", got, want)
}

// TestOutlineKeepsHolesAndParts has a superpoint with a hole, and one of two parts.
func TestOutlineKeepsHolesAndParts(t *testing.T) {
	m := &fakeHost{stepsHost: stepsHost{t: t}}
	var yard [][3]float64
	for _, p := range square(0, 0, 0, 10) {
		if math.Abs(p[0]-5) > 2 || math.Abs(p[1]-5) > 2 {
			yard = append(yard, p)
		}
	}
	m.add(1, 1, yard...)
	m.add(2, 1, append(square(100, 0, 0, 3), square(120, 0, 0, 2)...)...)
	c := m.outline("--max_edge", "1.5")
	parts, holes := c.polygons(0)
	must.Equal(t, parts, 1, "parts")
	must.Equal(t, holes, 1, "holes")
	c.expect(t, 0, map[string]float64{"area": 121 - 25}) // cells; corners are cut on both sides
	parts, _ = c.polygons(1)
	must.Hold(t, parts == 2, "%d parts", parts)
	c.expect(t, 1, map[string]float64{"area": 16 + 9 - 3}) // cells without corners
	c = m.outline("--max_edge", "50")
	parts, holes = c.polygons(0)
	must.Equal(t, parts, 1, "parts")
	must.Equal(t, holes, 0, "holes")
	c.expect(t, 0, map[string]float64{"area": 121 - 0.5})
}

// TestOutlineOfPoles has superpoints without a triangle in X and Y: one point, a pole,
// and a row; and a square with a point spacing of 1 m.
func TestOutlineOfPoles(t *testing.T) {
	m := &fakeHost{stepsHost: stepsHost{t: t}}
	m.add(1, 1, square(0, 0, 0, 10)...)
	m.add(2, 1, [3]float64{20, 0, 0})
	m.add(3, 1, [3]float64{30, 0, 0}, [3]float64{30, 0, 1}, [3]float64{30, 0, 9})
	m.add(4, 1, [3]float64{40, 0, 0}, [3]float64{43, 4, 0}, [3]float64{46, 8, 0})
	c := m.outline()
	must.Need(t, len(c.Features) == 4, "%d polygons of 4 superpoints", len(c.Features))
	c.expect(t, 1, map[string]float64{"count": 1})
	c.expect(t, 2, map[string]float64{"count": 3, "height": 9, "verticality": 1})
	c.expect(t, 3, map[string]float64{"count": 3})
	for k := range 4 {
		a := c.Features[k].Geometry.Area()
		must.Hold(t, a > 0, "polygon %d has an area of %v m²", k, a)
		must.Hold(t, math.Abs(a-c.Features[k].Properties["area"].(float64)) <= 1e-3,
			"polygon %d of %v m² has %v", k, a, c.Features[k].Properties)
	}
}

// TestOutlineUnits has one square in feet, in degrees, and without a reference.
func TestOutlineUnits(t *testing.T) {
	for _, c := range []struct {
		name, crs string
		reference georef.Reference
		unit      float64 // of coordinates per step of the square
		area      float64
	}{
		{"feet", "urn:ogc:def:crs:EPSG::2264",
			georef.Reference{WKT: `PROJCS["f",GEOGCS["g"],UNIT["foot",0.3048],AUTHORITY["EPSG","2264"]]`}, 1,
			120.5 * 0.3048 * 0.3048},
		{"degrees", "urn:ogc:def:crs:OGC:1.3:CRS84",
			georef.Reference{WKT: `GEOGCS["w",UNIT["degree",0.0174532925199433],AUTHORITY["EPSG","4326"]]`},
			1e-5,
			120.5 * 1.1131949 * 1.1057428},
		{"none", "", georef.Reference{}, 1, 120.5},
	} {
		m := &fakeHost{stepsHost: stepsHost{t: t}}
		m.add(1, 1, square(0, 0, 0, 10)...)
		m.columns.Reference = c.reference
		for i := range m.columns.X {
			m.columns.X[i] *= c.unit
			m.columns.Y[i] *= c.unit
		}
		got := m.outline()
		if c.crs == "" && got.CRS != nil || c.crs != "" &&
			(got.CRS == nil || got.CRS.Properties.Name != c.crs) {
			t.Errorf("%s: %+v", c.name, got.CRS)
		}
		// Cells of degrees are no squares.
		v := got.Features[0].Properties["area"].(float64)
		must.Hold(t, math.Abs(v-c.area) <= 0.1*c.area, "%s: %v m², want %v", c.name, v, c.area)
	}
}

// TestOutlineOfFiles has ids that both files have.
func TestOutlineOfFiles(t *testing.T) {
	m, other, path := twoSquares(t), twoSquares(t), filepath.Join(t.TempDir(), "a.geojson")
	for i := range other.columns.X {
		other.columns.X[i] += 100
	}
	m.files = map[string]*fakeHost{"folder/other.las": other, "folder/made.las": other}
	n := len(m.columns.X)
	writeFiles(t, map[string]int{"made.las": n, "folder/other.las": n, "folder/made.las": n, "empty.las": 4,
		"none.las": 4})
	for file, want := range map[string]string{"folder/other.las": "made.las1 made.las2 other.las1 " +
		"other.las2 ",
		"folder/made.las": "made.las1 made.las2 folder/made.las1 folder/made.las2 "} {
		must.OK(t, Run(m, []string{"outline", "made.las", file, path}))
		got := ""
		for _, f := range readCollection(t, path).Features {
			got += fmt.Sprint(f.Properties["source"], f.Properties["id"], " ")
		}
		must.Hold(t, got == want, "%s, want %s", got, want)
	}
	empty := &fakeHost{stepsHost: stepsHost{t: t}} // as of a tile without points in an area
	empty.add(0, 1, square(0, 0, 0, 1)...)
	m.files["empty.las"], m.files["none.las"] = empty, empty
	for _, args := range []string{"empty.las made.las", "made.las empty.las"} {
		m.said = ""
		must.OK(t, Run(m, append(strings.Fields("outline "+args), path)))
		n := len(readCollection(t, path).Features)
		must.Equal(t, n, 2, "%s: polygons", args)
		must.Hold(t, strings.Contains(m.said, "empty.las: no point has an id"),
			"%s: got %q, want %q in it", args, m.said, "empty.las: no point has an id")
	}
	for _, args := range []string{"none.las", "empty.las none.las"} {
		must.Fail(Run(m, append(strings.Fields("outline "+args), path)))(t,
			"none.las: no point has an id above 0")
	}
	other.columns.Reference = georef.Reference{}
	must.Fail(Run(m, []string{"outline", "made.las", "folder/other.las", path}))(t,
		"other.las: its spatial reference (none) is not that of made.las (EPSG:32632)")
}

// TestOutlineFromAbove has a crown over a floor: from above, the floor has a hole.
func TestOutlineFromAbove(t *testing.T) {
	m := &fakeHost{stepsHost: stepsHost{t: t}}
	m.add(1, 2, square(0, 0, 0, 20)...)
	m.add(2, 5, square(6, 6, 9, 8)...)
	m.add(3, 7, square(8, 8, 4, 2)...) // wholly below
	c := m.outline("--cell", "1")
	_, holes := c.polygons(0)
	must.Need(t, len(c.Features) == 2, "features: got %v, want 2", len(c.Features))
	must.Need(t, holes == 1, "holes is %v, want 1", holes)
	area := 0.0
	for k, count := range []float64{441, 81} {
		c.expect(t, k, map[string]float64{"id": float64(k + 1), "count": count})
		area += c.Features[k].Properties["area"].(float64)
	}
	a := c.Features[1].Properties["area"].(float64)
	must.Hold(t, math.Abs(a-81) <= 1, "areas: got %v, want 81 within 1", a)
	must.Hold(t, math.Abs(area-441) <= 1, "area is %v, want 441 within 1", area)
	path := filepath.Join(t.TempDir(), "a.geojson")
	must.Fail(Run(m, []string{"outline", "--max_edge", "1e6", "made.las", path}))(t, "made.las: ",
		"smaller --max_edge")
	m.add(4, 2, square(1e5, 1e5, 0, 4)...)
	must.Equal(t, len(m.outline("--cell", "1").Features), 3, "features, one of them far away")
	m.add(5, 2, square(1e8, 1e8, 0, 4)...)
	must.Fail(Run(m, []string{"outline", "made.las", path}))(t,
		"made.las: 100000005 × 100000005 cells are more than", "larger --cell (it is 1 m)", "filters.outlier")
}

// TestOutlineToLabel has the columns and the style for labelling in QGIS.
func TestOutlineToLabel(t *testing.T) {
	m := twoSquares(t)
	for range m.columns.X {
		m.columns.Dimensions["ClassConfidence"] = append(m.columns.Dimensions["ClassConfidence"], 0.5)
	}
	c := m.outline("--label", "aerial")
	got, there := c.Features[0].Properties["label"]
	must.Hold(t, got == nil, "label: got %v, want nil", got)
	must.Hold(t, there, "there is false")
	c.expect(t, 1, map[string]float64{"id": 2, "class": 6, "confidence": 0.5})
	qml := layers.ByLabel(must.Get(models.Classes("label", "aerial"))(t).Card.Classes).Qml
	var parsed struct {
		XMLName    xml.Name `xml:"qgis"`
		Categories []struct {
			Value string `xml:"value,attr"`
		} `xml:"renderer-v2>categories>category"`
		Fields []struct {
			Name string `xml:"name,attr"`
		} `xml:"fieldConfiguration>field"`
	}
	must.OK(t, xml.Unmarshal([]byte(qml), &parsed))
	must.Need(t, len(parsed.Categories) == 6,
		"len(parsed.Categories) is %v, want 6", len(parsed.Categories))
	must.Equal(t, parsed.Categories[1].Value, "vegetation", "parsed.Categories[1].Value")
	must.Equal(t, len(parsed.Fields), 1, "len(parsed.Fields)")
	must.Say(t, qml, `when &quot;class&quot;=6 then 'building'`)
}

func (m *fakeHost) mesh(args ...string) *stl.Solid {
	m.t.Helper()
	return must.Get(stl.ReadFile(m.write("mesh", "a.stl", args...)))(m.t)
}

// areaAndNormals sums the area of triangles, and fails the test unless each turns the way of its normal,
// which is n.
func areaAndNormals(t *testing.T, triangles []stl.Triangle, n [3]float64) (area float64) {
	t.Helper()
	want := r3.Vector{X: n[0], Y: n[1], Z: n[2]}
	vector := func(v stl.Vec3) r3.Vector {
		return r3.Vector{X: float64(v[0]), Y: float64(v[1]),
			Z: float64(v[2])}
	}
	for i, tri := range triangles {
		at := vector(tri.Vertices[0])
		c := vector(tri.Vertices[1]).Sub(at).Cross(vector(tri.Vertices[2]).Sub(at))
		area += c.Norm() / 2
		must.Need(t, c.Mul(1/c.Norm()).Sub(want).Norm() <= 1e-3,
			"triangle %d: %+v turns to %v, want %v: want c.Mul(1/c.Norm()).Sub(want).Norm() at most 1e-3",
			i, tri, c, n)
		must.Need(t, vector(tri.Normal).Sub(want).Norm() <= 1e-5,
			"triangle %d: %+v turns to %v, want %v: want vector(tri.Normal).Sub(want).Norm() at most 1e-5",
			i, tri, c, n)
	}
	return area
}

// TestMeshByHand has a level square, a roof of 45°, a wall, and a blob that is no plane.
func TestMeshByHand(t *testing.T) {
	m := &fakeHost{stepsHost: stepsHost{t: t}}
	level, roof, wall, blob := square(600000, 5000000, 250, 4), square(0, 0, 0, 4), square(0, 0, 0, 4),
		square(0, 0, 0, 4)
	for i := range level {
		p, q := roof[i], wall[i]
		roof[i] = [3]float64{600050 + p[0], 5000000 + p[1], 250 + p[0]}
		wall[i] = [3]float64{600080, 5000000 + q[0], 250 + q[1]}
		blob[i] = [3]float64{600100 + q[0], 5000000 + q[1], 250 + float64(i*i%5)}
	}
	m.add(1, 1, level...)
	m.add(2, 1, roof...)
	m.add(3, 1, wall...)
	m.add(4, 1, blob...)
	m.add(5, 1, level[:3]...) // too few points
	solid := m.mesh()
	want := "superpoint mesh, origin 600000 5000000 200 m"
	must.Hold(t, string(solid.BinaryHeader[:len(want)]) == want, "header %q", solid.BinaryHeader)
	must.Need(t, len(solid.Triangles) == 3*32, "%d triangles, want 3 × 32", len(solid.Triangles))
	s := math.Sqrt(0.5)
	for k, c := range []struct {
		area   float64
		normal [3]float64
	}{{16, [3]float64{0, 0, 1}}, {16 / s, [3]float64{-s, 0, s}}, {16, [3]float64{1, 0, 0}}} {
		area := areaAndNormals(t, solid.Triangles[32*k:32*k+32], c.normal)
		must.Hold(t, math.Abs(area-c.area) <= 0.01, "superpoint %d has %v m², want %v", k+1, area, c.area)
	}
	for _, v := range solid.Triangles[0].Vertices {
		must.Hold(t, v[2] == 50, "vertex %v: v[2] is not 50", v)
		must.Hold(t, v[0] >= 0, "vertex %v: want v[0] at least 0", v)
		must.Hold(t, v[0] <= 4, "vertex %v: want v[0] at most 4", v)
		must.Hold(t, v[0] == float32(math.Round(float64(v[0]))),
			"vertex %v: v[0] is not math.Round(float64(v[0]))", v)
	}
	a, b := solid.Triangles[0].Attributes, solid.Triangles[32].Attributes
	must.Equal(t, a>>15, 1, "a>>15")
	must.Equal(t, b>>15, 1, "b>>15")
	must.Hold(t, a != b, "a equals b: %v", a)
	moved := m.mesh("--origin", "600000,5000000,250", "--residual", "5", "--planarity", "0")
	must.Need(t, len(moved.Triangles) > 96, "triangles: got %v, want more than 96", len(moved.Triangles))
	must.Equal(t, moved.Triangles[0].Vertices[0][2], 0, "moved.Triangles[0].Vertices[0][2]")
}

func TestMeshRefuses(t *testing.T) {
	m := twoSquares(t)
	m.columns.Reference.Kind = georef.Geographic
	m.columns.Reference.WKT = ""
	for i := range m.columns.X {
		m.columns.X[i], m.columns.Y[i] = 7, 50
	}
	must.Fail(Run(m, []string{"mesh", "made.las", filepath.Join(t.TempDir(), "a.stl")}))(t) // degrees
}
