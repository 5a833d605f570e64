// SPDX-License-Identifier: BSD-3-Clause

package sources

import (
	"path/filepath"
	"testing"

	"superpoint/testdata/must"
)

// TestHiddenNames: a name that begins with a dot needs a dot in the pattern, in every folder of the path.
func TestHiddenNames(t *testing.T) {
	for _, c := range []struct {
		pattern, match string
		want           bool
	}{
		{"*/a.las", ".h/a.las", true}, {".h/a.las", ".h/a.las", false}, {".*/a.las", ".h/a.las", false},
		{"h/*.las", "h/.a.las", true}, {"*", ".a.las", true}, {"*", "a.las", false},
		{"./*/a.las", ".h/a.las", true}, {"./*/a.las", "h/a.las", false}, {"*/*/a.las", ".g/h/a.las", true},
	} {
		pattern, match := filepath.FromSlash(c.pattern), filepath.FromSlash(c.match)
		must.Equal(t, isHidden(pattern, match), c.want, "%s of %s is hidden", c.match, c.pattern)
	}
}
