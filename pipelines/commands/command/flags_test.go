// SPDX-License-Identifier: BSD-3-Clause

package command

import (
	"errors"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
)

// TestParse: options before, between and after files, and options with one dash, as pdal
// splits them.
func TestParse(t *testing.T) {
	for given, want := range map[string]string{
		"a --x 1 b --n=2 c":        "a b c",
		"--x=-1e9 a":               "give a number",
		"a -- --x":                 "a --x",
		"-threads 2 a":             "-t: options have two dashes",
		"-t -r -e -a -d -s --help": "-t: options have two dashes",
		"-x=1 a":                   "-x: options have two dashes",
		"--tilt -3 -0 a":           "a",
		"--tilt -. -5 -- -a":       "-a",
		"--tilt -9 -e -- -1 -- -a": "-a",
		"--tilt -9 -1 a":           "\"-91\" for",
		"--tilt -3 -a b":           "-a: options have two dashes",
		"--typo a":                 "there is no option --typo;",
		"--thread=2 a":             "there is no option --thread (did you mean --threads?);",
		"--target-size 100 a":      "there is no option --target-size (did you mean --target_size?);",
		"--n two a":                "--n",
		"--x":                      "--x",
	} {
		f, _, _ := flags()
		var threads int
		var tilt float64
		Int(f, &threads, "threads", 0, 0, 8, "threads")
		Float(f, &tilt, "tilt", 0, -90, 90, "degrees")
		Float(f, &tilt, "target_size", 0, 1, 90, "points")
		files, err := parse(f, strings.Fields(given))
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
	if _, err := parse(f, []string{"a", "--help"}); err != errHelp {
		t.Error(err)
	}
}

// Switches have one form for all options: alone, or with true or false, behind an equals sign or not.
func TestSwitches(t *testing.T) {
	for given, want := range map[string]string{
		"--fast a":               "true a",
		"a --fast":               "true a",
		"--fast true a":          "true a",
		"--fast False a":         "false a",
		"--fast=false a":         "false a",
		"--fast false true":      "false true",
		"--text --fast a":        "false a",
		"--text true --fast a b": "true a b",
		"--fast false -- --fast": "false --fast",
	} {
		f := newFlags("test")
		fast := f.Bool("fast", false, "")
		f.String("text", "", "")
		files, err := parse(f, strings.Fields(given))
		if got := strings.TrimSpace(fmt.Sprint(*fast, " ", strings.Join(files, " "))); err != nil || got != want {
			t.Errorf("%s: %s, not %s: %v", given, got, want, err)
		}
	}
}

// TestHelp: --help lists the common options, --help-all also the rare ones.
func TestHelp(t *testing.T) {
	f, _, _ := flags()
	rare(f, "n")
	for asked, want := range map[string]string{"--help": "--help-all", "--help-all a": "--n integer", "-h": "--help-all"} {
		_, err := parse(f, strings.Fields(asked))
		text := help(f, "FILE\n\nDoes it.", err)
		everyday, further, found := strings.Cut(text, "Further options:")
		if !errors.Is(err, errHelp) || !found || !strings.Contains(everyday, "--x number") ||
			strings.Contains(everyday, "--n") || !strings.Contains(further, want) {
			t.Errorf("%s: %v\n%s", asked, err, text)
		}
	}
	if files, err := parse(f, []string{"--", "--help-all"}); err != nil || len(files) != 1 || help(f, "", err) != "" {
		t.Errorf("%q, %v: a file of that name", files, err)
	}
}

// TestListOfFiles: a comma in the name of a file or pattern does not separate.
func TestListOfFiles(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, name := range []string{"a,b.laz", "c,d.laz", "e.laz", "[x],y.laz"} {
		if err := os.WriteFile(name, nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for text, want := range map[string][]string{
		"a,b.laz":           {"a,b.laz"},
		"e.laz,a,b.laz":     {"e.laz", "a,b.laz"},
		"a,b.laz,e.laz,new": {"a,b.laz", "e.laz", "new"},
		"?,?.laz":           {"?,?.laz"},
		"[x],y.laz,e.laz":   {"[x],y.laz", "e.laz"},
		"p.laz,q.laz":       {"p.laz", "q.laz"},
	} {
		var l List
		if err := l.Set(text); err != nil || !slices.Equal(l, want) {
			t.Errorf("%s: %q, %v; want %q", text, l, err, want)
		}
	}
}
