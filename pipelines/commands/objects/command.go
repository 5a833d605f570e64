// SPDX-License-Identifier: BSD-3-Clause

package objects

import (
	"cmp"
	"errors"
	"fmt"
	"image"
	"math"
	"slices"
	"strconv"
	"strings"

	"superpoint/embed/classes"
	"superpoint/filter/georef"
	"superpoint/filter/land"
	"superpoint/filter/message"
	"superpoint/partition/base/parallel"

	"superpoint/pipelines/commands/command"
	"superpoint/pipelines/commands/layers"
	"superpoint/pipelines/commands/table"
	"superpoint/pipelines/shapes/planar"
	"superpoint/pipelines/shapes/roof"
)

const objectsUsage = `[options] IN… OUTPUT

Writes the buildings and trees of clouds whose superpoints have classes, from the
option classes of the stage or from classify: buildings as polygons in X and Y, trees
as points at their tops. IN are files, folders and virtual point clouds; they are tiles
of one cloud, and an object in several tiles is one object. The number of tiles is not
limited by memory: a few tiles and their surroundings are read at a time.

  id                     number of the object: buildings first, then trees
  class                  code of its class
  height                 of its highest point above the ground, metres
  ground, top            Z of the ground and of that point, in the units of the file
  area                   in X and Y, square metres
  crown                  diameter of a disc of that area, metres (trees)
  points, superpoints    numbers of its points and superpoints
  edge                   1 if it is at the edge of the tiles, and may be incomplete
  roof                   of a building: flat, gabled, hipped, other or unknown
  eave, ridge            lower and upper edge of its main roof above the ground, metres
  block                  height of a block of its volume (LOD1), metres
  confidence             mean of ClassConfidence, if the files have it
  doubtful               1 if a building has a confidence below 0.6, or below 0.75 and less than 25 m²

A building is a connected component, in X and Y, of superpoints of class building;
adjoining houses are one building. Its outline is computed on a raster of --cell
metres and simplified by up to 1.5 cells: walls are straight, do not cross, and are
perpendicular if they are within 12° of it. Buildings of fewer than 10 points are left
out (4 to 10 where there is less than a point in a square metre). A tree is a crown of the
canopy height model, whose cells are 0.75 m or the point spacing. Two adjacent crowns are one
tree if the lower top is less than a tenth of its height above the saddle, or if the tops are
within one crown radius (Popescu and Wynne 2004). A superpoint with at least 60 % of its points
in one crown belongs to that tree; others are divided. Points above a footprint belong to no
tree. In dense forest a tree can have several tops, or be hidden below others, so the number of
trees is not exact.
Objects do not depend on the order of points, and trees do not depend on --cell. Groups of
fewer than 10 points, 100 m and more from the rest of the file, are ignored.

A roof is flat, gabled, hipped or other if planes fitted to its superpoints decide it; else, and
at the edge of the tiles, it is unknown and has no eave and ridge. The eave is that of the roof,
where it overhangs the walls. A block ends halfway between eave and ridge, or at the height
that 70 % of the points of an unknown roof do not exceed.

OUTPUT is a GeoPackage with the layers buildings, trees (points at tops) and crowns (polygons
with the ids of trees, without footprints), each with a style for QGIS, or GeoJSON with
buildings and trees in one list, or CityJSON 2.0 (.city.json) with buildings as solids.

  pdal superpoint segment --classifier aerial input.laz classified.laz
  pdal superpoint objects classified.laz objects.gpkg
  pdal superpoint objects --min_area 20 --trees 5 tile1.laz tile2.laz objects.geojson

The options:`

// Finding is one run of objects.
type Finding struct {
	*table.Superpoints
	settings     Settings
	WindowLimits WindowLimits
	Cell         float64 // metres; 0 = the point spacing
	Far          int     // points far from all others of their file, which are in no object
	// Skip is called with a file that cannot be read, and its error. The file is left out unless it returns
	// an error. nil: the error ends the run.
	Skip func(path string, err error) error
	// OnFile is called once for every file, with all points and with the parts without points far from all
	// others.
	OnFile  func(path string, c *command.Columns, near []*command.Columns)
	classes []*objectClasses
	noise   []int // class codes of points that are in no object

	reference     georef.Reference
	Segmented     bool        // the files were segmented before, with warnings
	Metres        [3]float64  // metres per unit of X, Y and Z
	Stride        [2]float64  // metres per step of the lattice of coordinates
	decimals      int         // of coordinates on the lattice
	spaced        float64     // point spacing in X and Y, metres
	steps         image.Point // lattice steps in a cell
	NoConfidence  bool        // a file has no ClassConfidence
	minConfidence float64     // smallest mean ClassConfidence of an object
	anyObject     bool        // a superpoint has a class of buildings or vegetation
	Tiles         []*tile

	Buildings, Trees []Mapped // sorted by the positions of their tops, from the south-west
}

// Mapped is a building or a tree of the map.
type Mapped struct {
	Object                 // Points is nil
	at         image.Point // position of its top
	z          float64     // Z of its top, metres
	Origin     image.Point // of its outline, lattice steps
	points     int
	class      float64
	Edge       float64
	Confidence float64 // mean; 0 without
}

// Reference returns the spatial reference of the files.
func (o *Finding) Reference() georef.Reference { return o.reference }

// PointSpacing returns the point spacing in X and Y in metres, the median of the files.
func (o *Finding) PointSpacing() float64 { return o.spaced }

// Doubtful reports whether a building is of low confidence, or small and of rather low confidence: most such
// polygons are vans, hedges and walls.
func (m *Mapped) Doubtful() bool {
	return m.Outline != nil && (m.Confidence < 0.6 || m.Confidence < 0.75 && m.Area < 25)
}

// Place writes the position of its top to 0.1 m.
func (m *Mapped) Place(o *Finding) string {
	digits, scale := max(0, o.decimals-2), math.Pow10(-o.decimals)
	return fmt.Sprintf("%.*f %.*f", digits, float64(m.at.X)*scale, digits, float64(m.at.Y)*scale)
}

// objectClasses are the class codes of one kind of object, and their option.
type objectClasses struct {
	kind                Kind
	codes, option, help string
}

// NewFinding returns a run for the class codes of ASPRS.
func NewFinding(s *table.Superpoints) *Finding {
	return &Finding{Superpoints: s, settings: DefaultSettings(), WindowLimits: WindowLimits{1 << 24, 100,
		25, 1 << 25},
		OnFile: func(string, *command.Columns, []*command.Columns) {}, classes: []*objectClasses{
			{Ground, "2", "ground", "`classes` of the ground"},
			{Building, "6", "buildings", "`classes` of buildings"},
			{Vegetation, "3,4,5", "trees", "`classes` of vegetation"},
		}, noise: []int{classes.Noise, classes.HighNoise}}
}

// SetCodes replaces the codes of LAS by others.
func (o *Finding) SetCodes(of func(code int) int) error {
	for _, c := range o.classes {
		codes, err := land.ClassCodes(c.option, c.codes)
		if err != nil {
			return err
		}
		var all []string
		for _, code := range codes {
			all = append(all, strconv.Itoa(of(int(code))))
		}
		c.codes = strings.Join(all, ",")
	}
	for k, code := range o.noise {
		o.noise[k] = of(code)
	}
	return nil
}

// Command is the command objects.
func Command() command.Command {
	return command.Command{Name: "objects",
		Line:  "buildings and trees of classified superpoints, as polygons and points",
		Usage: objectsUsage, Define: objectsCommand, Bytes: 150}
}

func objectsCommand(a *command.Arguments) func(names []string) error {
	o := NewFinding(table.NewSuperpoints(a))
	o.Producer = "segment --classifier aerial"
	o.ClassOption()
	a.OutputOption("`file` to write")
	for _, c := range o.classes {
		a.StringVar(&c.codes, c.option, c.codes, c.help)
	}
	d := o.settings
	o.LimitOptions(a)
	a.FloatOption(&o.settings.MinHeight, "min_height", d.MinHeight, 0, command.MaxLength,
		"lowest building and tree, metres")
	a.FloatOption(&o.settings.MinCrown, "min_crown", d.MinCrown, 0, command.MaxLength,
		"narrowest crown, metres")
	a.LengthOption(&o.Cell, "cell", 0, "side of a cell of outlines, metres (default: the point spacing)")
	return func(names []string) error {
		from, to, err := a.Split(names)
		if err != nil {
			return err
		}
		if len(from) == 0 {
			return errors.New("name point cloud files and, last, one output file, for example objects.gpkg")
		}
		write, err := o.output(from, to)
		if err != nil {
			return err
		}
		if err := layers.CheckTiles(a.Host, a.References, from); err != nil {
			return err
		}
		if err := o.Find(from); err != nil {
			return err
		}
		if err := write(); err != nil {
			return err
		}
		a.Host.Log(message.Info, to+": "+o.Found())
		return nil
	}
}

// output registers the inputs and returns the function that writes the objects.
func (o *Finding) output(from []string, path string) (write func() error, err error) {
	if strings.HasSuffix(strings.ToLower(path), solidEnding) {
		to, err := o.Args.Open(from, path)
		return func() error { return o.WriteSolids(to) }, err
	}
	out, err := layers.OpenVectors(o.Args, from, path)
	return func() error { return out.Write(o.Layers(from[0])...) }, err
}

// LimitOptions adds the options min_area, min_hole, min_edge and min_object_confidence.
func (o *Finding) LimitOptions(a *command.Arguments) {
	a.FloatOption(&o.settings.MinArea, "min_area", o.settings.MinArea, 0, command.MaxLength,
		"smallest building, square metres")
	a.FloatOption(&o.settings.MinHole, "min_hole", o.settings.MinHole, 0, command.MaxLength,
		"smallest hole of a footprint, square metres")
	a.FloatOption(&o.settings.MinEdge, "min_edge", o.settings.MinEdge, 0, command.MaxLength,
		"shortest wall of a footprint, metres")
	a.FloatOption(&o.minConfidence, "min_object_confidence", 0, 0, 1, "smallest confidence of an object")
}

// The layers of objects.
const (
	BuildingLayer = "buildings"
	TreeLayer     = "trees"
	CrownLayer    = "crowns" // in a GeoPackage
)

// Find reads files and finds their objects.
func (o *Finding) Find(paths []string) error {
	if err := o.readTiles(paths); err != nil {
		return err
	}
	path := paths[0]
	if len(paths) > 1 {
		path = fmt.Sprintf("%s and %d more", path, len(paths)-1)
	}
	if o.Far > 0 {
		o.Host.Log(message.Warning, path+": "+planar.Far(o.Far, "object"))
	}
	if !o.anyObject && !o.Segmented {
		o.Host.Log(message.Warning, fmt.Sprintf(
			"%s: no superpoint has a class of buildings (%s) or of vegetation (%s) in %s; pdal superpoint "+
				"segment --classifier aerial gives classes",
			path, o.classes[1].codes, o.classes[2].codes, o.Class))
	}
	o.steps, o.Cell = layers.CellSteps(cmp.Or(o.Cell, o.spaced), o.Stride)
	all := o.Windows()
	for k, tiles := range all {
		step := "objects"
		if len(all) > 1 {
			step = fmt.Sprintf("objects, part %d of %d", k+1, len(all))
		}
		if err := o.findIn(o.Run(step), tiles); err != nil {
			return fmt.Errorf("%s: %w", o.Tiles[tiles[0]].path, err)
		}
	}
	sortObjects(o.Buildings)
	sortObjects(o.Trees)
	return nil
}

// Found describes the objects.
func (o *Finding) Found() string {
	return message.Count(len(o.Buildings), "building") + ", " + message.Count(len(o.Trees), "tree")
}

// findIn finds the objects whose tops are in some tiles. It doubles the margin until all of them are
// complete.
func (o *Finding) findIn(run parallel.Run, tiles []int) error {
	core := o.Tiles[tiles[0]].Area
	for _, k := range tiles {
		core = core.Union(o.Tiles[k].Area)
	}
	for margin := o.WindowLimits.Margin; ; margin *= 2 {
		w, err := o.gather(planar.Grown(core, o.stepsIn(margin)))
		if err != nil {
			return err
		}
		found, err := Find(run, &Points{At: w.At, Z: w.Z, Owner: w.Owner, Kind: w.Kind, Step: o.Stride,
			Cell: o.steps, Spacing: o.spaced, Tiles: o.areas()}, o.settings)
		if err != nil {
			return err
		}
		buildings, complete := o.own(w, tiles, found, found.Buildings)
		trees, also := o.own(w, tiles, found, found.Trees)
		if complete && also && o.roofsComplete(w, core, found) {
			o.Buildings, o.Trees = append(o.Buildings, buildings...), append(o.Trees, trees...)
			return nil
		}
	}
}

// areas returns the extents of the tiles.
func (o *Finding) areas() (all []image.Rectangle) {
	for _, t := range o.Tiles {
		all = append(all, t.Area)
	}
	return all
}

// roofsComplete reports whether the footprints that cut trees of the core are complete.
func (o *Finding) roofsComplete(w *window, core image.Rectangle, found *Found) bool {
	guard := o.stepsIn(o.WindowLimits.Guard)
	near, roofs := planar.Grown(core, guard), &footprints{origin: found.Origin, all: found.Buildings}
	for k := range found.Buildings {
		if roofs.bounds(k).Overlaps(near) && !w.complete(&found.Buildings[k], guard) {
			return false
		}
	}
	return true
}

// own returns the objects whose tops are in some tiles. It returns false if one of them is not complete.
func (o *Finding) own(w *window, tiles []int, found *Found, all []Object) ([]Mapped, bool) {
	var own []Mapped
	for k := range all {
		x := &all[k]
		if !slices.Contains(tiles, w.tileOf(x.Top)) {
			continue
		}
		if !w.complete(x, o.stepsIn(o.WindowLimits.Guard)) {
			return nil, false
		}
		made := Mapped{Object: *x, at: w.At[x.Top], z: w.Z[x.Top], Origin: found.Origin,
			points: len(x.Points),
			class:  w.Class[w.Owner[x.Top]], Edge: o.edge(w, x)}
		if !o.NoConfidence {
			sum := 0.0
			for _, i := range x.Points {
				sum += float64(w.Confidence[i])
			}
			if made.Confidence = sum / float64(len(x.Points)); made.Confidence < o.minConfidence {
				continue
			}
		}
		made.Points = nil
		if made.Edge == 1 {
			made.Roof = roof.Nothing()
		}
		own = append(own, made)
	}
	return own, true
}

func sortObjects(all []Mapped) {
	slices.SortFunc(all, func(a, b Mapped) int {
		return cmp.Or(cmp.Compare(a.at.Y, b.at.Y), cmp.Compare(a.at.X, b.at.X), cmp.Compare(a.z, b.z),
			cmp.Compare(a.points, b.points))
	})
}

// kinds returns the kind of object of each superpoint, by its most frequent class.
func (o *Finding) kinds(class []float64) ([]Kind, error) {
	kinds := make([]Kind, len(class))
	for _, c := range o.classes {
		codes, err := land.ClassCodes(c.option, c.codes)
		if err != nil {
			return nil, err
		}
		for k, v := range class {
			if !slices.ContainsFunc(codes, func(code uint8) bool { return float64(code) == v }) {
				continue
			}
			if kinds[k] != Other {
				return nil, fmt.Errorf(
					"option %s: class %v is in two of the options ground, buildings and trees", c.option, v)
			}
			kinds[k] = c.kind
			o.anyObject = o.anyObject || c.kind != Ground
		}
	}
	return kinds, nil
}

// Layers returns the layers of buildings and trees; path is the first file, for errors.
func (o *Finding) Layers(path string) []layers.Layer {
	type shape func(text []byte, x *Mapped) []byte
	body := func(all []Mapped, columns []layers.Column, geometry shape) func(f *layers.Features) error {
		return func(f *layers.Features) error {
			if err := f.Begin(path, o.reference); err != nil {
				return err
			}
			return f.Add(o.Run("writing"), len(all), func(text []byte, k int) []byte {
				return append(geometry(layers.AppendProperties(text, nil, columns, k), &all[k]), '}')
			})
		}
	}
	crown := layers.ColumnOf("crown", 2, len(o.Trees),
		func(k int) float64 { return Diameter(o.Trees[k].Area) })
	crowns, columns := o.crownColumns()
	return []layers.Layer{
		{Name: BuildingLayer, Geometry: "MULTIPOLYGON",
			Style: layers.Style{Qml: layers.BuildingStyle, Shows: "buildings"},
			Body:  body(o.Buildings, o.attributes(true, o.Buildings), o.outline)},
		{Name: TreeLayer, Geometry: "POINT",
			Style: layers.Style{Qml: layers.TreeStyle, Shows: "tops of trees"},
			Body:  body(o.Trees, append(o.attributes(false, o.Trees), crown), o.top)},
		{Name: CrownLayer, Geometry: "MULTIPOLYGON", OnlyPackage: true,
			Style: layers.Style{Qml: layers.CrownStyle, Shows: "crowns of trees"},
			Body:  body(crowns, columns, o.crown)},
	}
}

// crownColumns returns the trees that have a crown, and the columns of the layer of crowns. Ids are those of
// trees.
func (o *Finding) crownColumns() (trees []Mapped, columns []layers.Column) {
	var ids []float64
	for k := range o.Trees {
		if o.Trees[k].Crown != nil {
			trees = append(trees, o.Trees[k])
			ids = append(ids, float64(len(o.Buildings)+k+1))
		}
	}
	column := func(name string, digits int, value func(x *Mapped) float64) {
		columns = append(columns,
			layers.ColumnOf(name, digits, len(trees), func(k int) float64 { return value(&trees[k]) }))
	}
	columns = []layers.Column{{Name: "id", Values: ids}}
	column("class", 0, func(x *Mapped) float64 { return x.class })
	column("height", 2, func(x *Mapped) float64 { return x.Height })
	column("area", 1, func(x *Mapped) float64 { return x.CrownArea })
	column("edge", 0, func(x *Mapped) float64 { return x.Edge })
	if !o.NoConfidence {
		column("confidence", 3, func(x *Mapped) float64 { return x.Confidence })
	}
	return trees, columns
}

// attributes returns the columns of objects.
func (o *Finding) attributes(building bool, all []Mapped) []layers.Column {
	pick := func(name string, digits int, value func(k int, x *Mapped) float64) layers.Column {
		return layers.ColumnOf(name, digits, len(all), func(k int) float64 { return value(k, &all[k]) })
	}
	before := len(o.Buildings)
	if building {
		before = 0
	}
	columns := []layers.Column{
		pick("id", 0, func(k int, _ *Mapped) float64 { return float64(before + k + 1) }),
		pick("class", 0, func(_ int, x *Mapped) float64 { return x.class }),
		pick("height", 2, func(_ int, x *Mapped) float64 { return x.Height }),
		pick("ground", 2, func(_ int, x *Mapped) float64 { return x.Ground / o.Metres[2] }),
		pick("top", 2, func(_ int, x *Mapped) float64 { return x.z / o.Metres[2] }),
		pick("area", 1, func(_ int, x *Mapped) float64 { return x.Area }),
		pick("points", 0, func(_ int, x *Mapped) float64 { return float64(x.points) }),
		pick("superpoints", 0, func(_ int, x *Mapped) float64 { return float64(x.Superpoints) }),
		pick("edge", 0, func(_ int, x *Mapped) float64 { return x.Edge }),
	}
	if building {
		columns = append(columns, roofColumns(all)...)
	}
	if !o.NoConfidence {
		columns = append(columns,
			pick("confidence", 3, func(_ int, x *Mapped) float64 { return x.Confidence }))
	}
	if building && !o.NoConfidence {
		columns = append(columns, pick("doubtful", 0, func(_ int, x *Mapped) float64 {
			if x.Doubtful() {
				return 1
			}
			return 0
		}))
	}
	return columns
}

// outline appends a building's polygons as a GeoJSON geometry.
func (o *Finding) outline(text []byte, x *Mapped) []byte {
	shape := layers.LatticePolygons{Polygons: x.Outline, Least: x.Origin, Coarse: image.Pt(1, 1)}
	return shape.Append(text, o.decimals)
}

// crown appends a tree's polygons as a GeoJSON geometry.
func (o *Finding) crown(text []byte, x *Mapped) []byte {
	shape := layers.LatticePolygons{Polygons: x.Crown, Least: x.Origin, Coarse: image.Pt(1, 1)}
	return shape.Append(text, o.decimals)
}

// top appends a tree's position as a GeoJSON geometry.
func (o *Finding) top(text []byte, x *Mapped) []byte {
	return append(layers.AppendPosition(append(text, `{"type":"Point","coordinates":`...), x.at, o.decimals),
		'}')
}
