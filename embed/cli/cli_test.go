package cli

import (
	"slices"
	"strings"
	"testing"
)

// TestParse has options before, between and behind files, also as pdal takes one
// dash apart.
func TestParse(t *testing.T) {
	for given, want := range map[string]string{
		"a --x 1 b --n=2 c":        "a b c",
		"--x=-1e9 a":               "give a number",
		"a -- --x":                 "a --x",
		"-threads 2 a":             "-threads: options have two dashes: --threads",
		"-t -r -e -a -d -s 2 a":    "-treads: options have two dashes: --threads",
		"-t -r -e -a -d -s --help": "two dashes: --threads",
		"-x=1 a":                   "-x: options have two dashes: --x",
		"a -t -y -p -o":            "-typo: options have two dashes;",
		"--tilt -3 -0 a":           "equals sign",
		"--typo a":                 "there is no option --typo",
		"--n two a":                "--n",
		"--x":                      "--x",
	} {
		f, _, _ := flags()
		var threads int
		var tilt float64
		Int(f, &threads, "threads", 0, 0, 8, "threads")
		Float(f, &tilt, "tilt", 0, -90, 90, "degrees")
		files, err := Parse(f, strings.Fields(given))
		if err != nil {
			if !strings.Contains(err.Error(), want) || !strings.Contains(err.Error(), "superpoint test --help") {
				t.Errorf("%q: %v, want %q", given, err, want)
			}
			continue
		}
		if !slices.Equal(files, strings.Fields(want)) {
			t.Errorf("%q: files %q, want %q", given, files, want)
		}
	}
	f, _, _ := flags()
	if _, err := Parse(f, []string{"a", "--help"}); err != ErrHelp {
		t.Error(err)
	}
}
