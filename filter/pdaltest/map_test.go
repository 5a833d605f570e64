// SPDX-License-Identifier: BSD-3-Clause

package pdaltest

import (
	"cmp"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"html"
	"math"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"

	"superpoint/filter/message"
	"superpoint/filter/models"
	"superpoint/testdata/las"
	"superpoint/testdata/must"
	"superpoint/testdata/scan"
)

// TestMap maps a simulated village in two tiles, and continues where a run ended.
func TestMap(t *testing.T) {
	t.Parallel()
	p := must.Get(village())(t)
	middle := (slices.Min(p.X) + slices.Max(p.X)) / 2
	at := place(t)
	for name, west := range map[string]bool{"west.las": true, "east.las": false} {
		half := &las.Points{}
		for i, x := range p.X {
			if (x < middle) == west {
				half.X, half.Y, half.Z = append(half.X, x), append(half.Y, p.Y[i]), append(half.Z, p.Z[i])
			}
		}
		if west { // from another program, and too large for an id
			half.Classification = make([]uint8, half.Len(), half.Len()+4)
			for class, far := range map[uint8][3]float64{7: {0, 0, -300}, 18: {0, 0, 300}, 0: {9e4, 9e4, 5},
				1: {0, -500, 9}} {
				half.X, half.Y = append(half.X, half.X[0]+far[0]), append(half.Y, half.Y[0]+far[1])
				half.Z, half.Classification = append(half.Z, far[2]), append(half.Classification, class)
			}
			half.Extra = map[string][]float64{"ObjectID": slices.Repeat([]float64{-7e12}, half.Len())}
		}
		must.OK(t, las.WriteFile(at(name), half, 0.001))
	}
	both := []string{"map", "--default_srs", "EPSG:32632", at("west.las"), at("east.las"), at("result")}
	do(t, both...)
	const records = 8
	must.Equal(t, len(must.Get(os.ReadDir(at("result")))(t)), 9+records, "files of a map")
	report := must.Get(os.ReadFile(at("result/report.html")))(t)
	limits := must.Get(models.Classes("classes", "aerial"))(t).Card.Training.Limits
	must.Say(t, string(report), "Map of 2 tiles", "<li>"+html.EscapeString(limits[0]),
		"<td>ground</td><td>2</td>",
		"<td>building</td><td>6</td>", `href="points/west.las"`, `href="terrain.tif"`,
		`href="buildings.city.json"`)
	classesOfReport(t, string(report), read(t, at("result/points/west.las")),
		read(t, at("result/points/east.las")))
	rastersOnOneGrid(t, at, slices.Max(p.X))
	for _, name := range []string{"map.png", "objects.gpkg"} {
		info, err := os.Stat(at("result/" + name))
		must.Need(t, err == nil, "%s: %v", name, err)
		must.Hold(t, info.Size() >= 10_000,
			"%s: info.Size() is %v, want at least 10_000", name, info.Size())
	}
	before := must.Get(os.Stat(at("result/points/west.las")))(t)
	must.OK(t, os.Remove(at("result/points/east.las")))
	do(t, both...)
	must.Hold(t, must.Get(os.Stat(at("result/points/west.las")))(t).ModTime().Equal(before.ModTime()),
		"a tile that was there was made again")
	must.Get(os.Stat(at("result/points/east.las")))(t)
	do(t, slices.Delete(both, 4, 5)...)
	report = must.Get(os.ReadFile(at("result/report.html")))(t)
	must.Hold(t, !strings.Contains(string(report), "east.las"),
		"the map is not of the tiles that were given: got %q, want no %q in it", string(report), "east.las")
	must.Hold(t, strings.Contains(string(report), "west.las"),
		"the map is not of the tiles that were given: got %q, want %q in it", string(report), "west.las")
}

// classesOfReport compares the table of classes in a report with the points.
func classesOfReport(t *testing.T, report string, tiles ...*las.Points) {
	t.Helper()
	type sum struct{ points, given, confidence float64 }
	counts := map[uint8]*sum{}
	points := 0
	for _, tile := range tiles {
		points += tile.Len()
		for i, class := range tile.Classification {
			if counts[class] == nil {
				counts[class] = new(sum)
			}
			counts[class].points++
			if c := tile.Extra["ClassConfidence"][i]; c > 0 && c < 1 {
				counts[class].given++
				counts[class].confidence += c
			}
		}
	}
	all := new(sum)
	for class, c := range counts {
		all.given, all.confidence = all.given+c.given, all.confidence+c.confidence
		mean := c.confidence / c.given
		row := fmt.Sprintf("<td>%d</td><td>%s</td><td>%.1f %%</td><td>%.2f", class,
			message.Thousands(int64(c.points)),
			100*c.points/float64(points), mean)
		if c.given > 0 {
			must.Say(t, report, row)
		}
		check := strings.Contains(report, fmt.Sprintf("(class %d): mean confidence", class))
		must.Hold(t, check == (mean < 0.7), "class %d of mean confidence %v is to be checked: %v",
			class, mean, check)
	}
	must.Say(t, report, fmt.Sprintf("with a mean confidence of %.2f.", all.confidence/all.given))
}

// rastersOnOneGrid compares heights and cells of the rasters of a map.
func rastersOnOneGrid(t *testing.T, at func(string) string, east float64) {
	t.Helper()
	var grid string // centres of the cells, the same for both
	for name, least := range map[string]float64{"terrain.tif": -5, "surface.tif": 8, "canopy.tif": 5} {
		const empty = -9999 // of cells without a point
		most := least + 30
		var info struct {
			Stats struct {
				Statistic []struct {
					Name             string
					Maximum, Minimum float64
					Count            int
				}
			}
		}
		text := pdal(t, nil, "info", "--stats", at("result/"+name)).ok(t).stdout
		err := json.Unmarshal([]byte(text), &info)
		must.Need(t, err == nil, "%s: %v", name, err)
		must.Need(t, len(info.Stats.Statistic) == 3,
			"%s: len(info.Stats.Statistic) is %v, want 3", name, len(info.Stats.Statistic))
		band, centres := info.Stats.Statistic[2], fmt.Sprint(info.Stats.Statistic[:2])
		x := info.Stats.Statistic[0]
		must.Equal(t, cmp.Or(grid, centres), centres, "%s: cmp.Or(grid, centres)", name)
		must.Equal(t, math.Mod(x.Minimum, 1), 0.5, "%s: math.Mod(x.Minimum, 1)", name)
		must.Equal(t, x.Maximum, math.Floor(east)+0.5, "%s: x.Maximum", name)
		grid = centres
		must.Hold(t, band.Maximum > least,
			"%s: band.Maximum is %v, want more than %v", name, band.Maximum, least)
		must.Hold(t, band.Maximum < most,
			"%s: band.Maximum is %v, want less than %v", name, band.Maximum, most)
		if band.Minimum != empty {
			must.Hold(t, band.Minimum > -20, "%s: the lowest cell is at %v m", name, band.Minimum)
		}
	}
}

// TestMapOfItsResults maps the tiles of a former map, whose classes keep their confidence, and maps with
// other codes, which change neither objects nor terrain. With one code for vegetation of all heights none is
// known to be low, so trees do not raise the terrain, nor does low vegetation.
func TestMapOfItsResults(t *testing.T) {
	t.Parallel()
	p, at := must.Get(village())(t), place(t)
	must.OK(t, las.WriteFile(at("in.las"), &las.Points{X: p.X, Y: p.Y, Z: p.Z}, 0.001))
	found := func(args ...string) (objects, terrain string) {
		t.Helper()
		to := args[len(args)-1]
		o := do(t, append([]string{"map", "--default_srs", "EPSG:32632"}, args...)...)
		_, objects, _ = strings.Cut(o.stdout+o.stderr, to+": ")
		objects, _, _ = strings.Cut(objects, "; see")
		_, terrain, _ = strings.Cut(pdal(t, nil, "info", "--stats", to+"/terrain.tif").ok(t).stdout,
			`"stats"`)
		return objects, terrain
	}
	objects, terrain := found(at("in.las"), at("first"))
	again, _ := found(at("first/points/in.las"), at("second"))
	must.Equal(t, again, objects, "objects of a map: again")
	must.Hold(t, strings.Contains(objects, "tree"),
		"objects of a map: got %q, want %q in it", objects, "tree")
	first, second := read(t, at("first/points/in.las")), read(t, at("second/points/in.las"))
	sameColumns(t, first, second)
	for _, name := range []string{"SuperpointID", "ClassConfidence"} {
		must.Hold(t, slices.Equal(first.Extra[name], second.Extra[name]), "%s changed", name)
	}
	other, same := found("--class_codes", "building=26,ground=8,high noise=7", at("in.las"), at("codes"))
	must.Equal(t, other, objects, "objects of a map with other codes")
	must.Equal(t, same, terrain, "terrain of a map with other codes")
	must.Hold(t, terrain != "", "terrain is empty")
	other, _ = found("--class_codes", "building=26,ground=8,vegetation=3,high noise=7",
		at("in.las"), at("third"))
	must.Equal(t, other, objects, "objects of a map with one code for vegetation")
	heights := rasterOf(t, at("first/terrain.tif"), 1)
	for k, height := range rasterOf(t, at("third/terrain.tif"), 1) {
		must.Hold(t, height <= heights[k]+0.01,
			"cell %v: terrain %v, and %v where low vegetation is known", k, height, heights[k])
	}
	to := map[uint8]uint8{2: 8, 4: 3, 5: 3, 6: 26, 18: 7}
	for i, class := range read(t, at("third/points/in.las")).Classification {
		want := first.Classification[i]
		must.Need(t, class == cmp.Or(to[want], want), "point %d of class %d gets %d", i, want, class)
	}
	report := string(must.Get(os.ReadFile(at("third/report.html")))(t))
	must.Say(t, report, "<td>building</td><td>26</td>")
	must.Hold(t, !strings.Contains(report, "is of class ground"), "%s", report)
	refused(t, try(t, "map", "--class_codes", "vegetation=6", at("in.las"), at("fourth")), "",
		"high vegetation and building both become 6")
}

// TestObjects writes the objects of a simulated village that has true classes.
func TestObjects(t *testing.T) {
	t.Parallel()
	_, at := scene(t)
	do(t, "segment", "--default_srs", "EPSG:32632", at("plain.las"), at("in.laz"))
	do(t, "objects", at("in.laz"), at("a.geojson"))
	_, all := features(t, at("a.geojson"))
	houses := slices.IndexFunc(all, func(f feature) bool { return f.Geometry.IsPoint() })
	trees := len(all) - houses
	must.Need(t, houses >= 5, "houses: got %v, want at least 5", houses)
	must.Need(t, trees >= 10, "trees: got %v, want at least 10", trees)
	for _, f := range all[houses:] {
		must.Hold(t, f.Properties["height"] <= 30,
			`a tree has %v: want f.Properties["height"] at most 30`, f.Properties)
		must.Hold(t, f.Properties["crown"] >= 1,
			`a tree has %v: want f.Properties["crown"] at least 1`, f.Properties)
	}
	do(t, "objects", at("in.laz"), at("a.gpkg"))
	layers := []string{`"crowns"`, "214,96,77,255", "90,174,97,255", `name="size" value="1"`}
	geoPackage(t, at("a.gpkg"), houses+2*trees, 32632, layers...)

	do(t, "segment", at("plain.las"), at("nowhere.las"))
	do(t, "objects", at("nowhere.las"), at("b.gpkg"))
	geoPackage(t, at("b.gpkg"), houses+2*trees, -1, layers...)
}

// TestMercatorAsUTM: a village in a Mercator projection, in which lengths are 1.5 times as long, has the
// superpoints, classes, areas and raster cells that it has in UTM, except for what the turn of the axes
// changes: superpoints begin in other boxes, so their number differs, and with it objects that are uncertain.
func TestMercatorAsUTM(t *testing.T) {
	t.Parallel()
	_, at := scene(t)
	out := writer(at("mercator.las"))
	out["scale_x"], out["scale_y"], out["offset_x"], out["offset_y"] = .001, .001, 0, 0
	pipeline(t, nil, reader(at("plain.las")), stage{"type": "filters.reprojection", "out_srs": "EPSG:3857"},
		out).ok(t)
	mapped := func(name string) (class []uint8, sums [5]float64) {
		in, classified := at(name+".las"), at(name+"/points/"+name+".las")
		o := do(t, "map", "--default_srs", utm, "--class_change", "all", in, at(name))
		do(t, "objects", "--min_object_confidence", "0.9", classified, at(name+".geojson"))
		before, p := read(t, in), read(t, classified)
		must.Hold(t, !strings.Contains(o.stderr, "Warning"),
			"%s: got %q, want no %q in it", name, o.stderr, "Warning")
		must.Equal(t, p.X, before.X, "%s: p.X", name)
		must.Equal(t, p.Y, before.Y, "%s: p.Y", name)
		var c struct{ Features []feature }
		readJSON(t, at(name+".geojson"), &c)
		for _, f := range c.Features {
			if sums[0] += f.Properties["crown"]; f.Geometry.IsMultiPolygon() {
				sums[1], sums[2] = sums[1]+1, sums[2]+f.Properties["area"]
			}
		}
		_, cells, _ := strings.Cut(pdal(t, nil, "info", "--stats", at(name+"/terrain.tif")).ok(t).stdout,
			`"count": `)
		cells, _, _ = strings.Cut(cells, ",")
		sums[3], sums[4] = slices.Max(p.Extra["SuperpointID"]), must.Get(strconv.ParseFloat(cells, 64))(t)
		return p.Classification, sums
	}
	class, want := mapped("plain")
	other, got := mapped("mercator")
	must.Hold(t, agreement(class, other) >= 0.985, "%.4f of the points have the same class",
		agreement(class, other))
	for k, off := range [5]float64{0.15, 0, 0.02, 0.1, 0.1} {
		must.Hold(t, math.Abs(got[k]/want[k]-1) <= off,
			"crowns, houses, their area, superpoints, cells: %v, in UTM %v", got,
			want)
	}
}

// TestLabelsOfVectorLayers classifies a village by the classes of outlines, as a GeoPackage and as GeoJSON.
// Points without ids are refused.
func TestLabelsOfVectorLayers(t *testing.T) {
	t.Parallel()
	p, at := scene(t)
	do(t, "segment", "--default_srs", "EPSG:32632", at("plain.las"), at("in.las"))
	do(t, "outline", at("in.las"), at("labels.gpkg"))
	do(t, "outline", at("in.las"), at("labels.geojson"))
	must.OK(t, os.WriteFile(at("points.geojson"), []byte(`{"type":"FeatureCollection","features":[{"type":"Feature",
"properties":{"label":6},"geometry":{"type":"Point","coordinates":[1,2]}}]}`), 0o644))
	var first []uint8
	for _, labels := range []string{"labels.gpkg", "labels.geojson"} {
		o := do(t, "classify", "--labels", at(labels), "--class_change", "all", at("in.las"), at("out.las"))
		must.Hold(t, !strings.Contains(o.stderr, "other superpoints"), "%s: %s", labels, o.stderr)
		out := read(t, at("out.las"))
		share := agreement(out.Classification, p.Classification)
		must.Hold(t, share >= 0.85, "%s: %.3f of the points have their class", labels, share)
		if first != nil {
			must.Hold(t, string(first) == string(out.Classification),
				"%s and labels.gpkg give other classes: first is not out.Classification", labels)
		}
		first = out.Classification
	}
	o := do(t, "classify", "--labels", at("labels.gpkg"), "--target_size", "500", at("in.las"),
		at("larger.las"))
	must.Say(t, o.stderr, "larger.las has other superpoints than "+at("in.las"))
	refused(t, try(t, "propose", "--labels", at("points.geojson"), at("in.las"), at("next.csv")),
		at("next.csv"),
		"points.geojson", "it needs label or class, and id: points get the id of the superpoint")
	do(t, "outline", "--label", "aerial", at("in.las"), at("empty.gpkg"))
	geoPackage(t, at("empty.gpkg"), 60, 32632, "categorizedSymbol", "ValueMap")
	refused(t, try(t, "propose", "--labels", at("empty.gpkg"), at("in.las"), at("next2.csv")),
		at("next2.csv"), "empty.gpkg", "it has no labels")
}

// TestLabelsOfHiddenSuperpoints: superpoints entirely below others are not in a layer of labels, which says
// so and names the remedy: their rows of the table, labelled by id, change their points.
func TestLabelsOfHiddenSuperpoints(t *testing.T) {
	t.Parallel()
	_, at := scene(t)
	do(t, "segment", "--default_srs", "EPSG:32632", at("plain.las"), at("in.las"))
	o := do(t, "outline", "--label", "aerial", at("in.las"), at("labels.geojson"))
	_, polygons := features(t, at("labels.geojson"))
	seen := map[float64]bool{}
	for _, polygon := range polygons {
		seen[polygon.Properties["id"]] = true
	}
	do(t, "table", at("in.las"), at("table.csv"))
	var hidden []float64
	for _, row := range sheet(t, at("table.csv"))[1:] {
		if id := must.Get(strconv.ParseFloat(row[0], 64))(t); !seen[id] {
			hidden = append(hidden, id)
		}
	}
	must.Need(t, len(hidden) > 0, "the scene has no hidden superpoint")
	must.Say(t, o.stderr, fmt.Sprintf("; %d more below others have no polygon: label them in a table, by "+
		"the ids of pdal superpoint table", len(hidden)))
	labels := fmt.Appendf(nil, "id,label\n%v,water\n", hidden[0])
	must.OK(t, os.WriteFile(at("labels.csv"), labels, 0o644))
	do(t, "classify", "--labels", at("labels.csv"), "--class_change", "all", at("in.las"), at("out.las"))
	out := read(t, at("out.las"))
	labelled := 0
	for i, id := range out.Extra["SuperpointID"] {
		if id == hidden[0] {
			labelled++
			must.Equal(t, out.Classification[i], 9, "class of point %d", i)
		}
	}
	must.Hold(t, labelled > 0, "superpoint %v has no points", hidden[0])
}

// TestLabelsRaiseAccuracy follows pipelines/labels.md on two simulated streets scanned from a car, which the
// classifier has not learned, and on a village, where nearly all classes are right. True classes answer. On
// the mean of the scenes of a kind, more points have their class after each twenty proposed labels, or at
// most 25 in ten thousand fewer where nearly all are right. One scene alone may lose more by chance: of five
// streets, the second twenty labels change the first by -.0028 (five superpoints of 151 points), others by
// .0088 to .1207.
func TestLabelsRaiseAccuracy(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		scene, mode string
		seeds       []uint64
	}{
		{"street", scan.Mobile, []uint64{1, 3}},
		{"village", scan.Aerial, []uint64{1}},
	} {
		t.Run(c.scene, func(t *testing.T) {
			t.Parallel()
			const rounds, cost = 2, .0025
			mean := make([]float64, 1+rounds)
			for _, seed := range c.seeds {
				l := newLabelling(t, must.Get(scannedOf(c.scene, c.mode, 30000, seed))(t))
				for k, accuracy := range l.rounds(rounds) {
					mean[k] += accuracy / float64(len(c.seeds))
				}
			}
			t.Logf("points that have their class, before and after each round of labels: %.4f", mean)
			for k, after := range mean[1:] {
				must.Hold(t, after >= mean[k]-cost, "round %d of labels: from %.4f to %.4f", k+1,
					mean[k], after)
			}
			must.Hold(t, mean[rounds] > mean[0], "all labels: from %.4f to %.4f", mean[0], mean[rounds])
		})
	}
}

// labelling is a cloud whose superpoints get their true classes as labels.
type labelling struct {
	t         *testing.T
	at        func(name string) string
	points    *las.Points
	segmented *las.Points
	truth     map[string]uint8 // most frequent true class of a superpoint
	labels    []string         // lines of the table
}

func newLabelling(t *testing.T, p *las.Points) *labelling {
	t.Helper()
	l := &labelling{t: t, at: place(t), points: p, truth: map[string]uint8{}, labels: []string{"id,label"}}
	must.OK(t, las.WriteFile(l.at("plain.las"), p, 0.001))
	do(t, "segment", l.at("plain.las"), l.at("segmented.las"))
	l.segmented = read(t, l.at("segmented.las"))
	counts := map[string]map[uint8]int{}
	for i, id := range l.segmented.Extra["SuperpointID"] {
		key := fmt.Sprint(id)
		if counts[key] == nil {
			counts[key] = map[uint8]int{}
		}
		counts[key][known(p.Classification[i])]++
	}
	for id, count := range counts {
		for c, n := range count {
			best := l.truth[id]
			if n > count[best] || n == count[best] && c > best {
				l.truth[id] = c
			}
		}
	}
	return l
}

// accuracy returns the share of the points of a result that have their class.
func (l *labelling) accuracy(path string) float64 {
	l.t.Helper()
	right := 0
	for i, c := range read(l.t, path).Classification {
		if known(c) == known(l.points.Classification[i]) {
			right++
		}
	}
	return float64(right) / float64(l.points.Len())
}

// rounds labels twenty superpoints in each round, and returns the accuracy before the first and after each.
func (l *labelling) rounds(count int) []float64 {
	l.t.Helper()
	result := l.at("classified.las")
	o := do(l.t, "segment", "--classes", "aerial", "--class_change", "all", l.at("plain.las"), result)
	must.Equal(l.t, strings.Count(o.stdout, "\n"), 1, "lines of %q", o.stdout)
	must.Say(l.t, o.stdout, "ground ", "; mean confidence 0.")
	all := []float64{l.accuracy(result)}
	for range count {
		l.label(result)
		result = l.at("better.las")
		do(l.t, "classify", "--labels", l.at("labels.csv"), "--class_change", "all", l.at("segmented.las"),
			result)
		all = append(all, l.accuracy(result))
	}
	return all
}

// label adds twenty labels that are proposed after a result.
func (l *labelling) label(result string) {
	l.t.Helper()
	args := []string{"propose", "--count", "20", l.at("segmented.las"), l.at("next.csv")}
	if len(l.labels) > 1 {
		args = slices.Insert(args, 3, "--labels", l.at("labels.csv"))
	}
	do(l.t, args...)
	rows := sheet(l.t, l.at("next.csv"))
	must.Need(l.t, len(rows) == 21, "rows: got %v, want 21", len(rows))
	must.Need(l.t, rows[0][0] == "id", "rows[0][0] is %q, want %q", rows[0][0], "id")
	class := map[string]uint8{} // by superpoint
	for i, c := range read(l.t, result).Classification {
		class[fmt.Sprint(l.segmented.Extra["SuperpointID"][i])] = known(c)
	}
	others := 0
	for _, row := range rows[1:] {
		if code := must.Get(strconv.Atoi(row[5]))(l.t); known(uint8(code)) != class[row[0]] {
			others++
		}
		l.labels = append(l.labels, fmt.Sprintf("%s,%d", row[0], l.truth[row[0]]))
	}
	// heights change few
	must.Hold(l.t, others <= 2, "%d superpoints that are proposed have another class in the result", others)
	must.OK(l.t, os.WriteFile(l.at("labels.csv"), []byte(strings.Join(l.labels, "\n")+"\n"), 0o644))
}

// known is the class of aerial's networks, before heights of vegetation, for a class of the simulated scanner
// or a result.
func known(class uint8) uint8 {
	switch class {
	case 2, 6:
		return class
	case 3, 4, 5:
		return 5
	}
	return 1
}

// TestMapOfASurvey maps the results of a survey as they are, and refuses those without classes, options that
// would change points, and raw tiles beside them.
func TestMapOfASurvey(t *testing.T) {
	t.Parallel()
	p, at := must.Get(village())(t), place(t)
	west, east := halves(&las.Points{X: p.X, Y: p.Y, Z: p.Z}, median(p.X))
	must.OK(t, las.WriteFile(at("west.las"), west, 0.001))
	must.OK(t, las.WriteFile(at("east.las"), east, 0.001))
	for _, classes := range [][]string{nil, {"--classes", "aerial"}} {
		plan := append([]string{"survey", "plan", "--default_srs", utm, "--output", at("project")},
			classes...)
		must.OK(t, os.RemoveAll(at("project")))
		do(t, append(plan, at("west.las"), at("east.las"))...)
		do(t, "survey", "run", at("project"))
		if classes == nil {
			refused(t, try(t, "map", at("project/out"), at("none")), at("none"),
				"survey plan --classifier aerial")
		}
	}
	results := []string{at("project/out/east.las"), at("project/out/west.las")}
	before := []string{must.Get(sum(results[0]))(t), must.Get(sum(results[1]))(t)}
	o := do(t, "map", at("project/out"), at("result"))
	must.Hold(t, !strings.Contains(o.stdout, "superpoints"), "tiles are segmented: %s", o.stdout)
	for k, path := range results {
		must.Equal(t, must.Get(sum(path))(t), before[k], "content of %s", path)
	}
	must.Fail(os.Stat(at("result/points")))(t)
	report := string(must.Get(os.ReadFile(at("result/report.html")))(t))
	must.Say(t, report, "Map of 2 tiles", at("project/out")+"/east.las, "+at("project/out")+"/west.las",
		`href="terrain.tif"`, `href="buildings.city.json"`)
	classesOfReport(t, report, read(t, results[0]), read(t, results[1]))

	refused(t, try(t, "map", "--class_change", "all", at("project/out"), at("other")), "",
		"option class_change",
		"mapped as they are")
	refused(t, try(t, "map", "--copc", at("project/out"), at("other")), "", "option copc")
	refused(t, try(t, "map", results[0], at("west.las"), at("other")), "",
		"1 of 2 inputs are results of a survey")

	must.OK(t, os.Truncate(results[1], 5000))
	broken := try(t, "map", at("project/out"), at("without"))
	must.Equal(t, broken.code, 1, "exit code of a map without a result of the survey")
	must.Say(t, broken.stderr, "1 of 2 tiles missing in the map")
	report = string(must.Get(os.ReadFile(at("without/report.html")))(t))
	must.Say(t, report, "Map of 1 tile", "west.las is missing")
}

// sum returns the checksum of a file.
func sum(path string) (string, error) {
	text, err := os.ReadFile(path)
	return fmt.Sprintf("%x", sha256.Sum256(text)), err
}

// TestNoiseIsNoGround: where no point is ground, the ground of a tree is its lowest point, not a point of
// noise below it.
func TestNoiseIsNoGround(t *testing.T) {
	t.Parallel()
	at := place(t)
	p := &las.Points{Extra: map[string][]float64{"SuperpointID": nil}}
	for k := range 401 {
		z, class, id := 10+float64(k%8), uint8(5), 1.0
		if k == 400 {
			z, class, id = -5, 7, 2
		}
		p.X, p.Y, p.Z = append(p.X, float64(k%20)/4), append(p.Y, float64(k/20)/4), append(p.Z, z)
		p.Classification = append(p.Classification, class)
		p.Extra["SuperpointID"] = append(p.Extra["SuperpointID"], id)
	}
	must.OK(t, las.WriteFile(at("tree.las"), p, 0.01))
	do(t, "objects", at("tree.las"), at("tree.geojson"))
	_, all := featuresIn(t, at("tree.geojson"), 1)
	must.Need(t, len(all) > 0, "no object")
	for _, f := range all {
		must.Equal(t, f.Properties["ground"], 10, "ground of an object")
	}
}
