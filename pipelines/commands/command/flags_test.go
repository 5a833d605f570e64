// SPDX-License-Identifier: BSD-3-Clause

package command

import (
	"errors"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/pflag"

	"superpoint/testdata/must"
)

// TestParse: options before, between and after files, and options with one dash, as pdal splits them.
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
		"--tilt -9 -1 a":           `--tilt "-91": give`,
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
		a := &Arguments{FlagSet: f}
		a.IntOption(&threads, "threads", 0, 0, 8, "threads")
		a.FloatOption(&tilt, "tilt", 0, -90, 90, "degrees")
		a.FloatOption(&tilt, "target_size", 0, 1, 90, "points")
		files, err := parse(f, strings.Fields(given))
		if err != nil {
			must.Hold(t, strings.Contains(err.Error(), want),
				"%q: got %q, want %q in it", given, err.Error(), want)
			must.Hold(t, strings.Contains(err.Error(), "superpoint test --help"),
				"%q: got %q, want %q in it", given, err.Error(), "superpoint test --help")
			continue
		}
		must.Hold(t, slices.Equal(files, strings.Fields(want)), "%q: files %q, want %q", given, files, want)
	}
	f, _, _ := flags()
	_, err := parse(f, []string{"a", "--help"})
	must.Hold(t, err == errHelp, "%v", err)
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
		got := strings.TrimSpace(fmt.Sprint(*fast, " ", strings.Join(files, " ")))
		must.Need(t, err == nil, "%s: %v", given, err)
		must.Equal(t, got, want, "%s", given)
	}
}

// TestHelp: --help lists the common options, --help-all also the rare ones.
func TestHelp(t *testing.T) {
	f, _, _ := flags()
	rare(f, "n")
	for asked, want := range map[string]string{"--help": "--help-all", "--help-all a": "--n integer",
		"-h": "--help-all"} {
		_, err := parse(f, strings.Fields(asked))
		text := help(f, "FILE\n\nDoes it.", err)
		everyday, further, found := strings.Cut(text, "Further options:")
		must.Hold(t, errors.Is(err, errHelp), "%s: error %v, want errHelp", asked, err)
		must.Hold(t, found, "%s: found is false", asked)
		must.Hold(t, strings.Contains(everyday, "--x number"),
			"%s: got %q, want %q in it", asked, everyday, "--x number")
		must.Hold(t, !strings.Contains(everyday, "--n"),
			"%s: got %q, want no %q in it", asked, everyday, "--n")
		must.Hold(t, strings.Contains(further, want), "%s: got %q, want %q in it", asked, further, want)
	}
	files, err := parse(f, []string{"--", "--help-all"})
	must.OK(t, err)
	must.Equal(t, len(files), 1, "len(files)")
	must.Equal(t, help(f, "", err), "", `help(f, "", err)`)
}

// TestListOfFiles: a comma in the name of a file or pattern does not separate.
func TestListOfFiles(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, name := range []string{"a,b.laz", "c,d.laz", "e.laz", "[x],y.laz"} {
		must.OK(t, os.WriteFile(name, nil, 0o600))
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
		err := l.Set(text)
		must.Need(t, err == nil, "%s: %v", text, err)
		must.Hold(t, slices.Equal(l, want), "%s: l is %v, want %v", text, l, want)
	}
}

func flags() (f *pflag.FlagSet, x *float64, n *int) {
	f, x, n = newFlags("test"), new(float64), new(int)
	a := &Arguments{FlagSet: f}
	a.FloatOption(x, "x", -1, 0.5, 2, "a number")
	a.IntOption(n, "n", 7, 1, 10, "a whole number")
	return f, x, n
}

func TestRanges(t *testing.T) {
	for text, good := range map[string]bool{
		"--x=0.5": true, "--x=2": true, "--x=1e0": true, "--n=1": true, "--n=10": true,
		"--x=nan": false, "--x=inf": false, "--x=-Inf": false, "--x=1e308": false,
		"--x=0.4999": false, "--x=": false,
		"--x=1,5": false, "--x=1 ": false,
		"--n=0": false, "--n=11": false, "--n=1.5": false, "--n=99999999999999999999": false,
		"--n=nan": false,
	} {
		f, x, n := flags()
		_, err := parse(f, []string{text})
		must.Equal(t, err == nil, good, "%s: err == nil, for error %v", text, err)
		if err != nil {
			must.Hold(t, strings.Contains(err.Error(), "give a"),
				"%s: got %q, want %q in it", text, err.Error(), "give a")
		}
		if err != nil {
			must.Equal(t, *x, -1, "%s is refused, but was stored: *x", text)
			must.Equal(t, *n, 7, "%s is refused, but was stored: *n", text)
		}
	}
}

func TestHelpNamesDefaults(t *testing.T) {
	f, _, _ := flags()
	text := help(f, "FILE\n", errHelp)
	must.Say(t, text, "--n integer")
	must.Say(t, text, "default 7")
	must.Say(t, text, "default -1")
}

func FuzzNumber(f *testing.F) {
	for _, text := range []string{"1", "-0", "nan", "+Inf", "1e308", "0x1p-2", "1_0", "٣"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		fs, x, n := flags()
		if fs.Parse([]string{"--x=" + text}) == nil {
			must.Hold(t, *x >= 0.5, "%q gives %v: want *x at least 0.5", text, *x)
			must.Hold(t, *x <= 2, "%q gives %v: want *x at most 2", text, *x)
		}
		if fs.Parse([]string{"--n=" + text}) == nil {
			must.Hold(t, *n >= 1, "%q gives %v: want *n at least 1", text, *n)
			must.Hold(t, *n <= 10, "%q gives %v: want *n at most 10", text, *n)
		}
		v, err := Number(text, math.Inf(-1), math.Inf(1))
		if err == nil {
			must.Hold(t, !math.IsNaN(v), "%q gives %v: v is NaN", text, v)
			must.Hold(t, !math.IsInf(v, 0), "%q gives %v: math.IsInf(v, 0) is true", text, v)
		}
	})
}

// TestClassifierOption: the option of a classifier has two names, of which the help shows the clearer one.
// The classes of train are rules, and have one.
func TestClassifierOption(t *testing.T) {
	for _, c := range []struct {
		name, command string
		args          []string
		value, words  string // of the option, or of the error
	}{
		{"new name", "segment", []string{"--classifier", "aerial"}, "aerial", ""},
		{"new name with =", "segment", []string{"--classifier=aerial"}, "aerial", ""},
		{"old name", "segment", []string{"--classes", "aerial"}, "aerial", ""},
		{"the last counts", "segment", []string{"--classes", "a", "--classifier", "b"}, "b", ""},
		{"a file of this name", "segment", []string{"--", "--classifier"}, "", ""},
		{"training", "train", []string{"--classes", "rules.yaml"}, "rules.yaml", ""},
		{"training has no classifier", "train", []string{"--classifier", "rules.yaml"}, "",
			"there is no option --classifier"},
		{"misspelt", "segment", []string{"--clasifier", "a"}, "", "--classifier"},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := newFlags(c.command)
			value := f.String("classes", "", "`classifier`")
			_, err := parse(f, c.args)
			must.Says(t, err, c.words, "%v", c.args)
			must.Equal(t, *value, c.value, "the option")
			shown := help(f, "", errHelp)
			must.Hold(t, strings.Contains(shown, "--classifier") == (c.command != TrainName),
				"help: %s", shown)
		})
	}
}

// TestRemovedOptionsAreInTheChanges: the list of changes has every option that is gone.
func TestRemovedOptionsAreInTheChanges(t *testing.T) {
	changes := string(must.Get(os.ReadFile(filepath.Join("..", "..", "..", "CHANGELOG.md")))(t))
	for name := range removed() {
		must.Hold(t, strings.Contains(changes, "`"+name+"`"), "the list of changes does not name %s", name)
	}
}
