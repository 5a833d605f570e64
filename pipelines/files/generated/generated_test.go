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

// TestStaleFilesAreFound: a section that differs and a whole file that is missing are written, one that is the same is
// not, and what is around a section stays. A section without an end is an error.
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
	if got := slices.Sorted(maps.Keys(changed)); !slices.Equal(got, []string{"page.md", "whole"}) {
		t.Errorf("%v changed", got)
	}
	must.OK(t, Write(top, files))
	if got := string(must.Get(os.ReadFile(path))(t)); got != page("new\n", "more\n") {
		t.Errorf("%q", got)
	}
	if changed := must.Get(Changed(top, files))(t); len(changed) > 0 {
		t.Errorf("%v is old after writing", changed)
	}
	must.Fail(files[0].Render([]byte("head\n<!-- a: make a -->\n")))(t, "page.md has no lines")
}
