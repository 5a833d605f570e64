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
	Title string // what is shown
	Place string // where it is, behind the title
}

// Map draws the classes of points seen from above into a PNG file, with a title, an arrow to the north, a
// legend and a scale.
func Map(run parallel.Run, to *atomicfile.Output, c *Columns, s MapStyle) error {
	panel, err := Named(Classes, s.ID, c)
	if err != nil {
		return err
	}
	if s.Title != "" {
		panel.Title = "" // written below
	}
	picture, err := Panels(run, c, Camera{Tilt: 90, Width: s.Width}, panel)
	if err != nil {
		return err
	}
	right, err := north(picture, titleSize(s.Width))
	if err != nil {
		return err
	}
	if err := s.writeTitle(picture, right-3*gutter); err != nil {
		return err
	}
	encoder := png.Encoder{CompressionLevel: png.BestSpeed} // a fifth larger, in a third of the time
	return to.Write(func(w io.Writer) error { return encoder.Encode(w, picture) })
}

// smaller is the size of the letters of a title on two lines, in sizes of titles. Both fit into one bar.
const smaller = 0.68

// writeTitle writes the title and the place into the bar of titles: on one line of a width, or on two in
// smaller letters. A title that is still too long loses letters in its middle: names of tiles differ at their
// ends.
func (s MapStyle) writeTitle(out draw.Image, width int) error {
	if s.Title == "" {
		return nil
	}
	size := titleSize(s.Width)
	bar := titleBar(size)
	large, err := face(gomedium.TTF, size)
	if err != nil {
		return err
	}
	line := s.Title
	if s.Place != "" {
		line += ", " + s.Place
	}
	if font.MeasureString(large, line).Ceil() <= width {
		write(out, large, 2*gutter, bar*7/10, line, color.Gray{40})
		return nil
	}
	small, err := face(gomedium.TTF, size*smaller)
	if err != nil {
		return err
	}
	write(out, small, 2*gutter, bar*4/10, shortened(small, s.Title, width), color.Gray{40})
	write(out, small, 2*gutter, bar*9/10, shortened(small, s.Place, width), color.Gray{40})
	return nil
}

// shortened returns a text of at most a width, with an ellipsis for letters in its middle if it is wider.
func shortened(f font.Face, text string, width int) string {
	letters := []rune(text)
	short := text
	for kept := len(letters) - 1; kept > 0 && font.MeasureString(f, short).Ceil() > width; kept-- {
		first := (kept + 1) / 2
		short = string(letters[:first]) + "…" + string(letters[len(letters)-kept+first:])
	}
	return short
}

// north draws an arrow to the top and the letter N at the upper right, in the bar of titles. It returns the
// left end of the arrow.
func north(out draw.Image, size float64) (left int, err error) {
	f, err := face(gomedium.TTF, size)
	if err != nil {
		return 0, err
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
	return tip.X - height/3, nil
}
