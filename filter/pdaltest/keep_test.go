// SPDX-License-Identifier: BSD-3-Clause

package pdaltest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"superpoint/testdata/heights"
	"superpoint/testdata/las"
	"superpoint/testdata/must"
)

// `pdal superpoint segment` loses nothing of what a file has.

// cloudFile writes a house as LAS of a version and point format, with infrared
// where the format has it, an extra dimension and a record of somebody's.
func cloudFile(t *testing.T, folder, name string, minor, format int, change ...any) string {
	t.Helper()
	in, _ := houseFile(t, 500000, 5400000, 1)
	path := filepath.Join(folder, name)
	stages := []any{reader(in), stage{"type": "filters.ferry", "dimensions": "Intensity=>Infrared,GpsTime=>Amplitude"}}
	pipeline(t, nil, append(append(stages, change...), stage{
		"type": "writers.las", "filename": path, "minor_version": minor, "dataformat_id": format, "offset_x": 500000,
		"scale_z":    0.001,
		"extra_dims": "Amplitude=double", "system_id": "a plane", "filesource_id": 77,
		"vlrs": []any{map[string]any{"description": "of theirs", "record_id": 42, "user_id": "somebody",
			"data": "aGVsbG8gdGhlcmU="}},
	})...).ok(t)
	return path
}

// segment runs the command with the model that is quickest.
func segment(t *testing.T, args ...string) outcome {
	t.Helper()
	return try(t, append([]string{"segment", "--model", "geometric"}, args...)...)
}

// kept compares a result of segment with its input: everything but the outputs is equal, and ids are dense.
func kept(t *testing.T, before, after string) *las.Points {
	t.Helper()
	from, to := must.Get(las.Read(before))(t), readAny(t, after)
	sameCloud(t, after, from, to, outputs[1:]...)
	p := to.Points()
	if p.WKT != from.Points().WKT || p.WKT == "" || p.Extra["Amplitude"] == nil {
		t.Errorf("the reference became %q", p.WKT)
	}
	dense(t, ids(t, p, "SuperpointID"))
	return p
}

// unpackable are changes of a cloud that PDAL 2.2 cannot write to LAZ.
func unpackable() map[string]stage {
	return map[string]stage{
		"class 66":       {"type": "filters.assign", "assignment": "Classification[6:6]=66"},
		"scan angle 150": {"type": "filters.assign", "assignment": "ScanAngleRank[-10.5:-9.5]=150"},
	}
}

// checkUnpackable checks that a result has what LAZ could not hold.
func checkUnpackable(t *testing.T, p *las.Points) {
	t.Helper()
	if p.Len() != 3000 || slices.Max(p.Classification) != 66 && slices.Max(p.ScanAngle) != 150 {
		t.Errorf("%d points, classes up to %d, scan angles up to %v", p.Len(), slices.Max(p.Classification),
			slices.Max(p.ScanAngle))
	}
}

// What PDAL 2.2 cannot write to LAZ is LAS then, and the line says where. Neither results of segment
// nor those of a survey are made again.
func TestFilesThatLAZCannotHold(t *testing.T) {
	t.Parallel()
	for what, change := range unpackable() {
		folder := t.TempDir()
		in, project := cloudFile(t, folder, "in.las", 4, 6, change), filepath.Join(folder, "survey")
		do(t, "survey", "plan", "--model", "geometric", "--output", project, in)
		var before os.FileInfo
		for again := range 2 {
			o := segment(t, in, filepath.Join(folder, "results")+"/", "--format", "json").ok(t)
			var line struct {
				Output string
				Kept   bool
			}
			if err := json.Unmarshal([]byte(o.stdout), &line); err != nil || line.Kept != (again > 0) {
				t.Fatalf("%s: %v: %q", what, err, o.stdout)
			}
			checkUnpackable(t, kept(t, in, line.Output))
			do(t, "survey", "run", project)
			made := resultsOf(t, project)
			if len(made) != 1 {
				t.Fatalf("%s: the results are %q", what, made)
			}
			checkUnpackable(t, readAny(t, made[0]).Points())
			after := must.Get(os.Stat(made[0]))(t)
			if before != nil && !before.ModTime().Equal(after.ModTime()) {
				t.Errorf("%s: %s was made again", what, made)
			}
			before = after
		}
		packed, raw := filepath.Join(folder, "packed.laz"), filepath.Join(folder, "packed.las")
		o := segment(t, in, packed).ok(t)
		if _, err := os.Stat(packed); err == nil {
			continue
		}
		if !strings.Contains(o.stderr, "classes or scan angles to LAZ; the result is "+raw) {
			t.Errorf("%s: no LAZ, and it says %q", what, o.stderr)
		}
		must.OK(t, os.WriteFile(raw, []byte("weeks of work"), 0o666))
		refused(t, segment(t, "--force", in, packed), packed, raw, "not replaced")
	}
}

// Feet stay feet, and no reference stays none.
func TestSegmentKeepsTheReference(t *testing.T) {
	t.Parallel()
	for _, srs := range []string{"EPSG:2225", ""} {
		folder := t.TempDir()
		in, _ := houseFile(t, 0, 0, 1)
		given := filepath.Join(folder, "in.las")
		r := stage{"type": "readers.las", "filename": in}
		if srs != "" {
			r["override_srs"] = srs
		}
		pipeline(t, nil, r, stage{"type": "writers.las", "filename": given, "minor_version": 4, "dataformat_id": 7}).ok(t)
		out := filepath.Join(folder, "out.las")
		o := segment(t, given, out).ok(t)
		a, b := read(t, given), read(t, out)
		if a.WKT != b.WKT || (srs == "") != (b.WKT == "") {
			t.Errorf("%s: %q became %q", srs, a.WKT, b.WKT)
		}
		if warned := strings.Count(o.stderr, "set it with --default_srs") == 1; warned != (srs == "") {
			t.Errorf("%s: it says %q", srs, o.stderr)
		}
		segment(t, "--default_srs", "EPSG:32632", given, out).ok(t)
		if b = read(t, out); (srs == "") != strings.Contains(b.WKT, "32632") {
			t.Errorf("%s: with a default it became %q", srs, b.WKT)
		}
	}
}

// Names are taken as they are, a broken file does not keep the others from being
// done, and what is done is not done again.
func TestSegmentOfManyFiles(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	good := cloudFile(t, folder, "good.las", 4, 3)
	tiles, out := filepath.Join(folder, "tiles é $(touch PWNED) \"[*]"), filepath.Join(folder, "out 'x' {1} #\n")
	must.OK(t, os.Mkdir(tiles, 0o777))
	names := []string{"n\xe9.las", "a b.las", "c#d.LAS", `e"f'g.las`, "[h]*.las"}
	for _, name := range hostileNames() {
		names = append(names, strings.ReplaceAll(name, "/", "")+".las")
	}
	text := must.Get(os.ReadFile(good))(t)
	for _, name := range names {
		must.OK(t, os.WriteFile(filepath.Join(tiles, name), text, 0o666))
	}
	must.OK(t, os.WriteFile(filepath.Join(tiles, "short.las"), text[:len(text)/2], 0o666))
	segment := func(args ...string) outcome { // in the folder where a name that is run would write
		return in(t, folder, launcher(t), append([]string{"superpoint", "segment", "--model", "geometric"}, args...)...)
	}
	o := segment(tiles, out, "--format", "json")
	if o.code != 1 || !strings.Contains(o.stderr, fmt.Sprintf("1 of %d files failed", len(names)+1)) ||
		!regexp.MustCompile(`"error": ?"[^\n]*cut short`).MatchString(o.stdout) {
		t.Errorf("exit code %d\n%s%s", o.code, o.stdout, o.stderr)
	}
	kept(t, good, filepath.Join(out, names[0]))
	checkFiles(t, out, names...)
	checkNotExecuted(t, folder)
	o = segment(filepath.Join(folder, "tiles*", "?[ #]*"), out)
	if o.stdout != "" || o.code != 0 || !strings.Contains(o.stderr, "2 of 2 outputs of the same inputs") {
		t.Errorf("exit code %d, what is done was done again\n%s%s", o.code, o.stdout, o.stderr)
	}
	if o = segment(filepath.Join(folder, "tiles*", "?[ #]*"), out, "--force"); strings.Count(o.stdout, " points, ") != 2 {
		t.Errorf("with --force it does\n%s", o.stdout)
	}
}

// checkFiles fails the test unless a folder has these files only.
func checkFiles(t *testing.T, folder string, names ...string) {
	t.Helper()
	entries := must.Get(os.ReadDir(folder))(t)
	var there []string
	for _, e := range entries {
		if !strings.HasSuffix(e.Name(), ".superpoint") { // a record of ours
			there = append(there, e.Name())
		}
	}
	slices.Sort(names)
	if !slices.Equal(there, names) {
		t.Errorf("%s holds %q, not %q", folder, there, names)
	}
}

// TestClassCodesFitThePointFormat: formats below 6 have five bits for a class. A greater one is
// refused before points are read; the stage, which does not know the writer, warns. The campaign
// has both for every format and command.
func TestClassCodesFitThePointFormat(t *testing.T) {
	t.Parallel()
	high, low := heights.FileOf(t, 2, 64), heights.FileOf(t, 2, 31)
	folder := t.TempDir()
	in, out := cloudFile(t, folder, "in.las", 2, 3), filepath.Join(folder, "out.las")
	if o := do(t, "info", in); !strings.Contains(o.stdout, " Amplitude") { // whose extra bytes PDAL skips in LAS 1.2
		t.Errorf("it says\n%s", o.stdout)
	}
	for _, c := range []struct{ option, classes, change string }{{"classes", high, "all"}, {"class_change", low, "0,41"}} {
		refused(t, segment(t, "--classes", c.classes, "--class_change", c.change, in, out), out, "option "+c.option,
			"point format 3 holds 0 to 31")
	}
	for format, warns := range map[int]bool{3: true, 6: false} {
		in := cloudFile(t, folder, "in.las", 4, format)
		o := pipeline(t, nil, in, superpoint(stage{"classes": high}), writer(out)).ok(t)
		if strings.Contains(o.stderr, "class 64 needs LAS point format 6") != warns {
			t.Errorf("format %d: the stage says\n%s", format, o.stderr)
		}
	}
	if !hasDriver(t, "writers.copc") { // PDAL 2.2 has the flag of synthetic points in the class
		in := cloudFile(t, folder, "in.las", 4, 3, stage{"type": "filters.assign", "assignment": "Classification[:]=33"})
		o := pipeline(t, nil, in, superpoint(stage{"classes": high, "class_change": "all"}), writer(out))
		if o.code != 1 || !strings.Contains(o.stderr, "where class 64 leaves no room") {
			t.Errorf("exit code %d\n%s", o.code, o.stderr)
		}
	}
}

// TestOverlapPointsKeepTheirClass gives files with class 12 in a point format of five bits, where newer PDALs read
// class 0 and a flag, to every command that classifies, and reads the classes as a command does.
func TestOverlapPointsKeepTheirClass(t *testing.T) {
	t.Parallel()
	shared, at := scene(t)
	p, want := *shared, 0
	p.Classification = slices.Clone(p.Classification) // other tests read those of the village
	for i := 0; i < p.Len(); i += 10 {
		p.Classification[i] = 12
		want++
	}
	must.OK(t, las.WriteFile(at("plain.las"), &p, 0.001))
	pipeline(t, nil, at("plain.las"), stage{"type": "writers.las", "filename": at("in.las"), "dataformat_id": 3,
		"minor_version": 2, "offset_x": "auto", "offset_y": "auto", "a_srs": utm}).ok(t)
	do(t, "segment", "--classes", "aerial", at("in.las"), at("segmented.las"))
	do(t, "classify", "--labels", labelsFile(t, at("labels.csv")), at("segmented.las"), at("classified.las"))
	do(t, "survey", "plan", "--classes", "aerial", "--output", at("survey"), at("in.las"))
	do(t, "survey", "run", at("survey"))
	do(t, "map", at("in.las"), at("map"))
	if report := must.Get(os.ReadFile(at("map/report.html")))(t); !strings.Contains(string(report), "<td>12</td>") {
		t.Error("the report of map lacks class 12")
	}
	for _, path := range []string{"segmented.las", "classified.las", "survey/out/in.las", "map/points/in.las"} {
		if got := bytes.Count(read(t, at(path)).Classification, []byte{12}); got != want {
			t.Errorf("%s: %d points of class 12, not %d", path, got, want)
		}
	}
}
