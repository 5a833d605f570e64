// SPDX-License-Identifier: BSD-3-Clause

package commands

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"testing"

	"superpoint/filter/georef"
	"superpoint/testdata/must"
)

// cityFile is a file of CityJSON as another program reads it.
type cityFile struct {
	Type, Version string
	Transform     struct{ Scale, Translate [3]float64 }
	Metadata      struct {
		GeographicalExtent []float64
		ReferenceSystem    string
	}
	CityObjects map[string]struct {
		Type       string
		Attributes map[string]any
		Parents    []string
		Children   []string
		Geometry   []struct {
			Type       string
			LOD        string
			Boundaries [][][][]int
			Semantics  struct{ Values [][]int }
		}
	}
	Vertices [][3]float64
}

// hall is ground with a gabled hall along x at 20 to 40, of which each side is a superpoint, and a court in a
// second house that is flat.
func hall(t *testing.T) *fakeHost { return hallTo(t, 60) }

// hallTo is the hall up to an x.
func hallTo(t *testing.T, east float64) *fakeHost {
	h := &fakeHost{stepsHost: stepsHost{t: t}}
	const step = 0.4
	for y := 0.0; y < 60; y += step {
		for x := 0.0; x < east; x += step {
			z, id, class := 100.0, 1.0, 2.0
			switch {
			case x >= 20 && x < 40 && y >= 10 && y < 20:
				z, id, class = 108-0.8*math.Abs(y-15), 2, 6
				if y > 15 {
					id = 3
				}
			case x >= 10 && x < 40 && y >= 30 && y < 50 && !(x >= 20 && x < 30 && y >= 36 && y < 44):
				z, id, class = 105, 4, 6
			}
			h.add(id, class, [3]float64{600000 + x, 5000000 + y, z})
		}
	}
	return h
}

// solids returns the CityJSON of a host.
func solids(t *testing.T, h *fakeHost) *cityFile {
	t.Helper()
	path := filepath.Join(t.TempDir(), "made.city.json")
	h.run("objects", "made.las", path)
	made := &cityFile{}
	must.OK(t, json.Unmarshal(must.Get(os.ReadFile(path))(t), made))
	return made
}

// volume returns the volume of a solid in the units of the file, and the number of directed edges that the
// surface has not in the other direction: none of a closed surface whose surfaces are seen from outside.
func (c *cityFile) volume(shell [][][]int) (volume float64, open int) {
	edges := map[[2]int]int{}
	for _, surface := range shell {
		for _, ring := range surface {
			for k, a := range ring {
				b := ring[(k+1)%len(ring)]
				edges[[2]int{a, b}]++
				volume += c.triple(ring[0], a, b)
			}
		}
	}
	for edge, count := range edges {
		if count != 1 || edges[[2]int{edge[1], edge[0]}] != 1 {
			open++
		}
	}
	return volume, open
}

// triple returns the volume of the tetrahedron of three vertices and the first vertex of the file.
func (c *cityFile) triple(i, j, k int) float64 {
	var v [3][3]float64
	for n, number := range [3]int{i, j, k} {
		for axis := range 3 {
			v[n][axis] = (c.Vertices[number][axis] - c.Vertices[0][axis]) * c.Transform.Scale[axis]
		}
	}
	return (v[0][0]*(v[1][1]*v[2][2]-v[1][2]*v[2][1]) -
		v[0][1]*(v[1][0]*v[2][2]-v[1][2]*v[2][0]) +
		v[0][2]*(v[1][0]*v[2][1]-v[1][1]*v[2][0])) / 6
}

// TestSolids: buildings are closed solids with the area of the footprint times the height of the block, at
// the ground.
func TestSolids(t *testing.T) {
	h := hall(t)
	h.columns.Reference = georef.Reference{HorizontalUnit: 1, VerticalUnit: 1,
		WKT: `PROJCS["u",GEOGCS["g"],UNIT["metre",1],AUTHORITY["EPSG","2154"]]`}
	c := solids(t, h)
	must.Equal(t, c.Type+" "+c.Version, "CityJSON 2.0", "type and version")
	must.Equal(t, c.Metadata.ReferenceSystem, "https://www.opengis.net/def/crs/EPSG/0/2154", "reference")
	must.Need(t, len(c.CityObjects) == 2, "%d objects, want 2", len(c.CityObjects))
	used := map[int]bool{}
	for name, o := range c.CityObjects {
		must.Need(t, len(o.Geometry) == 1, "%s has %d geometries, want 1", name, len(o.Geometry))
		g := o.Geometry[0]
		must.Equal(t, g.Type+g.LOD, "Solid1", "%s: geometry", name)
		shell := g.Boundaries[0]
		must.Equal(t, len(g.Semantics.Values[0]), len(shell), "%s: semantics of surfaces", name)
		volume, open := c.volume(shell)
		must.Equal(t, open, 0, "%s: open edges", name)
		want := o.Attributes["area"].(float64) * o.Attributes["block"].(float64)
		must.Hold(t, math.Abs(volume-want) < 0.01*want, "%s has a volume of %v, want %v", name, volume, want)
		for _, surface := range shell {
			for _, ring := range surface {
				for _, number := range ring {
					used[number] = true
				}
			}
		}
	}
	must.Equal(t, len(used), len(c.Vertices), "vertices that are used")
	distinct := map[[3]float64]bool{}
	for _, v := range c.Vertices {
		distinct[v] = true
	}
	must.Equal(t, len(distinct), len(c.Vertices), "distinct vertices")
}

// TestRoofAttributes: form, eave and ridge of the hall and of the flat house, also in feet, and none at the
// edge.
func TestRoofAttributes(t *testing.T) {
	for name, metres := range map[string]float64{"metres": 1, "feet": 0.3048} {
		h := hall(t)
		for i := range h.columns.X {
			h.columns.X[i] = 600000 + (h.columns.X[i]-600000)/metres
			h.columns.Y[i] = 5000000 + (h.columns.Y[i]-5000000)/metres
			h.columns.Z[i] /= metres
		}
		h.columns.Reference = georef.Reference{HorizontalUnit: metres, VerticalUnit: metres}
		c := h.objects("made.las")
		must.Need(t, len(c.Features) == 2, "%s: %d buildings, want 2", name, len(c.Features))
		for k, want := range []struct {
			roof        string
			eave, ridge float64
		}{{"gabled", 4, 8}, {"flat", 5, 5}} {
			p := c.Features[k].Properties
			must.Equal(t, p["roof"], any(want.roof), "%s: roof", name)
			eave := p["eave"].(float64)
			must.Hold(t, math.Abs(eave-want.eave) < 0.3, "%s: eave %v, want %v", name, eave, want.eave)
			ridge := p["ridge"].(float64)
			must.Hold(t, math.Abs(ridge-want.ridge) < 0.3, "%s: ridge %v, want %v", name, ridge, want.ridge)
			block := p["block"].(float64)
			must.Hold(t, math.Abs(block-(eave+ridge)/2) < 0.02, "%s: block %v", name, block)
		}
	}
	c := hallTo(t, 35).objects("made.las")
	must.Need(t, len(c.Features) == 2, "%d buildings at the edge, want 2", len(c.Features))
	for k := range c.Features {
		p := c.Features[k].Properties
		must.Equal(t, p["edge"], any(1.0), "edge of building %d", k+1)
		must.Equal(t, p["roof"], any("unknown"), "roof of building %d at the edge", k+1)
		must.Equal(t, p["eave"], any(nil), "eave of building %d at the edge", k+1)
		must.Hold(t, p["block"].(float64) > 3, "block of building %d at the edge: %v", k+1, p["block"])
	}
}

// TestNoSolidsInDegrees: degrees have no volume.
func TestNoSolidsInDegrees(t *testing.T) {
	h := hall(t)
	inDegrees(t, h)
	path := filepath.Join(t.TempDir(), "made.city.json")
	must.Fail(Run(h, []string{"objects", "made.las", path}))(t, path, "degrees", "filters.reprojection")
}
