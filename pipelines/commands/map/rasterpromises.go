// SPDX-License-Identifier: BSD-3-Clause

package mapcmd

import (
	"cmp"
	"fmt"
	"math"
	"path/filepath"
	"slices"
	"strings"

	"superpoint/pipelines/commands/command"
	"superpoint/pipelines/land/raster"
)

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
		if err := r.checkSameCells(name); err != nil {
			return err
		}
		if err := r.checkSide(name); err != nil {
			return err
		}
		if err := r.checkReference(name, r.heads[name].Reference); err != nil {
			return err
		}
	}
	return nil
}

// checkSameCells checks that a raster has the number and the place of the cells of the first one.
func (r *results) checkSameCells(name string) error {
	first := r.m.written[0]
	want, got := r.heads[first], r.heads[name]
	sameSize := got.Columns == want.Columns && got.Rows == want.Rows
	samePlace := got.West == want.West && got.North == want.North
	if sameSize && samePlace {
		return nil
	}
	return r.broken(name, "%d × %d cells from %v %v, and %s has %d × %d from %v %v", got.Columns, got.Rows,
		got.West, got.North, first, want.Columns, want.Rows, want.West, want.North)
}

// checkSide checks that cells have the side of option resolution, and begin at multiples of it.
func (r *results) checkSide(name string) error {
	head := r.heads[name]
	side := r.m.resolution / r.m.Metres[0]
	square := near(head.Width, side) && near(head.Height, side)
	aligned := whole(head.West/side) && whole(head.North/side)
	if square && aligned {
		return nil
	}
	return r.broken(name, "cells of %v × %v from %v %v", head.Width, head.Height, head.West, head.North)
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

// Rows are read in strips: a strip is a row of GDAL's blocks, or a part of one if that has many cells.
const (
	stripRows  = 512
	fewestRows = 64
	stripCells = 1 << 20
	mostCells  = 1 << 22 // of a raster above which not all strips are read, unless there are as many points
)

// strip holds some rows of the rasters.
type strip struct {
	command.Raster
	first   int // row
	rows    int
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
	seen, err := r.m.witness.group(head)
	if err != nil {
		r.points = r.broken(mapSurface, "%w", err)
		return nil
	}
	r.seen = seen
	apart := r.stripsApart(head)
	rows := max(fewestRows, min(stripRows, stripCells/head.Columns))
	for number := 0; number*rows < head.Rows; number++ {
		first := number * rows
		s := &strip{Raster: head, first: first, rows: min(rows, head.Rows-first)}
		inStrip := s.cellsOf(seen)
		if number%apart == 0 {
			err = r.scanStrip(s, inStrip)
		} else if hasWater(inStrip) {
			err = r.readStrip(s, mapTerrain)
		}
		if err != nil {
			return err
		}
		s.keepTerrain(inStrip)
	}
	return nil
}

// scanStrip reads a strip of all rasters and checks it.
func (r *results) scanStrip(s *strip, inStrip []observed) error {
	if err := r.readStrip(s, r.m.written...); err != nil {
		return err
	}
	r.cells = cmp.Or(r.cells, r.checkStrip(s))
	r.points = cmp.Or(r.points, r.checkSeen(s, inStrip))
	return nil
}

// stripsApart returns how many strips further the next strip is that is read: 1 unless the raster is large.
func (r *results) stripsApart(head command.Raster) int {
	cells := head.Columns * head.Rows
	enough := max(mostCells, r.m.points)
	if cells <= enough {
		return 1
	}
	return max(1, (cells-1)/enough)
}

// cells returns the number of cells of a strip.
func (s *strip) cells() int { return s.rows * s.Columns }

// readStrip reads a strip of some rasters.
func (r *results) readStrip(s *strip, names ...string) error {
	values := map[string]*[]float32{mapSurface: &s.surface, mapTerrain: &s.terrain, mapCanopy: &s.canopy}
	for _, name := range names {
		*values[name] = make([]float32, s.cells())
		if _, err := r.m.Host.ReadRaster(filepath.Join(r.m.work, name), s.first, *values[name]); err != nil {
			return r.broken(name, "%w", err)
		}
	}
	return nil
}

// cellsOf returns the cells that are in a strip, from a list in the order of cells.
func (s *strip) cellsOf(seen []observed) []observed {
	before := func(o observed, cell int) int { return o.cell - cell }
	first := s.first * s.Columns
	from, _ := slices.BinarySearchFunc(seen, first, before)
	to, _ := slices.BinarySearchFunc(seen, first+s.cells(), before)
	return seen[from:to]
}

// hasWater reports whether a cell has mostly water.
func hasWater(cells []observed) bool {
	for k := range cells {
		if cells[k].isWater() {
			return true
		}
	}
	return false
}

// keepTerrain sets the terrain of cells of a strip.
func (s *strip) keepTerrain(inStrip []observed) {
	for k := range inStrip {
		o := &inStrip[k]
		o.terrain = float32(math.NaN())
		if s.terrain != nil {
			o.terrain = s.terrain[o.cell-s.first*s.Columns]
		}
	}
}

// centre returns the middle of a cell, for messages.
func (s *strip) centre(k int) string {
	x := s.West + (float64(k%s.Columns)+0.5)*s.Width
	y := s.North - (float64(s.first+k/s.Columns)+0.5)*s.Height
	return fmt.Sprintf("%.10g %.10g", x, y)
}

func known(v float32) bool { return v == v }

// rounding returns how far a height in a raster may be from the height of a point: rasters have four decimals
// in 32 bits.
func rounding(height float64) float64 { return 1e-4 + 1e-6*math.Abs(height) }

// checkStrip checks the cells of a strip against one another.
func (r *results) checkStrip(s *strip) error {
	err := r.checkRange(s, mapSurface, s.surface)
	if err != nil || s.terrain == nil {
		return err
	}
	if err := r.checkRange(s, mapTerrain, s.terrain); err != nil {
		return err
	}
	for k := range s.terrain {
		if err := r.checkCanopy(s, k); err != nil {
			return err
		}
	}
	return nil
}

// checkRange checks that heights are between the lowest and the highest of the cloud.
func (r *results) checkRange(s *strip, name string, heights []float32) error {
	low := float32(r.m.witness.lowest - rounding(r.m.witness.lowest))
	high := float32(r.m.witness.highest + rounding(r.m.witness.highest))
	for k, height := range heights {
		if height < low || height > high { // false without a height
			return r.broken(name, "height %v at %s, and the points have %v to %v",
				height, s.centre(k), low, high)
		}
	}
	return nil
}

// checkCanopy checks that the terrain of a cell is not above the surface, and that the canopy is the surface
// minus the terrain, where both are known.
func (r *results) checkCanopy(s *strip, k int) error {
	surface := s.surface[k]
	terrain := s.terrain[k]
	canopy := s.canopy[k]
	both := known(terrain) && known(surface)
	switch {
	case terrain > surface:
		return r.broken(mapTerrain, "height %v at %s is above the surface, %v", terrain, s.centre(k), surface)
	case known(canopy) != both:
		return r.broken(mapCanopy, "height %v at %s, where the surface is %v and the terrain %v", canopy,
			s.centre(k), surface, terrain)
	case both && canopy != surface-terrain:
		return r.broken(mapCanopy, "height %v at %s is not %v minus %v",
			canopy, s.centre(k), surface, terrain)
	}
	return nil
}

// checkSeen checks the cells of a strip of which all points were kept.
func (r *results) checkSeen(s *strip, inStrip []observed) error {
	for k := range inStrip {
		o := &inStrip[k]
		if o.partial {
			continue
		}
		if err := r.checkObserved(s, o.cell-s.first*s.Columns, o); err != nil {
			return err
		}
	}
	return nil
}

// checkObserved checks a cell of which all points were kept.
func (r *results) checkObserved(s *strip, k int, o *observed) error {
	if err := r.checkTop(s, k, o); err != nil {
		return err
	}
	if err := r.checkMean(s, k, o); err != nil {
		return err
	}
	return r.checkCover(s, k, o)
}

// checkTop checks that the surface is the highest point of a cell. Water is level: its terrain may be above
// its points, and then the surface is, too.
func (r *results) checkTop(s *strip, k int, o *observed) error {
	surface := s.surface[k]
	top := float32(o.top)
	isLevel := s.terrain != nil && surface == s.terrain[k] && surface > top
	if surface == top || isLevel && r.m.has(waterCode) {
		return nil
	}
	return r.broken(mapSurface, "height %v at %s, and the highest point of the cell has %v",
		surface, s.centre(k), top)
}

// checkMean checks that the terrain is the mean of the points of ground of a cell, unless these are odd.
// Beside a building it is the mean of the sure ones. Where there are none, they may be left out.
func (r *results) checkMean(s *strip, k int, o *observed) error {
	if s.terrain == nil || o.sure.points == 0 || o.isWater() {
		return nil
	}
	ground := &o.ground
	if r.isBesideBuilding(o) {
		ground = &o.sure
	}
	terrain := float64(s.terrain[k])
	mean := ground.mean()
	isMean := math.Abs(terrain-mean) <= rounding(mean)
	isOdd := math.IsNaN(terrain) || math.Abs(terrain-mean)*r.m.Metres[2] > raster.Odd
	isTop := terrain == float64(s.surface[k])
	if isMean || isOdd || isTop {
		return nil
	}
	return r.broken(mapTerrain, "height %v at %s, and the mean of the points of ground is %v",
		terrain, s.centre(k), mean)
}

// isBesideBuilding reports whether a cell or one beside it has points of buildings.
func (r *results) isBesideBuilding(o *observed) bool {
	return r.m.model.Buildings.Beside(r.m.model.CellInFile(o.cell))
}

// checkCover checks that the terrain of a cell without ground is not far below low vegetation, unless that is
// too high to be low, beside a building, or in a body of water.
func (r *results) checkCover(s *strip, k int, o *observed) error {
	if s.terrain == nil || o.ground.points > 0 || math.IsInf(o.cover, 1) || r.inBody(o.cell) {
		return nil
	}
	terrain := float64(s.terrain[k])
	least := min(o.cover-r.m.cover/2/r.m.Metres[2], o.lowest)
	isHigh := terrain >= least-rounding(least)
	isOdd := (least-terrain)*r.m.Metres[2] > raster.Odd
	if math.IsNaN(terrain) || isHigh || isOdd || r.isBesideBuilding(o) {
		return nil
	}
	return r.broken(mapTerrain, "height %v at %s, and low vegetation begins at %v",
		terrain, s.centre(k), o.cover)
}

// inBody reports whether a cell of a file belongs to a body of water.
func (r *results) inBody(cell int) bool { return r.body(cell) > 0 }

// body returns the number of the body of water of a cell of a file, 0 of none.
func (r *results) body(cell int) int32 {
	k := r.m.model.IndexInFile(cell)
	if r.m.model.Body == nil || k < 0 {
		return 0
	}
	return r.m.model.Body[k]
}
