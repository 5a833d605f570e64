// SPDX-License-Identifier: BSD-3-Clause

package generated

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"superpoint/testdata/must"
)

// TestStaleFilesAreFound: a section that differs and a whole file that is missing are written, one that is
// the same is not, and what is around a section stays. A section without an end is an error.
func TestStaleFilesAreFound(t *testing.T) {
	top := t.TempDir()
	page := func(a, b string) string {
		return "head\n<!-- a: make a -->\n" + a + "<!-- end of a -->\nmiddle\n<!-- b: make a -->\n" + b +
			"<!-- end of b -->\ntail\n"
	}
	path := filepath.Join(top, "page.md")
	must.OK(t, os.WriteFile(path, []byte(page("old\n", "")), 0o644))
	files := []File{{Path: "page.md", By: "make a", Sections: map[string]string{"a": "new\n", "b": "more\n"}},
		{Path: "whole", Whole: "all"}}
	changed := must.Get(Changed(top, files))(t)
	must.Equal(t, slices.Sorted(maps.Keys(changed)), []string{"page.md", "whole"}, "changed files")
	must.OK(t, Write(top, files))
	must.Equal(t, string(must.Get(os.ReadFile(path))(t)), page("new\n", "more\n"), "page")
	must.Equal(t, len(must.Get(Changed(top, files))(t)), 0, "old files after writing")
	must.Fail(files[0].Render([]byte("head\n<!-- a: make a -->\n")))(t, "page.md has no lines")
}

// TestGeneratedLine: one line with a number is replaced, and what is around it stays.
func TestGeneratedLine(t *testing.T) {
	f := File{Path: "recipe", Line: `  version: "0.2.0"`}
	text := must.Get(f.Render([]byte("a: 1\n  version: \"0.1.0\"\nversion: 5\n")))(t)
	must.Equal(t, string(text), "a: 1\n  version: \"0.2.0\"\nversion: 5\n", "file with the line")
	must.Fail(f.Render([]byte("a: 1\n")))(t, "recipe has 0 lines", "version")
	must.Fail(f.Render([]byte("  version: \"1\"\n  version: \"1\"\n")))(t, "recipe has 2 lines")
}
