// SPDX-License-Identifier: BSD-3-Clause

package pdaltest

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"superpoint/filter/message"
	"superpoint/testdata/must"
)

// hostileNames are names of files and folders with everything that a shell, make,
// sed, JSON, CSV, PDAL or an option parser may take for its own. Some of them are
// tried in the long form only.
func hostileNames() map[string]string {
	all := map[string]string{
		"signs":       "a'b\"c$(touch PWNED)`touch PWNED`;touch PWNED;#&|<>*?[x]{}~\\ %d =,!",
		"make":        "$(shell touch PWNED)${shell touch PWNED}$$",
		"JSON":        `","type":"filters.stats"},{"type":"writers.las","filename":"PWNED`,
		"stage":       `x"stage":{"points":1},"output":"out`,
		"a new line":  "new\nline\ttab",
		"not UTF-8":   "\xff\xfe\x80",
		"an option":   "--output=PWNED",
		"a short one": "-x",
		"formula":     "=HYPERLINK(1)",
		"a home":      "~root",
	}
	if full(0, 1) == 0 {
		for _, kind := range []string{"stage", "a short one", "formula"} {
			delete(all, kind)
		}
	}
	return all
}

// checkNotExecuted fails the test if a name was run or written to.
func checkNotExecuted(t *testing.T, folders ...string) {
	t.Helper()
	for _, folder := range folders {
		must.OK(t, filepath.WalkDir(folder, func(path string, e fs.DirEntry, err error) error {
			if err == nil && strings.TrimSuffix(e.Name(), ".las") == "PWNED" {
				t.Errorf("%s is there", path)
			}
			return err
		}))
	}
}

// TestRecipesOfMakeHaveNoVariables reads the Makefile: what users give reaches
// recipes through the environment, never as text of the shell.
func TestRecipesOfMakeHaveNoVariables(t *testing.T) {
	text := must.Get(os.ReadFile(filepath.Join("..", "..", "Makefile")))(t)
	recipes := 0
	for i, line := range strings.Split(string(text), "\n") {
		if !strings.HasPrefix(line, "\t") {
			continue
		}
		recipes++
		if found := regexp.MustCompile(`\$[^@<^*]?`).FindString(strings.ReplaceAll(line, "$$", "")); found != "" {
			t.Errorf("Makefile:%d: %s in %q; use $$NAME, quoted", i+1, found, line)
		}
	}
	if recipes < 20 {
		t.Errorf("only %d lines of recipes", recipes)
	}
}

// TestDemoOfHostileNames runs make demo INPUT=… on files with such names.
func TestDemoOfHostileNames(t *testing.T) {
	in, points := houseFile(t, 0, 0, 1)
	text := must.Get(os.ReadFile(in))(t)
	dir := checkout(t, nil)
	for kind, name := range hostileNames() {
		if full(0, 1) == 0 && (kind == "JSON" || kind == "not UTF-8") {
			continue // which only pdal sees: TestSegmentOfManyFiles
		}
		name = strings.ReplaceAll(name, "/", "") + ".las"
		must.OK(t, os.WriteFile(filepath.Join(dir, name), text, 0o666))
		for _, how := range []string{"argument", "environment"} {
			if full(0, 1) == 0 && (how == "environment") != (kind == "make") {
				continue // both ways for all of them take a while
			}
			os.Remove(filepath.Join(dir, "out", "demo.laz"))
			c := exec.Command("make", "-o", "plugin", "demo")
			c.Dir, c.Env = dir, append(os.Environ(), "INPUT="+name)
			if how == "argument" {
				c.Args, c.Env = append(c.Args, "INPUT="+name), os.Environ()
			}
			out, err := c.CombinedOutput()
			if err != nil || !strings.Contains(string(out), ": "+message.Count(points.Len(), "point")+", ") {
				t.Errorf("%s, as %s: %v\n%s", kind, how, err, out)
			}
			if _, err := os.Stat(filepath.Join(dir, "out", "demo.laz")); err != nil {
				t.Errorf("%s, as %s: %v", kind, how, err)
			}
		}
	}
	checkNotExecuted(t, dir)
}

// TestInstallOfHostileNames links the QGIS plugin into profiles of such names.
func TestInstallOfHostileNames(t *testing.T) {
	dir := checkout(t, nil)
	for kind, name := range hostileNames() {
		home := t.TempDir()
		folder := filepath.Join(home, strings.ReplaceAll(name, "/", ""))
		must.OK(t, os.Mkdir(folder, 0o777))
		run := exec.Command(filepath.Join(dir, "pipelines", "qgis", "install.sh"), filepath.Base(folder))
		run.Dir, run.Env = home, append(os.Environ(), "HOME="+folder, "XDG_DATA_HOME="+folder)
		if out, err := run.CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", kind, err, out)
		}
		checkNotExecuted(t, home)
	}
	checkNotExecuted(t, dir)
}

// TestNamesOfHomes has names in the working folder that PDAL takes for those of homes.
func TestNamesOfHomes(t *testing.T) {
	t.Parallel()
	house, points := houseFile(t, 0, 0, 1)
	dir := t.TempDir()
	must.OK(t, os.WriteFile(filepath.Join(dir, "~root.las"), must.Get(os.ReadFile(house))(t), 0o666))
	for _, args := range []string{"info ~root.las", "segment --classes aerial ~root.las ~out.las", "table ~out.las ~t.csv",
		"objects ~out.las ~o.geojson", "render ~root.las ~p.png", "map ~*root.las ~map",
		"survey plan --output ~plan ~root.las", "survey run ~plan"} {
		in(t, dir, launcher(t), append([]string{"superpoint"}, strings.Fields(args)...)...).ok(t)
	}
	for _, name := range []string{"~out.las", "~map/points/~root.las", "~plan/out/~root.las"} {
		if got := read(t, filepath.Join(dir, name)); got.Len() != points.Len() {
			t.Errorf("%s: %d points", name, got.Len())
		}
	}
}
