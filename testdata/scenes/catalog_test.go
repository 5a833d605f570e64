package scenes

import (
	"archive/zip"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// library writes a library with one cupboard, a pyramid 80 cm wide, 50 cm deep
// and 2 m high, and one model that is missing.
func library(t *testing.T) string {
	dir := t.TempDir()
	f, err := os.Create(filepath.Join(dir, "a.sh3f"))
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	z := zip.NewWriter(f)
	for name, text := range map[string]string{
		"PluginFurnitureCatalog.properties": "# a list\nname=test\n" +
			"name#1=Cupboard\ncategory#1=Bedroom\nmodel#1=/m/p.obj\nwidth#1=80\ndepth#1=50\nheight#1=200\n" +
			"name#2=Lost\ncategory#2=Bedroom\nmodel#2=/m/lost.obj\nwidth#2=80\ndepth#2=50\nheight#2=200\n",
		"m/p.obj": "usemtl wood\nv 0 0 0\nv 4 0 0\nv 4 0 2\nv 0 0 2\nv 2 1 1\nf 1 2 3 4\nf 1/1 2/2 5/3\nf -4 -3 -1\nf 3 4 " +
			"5\nf 4 1 5\n",
	} {
		w, err := z.Create(name)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := w.Write([]byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestFurnitureOfALibrary(t *testing.T) {
	dir := library(t)
	c, err := openCatalog(dir)
	if err != nil {
		t.Fatal(err)
	}
	if len(c.large) != 1 || len(c.small) != 0 || c.large[0].class != Bookcase {
		t.Fatalf("%d large and %d small pieces, want the one cupboard", len(c.large), len(c.small))
	}
	o := &office{b: build()}
	if !o.bring(c.large[0], 0, 0) || len(o.b.mesh.Triangles) != 6 || o.objects != 1 {
		t.Fatalf("%d triangles, %d objects; want 6 and 1", len(o.b.mesh.Triangles), o.objects)
	}
	low, high := o.b.mesh.Triangles[0][0], o.b.mesh.Triangles[0][0]
	for _, tr := range o.b.mesh.Triangles {
		e := around(tr, 0)
		for a := range 3 {
			low[a], high[a] = min(low[a], e.low[a]), max(high[a], e.high[a])
		}
	}
	if low != [3]float32{-.4, 0, 0} || high != [3]float32{.4, .5, 2} {
		t.Errorf("the cupboard reaches from %v to %v", low, high)
	}
	s, err := New("home", Options{Seed: 1, Furniture: dir})
	if err != nil {
		t.Fatal(err)
	}
	with, without := len(s.Block(0, 0).Mesh.Triangles), len(scene(t, "home", 1).Block(0, 0).Mesh.Triangles)
	if with == without {
		t.Error("a home is the same with furniture and without")
	}
	for want, o := range map[string]Options{"no *.sh3f": {Furniture: t.TempDir()}, "only home": {Furniture: dir}} {
		name := "home"
		if want == "only home" {
			name = "street"
		}
		if _, err := New(name, o); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("want an error with %q, got %v", want, err)
		}
	}
}
