package style

import (
	"bytes"
	"path"
	"slices"
	"testing"
	"unicode/utf8"
)

// longest is the number of characters that a line may have; a tab is one.
const longest = 120

var (
	suffixes = []string{".go", ".c", ".h", ".cu", ".cpp", ".hpp", ".sh", ".py", ".cmake", ".in"}
	programs = []string{"Makefile", "CMakeLists.txt", "Dockerfile", "run"}
)

// TestLinesAreShort reads whatever is written by hand in a language of programs.
func TestLinesAreShort(t *testing.T) {
	kinds := map[string]int{}
	files(t, func(name string, text []byte) {
		kind := path.Ext(name)
		if slices.Contains(programs, path.Base(name)) {
			kind = path.Base(name)
		} else if !slices.Contains(suffixes, kind) {
			return
		}
		kinds[kind]++
		for i, line := range bytes.Split(text, []byte("\n")) {
			if n := utf8.RuneCount(line); n > longest {
				t.Errorf("%s:%d: %d characters; at most %d", name, i+1, n, longest)
			}
		}
	})
	for _, kind := range append(suffixes, programs...) {
		if kinds[kind] == 0 {
			t.Errorf("no %s was read", kind)
		}
	}
}
