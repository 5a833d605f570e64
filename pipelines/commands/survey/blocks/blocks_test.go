// SPDX-License-Identifier: BSD-3-Clause

package blocks

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"superpoint/testdata/must"
)

const title = "a survey and a file"

// readOne reads a file of one block.
func readOne(path string, arrays []any) error {
	every := func(int, []float64) bool { return true }
	return Read(path, title, 0, every, arrays, func(int) error { return nil })
}

// TestArraysOfAFile: arrays of all types are read as they were written, and damaged files are refused.
func TestArraysOfAFile(t *testing.T) {
	path := filepath.Join(t.TempDir(), "arrays")
	long := make([]uint32, arrayBlock+7)
	for i := range long {
		long[i] = uint32(i * i)
	}
	a, b, c := []float32{1, -2.5, 3}, []bool{true, false, true}, []uint64{}
	var written bytes.Buffer
	arrays := []any{&a, &long, &b, &c}
	must.Get(Write(&written, title, 1, func(int) ([]any, []float64) { return arrays, nil }))(t)
	must.OK(t, os.WriteFile(path, written.Bytes(), 0o644))
	var ra []float32
	var rl []uint32
	var rb []bool
	var rc []uint64
	must.OK(t, readOne(path, []any{&ra, &rl, &rb, &rc}))
	must.Equal(t, ra, a, "float32")
	must.Equal(t, rl, long, "uint32, several blocks")
	must.Equal(t, rb, b, "bool")
	must.Equal(t, len(rc), 0, "values of an empty array")
	text := written.Bytes()
	first := bytes.Index(text, []byte("0\x03\x00\x00")) + 1 // behind the name of the entry
	for name, change := range map[string]func(bad []byte) []byte{
		"checksum": func(bad []byte) []byte { bad[len(bad)/2] ^= 1; return bad },
		"not a":    func(bad []byte) []byte { return bad[:len(bad)-6] },
		"numbers":  func(bad []byte) []byte { bad[first+6] = 1; return bad },
	} {
		must.OK(t, os.WriteFile(path, change(bytes.Clone(text)), 0o644))
		must.Fail(readOne(path, []any{&ra, &rl, &rb, &rc}))(t, "damaged", name)
	}
}
