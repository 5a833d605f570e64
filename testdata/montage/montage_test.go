package main

import (
	"image"
	"image/color"
	"image/draw"
	"image/jpeg"
	"image/png"
	"os"
	"path/filepath"
	"testing"
)

// TestMontage puts three pictures in two columns: each lands in its place.
func TestMontage(t *testing.T) {
	dir := t.TempDir()
	args := []string{filepath.Join(dir, "out.jpg"), "2", "40"}
	colors := []color.RGBA{{200, 0, 0, 255}, {0, 200, 0, 255}, {0, 0, 200, 255}}
	for i, c := range colors {
		m := image.NewRGBA(image.Rect(0, 0, 80, 40+20*i))
		draw.Draw(m, m.Bounds(), image.NewUniform(c), image.Point{}, draw.Src)
		path := filepath.Join(dir, string(rune('a'+i))+".png")
		f, err := os.Create(path)
		if err != nil {
			t.Fatal(err)
		}
		if err := png.Encode(f, m); err != nil {
			t.Fatal(err)
		}
		f.Close()
		args = append(args, path)
	}
	if err := run(args); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(args[0])
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	m, err := jpeg.Decode(f)
	if err != nil {
		t.Fatal(err)
	}
	if m.Bounds() != image.Rect(0, 0, 80, 70) { // rows of 30 and 40
		t.Fatalf("the montage covers %v", m.Bounds())
	}
	for i, at := range []image.Point{{20, 10}, {60, 15}, {20, 50}} {
		r, g, b, _ := m.At(at.X, at.Y).RGBA()
		want := colors[i]
		for k, v := range []uint32{r >> 8, g >> 8, b >> 8} {
			if d := int(v) - int([]uint8{want.R, want.G, want.B}[k]); d < -12 || d > 12 {
				t.Errorf("colour %d,%d,%d at %v, want %v", r>>8, g>>8, b>>8, at, want)
			}
		}
	}
	if err := run(args[:3]); err == nil {
		t.Error("no picture was accepted")
	}
}
