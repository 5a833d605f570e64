// SPDX-License-Identifier: BSD-3-Clause

package render

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/image/font/gofont/goregular"

	"superpoint/filter/paint"
	"superpoint/partition/base/parallel"
	"superpoint/pipelines/commands/command"
	"superpoint/pipelines/files/atomicfile"
	"superpoint/testdata/must"
)

// grid is n × n points a metre apart at height z.
func grid(n int, z float64) *Columns {
	s := &Columns{}
	for i := range n * n {
		s.X, s.Y, s.Z = append(s.X, float64(i%n)), append(s.Y, float64(i/n)), append(s.Z, z)
	}
	return s
}

func plain(c RGB) func(int) RGB { return func(int) RGB { return c } }

func TestNearerPointIsSeen(t *testing.T) {
	s := grid(40, 0)
	s.X, s.Y, s.Z = append(s.X, grid(40, 5).X...), append(s.Y, grid(40, 5).Y...),
		append(s.Z, grid(40, 5).Z...)
	color := func(i int) RGB {
		if i < 1600 {
			return RGB{255, 0, 0}
		}
		return RGB{0, 0, 255}
	}
	picture := must.Get(Panels(parallel.Run{}, s, Camera{Tilt: 90, Width: 200}, Panel{Color: color}))(t)
	middle := picture.RGBAAt(picture.Rect.Dx()/2, picture.Rect.Dy()/2)
	must.Equal(t, middle.R, 0, "middle.R")
	must.Hold(t, middle.B >= 200, "middle.B is %v, want at least 200", middle.B)
	for x := range picture.Rect.Dx() {
		c := picture.RGBAAt(x, picture.Rect.Dy()/2)
		if c.R > 200 {
			must.Need(t, c.B >= 100,
				"the lower plane shows at pixel %d: c.B is %v, want at least 100", x, c.B)
		}
	}
}

func TestSlopeIsNotShaded(t *testing.T) {
	s := grid(120, 0)
	picture := must.Get(Panels(parallel.Run{}, s, Camera{Azimuth: 20, Tilt: 25, Width: 300},
		Panel{Color: plain(RGB{200, 200, 200})}))(t)
	c := picture.RGBAAt(picture.Rect.Dx()/2, picture.Rect.Dy()/2)
	must.Hold(t, c.R >= 170, "a level plane seen aslant has brightness %d of 200", c.R)
	for i := range s.Z { // a step of 10 m
		if s.Y[i] > 60 {
			s.Z[i] = 10
		}
	}
	b := must.Get(project(parallel.Run{}, s, Camera{Tilt: 60, Width: 300}))(t)
	must.OK(t, b.shade(parallel.Run{}))
	dark := slices.Min(b.light)
	must.Hold(t, dark <= .75, "the darkest pixel beside a step has light %.2f", dark)
}

func TestSamePictureForAnyThreads(t *testing.T) {
	s := grid(60, 0)
	for i := range s.Z {
		s.Z[i] = 5 * math.Sin(s.X[i]/7)
	}
	group := func(i int) uint32 { return uint32(s.X[i]/9)*100 + uint32(s.Y[i]/9) }
	panels := []Panel{{Title: "a", Color: scalar(s.Z)}, {Title: "b", Color: scalar(s.X), Edges: group}}
	var first []byte
	for _, threads := range []int{1, 2, 7} {
		picture, err := Panels(parallel.Run{Threads: threads}, s, Camera{Azimuth: 30, Tilt: 38, Width: 200},
			panels...)
		must.OK(t, err)
		if first == nil {
			first = picture.Pix
		} else if !bytes.Equal(first, picture.Pix) {
			t.Errorf("%d threads draw another picture", threads)
		}
	}
}

// TestColorsOfSuperpoints: superpoints have the colours of SuperpointColor, others those of their numbers,
// and what is none is grey.
func TestColorsOfSuperpoints(t *testing.T) {
	c := grid(2, 0)
	c.Dimensions = map[string][]float64{"SuperpointID": {7, 7, 8, 0}, "SuperpointColor": {3, 3, 31, 3},
		"PointSourceId": {7, 7, 8, 0}}
	colors := paint.Palette()
	for name, want := range map[string][]RGB{"superpoint": {colors[3], colors[3], colors[31], unprocessed},
		"truth": {ObjectColor(7), ObjectColor(7), ObjectColor(8), unprocessed}} {
		p := must.Get(Named(name, "SuperpointID", c))(t)
		for i, want := range want {
			must.Equal(t, p.Color(i), want, "%s of point %d", name, i)
		}
	}
	p := must.Get(Named("superpoint", "PointSourceId", c))(t)
	must.Equal(t, p.Color(0), ObjectColor(7),
		"other superpoints have the colours of SuperpointID: p.Color(0)")
	must.Hold(t, p.Color(0) != p.Color(2),
		"other superpoints have the colours of SuperpointID: p.Color(0) equals p.Color(2)")
}

// TestPanelsWithoutTheirDimension: the error names the panel and the dimension that it needs.
func TestPanelsWithoutTheirDimension(t *testing.T) {
	c := grid(2, 0)
	c.Dimensions = map[string][]float64{}
	for name, words := range map[string]string{
		Superpoints: `panel "superpoint" needs the dimension Segment, which the points do not have`,
		Boundaries:  `panel "boundaries" needs the dimension Segment, which the points do not have`,
		Classes:     `panel "class" needs the dimension Classification, which the points do not have`,
		"Height":    `panel "Height" needs the dimension Height, which the points do not have`,
	} {
		_, err := Named(name, "Segment", c)
		must.Says(t, err, words, "panel %s", name)
	}
}

func TestBoundariesAreDark(t *testing.T) {
	s := grid(100, 0)
	half := func(i int) uint32 { return uint32(s.X[i] / 50) }
	picture := must.Get(Panels(parallel.Run{}, s, Camera{Tilt: 90, Width: 400},
		Panel{Color: plain(RGB{200, 200, 200}), Edges: half}))(t)
	dark, y := 0, picture.Rect.Dy()/2
	for x := 60; x < 360; x++ {
		if picture.RGBAAt(x, y).R < 160 {
			dark++
			must.Hold(t, x >= 190,
				"a line at pixel %d, far from the boundary in the middle, want at least 190", x)
			must.Hold(t, x <= 230,
				"a line at pixel %d, far from the boundary in the middle, want at most 230", x)
		}
	}
	must.Hold(t, dark != 0, "no line between two groups")
}

func TestProjectedFollowsTheVariance(t *testing.T) {
	n := 1000
	columns := [][]float64{make([]float64, n), make([]float64, n)}
	for i := range n {
		columns[0][i] = .01 * math.Sin(float64(i))
		columns[1][i] = float64(i)
	}
	color := Projected(columns)
	a, b := color(10), color(990)
	must.Hold(t, a[0] <= 50, "colours %v and %v of the ends: a[0] is %v, want at most 50", a, b, a[0])
	must.Hold(t, b[0] >= 230, "colours %v and %v of the ends: b[0] is %v, want at least 230", a, b, b[0])
	must.Equal(t, a[2], 128, "colours %v and %v of the ends: a[2]", a, b)
	must.Hold(t, Projected(nil)(0) == unprocessed, "no columns are not grey")
}

func TestFileAndNamedPanels(t *testing.T) {
	s := grid(30, 0)
	ids, zero := make([]float64, 900), make([]float64, 900)
	for i := range ids {
		ids[i] = 1 + math.Floor(s.X[i]/10)
	}
	c := &Columns{X: s.X, Y: s.Y, Z: s.X, Dimensions: map[string][]float64{"SuperpointID": ids, "Red": zero,
		"Green": zero, "Blue": zero, "Embedding0": ids, "Classification": ids}}
	path := filepath.Join(t.TempDir(), "a.png")
	to := must.Get(new(atomicfile.Files).Output(path))(t)
	must.OK(t, File(parallel.Run{}, to, c, Camera{Tilt: 45, Width: 120}, "SuperpointID",
		"input", "superpoint", "boundaries", "embedding", "class", "Embedding0"))
	f := must.Get(os.Open(path))(t)
	defer f.Close()
	must.Equal(t, must.Get(png.Decode(f))(t).Bounds().Dx(), 3*(120+gutter)+gutter,
		"width of six panels in rows of three")
	p, err := Named("superpoint", "SuperpointID", c)
	must.OK(t, err)
	must.Equal(t, p.Title, "3 superpoints", "title")
	p, _ = Named("input", "SuperpointID", c)
	must.Hold(t, p.Color(0) != p.Color(29), "empty colours were taken for the input's, rather than height")
	must.Fail(Named("truth", "SuperpointID", c))(t, "PointSourceId")
	left, _ := os.ReadDir(filepath.Dir(path))
	must.Hold(t, len(left) == 2, "%v beside the picture", left) // the picture and its record
}

// TestColoursOfFewChannels: colours are drawn if any channel varies; else the message does not call them
// missing.
func TestColoursOfFewChannels(t *testing.T) {
	t.Parallel()
	varied, constant := []float64{0, 65535}, []float64{7, 7}
	for _, c := range []struct {
		name             string
		red, green, blue []float64
		words            string // of the error
	}{
		{"three", varied, varied, varied, ""},
		{"two of three", varied, varied, constant, ""},
		{"one of three", constant, varied, constant, ""},
		{"8 bits", []float64{0, 255}, constant, constant, ""},
		{"none", constant, constant, constant,
			"Red, Green and Blue are the same at all points; choose another"},
		{"no blue", varied, varied, nil, "the points do not have the dimension Blue"},
		{"no colours", nil, nil, nil, "the points do not have the dimension Red"},
	} {
		t.Run(c.name, func(t *testing.T) {
			columns := &Columns{X: varied, Y: varied, Z: constant, Dimensions: map[string][]float64{}}
			for k, values := range [][]float64{c.red, c.green, c.blue} {
				if values != nil {
					columns.Dimensions[[]string{"Red", "Green", "Blue"}[k]] = values
				}
			}
			p, err := Named("rgb", "SuperpointID", columns)
			must.Says(t, err, c.words, "panel")
			if err == nil {
				must.Hold(t, p.Color(0) != p.Color(1),
					"different colours are drawn alike: p.Color(0) equals p.Color(1)")
			}
			input := must.Get(Named("input", "SuperpointID", columns))(t)
			must.Hold(t, (input.Color(0) == input.Color(1)) == (c.words != ""), "input: %v and %v",
				input.Color(0), input.Color(1))
		})
	}
}

func TestOutliersDoNotShrinkThePicture(t *testing.T) {
	s := grid(100, 0)
	s.X, s.Y, s.Z = append(s.X, 1e6), append(s.Y, -1e6), append(s.Z, 1e5)
	picture := must.Get(Panels(parallel.Run{}, s, Camera{Tilt: 90, Width: 200}, Panel{Color: plain(RGB{})}))(
		t)
	ink := 0
	for i := 0; i < len(picture.Pix); i += 4 {
		if picture.Pix[i] < 60 {
			ink++
		}
	}
	share := float64(ink) / float64(len(picture.Pix)/4)
	must.Hold(t, share >= .6, "the cloud covers %.0f %% of the picture", 100*share)
}

func TestOddClouds(t *testing.T) {
	one := &Columns{X: []float64{3}, Y: []float64{4}, Z: []float64{5}}
	same := &Columns{X: []float64{3, 3}, Y: []float64{4, 4}, Z: []float64{5, 5}}
	broken := &Columns{X: []float64{math.NaN(), 1, 2}, Y: []float64{0, 1, 2}, Z: []float64{0, 1, math.Inf(1)}}
	for _, s := range []*Columns{{}, one, same, broken} {
		_, err := Panels(parallel.Run{}, s, Camera{Tilt: 30, Width: 100},
			Panel{Color: plain(RGB{}), Edges: func(int) uint32 { return 1 }})
		must.Hold(t, err == nil, "%d points: %v", len(s.X), err)
	}
}

// Values that are no ids are refused where ids are drawn; those of 0 and below show no superpoint.
func TestIdsThatAreNone(t *testing.T) {
	s := grid(30, 0)
	ids := make([]float64, 900)
	for i := range ids {
		ids[i] = []float64{1, 2, math.NaN(), math.Inf(1), math.Inf(-1), -3, 0.5, 1e30, math.MaxUint32}[i%9]
	}
	c := &Columns{X: s.X, Y: s.Y, Z: s.X, Dimensions: map[string][]float64{"SuperpointID": ids,
		"PointSourceId":  ids,
		"Classification": ids, "Embedding0": ids, "Intensity": ids, "Red": ids, "Green": ids, "Blue": ids}}
	to := must.Get(new(atomicfile.Files).Output(filepath.Join(t.TempDir(), "a.png")))(t)
	names := []string{"input", "rgb", "truth", "class", "intensity", "embedding", "Embedding0", "elevation"}
	must.OK(t, File(parallel.Run{}, to, c, Camera{Tilt: 45, Width: 120}, "SuperpointID", names...))
	for _, name := range []string{"superpoint", "boundaries"} {
		must.Fail(Named(name, "SuperpointID", c))(t, `"SuperpointID" of point 2 is NaN; ids are whole`,
			"with --id")
	}
	must.Fail(Named("", "SuperpointID", c))(t, "option panels: a name is empty")
	for i := range ids {
		ids[i] = float64(i%5 - 1)
	}
	must.Equal(t, must.Get(Named("superpoint", "SuperpointID", c))(t).Title, "3 superpoints", "title")
	c.Dimensions["SuperpointID"] = []float64{1e9, 2e9}
	n := testing.AllocsPerRun(1, func() { _, _ = Named("superpoint", "SuperpointID", c) })
	must.Hold(t, n <= 50, "%v allocations for two ids", n)
}

// TestColorsByHand: colours of 8 and 16 bits, also of dark files, keep their proportions; intensity lightens
// heights.
func TestColorsByHand(t *testing.T) {
	for top, want := range map[float64]RGB{200: {200, 100, 0}, 255: {255, 127, 0}, 65535: {255, 127, 0},
		40000: {155, 77, 0}, 16384: {255, 127, 0}, 4000: {62, 31, 0}} {
		red, green, blue := make([]float64, 10), make([]float64, 10), make([]float64, 10)
		for i := 1; i < 10; i++ {
			red[i], green[i] = top, top/2
		}
		got := trueColor(red, green, blue)(3)
		for k := range got {
			off := int(got[k]) - int(want[k])
			must.Hold(t, max(off, -off) <= 1, "of %v: %v, not %v", top, got, want)
		}
	}
	shown := relief([]float64{0, 0, 0, 9}, []float64{10, 20, 30, 30})
	dark, middle, light := shown(0), shown(1), shown(2)
	must.Hold(t, dark[1] < middle[1], "dark[1] is %v, want less than %v", dark[1], middle[1])
	must.Hold(t, middle[1] < light[1], "middle[1] is %v, want less than %v", middle[1], light[1])
}

// TestLegendsAndBars: rows of a legend have the width of a panel, and the bar is the longest of 1, 2 or 5
// times a power of ten metres that fits.
func TestLegendsAndBars(t *testing.T) {
	small := must.Get(face(goregular.TTF, 13))(t)
	var legend []Entry
	for k := range 30 {
		legend = append(legend, Entry{Text: strings.Repeat("class ", 1+k%3)})
	}
	const width = 400
	rows, n := legendRows(small, legend, width), 0
	for _, row := range rows {
		wide := 0
		for _, e := range row {
			wide += entryWidth(small, e)
		}
		n += len(row)
		must.Hold(t, wide <= width-2*gutter, "a row of %d pixels", wide)
	}
	must.Equal(t, n, len(legend), "entries of the legend")
	must.Hold(t, len(rows) >= 5, "len(rows) is %v, want at least 5", len(rows))
	// pixels a metre
	for scale, want := range map[float64]int{1: 50, 0.9: 90, 0.45: 90, 1.5: 75, 6: 60, 0.001: 50} {
		out := image.NewRGBA(image.Rect(0, 0, 600, 60))
		scaleBar(out, small, scale, 99)
		bar := 0
		for x := range 600 {
			if out.RGBAAt(x, 60-gutter-3) == (color.RGBA{40, 40, 40, 255}) {
				bar++
			}
		}
		must.Hold(t, bar == want, "%v pixels a metre: a bar of %d pixels, not %d", scale, bar, want)
	}
}

// TestBordersOfSurfaces: where a surface ends before one far behind or in front there is no border of
// superpoints.
func TestBordersOfSurfaces(t *testing.T) {
	for gap, want := range map[float32]bool{0: true, 5: true, -5: true, 7: false, -7: false} {
		b := &buffer{width: 2, height: 1, scale: 1, front: []int32{0, 1}, depth: []float32{20, 20 + gap}}
		must.Equal(t, b.onBoundary(0, 0, func(i int) uint32 { return uint32(i) }), want,
			"%v pixels behind", gap)
	}
}

// TestPanelsThatNeedSuperpoints: superpoints and an embedding are computed where a panel shows them and the
// file has none.
func TestPanelsThatNeedSuperpoints(t *testing.T) {
	for panel, has := range map[string]string{Superpoints: ownIDs, Boundaries: ownIDs,
		Embedding: "Embedding0"} {
		d := &drawing{panels: []string{Input, panel}, id: ownIDs}
		with := &command.Columns{Dimensions: map[string][]float64{has: {1}}}
		must.Need(t, d.needsSegments(&command.Columns{}),
			"panel %s, file with %s: d.needsSegments(&command.Columns{}) is false", panel, has)
		must.Hold(t, !d.needsSegments(with),
			"panel %s, file with %s: d.needsSegments(with) is true", panel, has)
	}
	d := &drawing{panels: []string{Superpoints}, id: "Other"}
	must.Hold(t, !d.needsSegments(&command.Columns{}), "superpoints for another dimension")
}
