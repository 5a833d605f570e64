// SPDX-License-Identifier: BSD-3-Clause

package commands

import (
	"cmp"
	"fmt"
	"image"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/peterstace/simplefeatures/geom"

	"superpoint/filter/georef"
	"superpoint/pipelines/commands/command"
	"superpoint/pipelines/commands/objects"
	"superpoint/pipelines/commands/table"
	"superpoint/testdata/must"
)

// yard has ground, a house of two superpoints and a tree.
func yard(t *testing.T) *fakeHost {
	m := &fakeHost{stepsHost: stepsHost{t: t}}
	m.add(1, 2, square(600000, 5000000, 100, 40)...)
	m.add(2, 6, square(600005, 5000005, 106, 7)...)
	m.add(3, 6, square(600012, 5000005, 108, 7)...)
	m.add(4, 5, square(600028, 5000028, 109, 4)...)
	m.add(4, 5, [3]float64{600030, 5000030, 109.5})
	return m
}

// objects finds the objects of files in cells of a metre.
func (m *fakeHost) objects(args ...string) collection {
	m.t.Helper()
	path := filepath.Join(m.t.(*testing.T).TempDir(), "a.geojson")
	m.run(slices.Concat([]string{"objects", "--cell", "1"}, args, []string{path})...)
	return readCollection(m.t, path)
}

func TestObjects(t *testing.T) {
	m := yard(t)
	for range m.columns.X {
		m.columns.Dimensions["ClassConfidence"] = append(m.columns.Dimensions["ClassConfidence"], 0.75)
	}
	c := m.objects("made.las")
	all := c.Features
	must.Need(t, len(all) == 2, "len(all) is %v, want 2", len(all))
	must.Need(t, all[0].Geometry.IsMultiPolygon(), "all[0].Geometry.IsMultiPolygon() is false")
	must.Need(t, all[1].Geometry.AsText() == "POINT(600030 5000030)",
		"all[1].Geometry.AsText() is %q, want %q", all[1].Geometry.AsText(), "POINT(600030 5000030)")
	c.expect(t, 0, map[string]float64{"id": 1, "class": 6, "height": 8, "ground": 100, "top": 108,
		"points":      128,
		"superpoints": 2, "confidence": 0.75, "edge": 0})
	c.expect(t, 1, map[string]float64{"id": 2, "class": 5, "height": 9.5, "ground": 100, "top": 109.5,
		"points":      26,
		"superpoints": 1, "area": 25, "crown": 5.64, "edge": 0})
	a := c.Features[0].Properties["area"].(float64) // 15 × 8 cells
	must.Hold(t, a >= 110, "the house has %v m², want at least 110", a)
	must.Hold(t, a <= 130, "the house has %v m², want at most 130", a)
	m.columns.Reference = georef.Reference{HorizontalUnit: 1, VerticalUnit: 0.5}
	c = m.objects("made.las")
	c.expect(t, 0, map[string]float64{"height": 4, "ground": 100})
	c = m.objects("--min_area", "200", "--trees", "7", "made.las")
	must.Hold(t, len(c.Features) == 0, "%+v", c)
}

// cutYard is the yard in two tiles whose common border crosses the house, each with ids from 1.
func cutYard(t *testing.T, at float64) *fakeHost {
	h := &fakeHost{stepsHost: stepsHost{t: t}}
	c, of := &yard(t).columns, h.tiles()
	for i, x := range c.X {
		of(map[bool]string{true: "west.las", false: "east.las"}[x < at], c.Dimensions["SuperpointID"][i],
			c.Dimensions["Classification"][i], [3]float64{x, c.Y[i], c.Z[i]})
	}
	return h
}

// tiles returns what adds points to a file, in which the ids of superpoints are those of the file, from 1.
func (m *fakeHost) tiles() func(name string, id, class float64, p [3]float64) {
	own := map[string]map[float64]float64{}
	m.files = map[string]*fakeHost{}
	return func(name string, id, class float64, p [3]float64) {
		if m.files[name] == nil {
			m.files[name], own[name] = &fakeHost{stepsHost: stepsHost{t: m.t}}, map[float64]float64{}
		}
		if own[name][id] == 0 {
			own[name][id] = float64(len(own[name]) + 1)
		}
		m.files[name].add(own[name][id], class, p)
	}
}

// writeTiles makes the files, each of as many points as the host has of it.
func (m *fakeHost) writeTiles(t *testing.T) {
	points := map[string]int{}
	for name, tile := range m.files {
		points[name] = len(tile.columns.X)
	}
	writeFiles(t, points)
}

// TestObjectsOfTiles numbers the objects of two tiles, and marks those at the edge of one.
func TestObjectsOfTiles(t *testing.T) {
	h := cutYard(t, 600009)
	h.writeTiles(t)
	both := h.objects("west.las", "east.las")
	// one lies in both tiles
	both.expect(t, 0, map[string]float64{"id": 1, "points": 128, "edge": 0, "superpoints": 3})
	both.expect(t, 1, map[string]float64{"id": 2, "points": 26, "edge": 0})
	west := h.objects("west.las")
	west.expect(t, 0, map[string]float64{"edge": 1, "points": 32})
	must.Hold(t, len(west.Features) == 1, "%+v", west)
	east := h.objects("east.las")
	east.expect(t, 0, map[string]float64{"edge": 1, "points": 96})
}

// TestObjectsWithFarPoints: a few points far from all others, of a superpoint of their own or of one with a
// roof, crown or ground, in any direction, change no object, outline, triangle or picture, and are reported.
func TestObjectsWithFarPoints(t *testing.T) {
	folder, own := t.TempDir(), [][2]float64{{1, 2}, {2, 6}, {4, 5}, {9, 6}} // ids, classes
	for name, made := range map[string]func(h *fakeHost) [3]float64{
		"metres":  func(*fakeHost) [3]float64 { return [3]float64{1, 1, 1} },
		"degrees": func(h *fakeHost) [3]float64 { return inDegrees(t, h) },
	} {
		want := map[string]string{}
		for k, to := range [][2]float64{{}, {1, 0}, {-1, 0}, {0, 1}, {0, -1}, {1, 1}, {-1, -1},
			{1, -0.1}, {-0.1, 1}} {
			for n, metres := range []float64{200, 10_000, 200_000, 1_900_000} {
				h := yard(t)
				per, c := made(h), &h.columns
				for i := 0; i < 9 && k > 0; i++ {
					h.add(own[(k+n)%4][0], own[(k+n)%4][1],
						[3]float64{c.X[0] + (metres*to[0]+float64(i))/per[0],
							c.Y[0] + metres*to[1]/per[1], 100 + 50*float64(i)})
				}
				for command, output := range map[string]string{"objects --cell 1": "a.geojson",
					"outline":                              "b.geojson",
					"mesh --residual 9 --planarity 0":      "c.stl",
					"render --panels elevation --width 64": "d.png"} {
					if output != "a.geojson" && n%3 != 0 || name == "degrees" && output > "c" {
						continue
					}
					path := filepath.Join(folder, output)
					h.said = ""
					h.run(append(strings.Fields(command), "made.las", path)...)
					got := string(must.Get(os.ReadFile(path))(t))
					want[command] = cmp.Or(want[command], got)
					must.Equal(t, got, want[command],
						"%s, %s: result with points %v m to %v", command, name, metres, to)
					must.Hold(t, strings.Contains(h.said, "9 points") == (k > 0),
						"%s, %s: with points %v m to %v it says %q", command, name, metres, to, h.said)
				}
			}
		}
	}
}

// TestAdviceWithoutObjects: a file without classes of objects gets advice that its user has not followed yet.
func TestAdviceWithoutObjects(t *testing.T) {
	const classify, other = "segment --classifier aerial", "name it with --buildings or --trees"
	for name, c := range map[string]struct {
		codes     []float64 // that the classes of the yard become
		computed  bool
		want, not string
	}{
		"never classified":       {codes: []float64{0, 1}, want: classify, not: other},
		"classes of other codes": {codes: []float64{2, 64}, want: "only 2, 64", not: "computed"},
		"ground of a survey":     {codes: []float64{2}, want: classify, not: "left all"},
		"computed, only ground":  {codes: []float64{2}, computed: true, want: "only 2: ", not: classify},
		"computed, no class sure": {codes: []float64{1}, computed: true,
			want: "left all of them unclassified", not: classify},
	} {
		h := yard(t)
		for i, class := range h.columns.Dimensions["Classification"] {
			h.columns.Dimensions["Classification"][i] = c.codes[int(class)%len(c.codes)]
		}
		if c.computed {
			h.columns.Dimensions["ClassConfidence"] = make([]float64, len(h.columns.X))
		}
		h.objects("made.las")
		must.Say(t, h.said, "no superpoint has a class of buildings (6)", c.want)
		must.Hold(t, !strings.Contains(h.said, c.not), "%s: %q in %s", name, c.not, h.said)
	}
	h := yard(t)
	h.objects("made.las")
	must.Hold(t, !strings.Contains(h.said, "no superpoint has a class"), "with objects: %s", h.said)
}

// TestObjectsOfFarParts: parts of a file that are too far from one another for one raster have the objects of
// each.
func TestObjectsOfFarParts(t *testing.T) {
	h := yard(t)
	for i, x := range h.columns.X {
		d := h.columns.Dimensions
		h.add(d["SuperpointID"][i], d["Classification"][i], [3]float64{x + 150_000, h.columns.Y[i] + 90_000,
			h.columns.Z[i]})
	}
	want, got := yard(t).objects("made.las").Features, h.objects("made.las").Features
	must.Hold(t, len(got) == 4, "%d objects", len(got))
	for k, f := range want {
		g := f.Geometry.TransformXY(func(at geom.XY) geom.XY {
			return geom.XY{X: at.X + 150_000,
				Y: at.Y + 90_000}
		})
		for n, g := range []geom.Geometry{f.Geometry, g} { // buildings, then trees
			must.Hold(t, g.AsText() == got[2*k+n].Geometry.AsText(), "%s, not %s",
				got[2*k+n].Geometry.AsText(), g.AsText())
		}
	}
}

// TestObjectsOfEmptyTiles: a tile without points may lack the spatial reference, first and last, and one
// whose points are all outside the polygons of --area has no superpoints.
func TestObjectsOfEmptyTiles(t *testing.T) {
	h := cutYard(t, 600009)
	h.files["empty.las"] = &fakeHost{stepsHost: stepsHost{t: t}}
	h.files["other.las"] = &fakeHost{stepsHost: stepsHost{t: t}}
	h.files["other.las"].add(0, 1, square(600100, 5000000, 100, 3)...)
	h.writeTiles(t)
	path := filepath.Join(t.TempDir(), "a.geojson")
	made := map[string]bool{}
	for _, tiles := range []string{"west.las east.las", "empty.las other.las west.las east.las",
		"west.las east.las other.las empty.las"} {
		must.OK(t, Run(h, strings.Fields("objects "+tiles+" "+path)))
		text := string(must.Get(os.ReadFile(path))(t))
		made[text] = true
		must.Equal(t, len(made), 1, "%s: len(made)", tiles)
		must.Hold(t, strings.Contains(text, "EPSG::32632"),
			"%s: got %q, want %q in it", tiles, text, "EPSG::32632")
	}
	must.Fail(Run(h, []string{"objects", "empty.las", path}))(t, "empty.las: the input has no points")
}

// street is a row of houses, some adjoining, with trees between them, in tiles of the given width in metres.
func street(t *testing.T, wide float64) (h *fakeHost, names []string) {
	h = &fakeHost{stepsHost: stepsHost{t: t}}
	of := h.tiles()
	add := func(id, class float64, points ...[3]float64) {
		h.add(id, class, points...)
		for _, p := range points {
			of(fmt.Sprintf("%02.0f.las", math.Floor((p[0]-600000)/wide)), id, class, p)
		}
	}
	random := rand.New(rand.NewPCG(3, 1))
	for k := range 30 {
		x, height := 600000+float64(8*k), 104+float64(random.IntN(5))
		add(float64(4*k+1), 2, square(x, 5000000, 100+0.1*float64(k), 8)...)
		add(float64(4*k+1), 2, square(x, 5000008, 100+0.1*float64(k), 8)...)
		if k%7 != 3 { // a gap after six houses
			add(float64(4*k+2), 6, square(x, 5000000, height, 8)...)
		}
		add(float64(4*k+3), 5, square(x+1, 5000012, height+0.5, 4)...)
		add(float64(4*k+4), 5, [3]float64{x + 2, 5000014, height + 3})
	}
	return h, slices.Sorted(maps.Keys(h.files))
}

// TestObjectsInWindows finds the same objects for windows of different sizes. Rows of houses are longer than
// the first margin of a window.
func TestObjectsInWindows(t *testing.T) {
	find := func(h command.Host, s objects.WindowLimits, names ...string) (*objects.Finding, string) {
		t.Helper()
		f := objects.NewFinding(
			&table.Superpoints{Host: h, Args: command.NewArguments("objects", h), Id: "SuperpointID",
				Class: "Classification"},
		)
		f.WindowLimits, f.Cell = s, 1
		must.OK(t, f.Find(names))
		for _, all := range [][]objects.Mapped{f.Buildings, f.Trees} {
			for k := range all {
				all[k].Superpoints = 0 // their number and the order of points differ between tiles
				all[k].Top, all[k].Peak = 0, 0
				for _, polygon := range slices.Concat(all[k].Outline, all[k].Crown) {
					for _, ring := range polygon {
						for n := range ring { // from a corner that all windows share
							ring[n].X += int32(all[k].Origin.X - 600000_000)
							ring[n].Y += int32(all[k].Origin.Y - 5000000_000)
						}
					}
				}
				all[k].Origin = image.Point{}
			}
		}
		return f, fmt.Sprintf("%+v\n%+v", f.Buildings, f.Trees)
	}
	h, names := street(t, 10)
	_, want := find(h, objects.NewFinding(nil).WindowLimits, "made.las")
	for _, s := range []objects.WindowLimits{
		{Points: 1, Margin: 10, Guard: 3, Cells: 1 << 25}, {Points: 500, Margin: 10, Guard: 3,
			Cells: 1 << 25},
		{Points: 1, Margin: 40, Guard: 10, Cells: 1 << 25}, {Points: 1, Margin: 1000, Guard: 10,
			Cells: 1 << 25},
		{Points: 1 << 24, Margin: 10, Guard: 3, Cells: 1000},
	} {
		f, got := find(h, s, names...)
		n := len(f.Windows())
		must.Need(t, n != 1, "%+v: n is 1", s)
		must.Need(t, len(f.Buildings) == 5, "%+v: buildings: got %v, want 5", s, len(f.Buildings))
		must.Need(t, len(f.Trees) != 0, "%+v: len(f.Trees) is 0", s)
		must.Equal(t, got, want, "%+v", s)
	}
	h.files[names[4]].add(999, 6, [3]float64{400000, 5400000, 90})
	_, got := find(h, objects.WindowLimits{Points: 1, Margin: 10, Guard: 3, Cells: 1 << 25}, names...)
	must.Equal(t, got, want, "with a point far from all others")
	h, names = street(t, 60) // tiles that are partly in the extents of others
	_, got = find(h, objects.WindowLimits{Points: 1, Margin: 3, Guard: 2, Cells: 1 << 25}, names...)
	must.Equal(t, got, want, "of wide tiles")
}

const lon, lat = 9, 47

// inDegrees makes the coordinates of a yard geographic, and returns their scale.
func inDegrees(t *testing.T, m *fakeHost) [3]float64 {
	m.columns.Reference = georef.Reference{WKT: `GEOGCS["WGS 84",DATUM["d",SPHEROID["WGS 84",6378137,298.257223563]],` +
		`UNIT["degree",0.0174532925199433],AUTHORITY["EPSG","4326"]]`}
	per := must.Get(m.columns.Reference.Scale(nil))(t)(lat)
	for i := range m.columns.X {
		// half a metre, so that points stand in the middle of cells
		m.columns.X[i] = lon + (m.columns.X[i]-600000+0.5)/per[0]
		m.columns.Y[i] = lat + (m.columns.Y[i]-5000000+0.5)/per[1]
	}
	return per
}

// TestObjectsInDegrees finds the same objects in geographic coordinates.
func TestObjectsInDegrees(t *testing.T) {
	m := yard(t)
	want := m.objects("made.las").Features
	per := inDegrees(t, m)
	got := m.objects("made.las")
	for k, f := range want {
		for _, name := range []string{"class", "height", "ground", "top", "points"} {
			got.expect(t, k, map[string]float64{name: f.Properties[name].(float64)})
		}
		a, b := got.Features[k].Properties["area"].(float64), f.Properties["area"].(float64)
		must.Hold(t, a >= 0.9*b,
			"object %d has %v m² in degrees, %v in metres, want at least %v", k, a, b, 0.9*b)
		must.Hold(t, a <= 1.1*b,
			"object %d has %v m² in degrees, %v in metres, want at most %v", k, a, b, 1.1*b)
	}
	at, _ := got.Features[1].Geometry.MustAsPoint().XY()
	must.Hold(t, math.Abs(at.X-lon-30.5/per[0]) <= 1e-7,
		"at.X-lon is %v, want %v within 1e-7", at.X-lon, 30.5/per[0])
	must.Hold(t, math.Abs(at.Y-lat-30.5/per[1]) <= 1e-7,
		"at.Y-lat is %v, want %v within 1e-7", at.Y-lat, 30.5/per[1])
	must.Equal(t, len(got.Features), len(want), "len(got.Features)")
}
