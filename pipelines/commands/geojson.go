package command

import (
	"fmt"
	"image"
	"math"
	"strconv"

	"superpoint/filter/georef"
	"superpoint/pipelines/shapes/patch"
	"superpoint/pipelines/shapes/planar"
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

// latticePolygons are polygons on a lattice of decimals.
type latticePolygons struct {
	polygons      []patch.Polygon
	least, coarse image.Point // lattice position of (0, 0); lattice steps per unit of the polygons
}

// area returns the area in square metres, for lattice steps in metres.
func (p *latticePolygons) area(step [2]float64) float64 {
	twice := 0.0
	for _, polygon := range p.polygons {
		twice += float64(polygon.Area2())
	}
	return twice / 2 * step[0] * step[1] * float64(p.coarse.X) * float64(p.coarse.Y)
}

// feature appends superpoint k as a GeoJSON feature.
func (o *outlines) feature(text []byte, k int, shape latticePolygons) []byte {
	o.area[k] = shape.area(o.step(k))
	text = appendProperties(text, o.source, o.columns, k)
	return append(shape.append(text, o.place()), '}')
}

// appendProperties appends the beginning of a feature with the attributes of row k.
func appendProperties(text, source []byte, columns []column, k int) []byte {
	text = append(text, `{"type":"Feature","properties":{`...)
	if source != nil {
		text = append(append(append(text, `"source":`...), source...), ',')
	}
	for i := range columns {
		c := &columns[i]
		text = append(strconv.AppendQuote(comma(text, i), c.name), ':')
		if v := c.text(k); v != "" {
			text = append(text, v...)
		} else {
			text = append(text, "null"...)
		}
	}
	return append(text, `},"geometry":`...)
}

// append appends the geometry with the given number of decimals.
func (p *latticePolygons) append(text []byte, decimals int) []byte {
	text = append(text, `{"type":"MultiPolygon","coordinates":[`...)
	for i, polygon := range p.polygons {
		text = append(comma(text, i), '[')
		for j, r := range polygon {
			text = append(comma(text, j), '[')
			for n := range len(r) + 1 {
				at := r[n%len(r)]
				text = appendPosition(comma(text, n), p.least.Add(image.Pt(int(at.X)*p.coarse.X, int(at.Y)*p.coarse.Y)), decimals)
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

// appendPosition appends a position in steps of 1/10^decimals without trailing zeros. It is exact below 10¹⁵ steps: the
// quotient is the float64 nearest to a decimal of at most 15 digits, whose shortest text is that decimal.
func appendPosition(text []byte, at image.Point, decimals int) []byte {
	power := math.Pow10(decimals)
	text = strconv.AppendFloat(append(text, '['), float64(at.X)/power, 'f', -1, 64)
	return append(strconv.AppendFloat(append(text, ','), float64(at.Y)/power, 'f', -1, 64), ']')
}

// shape returns the outline of superpoint k.
func (o *outlines) shape(k int) latticePolygons {
	c := o.footprintFromAbove(k, func(median float64) float64 {
		if o.maxEdge > 0 {
			return o.maxEdge
		}
		return max(ownEdgeFactor*median, fileEdgeFactor*o.spaced)
	})
	if c != nil {
		if all := c.Polygons(c.kept); len(all) > 0 {
			return latticePolygons{all, c.least, image.Pt(c.coarse, c.coarse)}
		}
	}
	return o.rectangle(k)
}

// rectangle returns the rectangle around the points of superpoint k, for collinear
// points: parallel to the line from their centroid to the farthest point, extended by half
// the spacing on every side.
func (o *outlines) rectangle(k int) latticePolygons {
	f, x, y := &o.forms[k], o.superpoints.columns.X, o.superpoints.columns.Y
	offset := func(i uint32) (east, north float64) {
		return (x[i] - f.Mean[0]) * f.Scale[0], (y[i] - f.Mean[1]) * f.Scale[1]
	}
	along, far := [2]float64{1, 0}, 1e-6
	for _, i := range o.groups.Points(k) {
		if e, n := offset(i); math.Hypot(e, n) > far {
			far = math.Hypot(e, n)
			along = [2]float64{e / far, n / far}
		}
	}
	var low, high [2]float64
	for _, i := range o.groups.Points(k) {
		e, n := offset(i)
		for a, v := range [2]float64{e*along[0] + n*along[1], n*along[0] - e*along[1]} {
			low[a], high[a] = min(low[a], v), max(high[a], v)
		}
	}
	step := o.step(k)
	half := max(o.spaced/2, 10*max(step[0], step[1]))
	steps := math.Pow10(o.place())
	var ring [4]image.Point
	for i, s := range [4][2]float64{{low[0] - half, low[1] - half}, {high[0] + half, low[1] - half},
		{high[0] + half, high[1] + half}, {low[0] - half, high[1] + half}} {
		e, n := s[0]*along[0]-s[1]*along[1], s[0]*along[1]+s[1]*along[0]
		ring[i] = image.Pt(int(math.Round(f.Mean[0]*steps+e/step[0])), int(math.Round(f.Mean[1]*steps+n/step[1])))
	}
	return polygonOf(ring)
}

// polygonOf returns the polygon of four corners.
func polygonOf(ring [4]image.Point) latticePolygons {
	box, coarse := planar.Bounds(ring[:]...), 1
	for max(box.Dx(), box.Dy())/coarse >= math.MaxInt32 {
		coarse *= 10
	}
	var r patch.Ring
	for _, p := range ring {
		p = p.Sub(box.Min).Div(coarse)
		r = append(r, patch.Point{X: int32(p.X), Y: int32(p.Y)})
	}
	return latticePolygons{[]patch.Polygon{{r}}, box.Min, image.Pt(coarse, coarse)}
}
