// SPDX-License-Identifier: BSD-3-Clause

package render

import (
	"bytes"
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"testing"

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
