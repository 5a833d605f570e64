package command

import (
	"cmp"
	"errors"
	"fmt"
	"image"
	"path/filepath"
	"slices"

	"superpoint/embed/atomicfile"
	"superpoint/embed/cli"
	"superpoint/filter"
	"superpoint/filter/georef"
	"superpoint/filter/message"
	"superpoint/partition/base/parallel"
	"superpoint/pipelines/commands/objects"
	"superpoint/pipelines/files/sources"
	"superpoint/pipelines/shapes/planar"
)

const objectsUsage = `[options] IN… OUTPUT

Writes the buildings and trees of clouds whose superpoints have classes, from the
option classes of the stage or from classify: buildings as polygons in X and Y, trees
as points at their tops. IN are files, folders and virtual point clouds; they are tiles
of one cloud, and an object in several tiles is one object. The number of tiles is not
limited by memory: a few tiles and their surroundings are read at a time. --points
writes the tiles with the id of each point's object as ObjectID, 0 for none.

  id                     number of the object: buildings first, then trees
  class                  code of its class
  height                 of its highest point above the ground, metres
  ground, top            Z of the ground and of that point, in the units of the file
  area                   in X and Y, square metres
  crown                  diameter of a disc of that area, metres (trees)
  points, superpoints    numbers of its points and superpoints
  edge                   1 if it is at the edge of the tiles, and may be incomplete
  confidence             mean of ClassConfidence, if the files have it

A building is a connected component, in X and Y, of superpoints of class building;
adjoining houses are one building. Its outline is computed on a raster of --cell
metres and simplified by up to 1.5 cells: walls are straight, do not cross, and are
perpendicular if they are within 12° of it. Buildings of fewer than 10 points are left
out. A tree is a crown of the canopy height model, whose cells are 0.75 m or the point
spacing. Two adjacent crowns are one tree if the lower top is less than a tenth of its
height above the saddle, or if the tops are within one crown radius (Popescu and Wynne
2004). A superpoint with at least 60 % of its points in one crown belongs to that
tree; others are divided. In dense forest a tree can have several tops, or be hidden
below others, so the number of trees is not exact. Objects do not depend on the order
of points, and trees do not depend on --cell.

A GeoPackage has the layers buildings and trees, each with a style for QGIS. GeoJSON
has both in one list. In other formats of GDAL, which have one kind of geometry per
file, OUTPUT.shp becomes OUTPUT_buildings.shp and OUTPUT_trees.shp.

  pdal superpoint segment --classes aerial input.laz classified.laz
  pdal superpoint objects classified.laz objects.gpkg
  pdal superpoint objects --points with_ids tile1.laz tile2.laz objects.gpkg
  pdal superpoint objects --min_area 20 --trees 5 tile1.laz tile2.laz objects.geojson

The options:`

// finding is one run of objects.
type finding struct {
	*superpoints
	settings     objects.Settings
	windowLimits windowLimits
	cell         float64          // metres; 0 = the point spacing
	onFile       func(c *Columns) // called once for every file
	classes      []*objectClasses

	reference    georef.Reference
	metres       [3]float64  // metres per unit of X, Y and Z
	stride       [2]float64  // metres per step of the lattice of coordinates
	decimals     int         // of coordinates on the lattice
	spaced       float64     // point spacing in X and Y, metres
	steps        image.Point // lattice steps in a cell
	noConfidence bool        // a file has no ClassConfidence
	anyObject    bool        // a superpoint has a class of buildings or vegetation
	tiles        []*tile

	points    string                        // folder for the tiles with ObjectID; "" = none
	annotated map[string]*atomicfile.Output // by input
	marked    map[int][]string              // files with the points of objects of each tile
	tempDir   string                        // folder of temporary files
	serial    uint32                        // serial number of the last object

	buildings, trees []object // sorted by the positions of their tops, from the south-west
}

// object is a building or a tree of the map.
type object struct {
	objects.Object             // Points is nil after storeMarks
	serial         uint32      // number in the order in which objects are found
	at             image.Point // position of its top
	z              float64     // Z of its top, metres
	origin         image.Point // of its outline, lattice steps
	points         int
	class          float64
	edge           float64
	confidence     float64
}

// objectClasses are the class codes of one kind of object, and their option.
type objectClasses struct {
	kind                objects.Kind
	codes, option, help string
}

// newFinding returns a run for the class codes of ASPRS.
func newFinding(s *superpoints) *finding {
	return &finding{superpoints: s, settings: objects.DefaultSettings(), windowLimits: windowLimits{1 << 24, 100, 25},
		onFile: func(*Columns) {}, classes: []*objectClasses{
			{objects.Ground, "2", "ground", "`classes` of the ground"},
			{objects.Building, "6", "buildings", "`classes` of buildings"},
			{objects.Vegetation, "3,4,5", "trees", "`classes` of vegetation"},
		}}
}

const confidenceDimension = "ClassConfidence"

func objectsCommand(a *arguments) func(names []string) error {
	o := newFinding(newSuperpoints(a))
	o.producer = "segment --classes aerial"
	o.classOption()
	a.outputOption("`file` to write")
	for _, c := range o.classes {
		a.StringVar(&c.codes, c.option, c.codes, c.help)
	}
	d := o.settings
	a.StringVar(&o.points, "points", "", "`folder` for the files with ObjectID, the id of each point's object")
	cli.Float(a.FlagSet, &o.settings.MinArea, "min_area", d.MinArea, 0, maxLength, "smallest building, square metres")
	cli.Float(a.FlagSet, &o.settings.MinHeight, "min_height", d.MinHeight, 0, maxLength,
		"lowest building and tree, metres")
	cli.Float(a.FlagSet, &o.settings.MinCrown, "min_crown", d.MinCrown, 0, maxLength, "narrowest crown, metres")
	cli.Float(a.FlagSet, &o.cell, "cell", 0, minLength, maxLength,
		"side of a cell of outlines, metres (default: the point spacing)")
	return func(names []string) error {
		from, to, err := a.split(names)
		if err != nil {
			return err
		}
		if len(from) == 0 {
			return errors.New("name point cloud files and, last, one output file, for example objects.gpkg")
		}
		err = a.writeLayers(from, to, []string{buildingLayer, treeLayer}, func() ([]layer, error) {
			release, err := o.openPoints(from)
			if err != nil {
				return nil, err
			}
			defer release()
			if err := checkTiles(a.host, from, "", ""); err != nil {
				return nil, err
			}
			if err := o.find(from, filepath.Dir(to)); err != nil {
				return nil, err
			}
			return o.layers(from[0]), nil
		})
		if err != nil {
			return err
		}
		a.host.Log(filter.LogInfo, fmt.Sprintf("%s: %s", to, o.found()))
		return nil
	}
}

// openPoints opens the tiles to write, and their folder until release.
func (o *finding) openPoints(from []string) (release func(), err error) {
	if o.points == "" {
		return func() {}, nil
	}
	o.args.files.Input(from...)
	if release, err = o.args.files.Folder(o.points); err != nil {
		return nil, fmt.Errorf("option points: %w", err)
	}
	defer func() {
		if err != nil {
			release()
			release = nil
		}
	}()
	o.annotated, o.marked = map[string]*atomicfile.Output{}, map[int][]string{}
	names := map[string]string{}
	for _, path := range from {
		name := filepath.Base(path)
		if !sources.IsLAS(name) {
			return release, fmt.Errorf("%s: option points: %s needs LAS or LAZ; convert the file first, with pdal translate",
				path, objectDimension)
		}
		if other := names[name]; other != "" {
			return release, fmt.Errorf("option points: %s and %s would both become %s", other, path,
				filepath.Join(o.points, name))
		}
		names[name] = path
		if o.annotated[path], err = o.args.files.Output(filepath.Join(o.points, name)); err != nil {
			return release, err
		}
	}
	return release, nil
}

// objectDimension is the dimension of numbers of objects, 0 for points of none.
const objectDimension = "ObjectID"

// The layers of objects.
const (
	buildingLayer = "buildings"
	treeLayer     = "trees"
)

// find reads files and finds their objects. Temporary files are in a new folder in near.
func (o *finding) find(paths []string, near string) error {
	done, err := o.readTiles(paths, near)
	defer done()
	if err != nil {
		return err
	}
	path := paths[0]
	if len(paths) > 1 {
		path = fmt.Sprintf("%s and %d more", path, len(paths)-1)
	}
	if !o.anyObject {
		o.host.Log(filter.LogWarning, fmt.Sprintf(
			"%s: no superpoint has a class of buildings (%s) or of vegetation (%s) in %s; pdal superpoint segment "+
				"--classes aerial gives classes",
			path, o.classes[1].codes, o.classes[2].codes, o.class))
	}
	o.steps, o.cell = cellSteps(cmp.Or(o.cell, o.spaced), o.stride)
	all := o.windows()
	for k, tiles := range all {
		step := "objects"
		if len(all) > 1 {
			step = fmt.Sprintf("objects, part %d of %d", k+1, len(all))
		}
		if err := o.findIn(o.run(step), tiles); err != nil {
			return fmt.Errorf("%s: %w; give a larger --cell (it is %.3g m)", path, err, o.cell)
		}
	}
	sortObjects(o.buildings)
	sortObjects(o.trees)
	if o.points == "" {
		return nil
	}
	return o.annotate()
}

// found describes the objects.
func (o *finding) found() string {
	return message.Count(len(o.buildings), "building") + ", " + message.Count(len(o.trees), "tree")
}

// number returns the id of building k or tree k.
func (o *finding) number(building bool, k int) uint32 {
	if building {
		return uint32(k + 1)
	}
	return uint32(len(o.buildings) + k + 1)
}

// findIn finds the objects whose tops are in some tiles. It doubles the margin until all of them are complete.
func (o *finding) findIn(run parallel.Run, tiles []int) error {
	core := o.tiles[tiles[0]].area
	for _, k := range tiles {
		core = core.Union(o.tiles[k].area)
	}
	for margin := o.windowLimits.margin; ; margin *= 2 {
		w, err := o.gather(planar.Grown(core, o.stepsIn(margin)))
		if err != nil {
			return err
		}
		found, err := objects.Find(run, &objects.Points{At: w.At, Z: w.Z, Owner: w.Owner, Kind: w.Kind, Step: o.stride,
			Cell: o.steps, Spacing: o.spaced}, o.settings)
		if err != nil {
			return err
		}
		buildings, complete := o.own(w, tiles, found, found.Buildings)
		trees, also := o.own(w, tiles, found, found.Trees)
		if complete && also {
			if err := errors.Join(o.storeMarks(w, buildings), o.storeMarks(w, trees)); err != nil {
				return err
			}
			for _, all := range [][]object{buildings, trees} {
				for k := range all {
					all[k].Points = nil
				}
			}
			o.buildings, o.trees = append(o.buildings, buildings...), append(o.trees, trees...)
			return nil
		}
	}
}

// own returns the objects whose tops are in some tiles. It returns false if one of them is not complete.
func (o *finding) own(w *window, tiles []int, found *objects.Found, all []objects.Object) ([]object, bool) {
	var own []object
	for k := range all {
		x := &all[k]
		if !slices.Contains(tiles, w.tileOf(x.Top)) {
			continue
		}
		if !w.complete(x, o.stepsIn(o.windowLimits.guard)) {
			return nil, false
		}
		made := object{Object: *x, at: w.At[x.Top], z: w.Z[x.Top], origin: found.Origin, points: len(x.Points),
			class: w.Class[w.Owner[x.Top]], edge: o.edge(w, x)}
		if !o.noConfidence {
			sum := 0.0
			for _, i := range x.Points {
				sum += float64(w.Confidence[i])
			}
			made.confidence = sum / float64(len(x.Points))
		}
		own = append(own, made)
	}
	return own, true
}

func sortObjects(all []object) {
	slices.SortFunc(all, func(a, b object) int {
		return cmp.Or(cmp.Compare(a.at.Y, b.at.Y), cmp.Compare(a.at.X, b.at.X), cmp.Compare(a.z, b.z),
			cmp.Compare(a.points, b.points))
	})
}

// kinds returns the kind of object of each superpoint, by its most frequent class.
func (o *finding) kinds(class []float64) ([]objects.Kind, error) {
	kinds := make([]objects.Kind, len(class))
	for _, c := range o.classes {
		codes, err := filter.ClassCodes(c.option, c.codes)
		if err != nil {
			return nil, err
		}
		for k, v := range class {
			if !slices.ContainsFunc(codes, func(code uint8) bool { return float64(code) == v }) {
				continue
			}
			if kinds[k] != objects.Other {
				return nil, fmt.Errorf("option %s: class %v is in two of the options ground, buildings and trees", c.option, v)
			}
			kinds[k] = c.kind
			o.anyObject = o.anyObject || c.kind != objects.Ground
		}
	}
	return kinds, nil
}

// layers returns the layers of buildings and trees; path is the first file, for errors.
func (o *finding) layers(path string) []layer {
	type shape func(text []byte, x *object) []byte
	body := func(all []object, columns []column, geometry shape) func(f *features) error {
		return func(f *features) error {
			if err := f.begin(path, o.reference); err != nil {
				return err
			}
			return f.add(o.run("writing"), len(all), func(text []byte, k int) []byte {
				return append(geometry(appendProperties(text, nil, columns, k), &all[k]), '}')
			})
		}
	}
	crown := columnOf("crown", 2, len(o.trees), func(k int) float64 { return objects.Diameter(o.trees[k].Area) })
	return []layer{
		{buildingLayer, "MULTIPOLYGON", style{buildingStyle, "buildings"},
			body(o.buildings, o.attributes(true, o.buildings), o.outline)},
		{treeLayer, "POINT", style{treeStyle, "trees as circles of the diameter of their crowns"},
			body(o.trees, append(o.attributes(false, o.trees), crown), o.top)},
	}
}

// attributes returns the columns of objects.
func (o *finding) attributes(building bool, all []object) []column {
	pick := func(name string, digits int, value func(k int, x *object) float64) column {
		return columnOf(name, digits, len(all), func(k int) float64 { return value(k, &all[k]) })
	}
	columns := []column{
		pick("id", 0, func(k int, _ *object) float64 { return float64(o.number(building, k)) }),
		pick("class", 0, func(_ int, x *object) float64 { return x.class }),
		pick("height", 2, func(_ int, x *object) float64 { return x.Height }),
		pick("ground", 2, func(_ int, x *object) float64 { return x.Ground / o.metres[2] }),
		pick("top", 2, func(_ int, x *object) float64 { return x.z / o.metres[2] }),
		pick("area", 1, func(_ int, x *object) float64 { return x.Area }),
		pick("points", 0, func(_ int, x *object) float64 { return float64(x.points) }),
		pick("superpoints", 0, func(_ int, x *object) float64 { return float64(x.Superpoints) }),
		pick("edge", 0, func(_ int, x *object) float64 { return x.edge }),
	}
	if !o.noConfidence {
		columns = append(columns, pick("confidence", 3, func(_ int, x *object) float64 { return x.confidence }))
	}
	return columns
}

// outline appends a building's polygons as a GeoJSON geometry.
func (o *finding) outline(text []byte, x *object) []byte {
	shape := latticePolygons{x.Outline, x.origin, image.Pt(1, 1)}
	return shape.append(text, o.decimals)
}

// top appends a tree's position as a GeoJSON geometry.
func (o *finding) top(text []byte, x *object) []byte {
	return append(appendPosition(append(text, `{"type":"Point","coordinates":`...), x.at, o.decimals), '}')
}
