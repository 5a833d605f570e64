// SPDX-License-Identifier: BSD-3-Clause

package promises

import (
	"math"
	"strconv"

	"github.com/peterstace/simplefeatures/geom"
	"github.com/peterstace/simplefeatures/rtree"
)

// object is a feature of a layer of objects.gpkg.
type object struct {
	shape  geom.Geometry
	rings  [][]geom.XY        // of its polygons
	values map[string]float64 // attributes that are numbers
	words  map[string]string  // other attributes
}

// number returns an attribute of an object, NaN if it has none.
func (o *object) number(name string) float64 {
	if v, has := o.values[name]; has {
		return v
	}
	return math.NaN()
}

// newObject returns the object in a row of a table with some columns.
func newObject(columns, row []string) (o object, err error) {
	if o.shape, err = geom.UnmarshalWKT(row[0]); err != nil {
		return o, err
	}
	o.rings = ringsOf(o.shape)
	o.values = map[string]float64{}
	o.words = map[string]string{}
	for k, text := range row {
		if v, err := strconv.ParseFloat(text, 64); err == nil {
			o.values[columns[k]] = v
		} else {
			o.words[columns[k]] = text
		}
	}
	return o, nil
}

// ringsOf returns the rings of polygons.
func ringsOf(g geom.Geometry) (rings [][]geom.XY) {
	if !g.IsPolygon() && !g.IsMultiPolygon() {
		return nil
	}
	for _, polygon := range g.Dump() {
		for _, ring := range polygon.MustAsPolygon().DumpRings() {
			rings = append(rings, corners(ring.AsGeometry()))
		}
	}
	return rings
}

// corners returns the vertices of a geometry.
func corners(g geom.Geometry) (all []geom.XY) {
	sequence := g.DumpCoordinates()
	for k := range sequence.Length() {
		all = append(all, sequence.GetXY(k))
	}
	return all
}

// boundsIndex finds objects by their bounds.
func boundsIndex(all []object) *rtree.RTree {
	var items []rtree.BulkItem
	for k := range all {
		low, high, ok := all[k].shape.Envelope().MinMaxXYs()
		if ok {
			items = append(items, rtree.BulkItem{RecordID: k,
				Box: rtree.Box{MinX: low.X, MinY: low.Y, MaxX: high.X, MaxY: high.Y}})
		}
	}
	return rtree.BulkLoad(items)
}

// inside reports whether a point is in the polygons of an object, by the rule of even and odd crossings, and
// not on a wall.
func (o *object) inside(at geom.XY) (in bool) {
	const wall = 1e-6
	for _, ring := range o.rings {
		for k := 1; k < len(ring); k++ {
			a, b := ring[k-1], ring[k]
			if (a.Y > at.Y) == (b.Y > at.Y) {
				continue
			}
			x := a.X + (at.Y-a.Y)/(b.Y-a.Y)*(b.X-a.X)
			if at.X >= x-wall && at.X <= x+wall {
				return false
			}
			if at.X < x {
				in = !in
			}
		}
	}
	return in
}
