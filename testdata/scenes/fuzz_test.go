package scenes

import (
	"math"
	"os"
	"path/filepath"
	"testing"
)

// FuzzReadSTL reads solids, binary and ASCII, with labels beside them: a scene
// of finite size, or an error.
func FuzzReadSTL(f *testing.F) {
	f.Add([]byte("solid a\nfacet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 "+
		"0\nendloop\nendfacet\nendsolid a\n"), "")
	f.Add(append(make([]byte, 80), 1, 0, 0, 0), "parts: [{first: 0, count: 1, class: 6}]")
	f.Add(append(append(make([]byte, 80), 1, 0, 0, 0), make([]byte, 50)...),
		"parts: [{first: 0, count: 1, class: 6}]\nstations: [[1, 2, 3]]")
	f.Add(append(make([]byte, 80), 255, 255, 255, 255), "")
	folder := f.TempDir()
	f.Fuzz(func(t *testing.T, solid []byte, labels string) {
		path := filepath.Join(folder, "a.stl")
		if err := os.WriteFile(path, solid, 0o644); err != nil {
			t.Fatal(err)
		}
		os.Remove(labelFile(path))
		if labels != "" {
			if err := os.WriteFile(labelFile(path), []byte(labels), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		s, err := ReadSTL(path)
		if err != nil {
			return
		}
		dx, dy := s.Size()
		if !(dx > 0 && dy > 0) || math.IsInf(dx, 0) || math.IsInf(dy, 0) || s.Block(0, 0) == nil {
			t.Errorf("a scene of %v by %v", dx, dy)
		}
		s.Station(3)
	})
}
