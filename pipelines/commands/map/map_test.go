// SPDX-License-Identifier: BSD-3-Clause

package mapcmd

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"image"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"superpoint/filter/georef"
	"superpoint/pipelines/commands/command"
	"superpoint/pipelines/commands/map/contents"
	"superpoint/pipelines/commands/map/rasters"
	"superpoint/pipelines/commands/objects"
	"superpoint/pipelines/commands/table"
	"superpoint/pipelines/files/atomicfile"
	"superpoint/pipelines/land/extraction"
	"superpoint/pipelines/shapes/patch"
	"superpoint/testdata/las"
	"superpoint/testdata/must"
)

// idle is a host that does nothing.
type idle struct{ command.Host }

func (idle) Context() context.Context { return context.Background() }
func (idle) Progress(string, float64) {}

// TestPictureInMetres: the picture of a map does not depend on the units of its axes, as of degrees or feet.
func TestPictureInMetres(t *testing.T) {
	var first []byte
	for _, metres := range [][3]float64{{1, 1, 1}, {0.5, 0.125, 4}} {
		const n = 1000
		c, random := &command.Columns{}, rand.New(rand.NewPCG(4, 1))
		for range n {
			x, y := 120*random.Float64(), 120*random.Float64()
			c.X, c.Y, c.Z = append(c.X, x/metres[0]), append(c.Y, y/metres[1]), append(c.Z, x/10/metres[2])
		}
		c.Dimensions = map[string][]float64{"SuperpointID": slices.Repeat([]float64{1}, n),
			"Classification": slices.Repeat([]float64{2, 6}, n/2)}
		s := &table.Superpoints{Host: idle{}, Id: "SuperpointID", Class: "Classification"}
		m := &mapping{Finding: objects.NewFinding(s)}
		m.Metres, m.files = metres, []string{"tile.laz"}
		m.sample.add(c, m.Class, m.Id)
		m.work = t.TempDir()
		must.OK(t, m.picture())
		text := must.Get(os.ReadFile(filepath.Join(m.work, contents.Picture)))(t)
		if first == nil {
			first = text
		}
		must.Hold(t, bytes.Equal(text, first), "another picture in units of %v m", metres)
	}
}

// broken is a host of a tile with points of some classes, one of whose steps fails.
type broken struct {
	idle
	t       *testing.T
	m       *mapping
	classes []float64
	step    string
	rasters rasterFiles
}

func (*broken) Log(int, string)          {}
func (*broken) Progress(string, float64) {}

func (b *broken) Read(path string, _ []string) (*command.Columns, error) {
	if b.step == "reading" {
		return nil, errors.New(path + ": it is damaged")
	}
	c := &command.Columns{Dimensions: map[string][]float64{}, Reference: georef.Reference{HorizontalUnit: 1}}
	for i := range 400 {
		c.X, c.Y, c.Z = append(c.X, float64(i%20)), append(c.Y, float64(i/20)), append(c.Z, 1)
		c.Dimensions["SuperpointID"] = append(c.Dimensions["SuperpointID"], 1)
		c.Dimensions["Classification"] = append(c.Dimensions["Classification"], b.classes[i%len(b.classes)])
	}
	return c, nil
}

func (*broken) Same(a, c georef.Reference) (bool, error) { return true, nil }

func (b *broken) Convert(from, to string, arguments ...string) error {
	switch foreign, is := strings.CutPrefix(b.step, "foreign "); {
	case b.step == contents.Objects:
		return errors.New("no driver")
	case from == "":
		return nil
	case arguments[1] == "CSV":
		return emptyTables(to, arguments)
	case is: // a file that a later step does not replace
		must.OK(b.t, os.WriteFile(filepath.Join(b.m.work, foreign), nil, 0o666))
	}
	return os.WriteFile(to, []byte("objects"), 0o666)
}

// emptyTables writes a table without rows for each layer of objects.
func emptyTables(folder string, arguments []string) error {
	if err := os.Mkdir(folder, 0o777); err != nil {
		return err
	}
	for _, name := range arguments[slices.Index(arguments, "GEOMETRY=AS_WKT")+1:] {
		if err := os.WriteFile(filepath.Join(folder, name+".csv"), nil, 0o666); err != nil {
			return err
		}
	}
	return nil
}

func (b *broken) WriteRaster(path string, head command.Raster, values []float32) error {
	if b.step == "rasters" {
		return errors.New("the disk is full")
	}
	return b.rasters.WriteRaster(path, head, values)
}

func (b *broken) ReadRaster(path string, first int, values []float32) (command.Raster, error) {
	return b.rasters.ReadRaster(path, first, values)
}

// TestResultsOfOneRun: the results of a run replace all of a former one, or none if a step fails; those that
// a run does not have, as without ground, are removed. Errors name the file of the user.
func TestResultsOfOneRun(t *testing.T) {
	for _, c := range []struct {
		step    string
		classes []float64
		words   string // of the error
		made    int
	}{
		{"reading", []float64{2}, "mine.las: it is damaged", 0},
		{contents.Objects, []float64{2}, "no driver", 0},
		{"rasters", []float64{2}, "full", 0},
		{"foreign " + contents.Picture, []float64{2}, "map/" + contents.Picture, 0},
		{"foreign " + contents.Report, []float64{2}, "map/" + contents.Report, 0},
		{"", []float64{2, 6}, "", 8}, {"", []float64{6}, "", 6}, {"", []float64{7}, "", 5},
	} {
		folder := filepath.Join(t.TempDir(), "map")
		must.OK(t, os.Mkdir(folder, 0o777))
		tile := filepath.Join(folder, "points.las")
		points := &las.Points{X: make([]float64, 400), Y: make([]float64, 400), Z: make([]float64, 400),
			Extra: map[string][]float64{"SuperpointID": make([]float64, 400)}}
		must.OK(t, las.WriteFile(tile, points, 0.01))
		var results []*atomicfile.Output
		for _, name := range contents.Files() {
			to := must.Get(new(atomicfile.Files).Output(filepath.Join(folder, name)))(t)
			must.OK(t, to.Write(atomicfile.Bytes([]byte("former"))))
			results = append(results, to)
		}
		h := &broken{t: t, classes: c.classes, step: c.step, rasters: rasterFiles{}}
		s := &table.Superpoints{Host: h, Args: command.NewArguments("map", h), Id: "SuperpointID",
			Class: "Classification"}
		m := &mapping{Finding: objects.NewFinding(s), omitted: omitted{folder: folder},
			Settings: rasters.Settings{Resolution: 1}, files: []string{tile}}
		h.m, m.OnFile = m, m.count
		err := m.finish(results, []string{"mine.las"}, []string{tile})
		must.Says(t, err, c.words, "%q", c.step)
		made := 0
		for _, name := range contents.Files() {
			text, err := os.ReadFile(filepath.Join(folder, name))
			if err == nil && string(text) != "former" {
				made++
			}
			if c.words != "" {
				must.Hold(t, string(text) == "former",
					`%q: %s is %q: text is not "former"`, c.step, name, text)
			}
		}
		entries := must.Get(os.ReadDir(folder))(t)
		must.Equal(t, made, c.made, "%+v: made", c)
		must.Equal(t, len(entries), 1+2*cmp.Or(made, len(contents.Files())), "%+v: len(entries)", c)
	}
}

// TestCounts: classes have the mean of the confidence that was computed; noise does not widen the map.
func TestCounts(t *testing.T) {
	m := &mapping{Finding: objects.NewFinding(&table.Superpoints{Class: "Class", Id: "ID"}),
		Settings: rasters.Settings{Resolution: 1}}
	m.Metres = [3]float64{1, 1, 1}
	c := &command.Columns{X: []float64{1, 2, 3, 4, 80, 90}, Y: []float64{5, 5, 5, 6, 80, 90},
		Z: make([]float64, 6),
		Dimensions: map[string][]float64{"Class": {2, 2, 2, 6, 7, 18}, command.ConfidenceDimension: {0.8,
			0.6, 1, 1, 0, 0},
			"ID": make([]float64, 6)}}
	m.count("tile.las", c, []*command.Columns{c})
	m.classes = m.counts.classes(true)
	ground := m.classes[0]
	must.Equal(t, ground.Code, 2, "ground.Code")
	must.Equal(t, ground.Points, 3, "ground.Points")
	must.Equal(t, ground.Share, 0.5, "ground.Share")
	must.Equal(t, ground.Confidence, 0.7, "ground.Confidence")
	must.Hold(t, math.IsNaN(m.classes[1].Confidence),
		"m.classes[1].Confidence is %v, want NaN", m.classes[1].Confidence)
	must.Equal(t, len(m.classes), 4, "len(m.classes)")
	must.Equal(t, m.points.Heights.Area(), image.Rect(1, 5, 5, 7), "cells with points")
	for n, want := range [][]float64{{}, {0}, {0}, {0, 2}, {0, 2}, {0, 2, 4}} {
		must.Equal(t, half([]float64{0, 1, 2, 3, 4}[:n]), want, "kept of %d values", n)
	}
	found := make([]objects.Mapped, 3)
	for k := range found {
		found[k].Area, found[k].Height, found[k].Edge = 10, []float64{9, 2, 4}[k], float64(k%2)
	}
	found[0].Edge = 1
	must.Equal(t, summarise("trees", found),
		summary{Name: "trees", Count: 3, Area: 30, Median: 4, Top: 9, Edges: 2}, "summary")
}

// TestWorstFirst: the report begins with the least certain building of all tiles.
func TestWorstFirst(t *testing.T) {
	building := func(area, confidence float64) objects.Mapped {
		return objects.Mapped{Object: extraction.Object{Area: area, Outline: []patch.Polygon{}},
			Confidence: confidence}
	}
	m := &mapping{Finding: &objects.Finding{Buildings: []objects.Mapped{building(9, 0.6), building(9, 0.9),
		building(30, 0.4), building(30, 0.7), building(9, math.NaN())}}}
	all := m.doubtful()
	must.Need(t, len(all) == 2, "len(all) is %v, want 2", len(all))
	must.Equal(t, all[0].Area, 30, "all[0].Area")
	must.Equal(t, all[1].Confidence, 0.6, "all[1].Confidence")
}

// TestSampleOfThePicture: once there are more points than the picture needs, every second one is kept, also
// of the tiles that follow; classes have the codes of LAS, whatever a table writes.
func TestSampleOfThePicture(t *testing.T) {
	var s sample
	line := func(from, n int) *command.Columns {
		c := &command.Columns{Dimensions: map[string][]float64{}}
		for i := range n {
			c.X = append(c.X, float64(from+i))
		}
		c.Y, c.Z, c.Dimensions["Class"] = c.X, c.X, c.X
		return c
	}
	s.add(line(0, samplePoints+2), "Class")
	s.add(line(samplePoints+2, 5), "Class")
	for k, x := range s.X {
		must.Need(t, x == float64(2*k), "point %d is %v: x is not 2*k", k, x)
		must.Need(t, s.Z[k] == x, "point %d is %v: s.Z[k] is not x", k, x)
		must.Need(t, s.Dimensions["Class"][k] == x,
			`point %d is %v: s.Dimensions["Class"][k] is not x`, k, x)
	}
	must.Hold(t, len(s.X) == samplePoints/2+1+3, "%d points", len(s.X))
	m := &mapping{Finding: objects.NewFinding(&table.Superpoints{Class: "Class", Id: "ID"}),
		classification: classification{back: map[int]int{26: 6, 8: 2}}}
	c := &command.Columns{X: make([]float64, 3), Y: make([]float64, 3), Z: make([]float64, 3),
		Dimensions: map[string][]float64{"Class": {26, 8, 9}, "ID": make([]float64, 3)}}
	m.count("tile.las", c, []*command.Columns{c})
	must.Equal(t, m.sample.Dimensions["Class"], []float64{6, 2, 9}, "classes of the sample")
	must.Hold(t, m.counts.tiles[0].classes[26] != nil, "counts have the code of the table")
}

// TestReportOfTiles: the report has the extent of all tiles and the mean confidence of the points that got
// one, and an uncertain map is the first thing to check.
func TestReportOfTiles(t *testing.T) {
	m := &mapping{Finding: objects.NewFinding(&table.Superpoints{}), counts: counts{points: 110}}
	m.Stride = [2]float64{0.01, 0.02}
	m.Tiles = grown(grown(m.Tiles))
	m.Tiles[0].Area, m.Tiles[1].Area = image.Rect(0, 0, 1001, 1001), image.Rect(5000, 0, 8001, 2001)
	m.classes = []classCount{{Code: 2, Name: "ground", Points: 100, Confidence: 0.9, given: 10},
		{Code: 6, Name: "building", Points: 10, Confidence: 0.5, given: 10},
		{Code: 9, Points: 7, Confidence: math.NaN()}}
	m.Resolution = 0.5
	m.files = []string{"x/east.laz", "x/west.las"}
	p := m.page()
	must.Equal(t, p.Head[:2], []fact{{"inputs", "2 tiles: east, west"}, {"spatial reference", "none"}},
		"head of the report")
	must.Hold(t, slices.Contains(p.Head, fact{"cells of rasters", "0.5 m"}), "head of the report: %v", p.Head)
	must.Equal(t, p.Extent, "80 × 40 m", "p.Extent")
	must.Equal(t, p.Computed, "the classes of 20 points are computed, with a mean confidence of 0.70",
		"computed classes")
	must.Need(t, len(p.Checks) == 2, "len(p.Checks) is %v, want 2", len(p.Checks))
	must.Say(t, p.Checks[0], "uncertain")
	must.Say(t, p.Checks[1], "building (class 6)")
}

// TestReportWithoutObjects: what there is none of has no height, and a map whose classes are all from its
// input says so.
func TestReportWithoutObjects(t *testing.T) {
	m := &mapping{Finding: objects.NewFinding(&table.Superpoints{}), counts: counts{points: 7}}
	m.Stride, m.Tiles, m.files = [2]float64{0.01, 0.01}, grown(m.Tiles), []string{"in.laz"}
	m.Tiles[0].Area = image.Rect(0, 0, 1001, 1001)
	m.Buildings = make([]objects.Mapped, mostRows+3)
	p := m.page()
	must.Equal(t, p.Computed, "all classes are from the input", "computed classes")
	must.Equal(t, p.MoreRows, 3, "buildings that the table leaves out")
	buildings, trees := p.Objects[0], p.Objects[1]
	must.Equal(t, heightText(buildings.Median), "0.0", "median height of buildings of height 0")
	must.Equal(t, heightText(trees.Median), "–", "median height of no trees")
	must.Equal(t, heightText(trees.Top), "–", "height of the highest of no trees")
}

// TestCountsOfTiles: the table of counts has a row for each class of each tile.
func TestCountsOfTiles(t *testing.T) {
	m := &mapping{Finding: objects.NewFinding(&table.Superpoints{Class: "Class", Id: "ID"}),
		Settings: rasters.Settings{Resolution: 1}, work: t.TempDir()}
	m.Host = idle{}
	m.Metres = [3]float64{1, 1, 1}
	tile := func(classes, confidence []float64) *command.Columns {
		n := len(classes)
		return &command.Columns{X: make([]float64, n), Y: make([]float64, n), Z: make([]float64, n),
			Dimensions: map[string][]float64{"Class": classes, command.ConfidenceDimension: confidence,
				"ID": make([]float64, n)}}
	}
	m.count("out/a, b.laz", tile([]float64{6, 2, 2, 2}, []float64{1, 0.5, 0.75, 1}), nil)
	m.count("out/c.laz", tile([]float64{2}, []float64{0.9}), nil)
	must.OK(t, m.writeCounts())
	text := string(must.Get(os.ReadFile(filepath.Join(m.work, contents.Counts)))(t))
	must.Equal(t, text, "tile,class,name,points,share,confidence\n\"a, "+
		"b.laz\",2,ground,3,0.75000,0.625\n\"a, "+
		"b.laz\",6,building,1,0.25000,\nc.laz,2,ground,1,1.00000,0.900\n",
		"counts")
	must.Equal(t, m.counts.classes(true)[0].Points, 4, "points of ground in all tiles")
}

// TestBuildingsOfReport: the table begins with the least confident doubtful building, and has outlines with
// north up.
func TestBuildingsOfReport(t *testing.T) {
	square := []patch.Polygon{{{{X: 0, Y: 0}, {X: 200, Y: 0}, {X: 200, Y: 100}, {X: 0, Y: 100}}}}
	building := func(area, confidence float64) objects.Mapped {
		return objects.Mapped{Object: extraction.Object{Area: area, Outline: square}, Confidence: confidence}
	}
	m := &mapping{Finding: &objects.Finding{Buildings: []objects.Mapped{building(30, 0.9), building(90, 0.9),
		building(30, 0.5), building(30, 0.4)}}}
	var ids []int
	rows := m.buildingRows()
	for _, row := range rows {
		ids = append(ids, row.ID)
	}
	must.Equal(t, ids, []int{4, 3, 2, 1}, "ids in the order of rows")
	must.Equal(t, rows[0].Roof, "unknown", "roof")
	must.Say(t, string(rows[0].Picture), "M0.0 24.0", "L48.0 24.0", "L48.0 0.0", "Z")
	m.Buildings = slices.Repeat(m.Buildings, 100)
	must.Equal(t, len(m.buildingRows()), mostRows, "rows")
}

// TestTitleOfThePicture: the picture has the whole name, the spatial reference and the place.
func TestTitleOfThePicture(t *testing.T) {
	m := &mapping{Finding: objects.NewFinding(&table.Superpoints{}),
		files: []string{"out/a.laz", "out/b.laz"}}
	m.Metres = [3]float64{1, 1, 1}
	m.Tiles = grown(m.Tiles)
	m.Tiles[0].Area = image.Rect(600_000_000, 5_000_000_000, 600_100_000, 5_000_200_000)
	must.Equal(t, m.inputNames(1), "a and 1 more", "name")
	must.Equal(t, m.centre(), "no spatial reference, centre 600050 5000100", "place")
	m.files[0] = "out/a_name_that_is_longer_than_thirty_letters.laz"
	must.Equal(t, m.inputNames(1), "a_name_that_is_longer_than_thirty_letters and 1 more", "long name")
}

// TestDensityOfTheReport: points in a square metre of the tiles, whatever lies between them.
func TestDensityOfTheReport(t *testing.T) {
	m := &mapping{Finding: objects.NewFinding(&table.Superpoints{}), counts: counts{points: 1200}}
	m.Stride = [2]float64{0.01, 0.01}
	m.Tiles = grown(grown(m.Tiles))
	m.Tiles[0].Area = image.Rect(0, 0, 1000, 2000)
	m.Tiles[1].Area = image.Rect(100_000, 0, 102_000, 2000)
	must.Equal(t, m.density(), 2.0, "density of 1,200 points on 200 m² and 400 m²")
	m.Tiles = m.Tiles[:1]
	m.Tiles[0].Area = image.Rect(0, 0, 1, 1)
	must.Equal(t, m.density(), 1200.0, "density of points at one place")
}

func grown[T any](all []*T) []*T { return append(all, new(T)) }
