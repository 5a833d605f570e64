// SPDX-License-Identifier: BSD-3-Clause

// Package layers writes tables and vector layers of superpoints.
package layers

import (
	"bufio"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"image"
	"io"
	"math"
	"strconv"
	"strings"

	"superpoint/filter/georef"
	"superpoint/filter/host"
	"superpoint/partition/base/parallel"
	"superpoint/pipelines/shapes/patch"
)

// Features writes a GeoJSON file.
type Features struct {
	host      host.Host
	name      string
	out       *bufio.Writer
	first     string // the first file; "" before begin
	reference georef.Reference
	types     []Column // whose types a feature without a geometry declares; nil = none does
	count     int
}

// writer returns the function that writes a file of layers.
func (f *Features) writer(layers []Layer) func(w io.Writer) error {
	return func(w io.Writer) error {
		f.out = bufio.NewWriterSize(w, 1<<20)
		for _, l := range layers {
			if err := l.Body(f); err != nil {
				return err
			}
		}
		if _, err := f.out.WriteString("\n]}\n"); err != nil {
			return err
		}
		return f.out.Flush()
	}
}

// Count returns the number of features so far.
func (f *Features) Count() int { return f.count }

// Begin starts the features of a file. It fails unless all files have the same spatial
// reference.
func (f *Features) Begin(path string, reference georef.Reference) error {
	if f.first != "" {
		return CheckReference(f.host, path, reference, f.first, f.reference)
	}
	f.first, f.reference = path, reference
	if _, err := f.out.WriteString(geoJSONHead(f.name, reference)); err != nil {
		return err
	}
	_, err := f.out.Write(typesFeature(f.types))
	return err
}

// typesID is the id of the feature that declares types. Ids of others begin at 1.
const typesID = -1

// typesFeature returns a feature without a geometry with a value of the type of each column; nil for no
// columns. GDAL reads the types of a layer of GeoJSON from the values of its features.
func typesFeature(columns []Column) []byte {
	if columns == nil {
		return nil
	}
	typical := make([]Column, len(columns))
	for k, c := range columns {
		typical[k] = Column{Name: c.Name, Digits: c.Digits, Values: []float64{0.5}}
		if c.Words != nil {
			typical[k].Words = []string{"word"}
		}
	}
	typical[0].Values[0] = typesID
	return append(AppendProperties(nil, nil, typical, 0), "null}"...)
}

// Add writes n features in order. feature, which appends feature k to text, runs in
// parallel; empty features are left out.
func (f *Features) Add(run parallel.Run, n int, feature func(text []byte, k int) []byte) error {
	const many = 2048
	made := make([][]byte, min(many, n))
	progress := run.Progress
	run = run.Quiet() // progress is reported for all features, not for each block
	for first := 0; first < n; first += many {
		some := made[:min(many, n-first)]
		err := run.ForEach(len(some), 16, func(i int) { some[i] = feature(some[i][:0], first+i) })
		if err != nil {
			return err
		}
		for _, text := range some {
			if len(text) == 0 {
				continue
			}
			if f.count > 0 || f.types != nil {
				text = append([]byte(",\n"), text...)
			}
			f.count++
			if _, err := f.out.Write(text); err != nil {
				return err
			}
		}
		progress(float64(first+len(some)) / float64(n))
	}
	return nil
}

// referenceName returns the name of a spatial reference for messages.
func referenceName(r georef.Reference) string {
	switch authority, code := r.Code(); {
	case code != "" && r.Name != "":
		return r.Name
	case code != "":
		return authority + ":" + code
	case r.WKT == "":
		return "none"
	case r.Name != "":
		return strconv.Quote(r.Name)
	}
	return "one without a code"
}

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
		text = append(text, c.JSON(k)...)
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
				text = AppendPosition(comma(text, n),
					p.Least.Add(image.Pt(int(at.X)*p.Coarse.X, int(at.Y)*p.Coarse.Y)), decimals)
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

// AppendPosition appends a position in steps of 1/10^decimals without trailing zeros. It is exact below 10¹⁵
// steps: the quotient is the float64 nearest to a decimal of at most 15 digits, whose shortest text is that
// decimal.
func AppendPosition(text []byte, at image.Point, decimals int) []byte {
	power := math.Pow10(decimals)
	text = strconv.AppendFloat(append(text, '['), float64(at.X)/power, 'f', -1, 64)
	return append(strconv.AppendFloat(append(text, ','), float64(at.Y)/power, 'f', -1, 64), ']')
}

// Decimals returns that number for coordinates in units of unit metres.
func Decimals(unit float64) int { return min(12, max(0, int(math.Ceil(math.Log10(1000*unit)-0.1)))) }

// CellSteps returns the lattice steps of a cell with a side of about side metres, and its side. The steps are
// even, so that the middle of a cell is on the lattice.
func CellSteps(side float64, step [2]float64) (steps image.Point, exact float64) {
	even := func(metres float64) int { return 2 * max(1, int(math.Round(side/metres/2))) }
	steps = image.Pt(even(step[0]), even(step[1]))
	return steps, float64(steps.Y) * step[1]
}

// Column is a column of numbers, integers if digits is 0, or of words. A missing number is NaN.
type Column struct {
	Name   string
	Digits int // after the decimal point, in text
	Values []float64
	Words  []string // in place of numbers
}

// ColumnOf returns a column of n values.
func ColumnOf(name string, digits, n int, value func(row int) float64) Column {
	c := Column{Name: name, Digits: digits, Values: make([]float64, n)}
	for row := range c.Values {
		c.Values[row] = value(row)
	}
	return c
}

// JSON returns a value for JSON.
func (c *Column) JSON(row int) json.RawMessage {
	text := c.text(row)
	switch {
	case c.Words != nil:
		return json.RawMessage(strconv.Quote(text))
	case text == "":
		return json.RawMessage("null")
	}
	return json.RawMessage(text)
}

// text returns a value for CSV, "" if it is missing.
func (c *Column) text(row int) string {
	if c.Words != nil {
		return c.Words[row]
	}
	v := c.Values[row]
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return ""
	}
	t := strconv.FormatFloat(v, 'f', c.Digits, 64)
	if strings.HasPrefix(t, "-") && strings.Trim(t, "-0.") == "" {
		return t[1:] // not −0
	}
	return t
}

// rows returns the number of values.
func (c *Column) rows() int { return max(len(c.Values), len(c.Words)) }

// WriteCSV writes columns of equal length.
func WriteCSV(w io.Writer, columns []Column) error {
	out := csv.NewWriter(w)
	record := make([]string, len(columns))
	for k, c := range columns {
		record[k] = c.Name
	}
	if err := out.Write(record); err != nil {
		return err
	}
	for row := range columns[0].rows() {
		for k := range columns {
			record[k] = columns[k].text(row)
		}
		if err := out.Write(record); err != nil {
			return err
		}
	}
	out.Flush()
	return out.Error()
}
