// SPDX-License-Identifier: BSD-3-Clause

package promises

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"superpoint/pipelines/commands/command"
	"superpoint/pipelines/commands/map/contents"
	"superpoint/testdata/must"
)

// TestCellsInAnyOrder: what is known of a cell are the extremes, counts and means of its points, in whatever
// order they come.
func TestCellsInAnyOrder(t *testing.T) {
	points := []seen{
		{z: 5, code: contents.Ground},
		{z: 7, code: contents.Ground, unsure: true},
		{z: 9, code: 6},
		{z: 2, code: 1},
		{z: 4, code: contents.LowVegetation},
		{z: 3, code: contents.LowVegetation},
		{z: 8, code: contents.Water},
	}
	random := rand.New(rand.NewPCG(1, 2))
	for range 50 {
		random.Shuffle(len(points), func(i, k int) { points[i], points[k] = points[k], points[i] })
		o := newObserved(0)
		for k := range points {
			o.add(&points[k])
		}
		must.Equal(t, o.top, 9, "top")
		must.Equal(t, o.lowest, 2, "lowest point")
		must.Equal(t, o.lowestPlant, 3, "lowest point of low vegetation")
		must.Equal(t, o.ground, tally{points: 2, sum: 12}, "ground")
		must.Equal(t, o.sure, tally{points: 1, sum: 5}, "sure ground")
		must.Equal(t, o.water, 1, "points of water")
	}
}

// TestCellsThatAreRead: all cells of a raster are read, of a large one at least mostCells, or as many as
// there are points, and at most twice as many.
func TestCellsThatAreRead(t *testing.T) {
	for name, c := range map[string]struct {
		columns, rows int
		points        int
	}{
		"one cell":               {1, 1, 1},
		"largest of all strips":  {1 << 11, 1 << 11, 0},
		"a row more":             {1 << 11, 1<<11 + 1, 0},
		"twice as large":         {1 << 12, 1 << 11, 0},
		"twice and a row":        {1 << 12, 1<<11 + 1, 0},
		"three times and a row":  {3 << 11, 1<<11 + 1, 0},
		"100 times":              {10 << 11, 10 << 11, 0},
		"many points":            {10 << 11, 10 << 11, 1 << 26},
		"more points than cells": {1 << 13, 1 << 13, 1 << 27},
	} {
		t.Run(name, func(t *testing.T) {
			r := &rasters{Map: &Map{Points: c.points}}
			apart := r.stripsApart(grid{columns: c.columns, rows: c.rows})
			cells := c.columns * c.rows
			enough := max(mostCells, c.points)
			must.Hold(t, apart >= 1, "strips apart: %d", apart)
			read := cells / apart
			must.Hold(t, read >= min(cells, enough), "%d of %d cells are read, %d are enough", read, cells,
				enough)
			must.Hold(t, read <= 2*enough, "%d of %d cells are read, %d are enough", read, cells, enough)
		})
	}
}

// flat is a host of rasters of one height, of which one cannot be read from a row on.
type flat struct {
	command.Host
	head   command.Raster
	broken string
	from   int
	read   map[string]int // cells, by names of rasters
}

var errRow = errors.New("a row that cannot be read")

func (flat) Context() context.Context { return context.Background() }

func (f flat) ReadRaster(path string, first int, values []float32) (command.Raster, error) {
	name := filepath.Base(path)
	if name == f.broken && first+len(values)/f.head.Columns > f.from {
		return command.Raster{}, errRow
	}
	f.read[name] += len(values)
	height := float32(5)
	if name == contents.Canopy {
		height = 0
	}
	for k := range values {
		values[k] = height
	}
	return f.head, nil
}

// flatRasters returns rasters of a host, and a witness of a point in each tenth row.
func flatRasters(f flat) *rasters {
	w := NewWitness(1)
	w.lowest, w.highest = 5, 5
	for row := 0; row < f.head.Rows; row += 10 {
		w.points = append(w.points, seen{x: 0.5, y: float64(row) + 0.5, z: 5, code: 6})
	}
	r := newRasters(&Map{Host: f, Rasters: []string{contents.Surface, contents.Terrain, contents.Canopy},
		Metres: [3]float64{1, 1, 1}}, w)
	r.heads[contents.Surface] = f.head
	return r
}

func flatHost(rows int) flat {
	head := command.Raster{Columns: 2, Rows: rows, North: float64(rows), Width: 1, Height: 1}
	return flat{head: head, read: map[string]int{}}
}

// TestEveryRowIsScanned: each cell of small rasters is read once, whatever the last strip has.
func TestEveryRowIsScanned(t *testing.T) {
	for _, rows := range []int{1, 9, 511, 512, 513, 1024, 1500} {
		host := flatHost(rows)
		r := flatRasters(host)
		must.OK(t, r.scan())
		must.OK(t, r.scan()) // nothing more
		must.OK(t, r.cellFault)
		must.OK(t, r.pointFault)
		must.Equal(t, slices.Sorted(maps.Keys(host.read)),
			[]string{contents.Canopy, contents.Surface, contents.Terrain}, "rasters")
		for name, cells := range host.read {
			must.Equal(t, cells, 2*rows, "cells of %s that are read, of %d rows", name, rows)
		}
		for _, o := range r.seen {
			must.Equal(t, o.terrain, 5, "terrain of cell %d of %d rows", o.cell, rows)
		}
	}
}

// TestRowsThatCannotBeRead: an error of any strip of any raster is the error of the scan.
func TestRowsThatCannotBeRead(t *testing.T) {
	for _, name := range []string{contents.Surface, contents.Terrain, contents.Canopy} {
		for _, from := range []int{0, 600, 1499} {
			host := flatHost(1500)
			host.broken, host.from = name, from
			err := flatRasters(host).scan()
			must.Hold(t, errors.Is(err, errRow), "%s from row %d on: error %v", name, from, err)
			must.Hold(t, strings.Contains(err.Error(), name), "%q does not name %s", err, name)
		}
	}
}

// TestPlacesInFeet: how far a corner may be from the points is in metres, whatever the unit of the points is.
func TestPlacesInFeet(t *testing.T) {
	const foot = 0.3048
	for name, c := range map[string]struct {
		metres float64 // in a unit
		beyond float64 // of the points, units
		words  string
	}{
		"metres, near":    {1, 2.9, ""},
		"metres, too far": {1, 3.1, "outside the tiles"},
		"feet, near":      {foot, 2.9 / foot, ""},
		"feet, too far":   {foot, 3.1 / foot, "outside the tiles"},
	} {
		t.Run(name, func(t *testing.T) {
			w := NewWitness(1)
			w.tiles = []extent{{0, 0, 100, 100}}
			corner := 100 + c.beyond
			m := &Map{Buildings: 1, Cell: 0.5, Metres: [3]float64{c.metres, c.metres, 1}}
			r := &results{witness: w, m: m}
			house := fmt.Sprintf("POLYGON((50 50,%v 50,50 60,50 50))", corner)
			building := must.Get(newObject([]string{"WKT"}, []string{house}))(t)
			r.layers = &features{buildings: []object{building}}
			must.Says(t, r.buildings(), c.words, "a corner at %v", corner)
		})
	}
}

// TestHeightsOfEveryKind: a height that is none of the points is an error in buildings and in trees.
func TestHeightsOfEveryKind(t *testing.T) {
	good := object{values: map[string]float64{"id": 1, "top": 110, "ground": 100, "height": 10}}
	wrong := object{values: map[string]float64{"id": 2, "top": 130, "ground": 100, "height": 30}}
	for name, c := range map[string]struct {
		buildings, trees []object
		words            string
	}{
		"none":                      {nil, nil, ""},
		"right":                     {[]object{good, good}, []object{good}, ""},
		"a building":                {[]object{good, wrong}, []object{good}, "building 2"},
		"a tree":                    {[]object{good}, []object{good, wrong}, "tree 2"},
		"a tree, without buildings": {nil, []object{wrong}, "tree 2"},
	} {
		t.Run(name, func(t *testing.T) {
			w := NewWitness(1)
			w.lowest, w.highest = 100, 110
			r := &results{witness: w, m: &Map{Metres: [3]float64{1, 1, 1}}}
			r.layers = &features{buildings: c.buildings, trees: c.trees}
			must.Says(t, r.heights(), c.words, "heights")
		})
	}
}
