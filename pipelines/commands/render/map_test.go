// SPDX-License-Identifier: BSD-3-Clause

package render

import (
	"bytes"
	"image"
	"image/color"
	"image/draw"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/image/font"
	"golang.org/x/image/font/gofont/gomedium"

	"superpoint/partition/base/parallel"
	"superpoint/pipelines/files/atomicfile"
	"superpoint/testdata/must"
)

// TestNorthOfAMap: a map has an arrow to the top at its upper right, and a title at its upper left.
func TestNorthOfAMap(t *testing.T) {
	c := &Columns{Dimensions: map[string][]float64{}}
	for i := range 400 {
		c.X, c.Y, c.Z = append(c.X, float64(i%20)), append(c.Y, float64(i/20)), append(c.Z, 0)
		c.Dimensions["Classification"] = append(c.Dimensions["Classification"], 2)
	}
	dark := map[string]int{}
	for _, title := range []string{"", "here, EPSG:32632"} {
		path := filepath.Join(t.TempDir(), "map.png")
		to := must.Get(new(atomicfile.Files).Output(path))(t)
		must.OK(t, Map(parallel.Run{}, to, c, MapStyle{Width: 1400, ID: "SuperpointID", Title: title}))
		picture := must.Get(png.Decode(bytes.NewReader(must.Get(os.ReadFile(path))(t))))(t)
		width := picture.Bounds().Dx()
		dark[title] = darkPixels(picture, image.Rect(0, 0, width/2, 60))
		arrow := image.Rect(width-100, 0, width, 60)
		must.Hold(t, darkPixels(picture, arrow) > 100, "%d dark pixels of an arrow",
			darkPixels(picture, arrow))
	}
	must.Hold(t, dark["here, EPSG:32632"] > dark[""], "the title is not longer than the default: %v", dark)
}

// TestLongTitleOfAMap: a title that is too long for its line is written on two, in letters that fit between
// the edge of the picture and the arrow. Names of up to 90 letters are whole, longer ones keep both ends.
func TestLongTitleOfAMap(t *testing.T) {
	const width = 1400
	out := func() *image.RGBA { return image.NewRGBA(image.Rect(0, 0, width, 70)) }
	arrow := must.Get(north(out(), titleSize(width)))(t)
	bar := titleBar(titleSize(width))
	for _, letters := range []int{20, 60, 90, 200} {
		name := strings.Repeat("lidarhd_", 25)[:letters-4] + "_end"
		picture := out()
		draw.Draw(picture, picture.Rect, image.White, image.Point{}, draw.Src)
		style := MapStyle{Width: width, Title: name, Place: "EPSG:32632, centre 600050 5000100"}
		must.OK(t, style.writeTitle(picture, arrow-3*gutter))
		must.Equal(t, darkPixels(picture, image.Rect(arrow-gutter, 0, width, 70)), 0,
			"dark pixels at the arrow, title of %d letters", letters)
		must.Equal(t, darkPixels(picture, image.Rect(0, bar, width, 70)), 0,
			"dark pixels below the bar, title of %d letters", letters)
		upper := darkPixels(picture, image.Rect(0, 0, width, bar/4))
		must.Equal(t, upper > 0, letters > 30, "two lines for %d letters", letters)
	}
	small := must.Get(face(gomedium.TTF, titleSize(width)*smaller))(t)
	whole := strings.Repeat("lidarhd_", 12)[:90]
	must.Equal(t, shortened(small, whole, arrow-3*gutter), whole, "name of 90 letters")
	room := font.MeasureString(small, "abc…gh").Ceil()
	must.Equal(t, shortened(small, "abcdefgh", room), "abc…gh", "cut name")
}

// darkPixels returns the number of dark pixels in a rectangle.
func darkPixels(picture image.Image, in image.Rectangle) (count int) {
	for y := in.Min.Y; y < in.Max.Y; y++ {
		for x := in.Min.X; x < in.Max.X; x++ {
			if color.GrayModel.Convert(picture.At(x, y)).(color.Gray).Y < 100 {
				count++
			}
		}
	}
	return count
}
