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
	"math"
	"strconv"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gomedium"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"

	"superpoint/partition/base/parallel"
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
	columns := min(len(panels), 3)
	if len(panels) == 4 {
		columns = 2
	}
	size := max(13, float64(c.Width)/40)
	title, err := face(gomedium.TTF, size)
	if err != nil {
		return nil, err
	}
	small, err := face(goregular.TTF, size*.8)
	if err != nil {
		return nil, err
	}
	bar := int(size * 1.9)
	w, h := images[0].Rect.Dx(), images[0].Rect.Dy()
	rows := (len(panels) + columns - 1) / columns
	legend := 0
	for i := range panels {
		legend = max(legend, len(legendRows(small, panels[i].Legend, w)))
	}
	h += legend * bar * 3 / 4
	out := image.NewRGBA(image.Rect(0, 0, columns*(w+gutter)+gutter, rows*(h+bar)+gutter+bar))
	draw.Draw(out, out.Rect, image.NewUniform(color.Gray{paper}), image.Point{}, draw.Src)
	for i, p := range images {
		x, y := gutter+i%columns*(w+gutter), i/columns*(h+bar)
		write(out, title, x+gutter, y+bar*7/10, panels[i].Title, color.Gray{40})
		draw.Draw(out, image.Rect(x, y+bar, x+w, y+bar+p.Rect.Dy()), p, image.Point{}, draw.Src)
		for k, row := range legendRows(small, panels[i].Legend, w) {
			writeLegend(out, small, x+gutter, y+bar+p.Rect.Dy()+(k+1)*bar*3/4-bar/4, row)
		}
	}
	scaleBar(out, small, scale, float64(w)/4)
	return out, nil
}

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
	draw.Draw(out, image.Rect(left, y-4, right-gutter/2, y-1), image.NewUniform(color.Gray{40}), image.Point{}, draw.Src)
	write(out, f, right, y, text, color.Gray{60})
}
