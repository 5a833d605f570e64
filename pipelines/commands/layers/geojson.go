// SPDX-License-Identifier: BSD-3-Clause

package layers

import (
	"fmt"
	"image"
	"math"
	"strconv"

	"superpoint/filter/georef"
	"superpoint/pipelines/shapes/patch"
)

// epsg is the authority of codes that GeoJSON readers know.
const epsg = "EPSG"

// geoJSONHead returns the beginning of a file of GeoJSON 2008, which has the spatial
// reference (https://geojson.org/geojson-spec.html#named-crs), or null if it is unknown.
func geoJSONHead(name string, reference georef.Reference) string {
	crs := "null"
	authority, code := reference.Code()
	switch {
	case authority == epsg && code == "4326": // the CRS with longitude first
		crs = namedCRS("urn:ogc:def:crs:OGC:1.3:CRS84")
	case authority == epsg:
		crs = namedCRS("urn:ogc:def:crs:EPSG::" + code)
	}
	return fmt.Sprintf("{\"type\":\"FeatureCollection\",\"name\":%q,\"crs\":%s,\"features\":[\n", name, crs)
}

func namedCRS(name string) string {
	return fmt.Sprintf(`{"type":"name","properties":{"name":%q}}`, name)
}

// LatticePolygons are polygons on a lattice of decimals.
type LatticePolygons struct {
	Polygons      []patch.Polygon
	Least, Coarse image.Point // lattice position of (0, 0); lattice steps per unit of the polygons
}

// Area returns the area in square metres, for lattice steps in metres.
func (p *LatticePolygons) Area(step [2]float64) float64 {
	twice := 0.0
	for _, polygon := range p.Polygons {
		twice += float64(polygon.Area2())
	}
	return twice / 2 * step[0] * step[1] * float64(p.Coarse.X) * float64(p.Coarse.Y)
}

// AppendProperties appends the beginning of a feature with the attributes of row k.
func AppendProperties(text, source []byte, columns []Column, k int) []byte {
	text = append(text, `{"type":"Feature","properties":{`...)
	if source != nil {
		text = append(append(append(text, `"source":`...), source...), ',')
	}
	for i := range columns {
		c := &columns[i]
		text = append(strconv.AppendQuote(comma(text, i), c.Name), ':')
		if v := c.text(k); v != "" {
			text = append(text, v...)
		} else {
			text = append(text, "null"...)
		}
	}
	return append(text, `},"geometry":`...)
}

// Append appends the geometry with the given number of decimals.
func (p *LatticePolygons) Append(text []byte, decimals int) []byte {
	text = append(text, `{"type":"MultiPolygon","coordinates":[`...)
	for i, polygon := range p.Polygons {
		text = append(comma(text, i), '[')
		for j, r := range polygon {
			text = append(comma(text, j), '[')
			for n := range len(r) + 1 {
				at := r[n%len(r)]
				text = AppendPosition(comma(text, n), p.Least.Add(image.Pt(int(at.X)*p.Coarse.X, int(at.Y)*p.Coarse.Y)), decimals)
			}
			text = append(text, ']')
		}
		text = append(text, ']')
	}
	return append(text, "]}"...)
}

// comma appends a comma unless index is 0.
func comma(text []byte, index int) []byte {
	if index > 0 {
		return append(text, ',')
	}
	return text
}

// AppendPosition appends a position in steps of 1/10^decimals without trailing zeros. It is exact below 10¹⁵ steps: the
// quotient is the float64 nearest to a decimal of at most 15 digits, whose shortest text is that decimal.
func AppendPosition(text []byte, at image.Point, decimals int) []byte {
	power := math.Pow10(decimals)
	text = strconv.AppendFloat(append(text, '['), float64(at.X)/power, 'f', -1, 64)
	return append(strconv.AppendFloat(append(text, ','), float64(at.Y)/power, 'f', -1, 64), ']')
}

// Decimals returns that number for coordinates in units of unit metres.
func Decimals(unit float64) int { return min(12, max(0, int(math.Ceil(math.Log10(1000*unit)-0.1)))) }

// CellSteps returns the lattice steps of a cell with a side of about side metres, and its side. The steps are even, so
// that the middle of a cell is on the lattice.
func CellSteps(side float64, step [2]float64) (steps image.Point, exact float64) {
	even := func(metres float64) int { return 2 * max(1, int(math.Round(side/metres/2))) }
	steps = image.Pt(even(step[0]), even(step[1]))
	return steps, float64(steps.Y) * step[1]
}
