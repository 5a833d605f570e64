// SPDX-License-Identifier: BSD-3-Clause

package mapcmd

import (
	"encoding/csv"
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"

	"github.com/peterstace/simplefeatures/geom"

	"superpoint/pipelines/commands/objects"
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

// readObjects reads the layers of the objects. GDAL takes longer to open a GeoPackage than to read it, so it
// writes tables of all layers at once.
func (r *results) readObjects() error {
	layers := map[string]*[]object{objects.BuildingLayer: &r.buildings, objects.TreeLayer: &r.trees,
		objects.CrownLayer: &r.crowns}
	if r.m.model != nil {
		layers[WaterLayer] = &r.water
	}
	names := slices.Sorted(maps.Keys(layers))
	tables := filepath.Join(r.m.work, ".tables")
	defer os.RemoveAll(tables)
	arguments := append([]string{"-f", "CSV", "-lco", "GEOMETRY=AS_WKT"}, names...)
	if err := r.m.Host.Convert(filepath.Join(r.m.work, mapObjects), tables, arguments...); err != nil {
		return r.broken(mapObjects, "%w", err)
	}
	for _, name := range names {
		all, err := readTable(filepath.Join(tables, name+".csv"))
		if err != nil {
			return r.broken(mapObjects, "layer %s: %w", name, err)
		}
		*layers[name] = all
	}
	return nil
}

// readTable reads the table of a layer, whose first column has the geometries. A polygon that is not valid is
// an error.
func readTable(path string) (all []object, err error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	rows, err := csv.NewReader(f).ReadAll()
	if err != nil {
		return nil, err
	}
	for k, row := range rows {
		if k == 0 {
			continue
		}
		o, err := newObject(rows[0], row)
		if err != nil {
			return nil, fmt.Errorf("feature %d: %w", k, err)
		}
		all = append(all, o)
	}
	return all, nil
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
