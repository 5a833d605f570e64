// SPDX-License-Identifier: BSD-3-Clause

// Package render draws point clouds: panels side by side of the same oblique parallel view, each with
// its own colouring, with a depth buffer, discs whose size depends on the density, and eye-dome
// lighting (Boucheny 2009). Lengths are in metres, angles in degrees. Pictures do not depend on the
// number of threads, and depend on the order of points only where two points of one pixel have the
// same depth: the earlier one is visible.
package render

import (
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"io"
	"math"
	"strconv"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gomedium"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"

	"superpoint/filter/host"
	"superpoint/filter/message"
	"superpoint/filter/naming"
	"superpoint/partition/base/arrays"
	"superpoint/partition/base/parallel"
	"superpoint/partition/metrics"
	"superpoint/pipelines/files/atomicfile"
)

// Panels draws the panels, at least one.
func Panels(run parallel.Run, s *Columns, c Camera, panels ...Panel) (*image.RGBA, error) {
	if n := len(s.X); n > math.MaxInt32 {
		return nil, fmt.Errorf("%d points: at most 2³¹ can be drawn", n)
	}
	buffer, err := project(run, s, c)
	if err != nil {
		return nil, err
	}
	if err := buffer.shade(run); err != nil {
		return nil, err
	}
	images := make([]*image.RGBA, len(panels))
	for i := range panels {
		if images[i], err = buffer.paint(run, &panels[i]); err != nil {
			return nil, err
		}
	}
	return layout(c, buffer.scale/finer, panels, images)
}

const gutter = 12 // pixels between panels

// layout places the panels between titles and legends. The scale is in pixels per metre.
func layout(c Camera, scale float64, panels []Panel, images []*image.RGBA) (*image.RGBA, error) {
	size := titleSize(c.Width)
	title, err := face(gomedium.TTF, size)
	if err != nil {
		return nil, err
	}
	small, err := face(goregular.TTF, size*.8)
	if err != nil {
		return nil, err
	}
	width := images[0].Rect.Dx()
	legends := make([][][]Entry, len(panels))
	for i := range panels {
		legends[i] = legendRows(small, panels[i].Legend, width)
	}
	s := newSheet(images[0].Rect.Size(), titleBar(size), legends)
	out := image.NewRGBA(s.bounds())
	draw.Draw(out, out.Rect, image.NewUniform(color.Gray{paper}), image.Point{}, draw.Src)
	for i, picture := range images {
		corner := s.corner(i)
		write(out, title, corner.X+gutter, corner.Y+s.bar*7/10, panels[i].Title, color.Gray{40})
		place := picture.Rect.Sub(picture.Rect.Min).Add(corner).Add(image.Pt(0, s.bar))
		draw.Draw(out, place, picture, image.Point{}, draw.Src)
		for k, row := range legends[i] {
			baseline := place.Max.Y + (k+1)*s.bar*3/4 - s.bar/4
			writeLegend(out, small, corner.X+gutter, baseline, row)
		}
	}
	scaleBar(out, small, scale, float64(width)/4)
	return out, nil
}

// sheet has the measures of a picture of several panels, in pixels. Each panel has a title above its image
// and a legend below it.
type sheet struct {
	columns int
	rows    int
	bar     int         // height of a title
	panel   image.Point // size of a panel, without its title
}

// newSheet returns the sheet for images of a size with their legends, by rows.
func newSheet(picture image.Point, bar int, legends [][][]Entry) sheet {
	columns := min(len(legends), 3)
	if len(legends) == 4 {
		columns = 2
	}
	s := sheet{
		columns: columns,
		rows:    (len(legends) + columns - 1) / columns,
		bar:     bar,
	}
	var longest int
	for _, rows := range legends {
		longest = max(longest, len(rows))
	}
	s.panel = picture.Add(image.Pt(0, longest*bar*3/4))
	return s
}

// bounds returns the area of the sheet.
func (s sheet) bounds() image.Rectangle {
	width := s.columns*(s.panel.X+gutter) + gutter
	height := s.rows*(s.panel.Y+s.bar) + gutter + s.bar
	return image.Rect(0, 0, width, height)
}

// corner returns the upper left corner of the title of a panel.
func (s sheet) corner(panel int) image.Point {
	column := panel % s.columns
	row := panel / s.columns
	return image.Pt(gutter+column*(s.panel.X+gutter), row*(s.panel.Y+s.bar))
}

// titleSize returns the size of titles for panels of a width, in pixels.
func titleSize(width int) float64 { return max(13, float64(width)/40) }

// titleBar returns the height of the bar of a title.
func titleBar(size float64) int { return int(size * 1.9) }

func face(ttf []byte, size float64) (font.Face, error) {
	f, err := opentype.Parse(ttf)
	if err != nil {
		return nil, err
	}
	return opentype.NewFace(f, &opentype.FaceOptions{Size: size, DPI: 72, Hinting: font.HintingFull})
}

func write(out draw.Image, f font.Face, x, y int, text string, c color.Color) {
	d := font.Drawer{Dst: out, Src: image.NewUniform(c), Face: f, Dot: fixed.P(x, y)}
	d.DrawString(text)
}

// legendRows splits a legend into rows of at most the width of a panel.
func legendRows(f font.Face, legend []Entry, width int) (rows [][]Entry) {
	left := 0
	for _, e := range legend {
		need := entryWidth(f, e)
		if need > left {
			rows, left = append(rows, nil), width-2*gutter
		}
		rows[len(rows)-1] = append(rows[len(rows)-1], e)
		left -= need
	}
	return rows
}

// entryWidth returns the width of a square, its text and the gap to the next entry, in pixels.
func entryWidth(f font.Face, e Entry) int {
	return font.MeasureString(f, e.Text).Ceil() + 2*f.Metrics().Height.Ceil()
}

func writeLegend(out draw.Image, f font.Face, x, y int, row []Entry) {
	side := f.Metrics().Ascent.Ceil() * 3 / 4
	for _, e := range row {
		fill := color.RGBA{e.Color[0], e.Color[1], e.Color[2], 255}
		draw.Draw(out, image.Rect(x, y-side, x+side, y), image.NewUniform(fill), image.Point{}, draw.Src)
		write(out, f, x+side*3/2, y, e.Text, color.Gray{60})
		x += entryWidth(f, e)
	}
}

// scaleBar draws a bar of 1, 2 or 5 times a power of ten metres at the lower right.
func scaleBar(out draw.Image, f font.Face, scale, most float64) {
	metres := math.Pow(10, math.Floor(math.Log10(most/scale)))
	for _, factor := range []float64{5, 2} {
		if metres*factor*scale <= most {
			metres *= factor
			break
		}
	}
	text := strconv.FormatFloat(metres, 'g', -1, 64) + " m"
	right, y := out.Bounds().Dx()-2*gutter-font.MeasureString(f, text).Ceil(), out.Bounds().Dy()-gutter
	left := right - gutter/2 - int(metres*scale+0.5)
	draw.Draw(out, image.Rect(left, y-4, right-gutter/2, y-1), image.NewUniform(color.Gray{40}),
		image.Point{}, draw.Src)
	write(out, f, right, y, text, color.Gray{60})
}

// Columns are the points of a file, in metres.
type Columns = host.Columns

// Names of panels; other names are dimensions.
const (
	Input       = "input"
	Boundaries  = "boundaries"
	Elevation   = "elevation"
	Intensity   = "intensity"
	Colors      = "rgb"
	Classes     = "class"
	trueObjects = "truth"
	Superpoints = "superpoint"
	Embedding   = "embedding"
)

// PanelNames describes the panels for help texts.
const PanelNames = "input (colour, else height and intensity), elevation, intensity, rgb, class, truth " +
	"(objects of PointSourceId), superpoint, boundaries (input with the outlines of superpoints), " +
	"embedding, or the name of any dimension"

// shown returns the dimensions that a panel shows if a file has them, and last the one that it needs; id is
// the dimension of the superpoints.
func shown(panel, id string) []string {
	names, known := map[string][]string{
		Input: {"Red", "Green", "Blue", "Intensity"}, Boundaries: {"Red", "Green", "Blue", "Intensity", id},
		Elevation: nil, Intensity: {"Intensity"}, Colors: {"Red", "Green", "Blue"},
		Classes:     {"Classification"},
		trueObjects: {"PointSourceId"}, Superpoints: {id}, Embedding: naming.Embedding(16),
	}[panel]
	if panel == Superpoints && id == ownIDs { // the colours belong to these ids
		names = []string{ownColors, id}
	}
	if !known {
		return []string{panel}
	}
	return names
}

// Dimensions returns the dimensions that panels show if a file has them; id is the dimension with the
// superpoints.
func Dimensions(panels []string, id string) (names []string) {
	for _, p := range panels {
		names = append(names, shown(p, id)...)
	}
	return names
}

// Named returns the panel of that name (see PanelNames); id is the dimension
// with the superpoints. It fails, naming the dimension, when the columns lack
// what the panel shows.
func Named(name, id string, c *Columns) (Panel, error) {
	d, names := c.Dimensions, shown(name, id)
	uncolored := noColors(d)
	missing, values := "", []float64(nil)
	switch {
	case name == "":
		return Panel{}, fmt.Errorf("option panels: a name is empty; give names, comma separated: %s",
			PanelNames)
	case name == Input || name == Elevation:
	case name == Embedding && d[names[0]] == nil:
		missing = names[0]
	case name == Colors && uncolored != "":
		return Panel{}, fmt.Errorf("panel %q: %s; choose another panel, such as %s", name,
			uncolored, Elevation)
	case name != Colors && name != Embedding:
		if missing = names[len(names)-1]; d[missing] != nil {
			missing, values = "", d[missing]
		}
	}
	if missing != "" {
		return Panel{}, fmt.Errorf("panel %q needs the dimension %s, which the points do not have",
			name, missing)
	}
	ids, count := []uint32(nil), ""
	if name == Superpoints || name == Boundaries {
		var err error
		if ids, err = metrics.IDs(id, values); err != nil {
			return Panel{}, fmt.Errorf("panel %q: %w, with --id", name, err)
		}
		count = message.Count(len(arrays.Values(ids, func(v uint32) bool { return v == 0 })), "superpoint")
	}
	input := func() func(int) RGB {
		if uncolored == "" {
			return trueColor(d["Red"], d["Green"], d["Blue"])
		}
		return relief(c.Z, d["Intensity"])
	}
	switch name {
	case Input:
		return Panel{Title: "Input", Color: input()}, nil
	case Elevation:
		return Panel{Title: "Elevation", Color: scalar(c.Z)}, nil
	case Intensity:
		return Panel{Title: "Intensity", Color: grey(values)}, nil
	case Colors:
		return Panel{Title: "Colour", Color: input()}, nil
	case Classes:
		return Panel{Title: "Classes", Color: class(values), Legend: classLegend(values)}, nil
	case trueObjects:
		return Panel{Title: "True objects", Color: objects(values, nil)}, nil
	case Superpoints:
		var choice []float64
		if id == ownIDs {
			choice = d[ownColors]
		}
		return Panel{Title: count, Color: objects(values, choice)}, nil
	case Boundaries:
		return Panel{Title: "Boundaries of " + count, Color: input(),
			Edges: func(i int) uint32 { return ids[i] }}, nil
	case Embedding:
		return Panel{Title: "Learned embedding", Color: Projected(leading(d, names))}, nil
	}
	return Panel{Title: name, Color: scalar(values)}, nil
}

// leading returns the dimensions of names up to the first that the points do not have.
func leading(d map[string][]float64, names []string) (columns [][]float64) {
	for _, n := range names {
		if d[n] == nil {
			break
		}
		columns = append(columns, d[n])
	}
	return columns
}

// noColors says why columns cannot be drawn as colours; "" if they can. Many files have colours that are the
// same at all points. Two of the three may be constant: thermal and false colours often have fewer.
func noColors(d map[string][]float64) string {
	constant := true
	for _, name := range []string{"Red", "Green", "Blue"} {
		if d[name] == nil {
			return "the points do not have the dimension " + name
		}
		constant = constant && !painted(d[name])
	}
	if constant {
		return "Red, Green and Blue are the same at all points"
	}
	return ""
}

// painted reports whether a column of colour has more than one value.
func painted(column []float64) bool {
	for _, v := range column {
		if v != column[0] {
			return true
		}
	}
	return false
}

// idOf returns the id of a value; 0, no superpoint, if it is not an id.
func idOf(v float64) uint32 {
	if !(v >= 1 && v <= math.MaxUint32) { // also NaN
		return 0
	}
	return uint32(v)
}

// File draws the named panels of the columns into a PNG file.
func File(run parallel.Run, to *atomicfile.Output, c *Columns, camera Camera, id string,
	names ...string) error {
	panels := make([]Panel, len(names))
	for i, name := range names {
		var err error
		if panels[i], err = Named(name, id, c); err != nil {
			return err
		}
	}
	picture, err := Panels(run, c, camera, panels...)
	if err != nil {
		return err
	}
	encoder := png.Encoder{CompressionLevel: png.BestSpeed} // a fifth larger, in a third of the time
	return to.Write(func(w io.Writer) error { return encoder.Encode(w, picture) })
}

// RGB is a colour.
type RGB [3]uint8

// Camera has the direction of view and the size of a panel.
type Camera struct {
	Azimuth float64 // degrees, direction that the viewer looks to, clockwise from +y
	Tilt    float64 // degrees below the horizon, in (0, 90]; 90 is a map
	Width   int     // pixels of a panel
}

// Panel is a colouring of the cloud.
type Panel struct {
	Title  string
	Color  func(point int) RGB
	Edges  func(point int) uint32 // groups whose boundaries are drawn over Color; nil = none
	Legend []Entry                // drawn below the panel
}

// Entry is a line of a legend.
type Entry struct {
	Text  string
	Color RGB
}
