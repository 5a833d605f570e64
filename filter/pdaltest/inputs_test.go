// SPDX-License-Identifier: BSD-3-Clause

package pdaltest

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io/fs"
	"maps"
	"math"
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

// TestInputsOfAllCommands: every command refuses an input that PDAL would read otherwise than it is meant, names it,
// and writes nothing. Everyday tests give each input to a fifth of the commands, and each command two inputs.
func TestInputsOfAllCommands(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	for i, given := range [][3]string{ // a name, the text of the file if it is one, the error
		{"comma.csv", "X;Y;Z\n1,5;2,5;3,5\n", "line 2: '1,5' is not a number"},
		{"short.txt", "X,Y,Z\n1,2,3\n4,5\n", "line 3: 2 fields"},
		{"fraction.csv", "X,Y,Z,Red\n1,2,3,.5\n", "line 2: Red is .5"},
		{"photo.png", "no picture", "a .png file is a picture"},
		{"root/ept.json", `{"points": 5, "dataType": "laszip"}`, "ept.json tile.laz --writers.las.minor_version=4"},
		{"root", "", "EPT is not read"},
		{"far.vpc", `{"features": [{"assets": {"data": {"href": "https://127.0.0.1:1/a.laz"}}}]}`,
			"not read over a network"},
		{"two.vpc", `{"features": [{"assets": {"data": {"href": "a.laz"}, "b": {"href": "b.laz", "roles": ["data"]}}}]}`,
			"2 data assets"},
		{"https://127.0.0.1:1/a.laz", "", "not read over a network"},
		{"no*.laz", "", "no file has a name of this pattern"},
	} {
		input, out := given[0], t.TempDir()
		if !strings.Contains(input, "://") {
			input = filepath.Join(folder, input)
		}
		if given[1] != "" {
			put(t, input, given[1])
		}
		commands := everyCommand(t, out, input)
		for k, name := range slices.Sorted(maps.Keys(commands)) {
			if name == "train" || name == "survey run" || full(0, 1) == 0 && (i+k)%5 != 0 {
				continue
			}
			o := pdal(t, nil, slices.Concat([]string{"superpoint"}, strings.Fields(name), commands[name])...)
			left := slices.DeleteFunc(must.Get(os.ReadDir(out))(t), func(e os.DirEntry) bool {
				return e.Name() == "labels.csv" || e.Name() == "compare" // which can be resumed
			})
			if o.code != 1 || !strings.Contains(o.stderr, given[2]) || !strings.Contains(o.stderr, filepath.Base(input)) ||
				len(left) > 0 {
				t.Errorf("%s %s: exit code %d, left %v, without %q: %s", name, input, o.code, left, given[2], o.stderr)
			}
		}
	}
}

// Points without finite coordinates keep their places in a pipeline, with id 0.
func TestUnusablePointsOfAPipeline(t *testing.T) {
	folder := t.TempDir()
	nan := math.NaN()
	points := [][3]float64{{nan, nan, nan}}
	for i := range 400 {
		points = append(points, [3]float64{float64(i % 20), float64(i / 20), 0})
	}
	points = append(points, [3]float64{1, 2, math.Inf(1)})
	var ply bytes.Buffer
	fmt.Fprintf(&ply, "ply\nformat binary_little_endian 1.0\nelement vertex %d\nproperty double x\nproperty double y\n"+
		"property double z\nend_header\n", len(points))
	must.OK(t, binary.Write(&ply, binary.LittleEndian, points))
	must.OK(t, os.WriteFile(filepath.Join(folder, "nan.ply"), ply.Bytes(), 0o666))
	o := pipeline(t, nil, filepath.Join(folder, "nan.ply"), stage{"type": "filters.ferry", "dimensions": "Y=>Embedding0"},
		superpoint(stage{"where": "X > 10"}), superpoint(stage{"where": "!(X > 10)"}), stage{"type": "writers.text",
			"filename": filepath.Join(folder, "out.txt"), "order": "SuperpointID,Embedding0", "keep_unspecified": false})
	if strings.Count(o.ok(t).stderr, "2 of 222 points without finite coordinates left out: id 0") != 1 {
		t.Errorf("it said %s", o.stderr)
	}
	// LAS cannot hold them: an error with a remedy that works
	out := filepath.Join(folder, "out.laz")
	refused(t, try(t, "segment", filepath.Join(folder, "nan.ply"), out), out, "nan.ply",
		`leave them out with pdal superpoint segment --where "X > -1e30"`)
	o = do(t, "segment", "--where", "X > -1e30", filepath.Join(folder, "nan.ply"), out)
	if !strings.Contains(o.stderr, "2 points without finite coordinates left out") ||
		!strings.Contains(o.stdout, "400 points") {
		t.Errorf("it said %s%s", o.stdout, o.stderr)
	}
	ids := strings.Fields(string(must.Get(os.ReadFile(filepath.Join(folder, "out.txt")))(t)))[1:]
	if len(ids) != 402 {
		t.Fatalf("%d of 402 points", len(ids))
	}
	for i, row := range ids {
		id, other, _ := strings.Cut(row, ",")
		if zero := strings.Trim(id, "0.") == ""; zero != (i == 0 || i == 401) || i == 401 && other != "2.000" {
			t.Errorf("point %d has id %s, %s", i, id, other)
		}
	}
}

// Text without heights lies in a plane; integers of text stay as they are, without further columns.
func TestPlanarInputs(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	text := "X Y Intensity\n"
	for i := range 900 {
		text += fmt.Sprintf("%d %d %d\n", i%30, i/30, i%30/20*200)
	}
	flat, out := filepath.Join(folder, "flat.txt"), filepath.Join(folder, "flat.las")
	must.OK(t, os.WriteFile(flat, []byte(text), 0o666))
	o := do(t, "segment", "--model", "geometric", flat, out)
	p := read(t, out)
	if p.Len() != 900 || slices.Max(p.Z) != 0 || slices.Min(p.Z) != 0 || p.Extra["Intensity_value"] != nil ||
		strings.Contains(o.stderr, "rounds") {
		t.Errorf("%d points, columns %v: %s", p.Len(), slices.Collect(maps.Keys(p.Extra)), o.stderr)
	}
	dense(t, ids(t, p, "SuperpointID"))
}

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
