// SPDX-License-Identifier: BSD-3-Clause

package job

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"superpoint/testdata/must"
)

// TestMemo: what was read while another file had the name, for a moment, is kept neither for the file nor for
// its kind.
func TestMemo(t *testing.T) {
	t.Parallel()
	if runtime.GOOS != "linux" {
		t.Skip("other systems have no time that programs cannot set")
	}
	var m Memo[string]
	for name, of := range map[string]func(path string, compute func() (string, error)) (string, error){
		"by state": func(path string, compute func() (string, error)) (string, error) {
			return m.Of(path, "", compute)
		},
		"by kind": func(path string, compute func() (string, error)) (string, error) {
			kind := func() (string, error) { return filepath.Ext(path), nil }
			return m.OfKind(path, "", kind, compute)
		},
		"without a kind": func(path string, compute func() (string, error)) (string, error) {
			kind := func() (string, error) { return "", os.ErrInvalid }
			return m.OfKind(path, "", kind, compute)
		},
	} {
		folder := t.TempDir()
		path := write(t, folder, "a.las", "right")
		reads := 0
		plain := func() (string, error) {
			reads++
			return read(t, path), nil
		}
		swapped := func() (string, error) {
			aside := filepath.Join(folder, "aside")
			must.OK(t, os.Rename(path, aside))
			write(t, folder, "a.las", "wrong")
			defer func() { must.OK(t, os.Rename(aside, path)) }()
			return plain()
		}
		must.Equal(t, must.Get(of(path, swapped))(t), "wrong", "%s: read of another file", name)
		for range 2 {
			must.Equal(t, must.Get(of(path, plain))(t), "right", "%s: read afterwards", name)
		}
		must.Equal(t, reads, 2, "%s: reads of three calls", name)
	}
}

// TestIdentity: a file whose stamp is unchanged is not read; one that changed has its new content.
func TestIdentity(t *testing.T) {
	t.Parallel()
	path := write(t, t.TempDir(), "a", "before")
	stamp := must.Get(Stamp(path))(t)
	known := Identity{Content: "of the record", Stamp: stamp}
	must.Equal(t, must.Get(known.Now(path))(t), "of the record", "content by the stamp")
	must.OK(t, os.WriteFile(path, []byte("after"), 0o666))
	must.Equal(t, must.Get(known.Now(path))(t), must.Get(hash(path))(t), "content of a changed file")
}
