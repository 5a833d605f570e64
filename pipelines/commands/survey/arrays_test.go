package survey

import (
	"bytes"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"testing"

	"superpoint/testdata/must"
)

func TestArraysOfAFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "arrays")
	long := make([]uint32, arrayBlock+7)
	for i := range long {
		long[i] = uint32(i * i)
	}
	a, b, c := []float32{1, -2.5, 3}, []bool{true, false, true}, []uint64{}
	must.Get(writeArrays(path, []any{&a, &long, &b, &c}))(t)
	var ra []float32
	var rl []uint32
	var rb []bool
	var rc []uint64
	must.OK(t, readArrays(path, []any{&ra, &rl, &rb, &rc}))
	if !reflect.DeepEqual(ra, a) || !reflect.DeepEqual(rl, long) || !reflect.DeepEqual(rb, b) || len(rc) != 0 {
		t.Fatalf("%v %v", ra, rb)
	}
	text := must.Get(os.ReadFile(path))(t)
	first := bytes.Index(text, []byte("0\x03\x00\x00")) + 1 // behind the name of the entry
	for name, change := range map[string]func(bad []byte) []byte{
		"checksum": func(bad []byte) []byte { bad[len(bad)/2] ^= 1; return bad },
		"not a":    func(bad []byte) []byte { return bad[:len(bad)-6] },
		"numbers":  func(bad []byte) []byte { bad[first+6] = 1; return bad },
	} {
		must.OK(t, os.WriteFile(path, change(bytes.Clone(text)), 0o644))
		must.Fail(readArrays(path, []any{&ra, &rl, &rb, &rc}))(t, "damaged", name)
	}
}

// TestMarkUnknown: a long edge makes the point at its end unknown if its other end is outside the halo.
func TestMarkUnknown(t *testing.T) {
	a := &haloTile{ID: []uint64{1, 5, 9}, Known: []bool{true, true, true}}
	a.markUnknown(&edgeList{Own: []uint64{9, 4, 1}, End: []uint64{5, 9, 7}})
	if want := []bool{true, true, false}; !slices.Equal(a.Known, want) {
		t.Errorf("known: %v, want %v", a.Known, want)
	}
}
