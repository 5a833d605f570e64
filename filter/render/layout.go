package render

import (
	"image"
	"image/color"
	"image/draw"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gomedium"
	"golang.org/x/image/font/gofont/goregular"
	"golang.org/x/image/font/opentype"
	"golang.org/x/image/math/fixed"
)

const gutter = 12 // pixels between panels

// layout sets the panels under their titles.
func layout(c Camera, panels []Panel, images []*image.RGBA) (*image.RGBA, error) {
	columns := c.Columns
	if columns <= 0 {
		columns = min(len(panels), 3)
		if len(panels) == 4 {
			columns = 2
		}
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
	columns = min(columns, len(panels))
	top, bottom := 0, 0
	if c.Headline != "" {
		top = bar
	}
	if c.Caption != "" {
		bottom = bar
	}
	out := image.NewRGBA(image.Rect(0, 0, columns*(w+gutter)+gutter, top+rows*(h+bar)+gutter+bottom))
	draw.Draw(out, out.Rect, image.NewUniform(color.Gray{paper}), image.Point{}, draw.Src)
	if top > 0 {
		write(out, title, gutter*2, bar*7/10, c.Headline, color.Gray{20})
	}
	for i, p := range images {
		x, y := gutter+i%columns*(w+gutter), top+i/columns*(h+bar)
		write(out, title, x+gutter, y+bar*7/10, panels[i].Title, color.Gray{40})
		draw.Draw(out, image.Rect(x, y+bar, x+w, y+bar+h), p, image.Point{}, draw.Src)
	}
	if bottom > 0 {
		write(out, small, gutter*2, out.Rect.Dy()-bar*4/10, c.Caption, color.Gray{90})
	}
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
