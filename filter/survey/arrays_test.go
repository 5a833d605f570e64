package survey

import (
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"superpoint/testdata/must"
)

func TestArraysOfAFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "arrays")
	long := make([]uint32, arrayBlock+7)
	for i := range long {
		long[i] = uint32(i * i)
	}
	a, b, c := []float32{1, -2.5}, []bool{true, false, true}, []uint64{}
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
	for name, change := range map[string]func() []byte{
		"checksum": func() []byte { bad := append([]byte(nil), text...); bad[len(bad)-14] ^= 1; return bad },
		"EOF":      func() []byte { return text[:len(text)-6] },
		"arrays":   func() []byte { return []byte("what is this?") },
		"numbers":  func() []byte { bad := append([]byte(nil), text...); bad[len(arraysMagic)+6] = 1; return bad },
	} {
		must.OK(t, os.WriteFile(path, change(), 0o644))
		must.Fail(readArrays(path, []any{&ra, &rl, &rb, &rc}))(t, name)
	}
}
