// SPDX-License-Identifier: BSD-3-Clause

package segment

import (
	"cmp"
	"encoding/csv"
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/peterstace/simplefeatures/geom"
)

// readPolygons returns the extent of the polygons in the first column of a table. It fails unless all
// geometries there are polygons, and have one inside: PDAL leaves out others, crashes, or names neither file
// nor cause.
func readPolygons(path string) (extent geom.Envelope, err error) {
	text, err := os.Open(path)
	if err != nil {
		return extent, err
	}
	defer text.Close()
	table := csv.NewReader(text)
	table.FieldsPerRecord = -1 // a table of one column ends in a comma, but for its head
	rows, err := table.ReadAll()
	if err != nil {
		return extent, err
	}
	area := 0.0
	for k, row := range rows[1:] {
		g, err := readPolygon(row[0])
		if err != nil {
			return extent, fmt.Errorf("feature %d: %w", k+1, err)
		}
		area += g.Area()
		extent = extent.ExpandToIncludeEnvelope(g.Envelope())
	}
	if area == 0 {
		return extent, errors.New("it has no polygons with an area; " + onePolygonLayer)
	}
	return extent, nil
}

// readPolygon returns the polygon or polygons of a text, perhaps empty. It fails for other geometries and for
// invalid ones. Parts of a multipolygon may overlap.
func readPolygon(wkt string) (g geom.Geometry, err error) {
	kind, _, _ := strings.Cut(wkt, " ")
	switch {
	case kind == "":
		return g, nil
	case strings.HasSuffix(wkt, "EMPTY"):
		return g, nil
	case kind != "POLYGON" && kind != "MULTIPOLYGON":
		return g, fmt.Errorf("it is a %s; %s", strings.ToLower(kind), onePolygonLayer)
	}
	if g, err = geom.UnmarshalWKT(wkt, geom.NoValidate{}); err != nil {
		return g, fmt.Errorf("%w; correct its coordinates", err)
	}
	if p, ok := g.AsPolygon(); ok {
		return g, checkPolygon(p)
	}
	m, _ := g.AsMultiPolygon()
	for _, p := range m.Dump() {
		if err := checkPolygon(p); err != nil {
			return g, err
		}
	}
	return g, nil
}

const makeValid = "repair a copy, for example by ogr2ogr -makevalid copy.gpkg FILE, or by Fix geometries " +
	"in QGIS"

// checkPolygon fails if a polygon has no unambiguous inside: if a ring is not closed or crosses itself, or a
// hole is not inside. Rings may touch themselves.
func checkPolygon(p geom.Polygon) error {
	for _, ring := range p.DumpRings() {
		line := ring.Coordinates()
		if n := line.Length(); n > 0 && line.GetXY(0) != line.GetXY(n-1) {
			return fmt.Errorf("a ring is not closed: it begins at %s and ends at %s; %s",
				place(line.GetXY(0)), place(line.GetXY(n-1)), makeValid)
		}
		if at, crosses := crossing(line); crosses {
			return fmt.Errorf("it crosses itself at %s; %s", place(at), makeValid)
		}
	}
	err := p.Validate()
	if err == nil || strings.Contains(err.Error(), "validating ring") { // it touches itself, or is a line
		return nil
	}
	return fmt.Errorf("it is invalid: %w; %s", err, makeValid)
}

func place(p geom.XY) string { return fmt.Sprintf("%.10g %.10g", p.X, p.Y) }

// edge is a side of a ring, with its least and most X.
type edge struct {
	a, b      geom.XY
	low, high float64
}

// crossing returns a place where two sides of a ring cross, between their ends; found: there is one.
func crossing(ring geom.Sequence) (at geom.XY, found bool) {
	var all []edge
	for k := 1; k < ring.Length(); k++ {
		a, b := ring.GetXY(k-1), ring.GetXY(k)
		all = append(all, edge{a, b, min(a.X, b.X), max(a.X, b.X)})
	}
	slices.SortFunc(all, func(e, f edge) int { return cmp.Compare(e.low, f.low) })
	for k, e := range all {
		for _, f := range all[k+1:] {
			if f.low > e.high {
				break
			}
			if at, found := e.cross(f); found {
				return at, true
			}
		}
	}
	return at, false
}

// cross returns the place where two edges cross, between their ends.
func (e edge) cross(f edge) (at geom.XY, found bool) {
	side := func(e edge, p geom.XY) float64 { return e.b.Sub(e.a).Cross(p.Sub(e.a)) }
	before, behind := side(f, e.a), side(f, e.b)
	if before*behind >= 0 || side(e, f.a)*side(e, f.b) >= 0 {
		return at, false
	}
	return e.a.Add(e.b.Sub(e.a).Scale(before / (before - behind))), true
}
