package command

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"superpoint/filter/georef"
	"superpoint/filter/patch"
)

// epsg is the authority whose codes all programs know.
const epsg = "EPSG"

// head returns the beginning of the file: GeoJSON of 2008, which names the
// spatial reference (https://geojson.org/geojson-spec.html#named-crs); null
// means that it is not known.
func head(name string, reference georef.Reference) string {
	crs := "null"
	authority, code := reference.Code()
	switch {
	case authority == epsg && code == "4326": // the name that says longitude comes first
		crs = named("urn:ogc:def:crs:OGC:1.3:CRS84")
	case authority == epsg:
		crs = named("urn:ogc:def:crs:EPSG::" + code)
	}
	return fmt.Sprintf("{\"type\":\"FeatureCollection\",\"name\":%q,\"crs\":%s,\"features\":[\n", name, crs)
}

func named(name string) string {
	return fmt.Sprintf(`{"type":"name","properties":{"name":%q}}`, name)
}

// placed is polygons on a lattice of decimals.
type placed struct {
	polygons      []patch.Polygon
	least, coarse [2]int64 // lattice position of (0, 0), and lattice steps in a step of the polygons
}

// area returns the area in the square of the unit of step, the size of a lattice
// step.
func (p *placed) area(step [2]float64) float64 {
	twice := 0.0
	for _, polygon := range p.polygons {
		twice += float64(polygon.Area2())
	}
	return twice / 2 * step[0] * step[1] * float64(p.coarse[0]) * float64(p.coarse[1])
}

// feature appends superpoint k as a GeoJSON feature.
func (o *outlines) feature(text []byte, k int, shape placed) []byte {
	o.area[k] = shape.area(o.step(k))
	text = appendProperties(text, o.source, o.columns, k)
	return append(shape.append(text, o.place()), '}')
}

// appendProperties begins a feature with the attributes of row k.
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

// append appends the geometry, with so many decimals.
func (p *placed) append(text []byte, decimals int) []byte {
	text = append(text, `{"type":"MultiPolygon","coordinates":[`...)
	for i, polygon := range p.polygons {
		text = append(comma(text, i), '[')
		for j, r := range polygon {
			text = append(comma(text, j), '[')
			for n := range len(r) + 1 {
				at := r[n%len(r)]
				text = append(comma(text, n), '[')
				text = append(appendDecimal(text, p.least[0]+int64(at.X)*p.coarse[0], decimals), ',')
				text = append(appendDecimal(text, p.least[1]+int64(at.Y)*p.coarse[1], decimals), ']')
			}
			text = append(text, ']')
		}
		text = append(text, ']')
	}
	return append(text, "]}"...)
}

// comma appends a comma before every value but the first.
func comma(text []byte, place int) []byte {
	if place > 0 {
		return append(text, ',')
	}
	return text
}

// appendDecimal appends steps/10^digits, exactly and without zeros at the end.
func appendDecimal(text []byte, steps int64, digits int) []byte {
	if steps < 0 {
		text, steps = append(text, '-'), -steps
	}
	power := int64(math.Pow10(digits))
	text = strconv.AppendInt(text, steps/power, 10)
	if rest := steps % power; rest > 0 {
		fraction := strconv.FormatInt(power+rest, 10)[1:]
		text = append(append(text, '.'), strings.TrimRight(fraction, "0")...)
	}
	return text
}

// shape returns the outline of superpoint k.
func (o *outlines) shape(k int) placed {
	c, least := o.seenFromAbove(k, func(median float64) float64 {
		if o.maxEdge > 0 {
			return o.maxEdge
		}
		return max(widestOwn*median, widestFile*o.spaced)
	})
	if c != nil {
		if all := c.Polygons(c.kept); len(all) > 0 {
			return placed{all, least, [2]int64{c.coarse, c.coarse}}
		}
	}
	return o.rectangle(k)
}

// rectangle returns the rectangle around the points of superpoint k along the
// line from their middle to the farthest, half the spacing of points wider on
// every side.
func (o *outlines) rectangle(k int) placed {
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
	var ring [4][2]int64
	for i, s := range [4][2]float64{{low[0] - half, low[1] - half}, {high[0] + half, low[1] - half},
		{high[0] + half, high[1] + half}, {low[0] - half, high[1] + half}} {
		e, n := s[0]*along[0]-s[1]*along[1], s[0]*along[1]+s[1]*along[0]
		ring[i] = [2]int64{int64(math.Round(f.Mean[0]*steps + e/step[0])), int64(math.Round(f.Mean[1]*steps + n/step[1]))}
	}
	return frame(ring)
}

// frame makes a polygon of four corners.
func frame(ring [4][2]int64) placed {
	least, most := ring[0], ring[0]
	for _, p := range ring {
		for a, v := range p {
			least[a], most[a] = min(least[a], v), max(most[a], v)
		}
	}
	coarse := int64(1)
	for max(most[0]-least[0], most[1]-least[1])/coarse >= math.MaxInt32 {
		coarse *= 10
	}
	var r patch.Ring
	for _, p := range ring {
		r = append(r, patch.Point{X: int32((p[0] - least[0]) / coarse), Y: int32((p[1] - least[1]) / coarse)})
	}
	return placed{[]patch.Polygon{{r}}, least, [2]int64{coarse, coarse}}
}
