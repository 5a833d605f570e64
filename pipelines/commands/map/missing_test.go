// SPDX-License-Identifier: BSD-3-Clause

package mapcmd

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"superpoint/pipelines/commands/map/contents"
	"superpoint/pipelines/job"
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
			o := &omitted{folder: t.TempDir(), partial: c.partial}
			must.OK(t, o.checkFormer())
			o.leaveOut(c.input, errors.New("damaged"))
			must.OK(t, o.checkFormer())
			must.OK(t, os.WriteFile(filepath.Join(o.folder, contents.Report), []byte(report), 0o666))
			must.Says(t, o.checkFormer(), c.want, c.name)
		})
	}
}

// silent is a host that shows no messages.
type silent struct{ idle }

func (silent) Log(int, string) {}

// TestSkip: a result of a survey whose points cannot be read is left out, but not the last one, nor with
// --strict, nor one that changed while it was read.
func TestSkip(t *testing.T) {
	damaged := errors.New("damaged")
	changed := fmt.Errorf("a.laz: %w", job.ErrChanged)
	for _, c := range []struct {
		name   string
		files  []string
		strict bool
		err    error
		left   int
	}{
		{"one of two", []string{"a.laz", "b.laz"}, false, damaged, 1},
		{"the last one", []string{"a.laz"}, false, damaged, 1},
		{"--strict", []string{"a.laz", "b.laz"}, true, damaged, 2},
		{"a file that changed", []string{"a.laz", "b.laz"}, false, changed, 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := &omitted{folder: t.TempDir(), strict: c.strict}
			files, err := o.skip(silent{}, c.files, "a.laz", c.err)
			isSkipped := c.left < len(c.files)
			must.Equal(t, err == nil, isSkipped, "no error")
			must.Equal(t, len(files), c.left, "files of the map")
			must.Equal(t, len(o.missing), len(c.files)-c.left, "missing files")
		})
	}
}
