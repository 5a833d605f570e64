package pdaltest

import (
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"testing"

	"superpoint/testdata/must"
)

// TestRecipeImage runs the recipe as it is on a photo of four fields, whose borders no superpoint crosses.
func TestRecipeImage(t *testing.T) {
	t.Parallel()
	const side = 60
	field := func(column, row int) int { return column/30 + 2*(row/30) }
	photo := image.NewRGBA(image.Rect(0, 0, side, side))
	for i := range side * side {
		v := uint8(60*field(i%side, i/side) + i*7%11)
		photo.SetRGBA(i%side, i/side, color.RGBA{v, 200 - v, v / 2, 255})
	}
	dir := t.TempDir()
	f := must.Get(os.Create(filepath.Join(dir, "photo.tif")))(t) // GDAL looks into it
	must.OK(t, png.Encode(f, photo))
	must.OK(t, f.Close())
	in(t, dir, launcher(t), "pipeline", file(t, "image.json")).ok(t)
	p := gathered(t, filepath.Join(dir, "photo.laz"))
	count := ids(t, p, "SuperpointID")
	if dense(t, count); p.Len() != side*side || len(count) < 30 || len(count) > 60 {
		t.Errorf("%d superpoints of %d pixels", len(count), p.Len())
	}
	of := map[float64]int{}
	for i, id := range p.Extra["SuperpointID"] {
		k := field(i%side, i/side)
		if other, known := of[id]; known && other != k {
			t.Fatalf("superpoint %v is in the fields %d and %d", id, k, other)
		}
		of[id] = k
	}
}
