// SPDX-License-Identifier: BSD-3-Clause

package filestate

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
		path := filepath.Join(folder, "a.las")
		must.OK(t, os.WriteFile(path, []byte("right"), 0o666))
		reads := 0
		plain := func() (string, error) {
			reads++
			content, err := os.ReadFile(path)
			return string(content), err
		}
		swapped := func() (string, error) {
			aside := filepath.Join(folder, "aside")
			must.OK(t, os.Rename(path, aside))
			must.OK(t, os.WriteFile(path, []byte("wrong"), 0o666))
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
