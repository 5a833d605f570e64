// SPDX-License-Identifier: BSD-3-Clause

package pdaltest

import (
	"fmt"
	"image"
	"image/color"
	"image/png"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"superpoint/testdata/las"
	"superpoint/testdata/must"
	"superpoint/testdata/realdata"
)

// The files that people use are read here by other programs and compared with what this test computes from
// the points alone: rasters by PDAL's readers.gdal, layers from GeoJSON, tables from CSV, pictures by their
// pixels.

// fewTiles are the labelled tiles of everyday tests: a town, a shore, a street and a bridge.
var fewTiles = []string{"val/lidarhd_77055_627760.laz", "val3/nz_harbour_islet.laz",
	"test2/ahn3_amsterdam_manual.laz",
	"train3/fr_camargue_bridge.laz"}

// labelledTiles returns the tiles to test: with SUPERPOINT_TILES=all every airborne one of ../shared/data.
func labelledTiles(t *testing.T) []string {
	t.Helper()
	folder, err := realdata.Folder()
	if err != nil {
		t.Skip(err)
	}
	if os.Getenv("SUPERPOINT_TILES") != "all" {
		return fewTiles
	}
	var all []string
	for _, path := range must.Get(filepath.Glob(filepath.Join(folder, "*", "*.la[sz]")))(t) {
		name := must.Get(filepath.Rel(folder, path))(t)
		if !strings.Contains(name, "mosd_") && !strings.Contains(name, "navvis_") { // tables and rooms
			all = append(all, name)
		}
	}
	return all
}

// located is the cloud of a test in some units.
type located struct {
	*las.Points
	reference string
	side      float64 // of a cell of 1 m
	metres    float64 // per unit
	owner     []int   // superpoint of each point, 0 for none
}

const surveyFoot = 1200.0 / 3937

// inFeet returns a cloud in feet, on the lattice of its file.
func inFeet(p *las.Points) located {
	q := &las.Points{}
	foot := func(v float64) float64 { return math.Round(100*v/surveyFoot) / 100 }
	for i := range p.X {
		q.X, q.Y, q.Z = append(q.X, foot(p.X[i])), append(q.Y, foot(p.Y[i])), append(q.Z, foot(p.Z[i]))
	}
	const california = "EPSG:2229" // zone 5, US survey feet
	return located{Points: q, reference: california, side: 1 / surveyFoot, metres: surveyFoot}
}

// TestFilesOfRealTiles maps labelled tiles without their classes, each as two halves.
func TestFilesOfRealTiles(t *testing.T) {
	t.Parallel()
	for _, name := range labelledTiles(t) {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := realdata.Read(t, name)
			readBack(t, located{Points: &las.Points{X: p.X, Y: p.Y, Z: p.Z}, reference: "EPSG:32631",
				side: 1, metres: 1})
		})
	}
	t.Run("feet", func(t *testing.T) {
		t.Parallel()
		readBack(t, inFeet(realdata.Read(t, fewTiles[2])))
	})
}

// readBack maps a cloud and compares all files with its points.
func readBack(t *testing.T, s located) {
	t.Helper()
	at := place(t)
	middle := median(s.X)
	west, east := halves(s.Points, middle)
	must.OK(t, las.WriteFile(at("west.las"), west, 0.01))
	must.OK(t, las.WriteFile(at("east.las"), east, 0.01))
	o := do(t, "map", "--default_srs", s.reference, at("west.las"), at("east.las"), at("map"))
	far := 0 // points in no object, raster or picture
	if before, _, found := strings.Cut(o.stderr, " in no object"); found {
		words := strings.Fields(before)
		far = must.Get(strconv.Atoi(words[len(words)-2]))(t)
	}
	files := []string{at("map/points/west.las"), at("map/points/east.las")}
	half := read(t, files[0])
	s = s.with(half, read(t, files[1]))
	b := binsOf(s)
	rasters := map[string]cells{}
	for _, name := range []string{"surface", "terrain", "canopy"} {
		if _, err := os.Stat(at("map/" + name + ".tif")); err == nil {
			rasters[name] = rasterOf(t, at("map/"+name+".tif"), s.side)
		}
	}
	b.compareSurface(t, rasters["surface"], far)
	if rasters["terrain"] != nil {
		b.compareTerrain(t, rasters["terrain"], rasters["surface"], s.metres)
		compareCanopy(t, rasters)
	}
	do(t, "objects", files[0], files[1], at("objects.geojson"))
	_, all := featuresIn(t, at("objects.geojson"), s.metres)
	compareFootprints(t, s, all)
	compareTops(t, s, all)
	do(t, "objects", files[1], at("east.geojson"))
	_, alone := featuresIn(t, at("east.geojson"), s.metres)
	compareTiles(t, alone, all, middle+5*s.side, s.side)
	cell := s.spacing()
	do(t, "outline", "--cell", fmt.Sprint(cell*s.metres), files[0], at("outline.geojson"))
	do(t, "table", files[0], at("table.csv"))
	compareOutlines(t, half, at("outline.geojson"), cell, s.metres)
	compareTable(t, half, at("table.csv"))
}

func median(values []float64) float64 {
	sorted := slices.Sorted(slices.Values(values))
	return sorted[len(sorted)/2]
}

// halves divides points at an X.
func halves(p *las.Points, middle float64) (west, east *las.Points) {
	west, east = &las.Points{}, &las.Points{}
	for i, x := range p.X {
		to := east
		if x < middle {
			to = west
		}
		to.X, to.Y, to.Z = append(to.X, x), append(to.Y, p.Y[i]), append(to.Z, p.Z[i])
	}
	return west, east
}

// with returns the cloud with the points of two files, whose superpoints are different ones.
func (s located) with(a, b *las.Points) located {
	s.Points = &las.Points{X: slices.Concat(a.X, b.X), Y: slices.Concat(a.Y, b.Y), Z: slices.Concat(a.Z, b.Z),
		Classification: slices.Concat(a.Classification, b.Classification),
		Extra:          map[string][]float64{}}
	s.owner = nil
	const confidence = "ClassConfidence"
	s.Extra[confidence] = slices.Concat(a.Extra[confidence], b.Extra[confidence])
	first := 0
	for _, p := range [2]*las.Points{a, b} {
		most := 0
		for _, id := range p.Extra["SuperpointID"] {
			owner := 0
			if id > 0 {
				owner = first + int(id)
			}
			s.owner = append(s.owner, owner)
			most = max(most, int(id))
		}
		first += most
	}
	return s
}

// spacing returns the side of a square with the mean area of a point: the area of all cells of 8 m with
// points, divided by the number of points.
func (s located) spacing() float64 {
	side := 8 * s.side
	covered := map[[2]int]bool{}
	for i := range s.X {
		covered[[2]int{int(math.Floor(s.X[i] / side)), int(math.Floor(s.Y[i] / side))}] = true
	}
	return side * math.Sqrt(float64(len(covered))/float64(len(s.X)))
}

// isNoise reports whether the class of a point is a class of noise.
func (s located) isNoise(i int) bool { return s.Classification[i] == 7 || s.Classification[i] == 18 }

// cells are the values of a raster by cell.
type cells map[[2]int]float32

// rasterOf reads a raster by PDAL, whose points are the centres of cells.
func rasterOf(t *testing.T, path string, side float64) cells {
	t.Helper()
	raw := filepath.Join(t.TempDir(), "raster.las")
	pipeline(t, nil, stage{"type": "readers.gdal", "filename": path, "header": "Value"},
		stage{"type": "writers.las", "filename": raw, "minor_version": 4, "extra_dims": "Value=double",
			"scale_x": 0.0001,
			"scale_y": 0.0001, "offset_x": "auto", "offset_y": "auto"}).ok(t)
	p := read(t, raw)
	all := cells{}
	for i, v := range p.Extra["Value"] {
		const noData = -9999
		column, row := p.X[i]/side-0.5, p.Y[i]/side-0.5
		k := [2]int{int(math.Round(column)), int(math.Round(row))}
		aligned := math.Abs(column-float64(k[0])) < 0.01 && math.Abs(row-float64(k[1])) < 0.01
		must.Need(t, aligned, "%s: a cell is centred at %v %v, %v cells", path, p.X[i], p.Y[i], column)
		if v != noData {
			all[k] = float32(v)
		}
	}
	return all
}

// bin has the points of a cell.
type bin struct {
	top    float64
	ground tally
	sure   tally // ground with a confidence of 0.9 and more
	built  bool  // has points of buildings
	water  int
	points int
	edge   bool // a point may belong to a cell beside it
}

// tally has the heights of some points.
type tally struct {
	points int
	sum    float64
}

func (h *tally) add(z float64) {
	h.points++
	h.sum += z
}

func (h *tally) mean() float64 { return h.sum / float64(h.points) }

// isMean reports whether a height of a raster is the mean.
func (h *tally) isMean(v float32) bool {
	mean := h.mean()
	return math.Abs(float64(v)-mean) <= 0.0002+1e-6*math.Abs(mean)
}

type bins map[[2]int]*bin

// beside reports whether rounding can move a coordinate over an edge of cells.
func beside(v, side float64) bool {
	cells := v / side
	return side != 1 && math.Abs(cells-math.Round(cells)) < 1e-6
}

// binsOf puts the points that are no noise into cells.
func binsOf(s located) bins {
	b := bins{}
	for i := range s.X {
		code := s.Classification[i]
		if s.isNoise(i) {
			continue
		}
		k := [2]int{int(math.Floor(s.X[i] / s.side)), int(math.Floor(s.Y[i] / s.side))}
		if b[k] == nil {
			b[k] = &bin{top: math.Inf(-1)}
		}
		c := b[k]
		c.edge = c.edge || beside(s.X[i], s.side) || beside(s.Y[i], s.side)
		c.points++
		c.top = max(c.top, s.Z[i])
		switch code {
		case 9:
			c.water++
		case 6:
			c.built = true
		case 2:
			c.ground.add(s.Z[i])
			if s.Extra["ClassConfidence"][i] >= 0.9 {
				c.sure.add(s.Z[i])
			}
		}
	}
	return b
}

// near reports whether something is true of a cell or one beside it.
func (b bins) near(k [2]int, is func(c *bin) bool) bool {
	for x := k[0] - 1; x <= k[0]+1; x++ {
		for y := k[1] - 1; y <= k[1]+1; y++ {
			if c := b[[2]int{x, y}]; c != nil && is(c) {
				return true
			}
		}
	}
	return false
}

// nearEdge reports whether a point beside an edge may belong to a cell.
func (b bins) nearEdge(k [2]int) bool { return b.near(k, func(c *bin) bool { return c.edge }) }

// nearBuilding reports whether a cell or one beside it has points of buildings.
func (b bins) nearBuilding(k [2]int) bool { return b.near(k, func(c *bin) bool { return c.built }) }

// compareSurface: every cell with points has the height of the highest point, except water, which is
// level, and far points.
func (b bins) compareSurface(t *testing.T, surface cells, far int) {
	t.Helper()
	lost := 0
	water := false
	for _, c := range b {
		water = water || c.water > 0
	}
	for k, c := range b {
		v, has := surface[k]
		if !has {
			lost += c.points
			continue
		}
		raised := water && v > float32(c.top)
		if b.nearEdge(k) {
			continue
		}
		if v != float32(c.top) {
			must.Need(t, raised,
				"surface of cell %v is %v, and its highest point %v: raised is false", k, v, c.top)
		}
	}
	must.Hold(t, lost <= far, "%d points are in cells without a surface, and %d are far from all others",
		lost, far)
}

// compareTerrain: a cell with ground has its mean, except the few that are odd. Beside buildings it has the
// mean of sure ground. Unsure ground alone has its mean, or less where it stands like plants. No terrain is
// above the surface.
func (b bins) compareTerrain(t *testing.T, terrain, surface cells, metres float64) {
	t.Helper()
	const mostPlant = 1.0
	var all, others, unsure, odd int
	for k, c := range b {
		v, has := terrain[k]
		ground := &c.ground
		if b.nearBuilding(k) && c.sure.points > 0 {
			ground = &c.sure
		}
		isMean := has && ground.isMean(v)
		switch {
		case c.ground.points == 0 || c.water > 0 || b.nearEdge(k):
		case c.sure.points == 0:
			unsure++
			below := (ground.mean() - float64(v)) * metres
			if !isMean && (!has || below < 0 || below > mostPlant) {
				odd++
			}
		default:
			all++
			if !isMean {
				others++
			}
		}
	}
	must.Hold(t, others <= all/100, "the terrain of %d of %d cells is not the mean of their ground", others,
		all)
	must.Hold(t, odd <= 1+unsure/20,
		"the terrain of %d of %d cells of unsure ground is neither its mean nor a little lower", odd, unsure)
	for k, v := range terrain {
		top, has := surface[k]
		if has {
			must.Need(t, v <= top,
				"terrain of cell %v is %v, and its surface %v: want v at most top", k, v, top)
		}
	}
}

// compareCanopy: the canopy is the difference where both are known, and nowhere else.
func compareCanopy(t *testing.T, rasters map[string]cells) {
	t.Helper()
	surface, terrain, canopy := rasters["surface"], rasters["terrain"], rasters["canopy"]
	both := 0
	for k, top := range surface {
		ground, has := terrain[k]
		v, known := canopy[k]
		must.Need(t, has == known, "cell %v: terrain known %v, canopy known %v", k, has, known)
		if has {
			must.Need(t, v == top-ground,
				"canopy of cell %v is %v, not %v minus %v: v is not top-ground", k, v, top, ground)
			must.Need(t, v >= 0,
				"canopy of cell %v is %v, not %v minus %v: want v at least 0", k, v, top, ground)
		}
		if has {
			both++
		}
	}
	must.Equal(t, len(canopy), both, "cells of the canopy")
}

// compareTable: a row has the number of the points of its superpoint, and their centroid.
func compareTable(t *testing.T, p *las.Points, path string) {
	t.Helper()
	sums := map[string]*[4]float64{}
	for i, id := range p.Extra["SuperpointID"] {
		key := strconv.Itoa(int(id))
		if sums[key] == nil {
			sums[key] = new([4]float64)
		}
		for axis, v := range [4]float64{1, p.X[i], p.Y[i], p.Z[i]} {
			sums[key][axis] += v
		}
	}
	delete(sums, "0")
	rows := sheet(t, path)
	must.Equal(t, len(rows)-1, len(sums), "rows")
	must.Need(t, slices.Equal(rows[0][:5], []string{"id", "count", "x", "y", "z"}), "columns %v", rows[0])
	for _, row := range rows[1:] {
		sum := sums[row[0]]
		must.Need(t, sum != nil, "superpoint %s has %v points: sum is nil", row[0], sum)
		must.Need(t, row[1] == fmt.Sprint(sum[0]),
			"superpoint %s has %v points: row[1] is not fmt.Sprint(sum[0])", row[0], sum)
		for axis := 1; axis < 4; axis++ {
			v := must.Get(strconv.ParseFloat(row[1+axis], 64))(t)
			must.Need(t, math.Abs(v-sum[axis]/sum[0]) < 0.01,
				"superpoint %s has its centroid at %v, the mean is %v", row[0],
				row[2:5], sum[axis]/sum[0])
		}
	}
}

// TestOutlinesInDegrees: outlines of a cloud in degrees lie where its points are, too.
func TestOutlinesInDegrees(t *testing.T) {
	t.Parallel()
	at := place(t)
	in := at("house.las")
	must.OK(t, las.WriteFile(in, denseHouse(3000, 400000, 6000000, 1), 0.001))
	out := writer(at("degrees.las"))
	out["scale_x"], out["scale_y"], out["offset_x"], out["offset_y"] = 1e-8, 1e-8, "auto", "auto"
	pipeline(t, nil, reader(in), stage{"type": "filters.reprojection", "out_srs": "EPSG:4326"}, out).ok(t)
	do(t, "segment", at("degrees.las"), at("segmented.las"))
	do(t, "outline", at("segmented.las"), at("outline.json"))
	p := read(t, at("segmented.las"))
	var c struct{ Features []feature }
	readJSON(t, at("outline.json"), &c)
	must.Hold(t, len(c.Features) >= 5, "%d outlines", len(c.Features))
	const step = 1.5e-5 // degrees, 1 to 1.7 m
	for _, f := range c.Features {
		id := f.Properties["id"]
		low, high, _ := f.Geometry.Envelope().MinMaxXYs()
		west, south, east, north := math.Inf(1), math.Inf(1), math.Inf(-1), math.Inf(-1)
		for i, of := range p.Extra["SuperpointID"] {
			if of == id {
				west, east = min(west, p.X[i]), max(east, p.X[i])
				south, north = min(south, p.Y[i]), max(north, p.Y[i])
			}
		}
		fits := low.X >= west-step && high.X <= east+step && low.Y >= south-step && high.Y <= north+step
		must.Hold(t, fits, "superpoint %v has an outline from %v to %v, and points from %v %v to %v %v", id,
			low, high, west,
			south, east, north)
	}
}

// TestDirectionOfView: a picture shows patches of four sizes where a view in the direction of the azimuth has
// them.
func TestDirectionOfView(t *testing.T) {
	t.Parallel()
	at := place(t)
	patches := []struct {
		x, y, side float64
		class      uint8
	}{{0, 0, 24, 2}, {40, 0, 18, 5}, {0, 40, 13, 6}, {44, 44, 9, 9}} // SW, SE, NW, NE
	p := &las.Points{}
	for _, c := range patches {
		for x := 0.0; x < c.side; x += 0.25 {
			for y := 0.0; y < c.side; y += 0.25 {
				p.X, p.Y, p.Z = append(p.X, c.x+x), append(p.Y, c.y+y), append(p.Z, 0)
				p.Classification = append(p.Classification, c.class)
			}
		}
	}
	must.OK(t, las.WriteFile(at("in.las"), p, 0.001))
	// where the patches are in the picture, by size: right of the middle, below the middle
	for azimuth, want := range map[string][4][2]bool{
		"0":   {{false, true}, {true, true}, {false, false}, {true, false}},
		"90":  {{true, true}, {true, false}, {false, true}, {false, false}},
		"180": {{true, false}, {false, false}, {true, true}, {false, true}},
		"-90": {{false, false}, {false, true}, {true, false}, {true, true}},
	} {
		picture := at("view" + azimuth + ".png")
		do(t, "render", "--default_srs", utm, "--panels", "Classification", "--tilt", "90", "--azimuth",
			azimuth, "--width",
			"400", at("in.las"), picture)
		got := quadrants(t, picture)
		must.Equal(t, got, want, "azimuth %s: right and below", azimuth)
	}
}

// quadrants returns for the four largest areas of a colour, without the background, whether they are right
// of and below the middle of all four, by size.
func quadrants(t *testing.T, path string) (of [4][2]bool) {
	t.Helper()
	f := must.Get(os.Open(path))(t)
	defer f.Close()
	drawn := must.Get(png.Decode(f))(t)
	type area struct {
		colour  color.RGBA
		n, x, y int
	}
	areas := map[color.RGBA]*area{}
	for y := drawn.Bounds().Min.Y; y < drawn.Bounds().Max.Y; y++ {
		for x := drawn.Bounds().Min.X; x < drawn.Bounds().Max.X; x++ {
			c := color.RGBAModel.Convert(drawn.At(x, y)).(color.RGBA)
			if areas[c] == nil {
				areas[c] = &area{colour: c}
			}
			areas[c].n++
			areas[c].x += x
			areas[c].y += y
		}
	}
	var all []*area
	for _, a := range areas {
		all = append(all, a)
	}
	slices.SortFunc(all, func(a, b *area) int { return b.n - a.n })
	var different []*area // others are shades of these
	for _, a := range all {
		if !slices.ContainsFunc(different, func(b *area) bool { return alike(a.colour, b.colour) }) {
			different = append(different, a)
		}
	}
	must.Need(t, len(different) > 4, "%d colours", len(different))
	all = different[1:5]
	var middle image.Point
	for _, a := range all {
		middle = middle.Add(image.Pt(a.x/a.n, a.y/a.n))
	}
	for k, a := range all {
		of[k] = [2]bool{4*a.x/a.n > middle.X, 4*a.y/a.n > middle.Y}
	}
	return of
}

// alike reports whether colours are shades of one.
func alike(a, b color.RGBA) bool {
	apart := func(v, w uint8) int { return max(int(v)-int(w), int(w)-int(v)) }
	return apart(a.R, b.R)+apart(a.G, b.G)+apart(a.B, b.B) < 60
}

// TestNarrowMaps: rasters of profiles and corridors, which are a cell or few wide and long enough for
// overviews, hold the highest points of their cells.
func TestNarrowMaps(t *testing.T) {
	t.Parallel()
	for name, size := range map[string]struct{ columns, rows float64 }{
		"one row": {1200, 1}, "two rows": {2500, 2}, "one column": {1, 1200}, "two columns": {2, 2500},
		"seven rows": {4200, 7},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := &las.Points{WKT: wkt1}
			random := rand.New(rand.NewPCG(1, 2))
			for range 8000 {
				p.X = append(p.X, 500_000+size.columns*(0.0005+0.999*random.Float64()))
				p.Y = append(p.Y, 5_500_000+size.rows*(0.0005+0.999*random.Float64()))
				p.Z = append(p.Z, 100+random.Float64())
			}
			folder := t.TempDir()
			in := filepath.Join(folder, "in.las")
			must.OK(t, las.WriteFile(in, p, 0.001))
			do(t, "map", in, filepath.Join(folder, "map"))
			got := rasterOf(t, filepath.Join(folder, "map", "surface.tif"), 1)
			points := located{Points: read(t, filepath.Join(folder, "map", "points", "in.las")), side: 1}
			for k, b := range binsOf(points) {
				must.Hold(t, math.Abs(float64(got[k])-b.top) < 1e-3, "cell %v: %v, want %v", k, got[k], b.top)
			}
		})
	}
}
