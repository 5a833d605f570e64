package command

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"superpoint/embed/cli"
	"superpoint/filter"
	"superpoint/filter/objects"
	"superpoint/filter/patch"
	"superpoint/filter/planar"
)

const objectsUsage = `[options] FILE… OUTPUT

Writes the buildings and trees of clouds whose superpoints have classes, by the
option classes of the stage or by classify: buildings as polygons seen from above,
trees as points at their tops. Several files are tiles of one cloud: what reaches
from one into the next is one object.

  id                     number of the object in its layer
  class                  code of its class
  height                 of its highest point above the ground, metres
  ground, top            Z of the ground and of that point, in the units of the file
  area                   seen from above, square metres
  crown                  diameter of a crown of that area, metres (trees)
  points, superpoints    that it has
  edge                   1 if it reaches the edge of the tiles and may go on beyond
  confidence             mean of ClassConfidence, if the files have it

A building is a connected component, seen from above, of superpoints of class
building; houses wall to wall are one. Its outline is found on a raster of --cell
metres and generalised by a cell and a half: straight walls, at right angles where
they nearly are, that never cross. Buildings of fewer than 10 points are left out.
A tree is a crown of the canopy, which has cells of 0.75 m or the spacing of the
points: crowns that meet are one where the lower top stands less than a tenth of
its height above the saddle, or within the reach of one crown (Popescu and Wynne
2004). A superpoint that lies mostly in one crown belongs to that tree, one
that several crowns share is divided. In closed woods tops are found, not trees.
Objects do not depend on the order of points, trees not on --cell.

A GeoPackage has the layers buildings and trees with a style each, by which QGIS
shows them; GeoJSON has both kinds in one list. Other formats of the GDAL of PDAL
hold one kind a file: OUTPUT.shp becomes OUTPUT_buildings.shp and OUTPUT_trees.shp.

  pdal superpoint segment --classes aerial input.laz classified.laz
  pdal superpoint objects classified.laz objects.gpkg
  pdal superpoint objects --min_area 20 --trees 5 tile1.laz tile2.laz objects.geojson

The options:`

// finding is one run of objects.
type finding struct {
	*superpoints
	settings objects.Settings
	cell     float64 // metres; 0 = the spacing
	codes    map[objects.Kind]*string
	steps    [2]int64 // lattice steps in a cell
	tiles    []box
	kind     []float64 // class of each superpoint
	found    *objects.Found
}

// objectCodes are the classes of ASPRS.
func objectCodes() map[objects.Kind]*string {
	ground, building, vegetation := "2", "6", "3,4,5"
	return map[objects.Kind]*string{objects.Ground: &ground, objects.Building: &building, objects.Vegetation: &vegetation}
}

const confidenceDimension = "ClassConfidence"

func objectsCommand(a *arguments) func(names []string) error {
	o := &finding{superpoints: newSuperpoints(a), settings: objects.DefaultSettings()}
	o.made = "segment --classes aerial"
	o.classOption()
	a.outputOption("`file` to write")
	o.codes = objectCodes()
	a.StringVar(o.codes[objects.Ground], "ground", *o.codes[objects.Ground], "`classes` of the ground")
	a.StringVar(o.codes[objects.Building], "buildings", *o.codes[objects.Building], "`classes` of buildings")
	a.StringVar(o.codes[objects.Vegetation], "trees", *o.codes[objects.Vegetation], "`classes` of vegetation")
	d := o.settings
	cli.Float(a.FlagSet, &o.settings.MinArea, "min_area", d.MinArea, 0, most, "smallest building, square metres")
	cli.Float(a.FlagSet, &o.settings.MinHeight, "min_height", d.MinHeight, 0, most, "lowest building and tree, metres")
	cli.Float(a.FlagSet, &o.settings.MinCrown, "min_crown", d.MinCrown, 0, most, "narrowest crown, metres")
	cli.Float(a.FlagSet, &o.cell, "cell", 0, least, most,
		"side of a cell of outlines, metres (default: the spacing of points)")
	return func(names []string) error {
		from, to := a.split(names)
		if len(from) == 0 {
			return errors.New("name point cloud files and, last, one output file, for example objects.gpkg")
		}
		err := a.writeLayers(from, to, []string{buildingLayer, treeLayer}, func() ([]layer, error) {
			if err := o.find(from); err != nil {
				return nil, err
			}
			return o.layers(from[0]), nil
		})
		if err != nil {
			return err
		}
		a.host.Log(filter.LogInfo, fmt.Sprintf("%s: %d buildings, %d trees", to, len(o.found.Buildings), len(o.found.Trees)))
		return nil
	}
}

// The layers of objects.
const (
	buildingLayer = "buildings"
	treeLayer     = "trees"
)

// find reads files and finds their objects.
func (o *finding) find(paths []string) (err error) {
	if o.tiles, err = o.together(paths, []string{o.class}, []string{confidenceDimension}); err != nil {
		return err
	}
	path := paths[0]
	if len(paths) > 1 {
		path = fmt.Sprintf("%s and %d more", path, len(paths)-1)
	}
	kinds, err := o.kinds()
	if err != nil {
		return err
	}
	if !slices.Contains(kinds, objects.Building) && !slices.Contains(kinds, objects.Vegetation) {
		o.host.Log(filter.LogWarning, fmt.Sprintf(
			"%s: no superpoint has a class of buildings (%s) or of vegetation (%s) in %s; pdal superpoint segment "+
				"--classes aerial gives classes",
			path, *o.codes[objects.Building], *o.codes[objects.Vegetation], o.class))
	}
	o.found, err = objects.Find(o.run("objects"), o.points(kinds), o.settings)
	if err != nil {
		return fmt.Errorf("%s: %w; give a larger --cell (it is %.3g m)", path, err, o.cell)
	}
	return nil
}

// kinds returns the kind of object of each superpoint, by its most frequent class.
func (o *finding) kinds() ([]objects.Kind, error) {
	class, _, err := o.groups.Majority(o.run("classes"), o.columns.Dimensions[o.class])
	if err != nil {
		return nil, err
	}
	o.kind = class
	kinds := make([]objects.Kind, len(class))
	for kind, text := range o.codes {
		option := map[objects.Kind]string{objects.Ground: "ground", objects.Building: "buildings",
			objects.Vegetation: "trees"}[kind]
		codes, err := filter.ClassCodes(option, *text)
		if err != nil {
			return nil, err
		}
		for k, c := range class {
			if !slices.ContainsFunc(codes, func(code uint8) bool { return float64(code) == c }) {
				continue
			}
			if kinds[k] != objects.Other {
				return nil, fmt.Errorf("option %s: class %v is named by two of the options ground, buildings and trees", option, c)
			}
			kinds[k] = kind
		}
	}
	return kinds, nil
}

// points puts the points into cells.
func (o *finding) points(kinds []objects.Kind) *objects.Points {
	if o.cell == 0 {
		o.cell = o.spacing()
	}
	for axis, metres := range o.step(0) {
		o.steps[axis] = 2 * max(1, int64(math.Round(o.cell/metres/2)))
	}
	o.cell = float64(o.steps[1]) * o.step(0)[1]
	c, scale := o.columns, math.Pow10(o.place())
	p := &objects.Points{
		At: make([]planar.Cell, len(c.X)), Z: make([]float64, len(c.X)), Owner: o.groups.Of, Kind: kinds,
		Step: o.step(0), Cell: o.steps, Spacing: o.spacing(),
	}
	for i := range c.X {
		p.At[i] = planar.Cell{Column: int64(math.Round(c.X[i] * scale)), Row: int64(math.Round(c.Y[i] * scale))}
		p.Z[i] = c.Z[i] * o.forms[0].Scale[2]
	}
	return p
}

// layers returns what is written.
func (o *finding) layers(path string) []layer {
	type shape func(text []byte, k int) []byte
	body := func(all []objects.Object, columns []column, geometry shape) func(f *features) error {
		return func(f *features) error {
			if err := f.begin(path, o.columns.Reference); err != nil {
				return err
			}
			return f.add(o.run("writing"), len(all), func(text []byte, k int) []byte {
				return append(geometry(appendProperties(text, nil, columns, k), k), '}')
			})
		}
	}
	trees := o.attributes(o.found.Trees)
	crown := column{"crown", 2, nil}
	for _, t := range o.found.Trees {
		crown.values = append(crown.values, objects.Diameter(t.Area))
	}
	return []layer{
		{buildingLayer, "MULTIPOLYGON", style{buildingStyle, "buildings"},
			body(o.found.Buildings, o.attributes(o.found.Buildings), o.outline)},
		{treeLayer, "POINT", style{treeStyle, "trees, as wide as their crowns"},
			body(o.found.Trees, append(trees, crown), o.top)},
	}
}

// attributes returns the columns of objects.
func (o *finding) attributes(all []objects.Object) []column {
	pick := func(name string, digits int, value func(k int, x *objects.Object) float64) column {
		c := column{name: name, digits: digits}
		for k := range all {
			c.values = append(c.values, value(k, &all[k]))
		}
		return c
	}
	unit := o.forms[0].Scale[2]
	columns := []column{
		pick("id", 0, func(k int, _ *objects.Object) float64 { return float64(k + 1) }),
		pick("class", 0, func(_ int, x *objects.Object) float64 { return o.kind[o.groups.Of[x.Top]] }),
		pick("height", 2, func(_ int, x *objects.Object) float64 { return x.Height }),
		pick("ground", 2, func(_ int, x *objects.Object) float64 { return x.Ground / unit }),
		pick("top", 2, func(_ int, x *objects.Object) float64 { return o.columns.Z[x.Top] }),
		pick("area", 1, func(_ int, x *objects.Object) float64 { return x.Area }),
		pick("points", 0, func(_ int, x *objects.Object) float64 { return float64(len(x.Points)) }),
		pick("superpoints", 0, func(_ int, x *objects.Object) float64 { return float64(x.Superpoints) }),
		pick("edge", 0, func(_ int, x *objects.Object) float64 { return o.edge(x) }),
	}
	if sure := o.columns.Dimensions[confidenceDimension]; sure != nil {
		columns = append(columns, pick("confidence", 3, func(_ int, x *objects.Object) float64 {
			sum := 0.0
			for _, i := range x.Points {
				sum += sure[i]
			}
			return sum / float64(len(x.Points))
		}))
	}
	return columns
}

// outline appends a building's polygons.
func (o *finding) outline(text []byte, k int) []byte {
	shape := placed{least: o.found.Origin, coarse: [2]int64{1, 1}}
	for _, polygon := range o.found.Buildings[k].Outline {
		var rings patch.Polygon
		for _, r := range polygon {
			var ring patch.Ring
			for _, p := range r {
				ring = append(ring, patch.Point{X: int32(p[0]), Y: int32(p[1])})
			}
			rings = append(rings, ring)
		}
		shape.polygons = append(shape.polygons, rings)
	}
	return shape.append(text, o.place())
}

// top appends a tree's place.
func (o *finding) top(text []byte, k int) []byte {
	i, scale := o.found.Trees[k].Top, math.Pow10(o.place())
	text = append(text, `{"type":"Point","coordinates":[`...)
	text = append(appendDecimal(text, int64(math.Round(o.columns.X[i]*scale)), o.place()), ',')
	return append(appendDecimal(text, int64(math.Round(o.columns.Y[i]*scale)), o.place()), "]}"...)
}
