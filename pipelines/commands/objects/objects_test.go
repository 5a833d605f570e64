// SPDX-License-Identifier: BSD-3-Clause

package objects

import (
	"context"
	"image"
	"math"
	"slices"
	"testing"

	"superpoint/filter/georef"
	"superpoint/pipelines/commands/command"
	"superpoint/pipelines/commands/table"
	"superpoint/pipelines/land/extraction"
	"superpoint/pipelines/shapes/planar"
	"superpoint/testdata/must"
)

// TestSelectedPoints: points that are selected twice keep their values.
func TestSelectedPoints(t *testing.T) {
	p := &part{Z: []float64{5, 6, 7, 8}, Owner: []int32{0, 1, 2, 3}, Confidence: []float32{0, 0.1, 0.2, 0.3}}
	for x := range 4 {
		p.At = append(p.At, image.Pt(x, 0))
	}
	for least := range 3 {
		p = p.selected(func(at image.Point) bool { return at.X > least })
	}
	must.Need(t, len(p.At) == 1, "len(p.At) is %v, want 1", len(p.At))
	must.Equal(t, p.Z[0], 8, "p.Z[0]")
	must.Equal(t, p.Owner[0], 3, "p.Owner[0]")
	must.Equal(t, p.Confidence[0], 0.3, "p.Confidence[0]")
}

// TestNoiseIsInNoObject: a point of noise leaves its superpoint, unless that is an object of the class of
// noise by an option.
func TestNoiseIsInNoObject(t *testing.T) {
	const crown, bird, pit = 5, 18, 7
	p := &part{
		Owner: []int32{0, 0, 0, 1, -1, 2, 2},
		Class: []float64{crown, bird, pit},
		Kind:  []extraction.Kind{extraction.Vegetation, extraction.Building, extraction.Other},
		Size:  []int32{3, 1, 2},
	}
	p.removeNoise([]float64{crown, bird, pit, bird, bird, pit, pit}, []int{pit, bird})
	must.Equal(t, p.Owner, []int32{0, -1, -1, 1, -1, -1, -1}, "superpoints of the points")
	must.Equal(t, p.Size, []int32{1, 1, 0}, "points of the superpoints")
}

// TestOrderOfObjects: by the row of their peaks, the column, the height and the number of points.
func TestOrderOfObjects(t *testing.T) {
	want := []Mapped{{peak: image.Pt(9, 1), peakZ: 7}, {peak: image.Pt(2, 3), peakZ: 5, points: 8},
		{peak: image.Pt(2, 3), peakZ: 5, points: 9}, {peak: image.Pt(2, 3), peakZ: 6, points: 1},
		{peak: image.Pt(4, 3), peakZ: 1}}
	all := slices.Clone(want)
	slices.Reverse(all)
	sortObjects(all)
	for k := range want {
		got, w := all[k], want[k]
		must.Hold(t, got.peak == w.peak,
			"place %d has %v, %v, %d: got.peak is not w.peak", k, got.peak, got.peakZ, got.points)
		must.Hold(t, got.peakZ == w.peakZ,
			"place %d has %v, %v, %d: got.peakZ is not w.peakZ", k, got.peak, got.peakZ, got.points)
		must.Hold(t, got.points == w.points,
			"place %d has %v, %v, %d: got.points is not w.points", k, got.peak, got.peakZ, got.points)
	}
}

// TestTileOfPeak: a building whose peak and top are in different tiles is one of the tile of its peak, with
// the position of its top.
func TestTileOfPeak(t *testing.T) {
	const peak, top = 0, 1
	w := &window{part: new(part), of: []int{0, 1}, first: []int{0, 1}}
	w.At = []image.Point{{5, 5}, {15, 5}}
	w.Z = []float64{9, 7}
	w.Owner = []int32{0, 0}
	w.Class = []float64{6}
	o := &Finding{NoConfidence: true}
	for _, at := range w.At {
		o.Tiles = append(o.Tiles, &tile{Area: planar.Grown(planar.One(at), image.Pt(5, 5))})
	}
	all := []extraction.Object{{Points: []uint32{peak, top}, Peak: peak, Top: top}}
	for k, want := range []int{1, 0} {
		own, complete := o.own(w, []int{k}, &extraction.Found{}, all)
		must.Hold(t, complete, "tile %d: not complete", k)
		must.Need(t, len(own) == want, "tile %d: got %d buildings, want %d", k, len(own), want)
		for _, x := range own {
			must.Equal(t, x.at, w.At[top], "place")
			must.Equal(t, x.z, w.Z[top], "z")
		}
	}
}

// TestComplete: an object is not complete if its superpoint has points outside the extent, or if a tile may
// have points near it.
func TestComplete(t *testing.T) {
	w := &window{part: &part{At: []image.Point{{X: 8}}, Owner: []int32{0}},
		extent:  image.Rect(-9, -9, 10, 10),
		partial: []image.Rectangle{image.Rect(10, -9, 99, 10)}, missing: []int32{0}}
	for _, c := range []struct {
		missing  int32
		steps    int
		complete bool
	}{{0, 1, true}, {1, 1, false}, {0, 2, false}} {
		w.missing[0] = c.missing
		must.Equal(t, w.complete(&extraction.Object{Points: []uint32{0}}, image.Pt(c.steps, c.steps)),
			c.complete, "%+v", c)
	}
}

// logged is a host that keeps its messages.
type logged struct {
	command.Host
	text []string
}

func (h *logged) Log(_ int, text string)   { h.text = append(h.text, text) }
func (h *logged) Context() context.Context { return context.Background() }
func (h *logged) Progress(string, float64) {}

// TestConfidenceOfPoints: each point has the confidence of its file; a file without is said once, if others
// have it.
func TestConfidenceOfPoints(t *testing.T) {
	columns := func(confidence []float64) *command.Columns {
		c := &command.Columns{X: []float64{0, 1, 2}, Y: []float64{0, 0, 0}, Z: []float64{1, 2, 3},
			Dimensions: map[string][]float64{"SuperpointID": {1, 1, 2}, "Classification": {6, 6, 5}}}
		if confidence != nil {
			c.Dimensions[command.ConfidenceDimension] = confidence
		}
		return c
	}
	host := new(logged)
	o := &Finding{Superpoints: &table.Superpoints{Host: host, Id: "SuperpointID", Class: "Classification"},
		Metres: [3]float64{1, 1, 1}}
	p, groups, err := o.convert("a.las", columns([]float64{.25, .5, 1}))
	must.OK(t, err)
	must.Equal(t, groups.Len(), 2, "superpoints")
	must.Equal(t, p.Confidence, []float32{.25, .5, 1}, "confidence of the points")
	must.Hold(t, !o.NoConfidence, "a file with confidence counts as one without")
	o.Tiles = append(o.Tiles, new(tile))
	for range 2 {
		p, _, err = o.convert("b.las", columns(nil))
		must.OK(t, err)
		must.Equal(t, len(p.Confidence), 0, "points with confidence of a file without")
	}
	must.Hold(t, o.NoConfidence, "a file without confidence counts as one with it")
	must.Need(t, len(host.text) == 1, "%d messages about two files: %v", len(host.text), host.text)
	must.Say(t, host.text[0], "b.las", command.ConfidenceDimension)
}

// scene is a host whose files are a flat roof of 8 m × 8 m on the ground.
type scene struct{ logged }

func (scene) Same(georef.Reference, georef.Reference) (bool, error) { return true, nil }

func (scene) Read(string, []string) (*command.Columns, error) {
	c := &command.Columns{Dimensions: map[string][]float64{}, Reference: georef.Reference{HorizontalUnit: 1,
		VerticalUnit: 1}}
	for i := range 40 * 40 {
		x, y := float64(i%40)/2, float64(i/40)/2
		point := [3]float64{1, 2, 0} // superpoint, class, height
		if math.Max(math.Abs(x-10), math.Abs(y-10)) < 4 {
			point = [3]float64{2, 6, 5}
		}
		c.X = append(c.X, x)
		c.Y = append(c.Y, y)
		c.Z = append(c.Z, point[2])
		c.Dimensions["SuperpointID"] = append(c.Dimensions["SuperpointID"], point[0])
		c.Dimensions["Classification"] = append(c.Dimensions["Classification"], point[1])
	}
	return c, nil
}

// TestFindKeepsNoPoints: a map writes its other files after the objects are found, so the points of these
// would be in memory for nothing.
func TestFindKeepsNoPoints(t *testing.T) {
	host := new(scene)
	o := NewFinding(&table.Superpoints{Host: host, Args: command.NewArguments("objects", host),
		Id: "SuperpointID", Class: "Classification"})
	o.Segmented = true
	must.OK(t, o.Find([]string{"a.las"}))
	must.Equal(t, len(o.Buildings), 1, "buildings")
	must.Need(t, len(o.Tiles) == 1, "%d tiles, want 1", len(o.Tiles))
	must.Hold(t, o.Tiles[0].kept == nil, "the tile keeps its points")
	must.Hold(t, o.Groups == nil, "the superpoints keep the numbers of their points")
	must.Equal(t, len(o.Columns.X), 0, "points of the columns")
	must.OK(t, o.CheckMetres("a.las"))
}

// TestWindows: windows hold tiles in their order, up to a number of points and of cells of their common
// raster; a larger tile has one alone.
func TestWindows(t *testing.T) {
	limits := WindowLimits{Points: 100, Cells: 40}
	// 2 × 2 cells
	at := func(x, y int) image.Rectangle { return image.Rect(20*x, 20*y, 20*x+20, 20*y+20) }
	for name, c := range map[string]struct {
		tiles []*tile
		want  [][]int
	}{
		"none":         {nil, nil},
		"all in one":   {[]*tile{{points: 40}, {points: 60}}, [][]int{{0, 1}}},
		"many points":  {[]*tile{{points: 41}, {points: 60}}, [][]int{{0}, {1}}},
		"points again": {[]*tile{{points: 90}, {points: 90}, {points: 10}}, [][]int{{0}, {1, 2}}},
		"a large tile": {[]*tile{{points: 500, Area: at(0, 0)}, {points: 1}}, [][]int{{0}, {1}}},
		// 10 × 10 cells with the first
		"far away": {[]*tile{{Area: at(0, 0)}, {Area: at(4, 4)}, {Area: at(5, 5)}}, [][]int{{0}, {1, 2}}},
		"two and two": {[]*tile{{Area: at(0, 0)}, {Area: at(0, 1)}, {Area: at(5, 1)}, {Area: at(5, 0)}},
			[][]int{{0, 1}, {2, 3}}},
		"far in steps": {[]*tile{{Area: at(0, 0)}, {Area: at(3, 3)}, {Area: at(6, 6)}},
			[][]int{{0}, {1}, {2}}},
	} {
		t.Run(name, func(t *testing.T) {
			o := &Finding{Tiles: c.tiles, steps: image.Pt(10, 10), WindowLimits: limits}
			must.Equal(t, o.Windows(), c.want, "windows")
		})
	}
}

// TestLimitsOfWindows: with a margin below the guard each window would be read twice.
func TestLimitsOfWindows(t *testing.T) {
	limits := NewFinding(nil).WindowLimits
	must.Hold(t, limits.Margin >= 2*limits.Guard, "margin %v m, guard %v m", limits.Margin, limits.Guard)
}
