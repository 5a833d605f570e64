// SPDX-License-Identifier: BSD-3-Clause

package pdaltest

import (
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"superpoint/pipelines/files/atomicfile"
	"superpoint/testdata/las"
	"superpoint/testdata/must"
)

// TestOtherBuild: the results of another build of the library, such as one with other models, are not kept.
func TestOtherBuild(t *testing.T) {
	t.Parallel()
	folder, plugins := t.TempDir(), t.TempDir()
	path, _ := houseFile(t, 652_000, 5_412_000, 1)
	build := filepath.Dir(launcher(t))
	for _, file := range must.Get(filepath.Glob(filepath.Join(build, "lib*.so*")))(t) {
		must.OK(t, os.WriteFile(filepath.Join(plugins, filepath.Base(file)), must.Get(os.ReadFile(file))(t), 0o755))
	}
	library := filepath.Join(plugins, "libsuperpoint.so")
	run := func() string {
		return pdal(t, []string{"SUPERPOINT_PLUGINS=" + plugins}, "superpoint", "segment", path,
			filepath.Join(folder, "out")).ok(t).stdout
	}
	if run() == "" || run() != "" {
		t.Fatal("the result of the same build is not kept")
	}
	must.OK(t, os.WriteFile(library, append(must.Get(os.ReadFile(library))(t), 0), 0o755))
	if run() == "" {
		t.Error("the result of another build is kept")
	}
}

// TestForeignFilesInSurveys plans in folders with files of other programs.
func TestForeignFilesInSurveys(t *testing.T) {
	t.Parallel()
	at := place(t)
	put := func(name, text string) {
		t.Helper()
		must.OK(t, os.MkdirAll(filepath.Dir(at(name)), 0o777))
		must.OK(t, os.WriteFile(at(name), []byte(text), 0o666))
	}
	path, _ := houseFile(t, 652_000, 5_412_000, 1)
	plan := func(name string, args ...string) outcome {
		return try(t, append([]string{"survey", "plan", "--model", "geometric", "--output", at(name), path}, args...)...)
	}
	put("a/plan.json", "{}")
	refused(t, plan("a"), "", "plan.json is not replaced")
	put("b/cut/1.las", "weeks of work")
	refused(t, plan("b"), "", filepath.Join("b", "cut"), "plan in another folder")
	put("c/work.txt", "weeks of work")
	plan("c").ok(t)
	do(t, "survey", "run", at("c"))
	put("c/cut/work.txt", "weeks of work")
	put("c/embed/notes/1.txt", "weeks of work")
	put("c/out/work.txt", "weeks of work")
	put("c/out/work.las", "weeks of work")
	plan("c", "--tile", "20").ok(t)
	for name, there := range map[string]bool{"c/work.txt": true, "c/cut/work.txt": true, "c/embed/notes/1.txt": true,
		"c/out/work.txt": true, "c/out/work.las": true, "c/embed/0.las": false, "c/label": false} {
		if _, err := os.Stat(at(name)); (err == nil) != there {
			t.Errorf("%s: %v", name, err)
		}
	}
	must.OK(t, os.Remove(at("c/out/work.las")))
	do(t, "survey", "run", at("c"))
	results := must.Get(filepath.Glob(at("c/out/*.la[sz]")))(t)
	last := results[len(results)-1]
	must.OK(t, os.WriteFile(last, append(must.Get(os.ReadFile(last))(t), "edited"...), 0o666))
	refused(t, plan("c"), "", "was changed after superpoint wrote it")
	for _, name := range []string{results[0], at("c/label/0.json")} {
		if _, err := os.Stat(name); err != nil || len(results) != 1 {
			t.Errorf("a plan that was refused removed files, of %d results: %v", len(results), err)
		}
	}
}

// TestOneRunAtATime: while a command works in a folder, others on it fail; processes of single steps share it.
func TestOneRunAtATime(t *testing.T) {
	t.Parallel()
	at := place(t)
	path, _ := houseFile(t, 652_000, 5_412_000, 1)
	must.OK(t, os.Mkdir(at("out"), 0o777))
	do(t, "survey", "plan", "--output", at("s"), path)
	commands := [][]string{{"segment", path, at("out")}, {"map", path, at("out")}, {"survey", "plan", "--output", at("s"),
		path}, {"survey", "run", at("s")}}
	step := []string{"survey", "run", at("s"), "embed", "0"}
	for _, shared := range []bool{false, true} {
		for _, name := range []string{"out", "s"} {
			defer must.Get(atomicfile.Lock(at(name), shared))(t)()
		}
		for _, args := range append(commands, step) {
			o := try(t, args...)
			if shared && args[len(args)-1] == "0" {
				o.ok(t)
				continue
			}
			refused(t, o, "", "in use by another run")
		}
		if !shared {
			for _, name := range []string{"out", "s"} { // as if the holder were killed
				must.OK(t, os.Remove(filepath.Join(at(name), ".superpoint.lock")))
			}
		}
	}
}

// A survey that is planned again has none of the former results, and one with a file of others in out is refused.
func TestSurveysDoNotMix(t *testing.T) {
	t.Parallel()
	at := place(t)
	for k, name := range []string{"a.las", "b.las"} {
		must.OK(t, las.WriteFile(at(name), house(652_000+24*float64(k), 5_412_000, uint64(k+1)), 0.001))
	}
	plan := func(args ...string) outcome {
		return try(t, append([]string{"survey", "plan", "--output", at("s"), "--model", "geometric"}, args...)...)
	}
	run := func() outcome { return try(t, "survey", "run", at("s")) }
	plan("--tile", "24", at("a.las"), at("b.las")).ok(t)
	run().ok(t)
	first := resultsOf(t, at("s"))
	o := plan("--tile", "5000", at("b.las")).ok(t)
	if !strings.Contains(o.stderr, "are removed: a.las, b.las") || len(resultsOf(t, at("s"))) != 0 {
		t.Errorf("%v stay of %v\n%s", resultsOf(t, at("s")), first, o.stderr)
	}
	must.OK(t, os.WriteFile(filepath.Join(at("s"), "out", "other.laz"), []byte("x"), 0o666))
	refused(t, run(), "", "holds other.laz")
	must.OK(t, os.Remove(filepath.Join(at("s"), "out", "other.laz")))
	run().ok(t)
	if now := resultsOf(t, at("s")); len(first) != 2 || len(now) != 1 {
		t.Errorf("%v after %v", now, first)
	}
}

func resultsOf(t *testing.T, survey string) []string {
	t.Helper()
	return must.Get(filepath.Glob(filepath.Join(survey, "out", "*.la[sz]")))(t)
}

// TestOtherFormats runs the commands that are named for formats that are refused: they lose no dimension and no digit.
func TestOtherFormats(t *testing.T) {
	t.Parallel()
	in, _ := houseFile(t, 500000, 5400000, 3)
	at := place(t)
	do(t, "segment", in, at("x.laz"))
	do(t, "segment", in, at("plain.las"))
	for _, ending := range []string{"ply", "txt", "csv", "xyz"} {
		o := try(t, "segment", in, at("x."+ending))
		_, command, _ := strings.Cut(o.stderr, ", and then: ")
		runShell(t, at(""), block{place: "for " + ending, text: command})
	}
	runShell(t, at(""), block{place: "back", text: "pdal translate x.ply back.xyz --writers.text.precision=9"})
	text := string(must.Get(os.ReadFile(at("x.csv")))(t))
	names, rows, _ := strings.Cut(text, "\n")
	for _, other := range []string{"x.txt", "x.xyz", "back.xyz"} {
		if _, got, _ := strings.Cut(string(must.Get(os.ReadFile(at(other)))(t)), "\n"); got != rows {
			t.Errorf("%s differs from x.csv", other)
		}
	}
	p := read(t, at("plain.las"))
	all := strings.Fields(rows)
	if len(all) != p.Len() {
		t.Fatalf("%d rows of %d points", len(all), p.Len())
	}
	columns := map[string][]float64{"X": p.X, "Y": p.Y, "Z": p.Z}
	maps.Copy(columns, p.Extra)
	header := strings.Split(names, ",")
	for name, want := range columns {
		k := slices.Index(header, strconv.Quote(name))
		if k < 0 {
			t.Fatalf("%s lacks %s", names, name)
		}
		for i := range all {
			if v := must.Get(strconv.ParseFloat(strings.Split(all[i], ",")[k], 64))(t); math.Abs(v-want[i]) > 1e-9 {
				t.Fatalf("%s of point %d: %v, not %v", name, i, v, want[i])
			}
		}
	}
}
