package pdaltest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"superpoint/testdata/heights"
	"superpoint/testdata/las"
	"superpoint/testdata/must"
)

// TestClassCodesFitThePointFormat: formats below 6 have five bits for a class. A greater one is
// refused before points are read; the stage, which does not know the writer, warns. The campaign
// has both for every format and command.
func TestClassCodesFitThePointFormat(t *testing.T) {
	t.Parallel()
	high, low := heights.FileOf(t, 2, 64), heights.FileOf(t, 2, 31)
	folder := t.TempDir()
	in, out := cloudFile(t, folder, "in.las", 4, 3), filepath.Join(folder, "out.las")
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
}

// TestOverlapPointsKeepTheirClass gives files with class 12 in a point format of five bits, where newer PDALs read
// class 0 and a flag, to every command that classifies, and reads the classes as a command does.
func TestOverlapPointsKeepTheirClass(t *testing.T) {
	t.Parallel()
	p, at := scene(t)
	want := 0
	for i := 0; i < p.Len(); i += 10 {
		p.Classification[i] = 12
		want++
	}
	must.OK(t, las.WriteFile(at("plain.las"), p, 0.001))
	pipeline(t, nil, at("plain.las"), stage{"type": "writers.las", "filename": at("in.las"), "dataformat_id": 3,
		"minor_version": 2, "offset_x": "auto", "offset_y": "auto", "a_srs": utm}).ok(t)
	run := func(args ...string) { t.Helper(); pdal(t, nil, append([]string{"superpoint"}, args...)...).ok(t) }
	run("segment", "--classes", "aerial", at("in.las"), at("segmented.las"))
	run("classify", "--labels", labelsFile(t, at("labels.csv")), at("segmented.las"), at("classified.las"))
	run("survey", "plan", "--classes", "aerial", "--output", at("survey"), at("in.las"))
	run("survey", "run", at("survey"))
	run("map", at("in.las"), at("map"))
	if report := must.Get(os.ReadFile(at("map/report.html")))(t); !strings.Contains(string(report), "<td>12</td>") {
		t.Error("the report of map lacks class 12")
	}
	for _, path := range []string{"segmented.las", "classified.las", "survey/out/in.las", "map/points/in.las"} {
		got := 0
		for _, class := range read(t, at(filepath.FromSlash(path))).Classification {
			if class == 12 {
				got++
			}
		}
		if got != want {
			t.Errorf("%s: %d points of class 12, not %d", path, got, want)
		}
	}
}
