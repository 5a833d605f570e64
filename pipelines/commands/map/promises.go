// SPDX-License-Identifier: BSD-3-Clause

package mapcmd

import (
	"bytes"
	"cmp"
	"fmt"
	"image/png"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/peterstace/simplefeatures/geom"
	"github.com/peterstace/simplefeatures/rtree"

	"superpoint/pipelines/commands/command"
	"superpoint/pipelines/commands/objects"
	"superpoint/pipelines/files/las"
	"superpoint/pipelines/raster"
)

// promise is what a page says of the files of a map, and the function that checks it.
type promise struct {
	says  string // words of the page
	check func(r *results) error
}

// promises returns all promises of map.md about files. They are checked on the files in the work folder, read
// by other code than that which wrote them, before any of them appears.
func promises() []promise {
	return []promise{
		{"with `SuperpointID`, `Classification`, `ClassConfidence`", (*results).checkTiles},
		{"cloud-optimised GeoTIFF", (*results).checkHeads},
		{"The three rasters have the same cells and spatial reference", (*results).checkGrid},
		{"A point lies in the one cell that contains it", (*results).checkPoints},
		{"height of the surface above the terrain", (*results).checkCells},
		{"Footprints are valid and lie within the tiles", (*results).checkBuildings},
		{"No top of a tree lies in a footprint", (*results).checkTrees},
		{"No crown lies over a footprint", (*results).checkCrowns},
		{"Bodies of water are valid polygons, and the terrain in them has their level", (*results).checkWater},
		{"the classes seen from above", (*results).checkPicture},
		{"counts of classes", (*results).checkReport},
	}
}

// results are the files of a map before they appear.
type results struct {
	m       *mapping
	heads   map[string]command.Raster
	scanned bool  // the cells of the rasters
	cells   error // first fault among cells
	points  error // first fault of a cell and its points

	buildings []geom.GeoJSONFeature
	water     []geom.GeoJSONFeature
}

// keepPromises fails unless every promise about the files of the work folder holds.
func (m *mapping) keepPromises() error {
	r := &results{m: m, heads: map[string]command.Raster{}}
	all := promises()
	run := m.Run("checking the files")
	for k, p := range all {
		run.Progress(float64(k) / float64(len(all)))
		if err := m.Host.Context().Err(); err != nil {
			return err
		}
		if err := p.check(r); err != nil {
			return fmt.Errorf(
				"%w: the map would not be what its page says (%s), so it is not written; please report this",
				err, strings.ToLower(p.says))
		}
	}
	run.Progress(1)
	return nil
}

// broken returns the error of a promise that does not hold.
func (r *results) broken(name, format string, values ...any) error {
	return fmt.Errorf("%s: "+format, slices.Insert(values, 0, any(filepath.Join(r.m.work, name)))...)
}

// checkTiles checks that the tiles have the dimensions of a map.
func (r *results) checkTiles() error {
	for _, path := range r.m.files {
		l, err := las.Read(path)
		if err != nil {
			return err
		}
		for _, name := range []string{r.m.Id, command.ConfidenceDimension} {
			if l.Count > 0 && l.Find(name) == nil && !r.m.NoConfidence {
				return fmt.Errorf("%s: it has no dimension %s", path, name)
			}
		}
	}
	return nil
}

// checkHeads reads the heads of the rasters.
func (r *results) checkHeads() error {
	for _, name := range r.m.written {
		head, err := r.m.Host.ReadRaster(filepath.Join(r.m.work, name), 0, nil)
		if err != nil {
			return r.broken(name, "%w", err)
		}
		r.heads[name] = head
		const smallest = 512 // cells of a side with which GDAL makes overviews
		wide := max(head.Columns, head.Rows) > 2*smallest
		switch {
		case head.Layout != "COG":
			return r.broken(name, "its layout is %q", head.Layout)
		case head.NoData != noData:
			return r.broken(name, "its value of no data is %v", head.NoData)
		case head.Description == "":
			return r.broken(name, "its band has no description")
		case head.Unit != r.m.heightUnit():
			return r.broken(name, "the unit of heights is %q", head.Unit)
		case wide && head.Overviews == 0:
			return r.broken(name, "%d × %d cells without overviews", head.Columns, head.Rows)
		}
	}
	return nil
}

// checkGrid checks that the rasters have the cells and the spatial reference of the map.
func (r *results) checkGrid() error {
	for _, name := range r.m.written {
		head, first := r.heads[name], r.heads[r.m.written[0]]
		side := r.m.resolution / r.m.Metres[0]
		sameSize := head.Columns == first.Columns && head.Rows == first.Rows
		samePlace := head.West == first.West && head.North == first.North
		square := near(head.Width, side) && near(head.Height, side)
		aligned := whole(head.West/side) && whole(head.North/side)
		switch {
		case !sameSize || !samePlace:
			return r.broken(name, "%d × %d cells from %v %v, and %s has %d × %d from %v %v",
				head.Columns, head.Rows,
				head.West, head.North, r.m.written[0], first.Columns, first.Rows, first.West, first.North)
		case !square || !aligned:
			return r.broken(name, "cells of %v × %v from %v %v", head.Width, head.Height,
				head.West, head.North)
		}
		if err := r.checkReference(name, head.Reference); err != nil {
			return err
		}
	}
	return nil
}

// checkReference checks that a file has the spatial reference of the tiles, without that of heights.
func (r *results) checkReference(name, wkt string) error {
	want := r.m.Reference()
	if (wkt == "") != (strings.TrimSpace(want.WKT) == "") {
		return r.broken(name, "its spatial reference is %q, and that of the tiles %q", wkt, want.WKT)
	}
	if wkt == "" {
		return nil
	}
	read, err := r.m.Host.Reference(wkt)
	if err != nil {
		return r.broken(name, "%w", err)
	}
	_, code := want.Code()
	if _, written := read.Code(); code != "" && written != "" && code != written {
		return r.broken(name, "its spatial reference is %s, and that of the tiles %s", written, code)
	}
	unit, _, err := want.Unit()
	if written, _, also := read.Unit(); err == nil && (also != nil || !near(unit, written)) {
		return r.broken(name, "the unit of its spatial reference is %v m, and that of the tiles %v m",
			written, unit)
	}
	return nil
}

func near(a, b float64) bool { return math.Abs(a-b) <= 1e-9*math.Abs(b) }

// whole reports whether a number of cells is an integer, but for rounding.
func whole(cells float64) bool { return math.Abs(cells-math.Round(cells)) < 1e-6 }

// checkCells checks the cells of the rasters against one another.
func (r *results) checkCells() error {
	err := r.scan()
	return cmp.Or(err, r.cells)
}

// checkPoints checks the cells of the rasters against the points that were kept for that.
func (r *results) checkPoints() error {
	err := r.scan()
	return cmp.Or(err, r.points)
}

// Rows are read in strips: a strip is a row of GDAL's blocks.
const (
	stripRows = 512
	mostCells = 1 << 22 // of a raster above which not all strips are read, unless there are as many points
)

// strip holds some rows of the rasters.
type strip struct {
	command.Raster
	first   int // row
	surface []float32
	terrain []float32 // nil without points of ground
	canopy  []float32
}

// scan reads the rasters once, and sets the first faults that it finds.
func (r *results) scan() error {
	if r.scanned || len(r.m.written) == 0 {
		return nil
	}
	r.scanned = true
	head := r.heads[mapSurface]
	strips := (head.Rows + stripRows - 1) / stripRows
	every := 1
	if cells := head.Columns * head.Rows; cells > mostCells && cells > r.m.points {
		every = (cells - 1) / max(mostCells, r.m.points)
	}
	w, err := r.m.witness.group(head)
	if err != nil {
		r.points = r.broken(mapSurface, "%w", err)
		return nil
	}
	for k := 0; k < strips; k += max(1, every) {
		s, err := r.readStrip(head, k*stripRows)
		if err != nil {
			return err
		}
		r.cells = cmp.Or(r.cells, r.checkStrip(s))
		r.points = cmp.Or(r.points, r.checkSeen(s, w))
	}
	return nil
}

// readStrip reads a strip of all rasters.
func (r *results) readStrip(head command.Raster, first int) (*strip, error) {
	s := &strip{Raster: head, first: first}
	count := min(stripRows, head.Rows-first) * head.Columns
	values := map[string]*[]float32{mapSurface: &s.surface, mapTerrain: &s.terrain, mapCanopy: &s.canopy}
	for _, name := range r.m.written {
		*values[name] = make([]float32, count)
		if _, err := r.m.Host.ReadRaster(filepath.Join(r.m.work, name), first, *values[name]); err != nil {
			return nil, r.broken(name, "%w", err)
		}
	}
	return s, nil
}

// centre returns the middle of a cell, for messages.
func (s *strip) centre(k int) string {
	x := s.West + (float64(k%s.Columns)+0.5)*s.Width
	y := s.North - (float64(s.first+k/s.Columns)+0.5)*s.Height
	return fmt.Sprintf("%.10g %.10g", x, y)
}

func known(v float32) bool { return v == v }

// rounding returns how far a height in a raster may be from that of a point: rasters have four decimals, of
// 32 bits.
func rounding(height float64) float64 { return 1e-4 + 1e-6*math.Abs(height) }

// checkStrip checks that heights are those of the cloud, the terrain is nowhere above the surface, and the
// canopy is the surface minus the terrain.
func (r *results) checkStrip(s *strip) error {
	low := float32(r.m.witness.lowest - rounding(r.m.witness.lowest))
	high := float32(r.m.witness.highest + rounding(r.m.witness.highest))
	for k, surface := range s.surface {
		if known(surface) && (surface < low || surface > high) {
			return r.broken(mapSurface, "height %v at %s, and the points have %v to %v", surface,
				s.centre(k), low, high)
		}
	}
	if s.terrain == nil {
		return nil
	}
	for k, terrain := range s.terrain {
		surface, canopy := s.surface[k], s.canopy[k]
		switch {
		case known(terrain) && (terrain < low || terrain > high):
			return r.broken(mapTerrain, "height %v at %s, and the points have %v to %v", terrain,
				s.centre(k), low, high)
		case terrain > surface:
			return r.broken(mapTerrain, "height %v at %s is above the surface, %v", terrain,
				s.centre(k), surface)
		case known(canopy) != (known(terrain) && known(surface)):
			return r.broken(mapCanopy, "height %v at %s, where the surface is %v and the terrain %v",
				canopy, s.centre(k),
				surface, terrain)
		case known(canopy) && canopy != surface-terrain:
			return r.broken(mapCanopy, "height %v at %s is not %v minus %v", canopy, s.centre(k),
				surface, terrain)
		}
	}
	return nil
}

// checkSeen checks the cells of a strip of which all points were kept.
func (r *results) checkSeen(s *strip, w map[int]*observed) error {
	for row := s.first; row < s.first+len(s.surface)/s.Columns; row++ {
		for column := range s.Columns {
			o := w[row*s.Columns+column]
			if o == nil || o.partial {
				continue
			}
			if err := r.checkObserved(s, (row-s.first)*s.Columns+column, o); err != nil {
				return err
			}
		}
	}
	return nil
}

// checkObserved checks a cell of which all points were kept. Water is level: its terrain may be above its
// points, and then the surface is, too.
func (r *results) checkObserved(s *strip, k int, o *observed) error {
	surface, top := s.surface[k], float32(o.top)
	level := s.terrain != nil && surface == s.terrain[k] && surface > top && r.m.has(waterCode)
	if surface != top && !level {
		return r.broken(mapSurface, "height %v at %s, and the highest point of the cell has %v", surface,
			s.centre(k), top)
	}
	if s.terrain == nil || o.ground == 0 || o.water > o.ground {
		return nil
	}
	terrain, mean := float64(s.terrain[k]), o.sum/float64(o.ground)
	isOdd := math.IsNaN(terrain) || math.Abs(terrain-mean)*r.m.Metres[2] > raster.Odd ||
		terrain == float64(surface)
	if math.Abs(terrain-mean) > rounding(mean) && !isOdd {
		return r.broken(mapTerrain, "height %v at %s, and the mean of the points of ground is %v", terrain,
			s.centre(k), mean)
	}
	return nil
}

// layer reads a layer of the objects. A polygon that is not valid is an error.
func (r *results) layer(name string) ([]geom.GeoJSONFeature, error) {
	from, to := filepath.Join(r.m.work, mapObjects), filepath.Join(r.m.work, "."+name+".geojson")
	defer os.Remove(to)
	if err := r.m.Host.Convert(from, to, "-f", "GeoJSON", name); err != nil {
		return nil, r.broken(mapObjects, "layer %s: %w", name, err)
	}
	text, err := os.ReadFile(to)
	if err != nil {
		return nil, err
	}
	var all geom.GeoJSONFeatureCollection
	if err := all.UnmarshalJSON(text); err != nil {
		return nil, r.broken(mapObjects, "layer %s: %w", name, err)
	}
	return all, nil
}

// number returns an attribute of an object, NaN if it has none.
func number(f *geom.GeoJSONFeature, name string) float64 {
	if v, is := f.Properties[name].(float64); is {
		return v
	}
	return math.NaN()
}

// outlineReach is how far a corner may be from the points of a building, in cells of its outline: two that
// close gaps, one of the border and three to where fitted walls meet.
const outlineReach = 6

// checkBuildings checks the layer of buildings: its polygons were valid when they were read.
func (r *results) checkBuildings() (err error) {
	if r.buildings, err = r.layer(objects.BuildingLayer); err != nil {
		return err
	}
	if len(r.buildings) != len(r.m.Buildings) {
		return r.broken(mapObjects, "%d buildings of %d", len(r.buildings), len(r.m.Buildings))
	}
	for k := range r.buildings {
		f := &r.buildings[k]
		for _, at := range corners(f.Geometry) {
			if !r.m.witness.nearTile(at, outlineReach*r.m.Cell/r.m.Metres[0]) {
				return r.broken(mapObjects, "building %v has a corner at %.10g %.10g, outside the tiles",
					number(f, "id"), at.X,
					at.Y)
			}
		}
		if err := r.checkHeights("building", f); err != nil {
			return err
		}
	}
	return nil
}

// corners returns the vertices of a geometry.
func corners(g geom.Geometry) (all []geom.XY) {
	sequence := g.DumpCoordinates()
	for k := range sequence.Length() {
		all = append(all, sequence.GetXY(k))
	}
	return all
}

// checkHeights checks that an object has heights of the cloud.
func (r *results) checkHeights(kind string, f *geom.GeoJSONFeature) error {
	low, high := r.m.witness.lowest-0.01, r.m.witness.highest+0.01 // attributes are rounded
	top, ground, height := number(f, "top"), number(f, "ground"), number(f, "height")
	inCloud := top >= low && top <= high && ground >= low && ground <= high
	difference := (top - ground) * r.m.Metres[2]
	if !inCloud || !(math.Abs(height-difference) <= 0.02) {
		return r.broken(mapObjects, "%s %v has height %v, top %v and ground %v, and the points have %v to %v",
			kind,
			number(f, "id"), height, top, ground, low, high)
	}
	return nil
}

// checkTrees checks the layer of trees.
func (r *results) checkTrees() error {
	trees, err := r.layer(objects.TreeLayer)
	if err != nil {
		return err
	}
	if len(trees) != len(r.m.Trees) {
		return r.broken(mapObjects, "%d trees of %d", len(trees), len(r.m.Trees))
	}
	near := footprintIndex(r.buildings)
	for k := range trees {
		f := &trees[k]
		at, _ := f.Geometry.MustAsPoint().XY()
		var in any
		err := near.RangeSearch(rtree.Box{MinX: at.X, MinY: at.Y, MaxX: at.X, MaxY: at.Y}, func(n int) error {
			if inside(r.buildings[n].Geometry, at) {
				in = number(&r.buildings[n], "id")
			}
			return nil
		})
		if err != nil {
			return err
		}
		if in != nil {
			return r.broken(mapObjects, "tree %v has its top at %.10g %.10g, in building %v", number(f, "id"),
				at.X, at.Y, in)
		}
		if err := r.checkHeights("tree", f); err != nil {
			return err
		}
	}
	return nil
}

// footprintIndex finds footprints by their bounds.
func footprintIndex(all []geom.GeoJSONFeature) *rtree.RTree {
	var items []rtree.BulkItem
	for k := range all {
		low, high, ok := all[k].Geometry.Envelope().MinMaxXYs()
		if ok {
			items = append(items, rtree.BulkItem{RecordID: k,
				Box: rtree.Box{MinX: low.X, MinY: low.Y, MaxX: high.X, MaxY: high.Y}})
		}
	}
	return rtree.BulkLoad(items)
}

// inside reports whether a point is in polygons, by the rule of even and odd crossings, and not on a wall.
func inside(g geom.Geometry, at geom.XY) (in bool) {
	const wall = 1e-6
	polygons := g.Dump()
	for _, polygon := range polygons {
		for _, ring := range polygon.MustAsPolygon().DumpRings() {
			sequence := ring.Coordinates()
			for k := 1; k < sequence.Length(); k++ {
				a, b := sequence.GetXY(k-1), sequence.GetXY(k)
				crosses := (a.Y > at.Y) != (b.Y > at.Y)
				if x := a.X + (at.Y-a.Y)/(b.Y-a.Y)*(b.X-a.X); crosses && at.X < x-wall {
					in = !in
				} else if crosses && at.X <= x+wall {
					return false
				}
			}
		}
	}
	return in
}

// checkPicture checks that the picture can be read and is not empty.
func (r *results) checkPicture() error {
	f, err := os.Open(filepath.Join(r.m.work, mapPicture))
	if err != nil {
		return err
	}
	defer f.Close()
	picture, err := png.DecodeConfig(f)
	if err != nil {
		return r.broken(mapPicture, "%w", err)
	}
	if picture.Width < pictureWidth || picture.Height == 0 {
		return r.broken(mapPicture, "%d × %d pixels", picture.Width, picture.Height)
	}
	return nil
}

// countCell matches the cell of a table of the report that has the number of points of a class.
var countCell = regexp.MustCompile(`<td>[^<]*</td><td>\d+</td><td>([\d,]+)</td>`)

// checkReport checks that the counts of classes in the report add up to the points of the tiles.
func (r *results) checkReport() error {
	text, err := os.ReadFile(filepath.Join(r.m.work, mapReport))
	if err != nil {
		return err
	}
	_, table, _ := bytes.Cut(text, []byte(">Classes<"))
	table, _, _ = bytes.Cut(table, []byte("</table>"))
	sum, want := 0, 0
	for _, match := range countCell.FindAllSubmatch(table, -1) {
		n, err := strconv.Atoi(strings.ReplaceAll(string(match[1]), ",", ""))
		if err != nil {
			return r.broken(mapReport, "%w", err)
		}
		sum += n
	}
	for _, path := range r.m.files {
		l, err := las.Read(path)
		if err != nil {
			return err
		}
		want += l.Count
	}
	if sum != want {
		return r.broken(mapReport, "its classes have %d points, and the tiles %d", sum, want)
	}
	return nil
}
