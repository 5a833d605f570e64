package pdaltest

import (
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
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
			continue // which only pdal sees: TestHostileNamesInAFolder
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

// stubs puts programs into dir/stubs that note their names and arguments, and
// replaces build/pdal by one; calls returns what was noted since it was last asked.
func stubs(t *testing.T, dir string, programs ...string) (calls func() []string) {
	t.Helper()
	log := filepath.Join(t.TempDir(), "calls")
	folder := filepath.Join(dir, "stubs")
	must.OK(t, os.Mkdir(folder, 0o777))
	text := fmt.Sprintf("#!/bin/sh\nprintf '%%s\\0' \"$(basename \"$0\")\" \"$@\" '' >>%s\necho 1\n", log)
	for _, name := range programs {
		must.OK(t, os.WriteFile(filepath.Join(folder, name), []byte(text), 0o777))
	}
	must.OK(t, os.Remove(filepath.Join(dir, "build")))
	must.OK(t, os.Symlink("stubs", filepath.Join(dir, "build")))
	return func() []string {
		text, _ := os.ReadFile(log)
		os.Remove(log)
		return strings.Split(string(text), "\x00")
	}
}

// TestScriptsOfHostileNames gives such names of folders and files to the scripts
// that people copy. Those that count the tiles of a plan say so where there is no
// python3 to count them.
func TestScriptsOfHostileNames(t *testing.T) {
	dir := checkout(t, nil)
	calls := stubs(t, dir, "pdal", "sbatch", "aws", "kubectl", "go")
	path := "PATH=" + filepath.Join(dir, "stubs") + ":" + os.Getenv("PATH")
	_, noPython := exec.LookPath("python3")
	for kind, name := range hostileNames() {
		home := t.TempDir()
		folder := filepath.Join(home, strings.ReplaceAll(name, "/", ""))
		must.OK(t, os.Mkdir(folder, 0o777))
		plan := filepath.Join(folder, "plan.json")
		must.OK(t, os.WriteFile(plan, []byte(`{"sources": [1], "tiles": [1, 2], "results": [1, 2]}`), 0o666))
		for _, c := range []struct {
			script string
			args   []string
			want   string // among the arguments that a program got
		}{
			{"pipelines/folder.sh", []string{folder, folder + " out"}, folder},
			{"pipelines/folder.sh", []string{filepath.Base(folder), "out"}, filepath.Base(folder)},
			{"pipelines/cluster/slurm/submit.sh", []string{folder}, strings.ReplaceAll(folder, "%", "%%")},
			{"pipelines/qgis/install.sh", []string{filepath.Base(folder)}, ""},
		} {
			run := exec.Command(filepath.Join(dir, c.script), c.args...)
			run.Dir = home
			run.Env = append(os.Environ(), path, "HOME="+folder, "XDG_DATA_HOME="+folder,
				"PDAL="+filepath.Join(dir, "stubs", "pdal"))
			out, err := run.CombinedOutput()
			if noPython != nil && strings.HasPrefix(c.script, "pipelines/cluster/") {
				if err == nil || !strings.Contains(string(out), "python3 is needed") {
					t.Errorf("%s without python3: %v\n%s", c.script, err, out)
				}
				continue
			}
			if err != nil {
				t.Errorf("%s with %s: %v\n%s", c.script, kind, err, out)
			}
			if seen := calls(); !slices.ContainsFunc(seen, func(a string) bool { return strings.Contains(a, c.want) }) {
				t.Errorf("%s with %s: programs were called with %q, none with %q\n%s", c.script, kind, seen, c.want, out)
			}
		}
		checkNotExecuted(t, home)
	}
	checkNotExecuted(t, dir)
}

// TestHostileNamesInAFolder segments a folder whose name and files have such
// names: each file becomes one of the same name.
func TestHostileNamesInAFolder(t *testing.T) {
	in, _ := houseFile(t, 0, 0, 1)
	text := must.Get(os.ReadFile(in))(t)
	dir := t.TempDir()
	from, to := filepath.Join(dir, "in $(touch PWNED) \"[*]"), filepath.Join(dir, "out 'x' {1}\n")
	must.OK(t, os.Mkdir(from, 0o777))
	var names []string
	for _, name := range hostileNames() {
		names = append(names, strings.ReplaceAll(name, "/", "")+".las")
		must.OK(t, os.WriteFile(filepath.Join(from, names[len(names)-1]), text, 0o666))
	}
	c := exec.Command(file(t, "folder.sh"), from, to, "--model", "geometric")
	c.Dir, c.Env = dir, append(os.Environ(), "PDAL="+launcher(t))
	if out, err := c.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
	for _, name := range names {
		if info, err := os.Stat(filepath.Join(to, name)); err != nil || info.Size() < int64(len(text)) {
			t.Errorf("%q: %v", name, err)
		}
	}
	checkNotExecuted(t, dir)
}
