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

// TestOneSurveyInAFolder plans in folders with files of other programs, and of another plan; all files stay.
func TestOneSurveyInAFolder(t *testing.T) {
	t.Parallel()
	at := place(t)
	path, _ := houseFile(t, 652_000, 5_412_000, 1)
	plan := func(name string, args ...string) outcome {
		return try(t, append([]string{"survey", "plan", "--model", "geometric", "--output", at(name), path}, args...)...)
	}
	for _, name := range []string{"plan.json", "cut/1.las", "out/1.las"} {
		put(t, at("theirs/"+name), "weeks of work")
		refused(t, plan("theirs"), "", "theirs", "another folder")
		must.OK(t, os.RemoveAll(at("theirs")))
	}
	put(t, at("ours/work.txt"), "weeks of work")
	plan("ours").ok(t)
	for _, name := range []string{"cut/work.txt", "out/work.las", "label/.0.las-work", "label/.0.las-17"} {
		put(t, at("ours/"+name), "weeks of work")
	}
	do(t, "survey", "run", at("ours"))
	result := at("ours/out/" + filepath.Base(path))
	before := must.Get(os.Stat(result))(t)
	plan("ours").ok(t) // the same plan: nothing is done again
	do(t, "survey", "run", at("ours"))
	if after := must.Get(os.Stat(result))(t); !os.SameFile(before, after) || after.ModTime() != before.ModTime() {
		t.Error("the same plan writes results again")
	}
	refused(t, plan("ours", "--tile", "20"), "", "continue that survey with pdal superpoint survey run "+at("ours"))
	must.OK(t, os.WriteFile(result, append(must.Get(os.ReadFile(result))(t), "edited"...), 0o666))
	must.OK(t, os.Remove(at("ours/write/0.json")))
	refused(t, try(t, "survey", "run", at("ours")), "", "was changed after superpoint wrote it")
	for name, there := range map[string]bool{"work.txt": true, "cut/work.txt": true, "out/work.las": true,
		"label/.0.las-work": true, "label/.0.las-17": false, "label/0.json": true} {
		if _, err := os.Stat(at("ours/" + name)); (err == nil) != there {
			t.Errorf("%s: %v", name, err)
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
