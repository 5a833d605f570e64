// SPDX-License-Identifier: BSD-3-Clause

package mapcmd

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"fmt"
	"image"
	"image/png"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/peterstace/simplefeatures/geom"

	"superpoint/pipelines/commands/command"
	"superpoint/pipelines/commands/map/contents"
	"superpoint/pipelines/commands/map/promises"
	"superpoint/pipelines/commands/map/rasters"
	"superpoint/pipelines/commands/objects"
	"superpoint/pipelines/commands/table"
	"superpoint/pipelines/layers"
	"superpoint/pipelines/shapes/patch"
	"superpoint/testdata/las"
	"superpoint/testdata/must"
)

// rasterFiles are raster files of a host, by path.
type rasterFiles map[string]*rasterFile

type rasterFile struct {
	command.Raster
	values []float32
}

func (r rasterFiles) WriteRaster(path string, head command.Raster, values []float32) error {
	head.Layout, head.Overviews = "COG", 1
	r[path] = &rasterFile{head, slices.Clone(values)}
	return os.WriteFile(path, []byte("raster"), 0o666)
}

func (r rasterFiles) ReadRaster(path string, first int, values []float32) (command.Raster, error) {
	f := r[path]
	if f == nil {
		return command.Raster{}, os.ErrNotExist
	}
	copy(values, f.values[first*f.Columns:])
	return f.Raster, nil
}

// village is a host of one tile: ground that slopes to the east, a house, a tree and plants on a hill.
type village struct {
	idle
	rasterFiles
	buildings, trees, crowns, water string // GeoJSON features of the layers
}

func (village) Log(int, string) {}

func (v village) WriteRaster(path string, head command.Raster, values []float32) error {
	return v.rasterFiles.WriteRaster(path, head, values)
}

func (v village) ReadRaster(path string, first int, values []float32) (command.Raster, error) {
	return v.rasterFiles.ReadRaster(path, first, values)
}

func (v village) Convert(_, to string, arguments ...string) error {
	features := map[string]string{layers.Buildings: v.buildings, layers.Trees: v.trees,
		layers.Crowns: v.crowns, layers.Water: v.water}
	if err := os.Mkdir(to, 0o777); err != nil {
		return err
	}
	for name, text := range features {
		if !slices.Contains(arguments, name) {
			return fmt.Errorf("layer %s is not read", name)
		}
		table, err := tableOf(text)
		if err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(to, name+".csv"), table, 0o666); err != nil {
			return err
		}
	}
	return nil
}

// tableOf returns a table of features of GeoJSON, a line each, or of none, as GDAL writes it.
func tableOf(text string) ([]byte, error) {
	if text == "" {
		return nil, nil
	}
	rows := [][]string{{"WKT"}}
	for line := range strings.SplitSeq(text, "\n") {
		var feature struct {
			Geometry   json.RawMessage
			Properties map[string]float64
		}
		if err := json.Unmarshal([]byte(line), &feature); err != nil {
			return nil, err
		}
		shape, err := geom.UnmarshalGeoJSON(feature.Geometry, geom.NoValidate{})
		if err != nil {
			return nil, err
		}
		names := slices.Sorted(maps.Keys(feature.Properties))
		rows[0] = append([]string{"WKT"}, names...)
		row := []string{shape.AsText()}
		for _, name := range names {
			row = append(row, fmt.Sprint(feature.Properties[name]))
		}
		rows = append(rows, row)
	}
	var table bytes.Buffer
	err := csv.NewWriter(&table).WriteAll(rows)
	return table.Bytes(), err
}

// feature returns a feature of GeoJSON.
func feature(kind, coordinates, attributes string) string {
	return fmt.Sprintf(`{"type":"Feature","properties":{"id":1,%s},"geometry":{"type":%q,"coordinates":%s}}`,
		attributes, kind, coordinates)
}

const (
	house     = `[[[[20,20],[30,20],[30,30],[20,30],[20,20]]]]`
	ofHouse   = `"top":110,"ground":102.5,"height":7.5`
	ofTree    = `"top":112,"ground":103.5,"height":8.5`
	placeTree = `[35.5,40.5]`
	leaves    = `[[[[33,38],[38,38],[38,43],[33,43],[33,38]]]]`
	pond      = `[[[[42,5],[48,5],[48,45],[42,45],[42,5]]]]`
	ofPond    = `"area":240,"level":99.1,"confidence":0.9`
)

// columns returns the points of the village: three in each of 50 × 45 cells from 100 0.
func (village) columns() *command.Columns {
	c := &command.Columns{Dimensions: map[string][]float64{}}
	for y := range 45 {
		for x := range 50 {
			for k := range 3 {
				z, class := 100+float64(x)/10+float64(k)/100, float64(contents.Ground)
				switch {
				case x >= 20 && x < 30 && y >= 20 && y < 30:
					z, class = 110, 6
				case x == 10 && y == 35: // a hill that plants cover
					z, class = 103+float64(k)/10, contents.LowVegetation
				case x == 35 && y == 40 && k == 0:
					z, class = 112, 5
				case x >= 42 && x < 48 && y > 4: // water
					z, class = 99+float64(k)/10, contents.Water
				}
				c.X = append(c.X, float64(x)+0.2+0.3*float64(k))
				c.Y = append(c.Y, float64(y)+0.25*float64(k+1))
				c.Z = append(c.Z, z)
				c.Dimensions["Classification"] = append(c.Dimensions["Classification"], class)
				c.Dimensions["SuperpointID"] = append(c.Dimensions["SuperpointID"], 1)
			}
		}
	}
	return c
}

// mapped writes the results of the village except the objects into a work folder.
func mapped(t *testing.T) (*mapping, *village) {
	t.Helper()
	v := &village{rasterFiles: rasterFiles{}, buildings: feature("MultiPolygon", house, ofHouse),
		trees: feature("Point", placeTree, ofTree), water: feature("MultiPolygon", pond, ofPond),
		crowns: feature("MultiPolygon", leaves, ofTree)}
	s := &table.Superpoints{Host: v, Id: "SuperpointID", Class: "Classification", Columns: &command.Columns{}}
	m := &mapping{Finding: objects.NewFinding(s), work: t.TempDir(),
		Settings: rasters.Settings{Resolution: 1, MinWater: rasters.DefaultMinWater,
			LowVegetation: defaultLowVegetation}}
	m.Metres, m.Stride, m.Cell = [3]float64{1, 1, 1}, [2]float64{0.01, 0.01}, 0.5
	m.Buildings, m.Trees = make([]objects.Mapped, 1), make([]objects.Mapped, 1)
	m.Trees[0].Crown = []patch.Polygon{{}}
	m.Tiles = grown(m.Tiles)
	c := v.columns()
	tile := filepath.Join(m.work, "tile.las")
	must.OK(t, las.WriteFile(tile, &las.Points{X: c.X, Y: c.Y, Z: c.Z, Extra: map[string][]float64{
		"SuperpointID": c.Dimensions["SuperpointID"], "ClassConfidence": c.Dimensions["SuperpointID"]}},
		0.01))
	m.files = []string{tile}
	m.count("tile.las", c, []*command.Columns{c})
	m.classes = m.counts.classes(!m.NoConfidence)
	must.OK(t, m.makeRasters())
	must.OK(t, os.WriteFile(filepath.Join(m.work, contents.Picture), picture(t), 0o666))
	must.OK(t, m.report())
	return m, v
}

// picture returns a picture of the size of a map's.
func picture(t *testing.T) []byte {
	var text bytes.Buffer
	must.OK(t, png.Encode(&text, image.NewGray(image.Rect(0, 0, contents.PictureWidth, 10))))
	return text.Bytes()
}

// keepFiles checks the files except roofs and solids.
func keepFiles(m *mapping) error {
	return promises.Keep(m.Run("checking"), m.stated(), m.witness, promises.OfFiles())
}

// TestPromisesHold: the results of a village are what the page says.
func TestPromisesHold(t *testing.T) {
	m, _ := mapped(t)
	must.OK(t, keepFiles(m))
}

// TestPromisesOfThePage: every promise is made by words of the page.
func TestPromisesOfThePage(t *testing.T) {
	page := string(must.Get(os.ReadFile(filepath.Join("..", "..", "map.md")))(t))
	page = strings.Join(strings.Fields(page), " ")
	for _, p := range promises.OfFiles() {
		must.Say(t, page, p.Says)
	}
}

// TestBrokenPromises: a file that is not what the page says is an error that names it, the place and the
// value.
func TestBrokenPromises(t *testing.T) {
	cell := func(name string, x, y int, to float32) func(m *mapping, v *village) {
		return func(m *mapping, v *village) {
			f := v.rasterFiles[filepath.Join(m.work, name)]
			f.values[(f.Rows-1-y)*f.Columns+x] = to
		}
	}
	head := func(name string, change func(f *rasterFile)) func(m *mapping, v *village) {
		return func(m *mapping, v *village) { change(v.rasterFiles[filepath.Join(m.work, name)]) }
	}
	every := func(change func(f *rasterFile)) func(m *mapping, v *village) {
		return func(_ *mapping, v *village) {
			for _, f := range v.rasterFiles {
				change(f)
			}
		}
	}
	building := func(geometry, attributes string) func(m *mapping, v *village) {
		return func(_ *mapping, v *village) { v.buildings = feature("MultiPolygon", geometry, attributes) }
	}
	tree := func(place, attributes string) func(m *mapping, v *village) {
		return func(_ *mapping, v *village) { v.trees = feature("Point", place, attributes) }
	}
	water := func(geometry, attributes string) func(m *mapping, v *village) {
		return func(_ *mapping, v *village) { v.water = feature("MultiPolygon", geometry, attributes) }
	}
	nan := float32(math.NaN())
	for name, c := range map[string]struct {
		plant func(m *mapping, v *village)
		words []string
	}{
		"origin by half a cell": {every(func(f *rasterFile) { f.West += 0.5 }),
			[]string{contents.Surface, "cells of"}},
		"origin by a cell": {every(func(f *rasterFile) { f.West++ }),
			[]string{contents.Surface, "outside"}},
		"origin north by a cell": {every(func(f *rasterFile) { f.North-- }),
			[]string{contents.Surface, "outside"}},
		"one raster elsewhere": {head(contents.Canopy, func(f *rasterFile) { f.North++ }),
			[]string{contents.Canopy, "cells from"}},
		"rows flipped": {every(flip), []string{"height", "highest point"}},
		"X for Y":      {every(transpose), []string{contents.Surface, "highest point"}},
		"other side of cells": {every(func(f *rasterFile) { f.Width = 0.5 }),
			[]string{contents.Surface, "cells of"}},
		"no data as a height": {cell(contents.Canopy, 25, 25, 9999),
			[]string{contents.Canopy, "25.5 25.5", "9999"}},
		"no data below the house": {cell(contents.Terrain, 25, 25, nan),
			[]string{contents.Canopy, "25.5 25.5", "NaN"}},
		"canopy without terrain": {cell(contents.Canopy, 3, 4, nan), []string{contents.Canopy, "3.5 4.5"}},
		"canopy is no difference": {cell(contents.Canopy, 3, 4, 0.5),
			[]string{contents.Canopy, "3.5 4.5", "minus"}},
		"terrain above the surface": {cell(contents.Terrain, 7, 8, 105),
			[]string{contents.Terrain, "7.5 8.5", "above"}},
		"terrain far below plants": {cell(contents.Terrain, 10, 35, 101.5),
			[]string{contents.Terrain, "10.5 35.5", "low vegetation"}},
		"surface below a point": {cell(contents.Surface, 35, 40, 104), []string{"35.5 40.5"}},
		"heights in feet":       {every(feet), []string{contents.Surface, "328"}},
		"unit of heights": {head(contents.Terrain, func(f *rasterFile) { f.Unit = "foot" }),
			[]string{contents.Terrain, "foot"}},
		"no data value": {head(contents.Terrain, func(f *rasterFile) { f.NoData = 0 }),
			[]string{contents.Terrain, "no data"}},
		"no cloud-optimised file": {head(contents.Terrain, func(f *rasterFile) { f.Layout = "" }),
			[]string{contents.Terrain, "layout"}},
		"no description": {head(contents.Terrain, func(f *rasterFile) { f.Description = "" }),
			[]string{contents.Terrain}},
		"a reference": {head(contents.Terrain, func(f *rasterFile) { f.Reference = "x" }),
			[]string{contents.Terrain, "\"x\""}},
		"footprint outside": {building(`[[[[20,20],[70,20],[30,30],[20,20]]]]`, ofHouse),
			[]string{"70 20", "outside"}},
		"footprint that crosses": {building(`[[[[20,20],[30,30],[30,20],[20,30],[20,20]]]]`, ofHouse),
			[]string{contents.Objects}},
		"footprints that overlap": {func(m *mapping, v *village) {
			m.Buildings = make([]objects.Mapped, 2)
			v.buildings += "\n" + feature("MultiPolygon", `[[[[29,25],[39,25],[39,29],[29,29],[29,25]]]]`,
				ofHouse)
		}, []string{contents.Objects, "lies over building 1 by 4.00"}},
		"height of no point": {building(house, `"top":130,"ground":102.5,"height":27.5`),
			[]string{"top 130"}},
		"height that does not fit": {building(house, `"top":110,"ground":102.5,"height":24.6`),
			[]string{"height 24.6"}},
		"top above the house": {building(house, `"top":112,"ground":102.5,"height":9.5`),
			[]string{"building 1 has top 112", "footprint at most 110"}},
		"building that is missing": {func(_ *mapping, v *village) { v.buildings = "" },
			[]string{"0 buildings of 1"}},
		"tree in a house": {tree(`[25,25]`, ofTree), []string{"25 25", "in building 1"}},
		"tree that is missing": {func(_ *mapping, v *village) { v.trees = "" },
			[]string{"0 trees of 1"}},
		"tree of no height": {tree(placeTree, `"top":80,"ground":71.5,"height":8.5`),
			[]string{"top 80"}},
		"crown over a house": {func(_ *mapping, v *village) {
			v.crowns = feature("MultiPolygon", `[[[[28,28],[38,28],[38,38],[28,38],[28,28]]]]`, ofTree)
		}, []string{"crown 1 lies over building 1 by 4.00"}},
		"crown that crosses": {func(_ *mapping, v *village) {
			v.crowns = feature("MultiPolygon", `[[[[33,38],[38,43],[38,38],[33,43],[33,38]]]]`, ofTree)
		}, []string{contents.Objects}},
		"crown that is missing": {func(_ *mapping, v *village) { v.crowns = "" }, []string{"0 crowns of 1"}},
		"water that is missing": {func(_ *mapping, v *village) { v.water = "" },
			[]string{"0 bodies of water of 1"}},
		"water that crosses": {water(`[[[[42,5],[48,45],[48,5],[42,45],[42,5]]]]`, ofPond),
			[]string{contents.Objects}},
		"water outside": {water(`[[[[42,5],[88,5],[48,45],[42,45],[42,5]]]]`, ofPond),
			[]string{"water 1", "88 5", "outside"}},
		"water of another area":  {water(pond, `"area":2400,"level":99.1`), []string{"area 2400", "240.0"}},
		"level of no point":      {water(pond, `"area":240,"level":89.1`), []string{"level 89.1"}},
		"level of other water":   {water(pond, `"area":240,"level":99.5`), []string{contents.Terrain, "level 99.5"}},
		"water without a height": {dryWater, []string{contents.Terrain, "NaN", "level 99.1"}},
		"water by half its width": {water(`[[[[45,5],[51,5],[51,45],[45,45],[45,5]]]]`, ofPond),
			[]string{"water at 4", "lie in no body of water"}},
		"points missing from a class": {lessPoints, []string{contents.Report, "6750"}},
		"picture of no pixels":        {emptyPicture, []string{contents.Picture}},
		"tile without ids":            {otherTile, []string{"tile.las", "SuperpointID"}},
	} {
		t.Run(name, func(t *testing.T) {
			m, v := mapped(t)
			c.plant(m, v)
			must.Fail(keepFiles(m))(t, append(c.words, "please report")...)
		})
	}
}

// flip reverses the rows.
func flip(f *rasterFile) {
	for row := range f.Rows / 2 {
		for column := range f.Columns {
			a, b := row*f.Columns+column, (f.Rows-1-row)*f.Columns+column
			f.values[a], f.values[b] = f.values[b], f.values[a]
		}
	}
}

// transpose takes X for Y in the cells that both have.
func transpose(f *rasterFile) {
	was := slices.Clone(f.values)
	at := func(x, y int) int { return (f.Rows-1-y)*f.Columns + x }
	for y := range f.Rows {
		for x := range f.Rows {
			f.values[at(x, y)] = was[at(y, x)]
		}
	}
}

// dryWater takes the heights of some water from the terrain and the canopy.
func dryWater(m *mapping, v *village) {
	for _, name := range []string{contents.Terrain, contents.Canopy} {
		f := v.rasterFiles[filepath.Join(m.work, name)]
		for k := range f.values {
			if k%f.Columns == 45 {
				f.values[k] = float32(math.NaN())
			}
		}
	}
}

func feet(f *rasterFile) {
	for k := range f.values {
		f.values[k] /= 0.3048
	}
}

func lessPoints(m *mapping, _ *village) {
	path := filepath.Join(m.work, contents.Report)
	text, err := os.ReadFile(path)
	if err == nil {
		_ = os.WriteFile(path, []byte(strings.Replace(string(text), "<td>300</td>", "<td>299</td>", 1)),
			0o666)
	}
}

func emptyPicture(m *mapping, _ *village) {
	_ = os.WriteFile(filepath.Join(m.work, contents.Picture), nil, 0o666)
}

func otherTile(m *mapping, _ *village) {
	_ = las.WriteFile(m.files[0], &las.Points{X: []float64{1}, Y: []float64{1}, Z: []float64{1}}, 0.01)
}

// TestSideInFeet: cells have the side of the option in metres, also where the tiles are in feet.
func TestSideInFeet(t *testing.T) {
	const foot = 0.3048
	s := &table.Superpoints{Class: "Classification"}
	m := &mapping{Finding: objects.NewFinding(s), Settings: rasters.Settings{Resolution: 1}}
	m.Metres = [3]float64{foot, foot, foot}
	m.collect(&command.Columns{})
	side := m.points.Heights.Side
	must.Hold(t, math.Abs(side-1/foot) < 1e-9, "cells are %v ft wide, want 1 m", side)
}

// TestHeightOfLowVegetation: the height of low vegetation is that of the option, if it leaves any.
func TestHeightOfLowVegetation(t *testing.T) {
	for option, want := range map[string]float64{"": 0.5, "1.5,5": 1.5, "0,0": 0.5} {
		must.Equal(t, must.Get(heightOfLowVegetation(option))(t), want, "option %q", option)
	}
}

// TestPictureOfAllTiles: the picture is drawn of points of every tile.
func TestPictureOfAllTiles(t *testing.T) {
	m, v := mapped(t)
	c := v.columns()
	for i := range c.X {
		c.X[i] += 500
	}
	m.count("east.las", c, []*command.Columns{c})
	must.Equal(t, slices.Min(m.sample.X), slices.Min(v.columns().X), "west of the picture")
	must.Equal(t, slices.Max(m.sample.X), slices.Max(c.X), "east of the picture")
}
