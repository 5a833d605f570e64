// SPDX-License-Identifier: BSD-3-Clause

package render

import (
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"io"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gomedium"

	"superpoint/partition/base/parallel"
	"superpoint/pipelines/files/atomicfile"
)

// MapStyle says how a map is drawn.
type MapStyle struct {
	Width int    // pixels
	ID    string // dimension with the superpoints
	Title string // what is shown, and where
}

// Map draws the classes of points seen from above into a PNG file, with a title, an arrow to the north, a
// legend and a scale.
func Map(run parallel.Run, to *atomicfile.Output, c *Columns, s MapStyle) error {
	panel, err := Named(Classes, s.ID, c)
	if err != nil {
		return err
	}
	if s.Title != "" {
		panel.Title = s.Title
	}
	picture, err := Panels(run, c, Camera{Tilt: 90, Width: s.Width}, panel)
	if err != nil {
		return err
	}
	if err := north(picture, titleSize(s.Width)); err != nil {
		return err
	}
	encoder := png.Encoder{CompressionLevel: png.BestSpeed} // a fifth larger, in a third of the time
	return to.Write(func(w io.Writer) error { return encoder.Encode(w, picture) })
}

// north draws an arrow to the top and the letter N at the upper right, in the bar of titles.
func north(out draw.Image, size float64) error {
	f, err := face(gomedium.TTF, size)
	if err != nil {
		return err
	}
	const letter = "N"
	width := font.MeasureString(f, letter).Ceil()
	right := out.Bounds().Dx() - 2*gutter
	base := titleBar(size) * 7 / 10
	write(out, f, right-width, base, letter, color.Gray{40})
	height := int(size * 0.8)
	tip := image.Pt(right-width-gutter-height/3, base-height)
	for row := range height {
		half := row / 3
		y := tip.Y + row
		draw.Draw(out, image.Rect(tip.X-half, y, tip.X+half+1, y+1), image.NewUniform(color.Gray{40}),
			image.Point{},
			draw.Src)
	}
	return nil
}
