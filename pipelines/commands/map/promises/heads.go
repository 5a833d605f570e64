// SPDX-License-Identifier: BSD-3-Clause

package promises

import (
	"math"
	"path/filepath"
	"strings"

	"superpoint/pipelines/commands/command"
	"superpoint/pipelines/commands/map/contents"
)

// rasters are the raster files of a map.
type rasters struct {
	*Map
	witness    *Witness
	heads      map[string]command.Raster // by names of files
	scanned    bool
	seen       []observed // cells of which all points were kept, once the rasters are scanned
	cellFault  error      // the first one among cells
	pointFault error      // the first one of a cell and its points
}

func newRasters(m *Map, w *Witness) *rasters {
	return &rasters{Map: m, witness: w, heads: map[string]command.Raster{}}
}

// checkHeads reads the heads of the rasters.
func (r *rasters) checkHeads() error {
	for _, name := range r.Rasters {
		head, err := r.Host.ReadRaster(filepath.Join(r.Folder, name), 0, nil)
		if err != nil {
			return broken(name, "%w", err)
		}
		r.heads[name] = head
		const smallest = 512 // cells of a side with which GDAL makes overviews
		wide := max(head.Columns, head.Rows) > 2*smallest
		switch {
		case head.Layout != "COG":
			return broken(name, "its layout is %q", head.Layout)
		case head.NoData != contents.NoData:
			return broken(name, "its value of no data is %v", head.NoData)
		case head.Description == "":
			return broken(name, "its band has no description")
		case head.Unit != r.HeightUnit:
			return broken(name, "the unit of heights is %q", head.Unit)
		case wide && head.Overviews == 0:
			return broken(name, "%d × %d cells without overviews", head.Columns, head.Rows)
		}
	}
	return nil
}

// checkGrid checks that the rasters have the cells and the spatial reference of the map.
func (r *rasters) checkGrid() error {
	for _, name := range r.Rasters {
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
func (r *rasters) checkSameCells(name string) error {
	first := r.Rasters[0]
	want, got := r.heads[first], r.heads[name]
	sameSize := got.Columns == want.Columns && got.Rows == want.Rows
	samePlace := got.West == want.West && got.North == want.North
	if sameSize && samePlace {
		return nil
	}
	return broken(name, "%d × %d cells from %v %v, and %s has %d × %d from %v %v", got.Columns, got.Rows,
		got.West, got.North, first, want.Columns, want.Rows, want.West, want.North)
}

// checkSide checks that cells have the side of option resolution, and begin at multiples of it.
func (r *rasters) checkSide(name string) error {
	head := r.heads[name]
	side := r.Resolution / r.Metres[0]
	square := near(head.Width, side) && near(head.Height, side)
	aligned := whole(head.West/side) && whole(head.North/side)
	if square && aligned {
		return nil
	}
	return broken(name, "cells of %v × %v from %v %v", head.Width, head.Height, head.West, head.North)
}

// checkReference checks that a file has the spatial reference of the tiles, except for heights.
func (r *rasters) checkReference(name, wkt string) error {
	want := r.Reference
	if (wkt == "") != (strings.TrimSpace(want.WKT) == "") {
		return broken(name, "its spatial reference is %q, and the tiles have %q", wkt, want.WKT)
	}
	if wkt == "" {
		return nil
	}
	read, err := r.Host.Reference(wkt)
	if err != nil {
		return broken(name, "%w", err)
	}
	_, code := want.Code()
	if _, written := read.Code(); code != "" && written != "" && code != written {
		return broken(name, "its spatial reference is %s, and the tiles have %s", written, code)
	}
	unit, _, err := want.Unit()
	if written, _, also := read.Unit(); err == nil && (also != nil || !near(unit, written)) {
		return broken(name, "the unit of its spatial reference is %v m, and the unit of the tiles %v m",
			written, unit)
	}
	return nil
}

func near(a, b float64) bool { return math.Abs(a-b) <= 1e-9*math.Abs(b) }

// whole reports whether a number of cells is an integer, but for rounding.
func whole(cells float64) bool { return math.Abs(cells-math.Round(cells)) < 1e-6 }
