// SPDX-License-Identifier: BSD-3-Clause

// Package objects is the command objects: it reads tiles of classified superpoints, finds their objects by
// package extraction, and writes buildings, trees and crowns as vector files, or buildings as solids.
package objects

import (
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"superpoint/filter/message"
	"superpoint/pipelines/commands/command"
	"superpoint/pipelines/commands/table"
	"superpoint/pipelines/layers"
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
at the edge of the tiles, it is unknown and has no eave and ridge. The eave is the lower edge of
the roof, not the top of the walls. A block ends halfway between eave and ridge, or at the height
that 70 % of the points of an unknown roof do not exceed.

OUTPUT is a GeoPackage with the layers buildings, trees (points at tops) and crowns (polygons
with the ids of trees, without footprints), each with a style for QGIS, or GeoJSON with
buildings and trees in one list, or the blocks of the buildings as closed solids: CityJSON 2.0
(.city.json), or binary STL (.stl) in metres. STL has 32-bit floats: add the origin, which is in
its header and in the output of the command, to get the coordinates of the file.

  pdal superpoint segment --classifier aerial input.laz classified.laz
  pdal superpoint objects classified.laz objects.gpkg
  pdal superpoint objects --min_area 20 --trees 5 tile1.laz tile2.laz objects.geojson

The options:`

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
	a.LengthOption(&o.Cell, "cell", 0, "cell size of the outlines, metres (default: the point spacing)")
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
	lower := strings.ToLower(path)
	if strings.HasSuffix(lower, solidEnding) {
		to, err := o.Args.Open(from, path)
		return func() error { return o.WriteSolids(to) }, err
	}
	if strings.HasSuffix(lower, layers.TrianglesEnding) {
		to, err := o.Args.Open(from, path)
		return func() error { return o.writeBlocks(to) }, err
	}
	out, err := o.Args.OpenVectors(from, path)
	isVector := slices.Contains([]string{".gpkg", ".geojson", ".json"}, filepath.Ext(lower))
	if err != nil && !isVector {
		err = fmt.Errorf("%w; blocks of buildings are %s and %s files", err, solidEnding,
			layers.TrianglesEnding)
	}
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
	a.FloatOption(&o.minConfidence, "min_object_confidence", 0, 0, 1,
		"leave out objects whose mean ClassConfidence is below this")
}
