// Command montage puts pictures into a JPEG, so many side by side, each scaled
// down to one width:
//
//	go run ./testdata/montage OUT.jpg COLUMNS WIDTH PICTURE.png…
package main

import (
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"image/jpeg"
	"image/png"
	"os"
	"strconv"
)

func main() {
	if err := run(os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "montage:", err)
		os.Exit(1)
	}
}

func run(args []string) error {
	if len(args) < 4 {
		return fmt.Errorf("%d arguments: want OUT.jpg COLUMNS WIDTH PICTURE.png…", len(args))
	}
	columns, err := strconv.Atoi(args[1])
	if err != nil || columns < 1 {
		return fmt.Errorf("columns %q: want 1 or more", args[1])
	}
	width, err := strconv.Atoi(args[2])
	if err != nil || width < 1 {
		return fmt.Errorf("width %q: want pixels", args[2])
	}
	var rows [][]image.Image
	for i, path := range args[3:] {
		m, err := open(path)
		if err != nil {
			return err
		}
		if i%columns == 0 {
			rows = append(rows, nil)
		}
		rows[len(rows)-1] = append(rows[len(rows)-1], shrink(m, width))
	}
	out, err := os.Create(args[0])
	if err != nil {
		return err
	}
	defer out.Close()
	if err := jpeg.Encode(out, paste(rows, columns*width), &jpeg.Options{Quality: 75}); err != nil {
		return err
	}
	return out.Close()
}

func open(path string) (image.Image, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	m, err := png.Decode(f)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return m, nil
}

// shrink scales a picture to a width by means over squares.
func shrink(m image.Image, width int) image.Image {
	b := m.Bounds()
	height := max(1, b.Dy()*width/b.Dx())
	small := image.NewRGBA(image.Rect(0, 0, width, height))
	for y := range height {
		for x := range width {
			var sum [3]uint32
			n := uint32(0)
			for v := b.Dy() * y / height; v < max(b.Dy()*(y+1)/height, b.Dy()*y/height+1); v++ {
				for u := b.Dx() * x / width; u < max(b.Dx()*(x+1)/width, b.Dx()*x/width+1); u++ {
					r, g, bl, _ := m.At(b.Min.X+u, b.Min.Y+v).RGBA()
					sum[0], sum[1], sum[2], n = sum[0]+r>>8, sum[1]+g>>8, sum[2]+bl>>8, n+1
				}
			}
			small.Set(x, y, color.RGBA{uint8(sum[0] / n), uint8(sum[1] / n), uint8(sum[2] / n), 255})
		}
	}
	return small
}

// paste puts rows below each other; a row is as high as its highest picture.
func paste(rows [][]image.Image, width int) image.Image {
	height := 0
	for _, row := range rows {
		height += high(row)
	}
	all := image.NewRGBA(image.Rect(0, 0, width, height))
	draw.Draw(all, all.Bounds(), image.White, image.Point{}, draw.Src)
	y := 0
	for _, row := range rows {
		x := 0
		for _, m := range row {
			at := image.Rect(x, y, x+m.Bounds().Dx(), y+m.Bounds().Dy())
			draw.Draw(all, at, m, image.Point{}, draw.Src)
			x += m.Bounds().Dx()
		}
		y += high(row)
	}
	return all
}

func high(row []image.Image) int {
	h := 0
	for _, m := range row {
		h = max(h, m.Bounds().Dy())
	}
	return h
}
