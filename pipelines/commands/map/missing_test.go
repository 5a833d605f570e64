// SPDX-License-Identifier: BSD-3-Clause

package mapcmd

import (
	"errors"
	"os"
	"path/filepath"
	"testing"

	"superpoint/testdata/must"
)

// TestFormerMapStays: a map without a tile does not replace one that has it, unless --partial says so. A tile
// that was missing before may be missing again.
func TestFormerMapStays(t *testing.T) {
	const report = `<meta name="superpoint-tile" content="a &amp; b.laz">
<meta name="superpoint-tile" content="made of text.laz">
<li>gone.laz is missing: damaged</li>`
	for _, c := range []struct {
		name, input string
		partial     bool
		want        string // words of the error
	}{
		{"a tile of the former map", "in/a & b.laz", false, "that map stays"},
		{"a result of another name", "in/made of text.txt", false, "--partial"},
		{"with the option", "in/a & b.laz", true, ""},
		{"a tile that was missing", "in/gone.laz", false, ""},
		{"a new tile", "in/b.laz", false, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := &mapping{folder: t.TempDir(), partial: c.partial}
			must.OK(t, m.checkFormer())
			m.leaveOut(c.input, errors.New("damaged"))
			must.OK(t, m.checkFormer())
			must.OK(t, os.WriteFile(filepath.Join(m.folder, mapReport), []byte(report), 0o666))
			must.Says(t, m.checkFormer(), c.want, c.name)
		})
	}
}
