package pdaltest

import (
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"superpoint/testdata/heights"
	"superpoint/testdata/las"
)

// TestClassCodesFitThePointFormat: formats below 6 have five bits for a class. A greater one
// is refused before points are read, in each command that writes classes; the stage, which
// does not know the writer, warns.
func TestClassCodesFitThePointFormat(t *testing.T) {
	t.Parallel()
	high, low := heights.FileOf(t, 2, 64), heights.FileOf(t, 2, 31)
	for _, format := range []int{3, 6} {
		folder := t.TempDir()
		in, out := cloudFile(t, folder, "in.las", 4, format), filepath.Join(folder, "out.las")
		for _, c := range []struct {
			options []string
			most    uint8 // class that comes out; 0 = refused
			option  string
		}{
			{[]string{"--classes", low, "--class_change", "all"}, 31, ""},
			{[]string{"--classes", high, "--class_change", "all"}, 64, "classes"},
			{[]string{"--classes", high, "--class_dimension", "UserData"}, 6, ""},
			{[]string{"--classes", low, "--class_change", "0,41"}, 6, "class_change"},
		} {
			o := segment(t, append(slices.Clone(c.options), in, out)...)
			if format < 6 && c.option != "" {
				refused(t, o, out, "option "+c.option, fmt.Sprintf("point format %d holds 0 to 31", format))
				continue
			}
			if p := read(t, out); o.code != 0 || slices.Max(p.Classification) != c.most {
				t.Errorf("format %d, %v: exit code %d, classes up to %d\n%s", format, c.options, o.code,
					slices.Max(p.Classification), o.stderr)
			}
			os.Remove(out)
		}
		o := pdal(t, nil, "superpoint", "survey", "plan", "--model", "geometric", "--classes", high, "--output",
			filepath.Join(folder, "survey"), in)
		if refusal := strings.Contains(o.stderr, "point format"); refusal != (format < 6) || (o.code != 0) != refusal {
			t.Errorf("format %d: survey plan ends with exit code %d\n%s", format, o.code, o.stderr)
		}
		o = pipeline(t, nil, in, superpoint(stage{"classes": high}), writer(out)).ok(t)
		if warns := strings.Contains(o.stderr, "class 64 needs LAS point format 6"); warns != (format < 6) {
			t.Errorf("format %d: the stage says\n%s", format, o.stderr)
		}
	}
}

// kinds are the types of extra bytes.
var kinds = []string{"uint8", "int8", "uint16", "int16", "uint32", "int32", "uint64", "int64", "float", "double"}

// TestClassesInAnExistingDimension writes classes to a dimension of each type that has
// values already: those that may not change keep every bit, and a float is no integer after
// it; through segment, a pipeline and a survey.
func TestClassesInAnExistingDimension(t *testing.T) {
	t.Parallel()
	classes := heights.FileOf(t, 2, 200)
	for k, kind := range kinds {
		folder := t.TempDir()
		in, out := filepath.Join(folder, "in.las"), filepath.Join(folder, "out.las")
		p := house(0, 0, 1)
		p.Extra = map[string][]float64{"Guess": make([]float64, p.Len())}
		for i := range p.Len() {
			p.Extra["Guess"][i] = []float64{0, 1, 7, 100.25, -3.5, math.NaN(), 1 << 40}[i%7]
		}
		writeExtra(t, in, p, las.ExtraType(k+1))
		before := read(t, in).Extra["Guess"]
		project := filepath.Join(folder, "survey")
		ways := map[string]func(){
			"segment": func() { segment(t, "--classes", classes, "--class_dimension", "Guess", in, out).ok(t) },
			"pipeline": func() {
				pipeline(t, nil, in, superpoint(stage{"classes": classes, "class_dimension": "Guess"}), writer(out)).ok(t)
			},
			"survey": func() {
				pdal(t, nil, "superpoint", "survey", "plan", "--model", "geometric", "--classes", classes, "--class_dimension",
					"Guess", "--output", project, in).ok(t)
				pdal(t, nil, "superpoint", "survey", "run", project).ok(t)
				tiles, _ := filepath.Glob(filepath.Join(project, "out", "*.la[sz]"))
				if len(tiles) != 1 {
					t.Fatalf("%d tiles", len(tiles))
				}
				if err := os.Rename(unpacked(t, tiles[0]), out); err != nil {
					t.Fatal(err)
				}
			},
		}
		if k%3 != 0 { // the campaign has all types
			delete(ways, "survey")
		}
		for how, run := range ways {
			run()
			p := read(t, out)
			changed := 0
			for i, v := range p.Extra["Guess"] {
				was := before[i]
				switch {
				case was == 0 || was == 1:
					if v != 2 && v != 200 {
						t.Fatalf("%s, %s: point %d is %v", how, kind, i, v)
					}
					changed++
				case math.Float64bits(v) != math.Float64bits(was) && !(math.IsNaN(v) && math.IsNaN(was)):
					t.Fatalf("%s, %s: point %d was %v and is %v", how, kind, i, was, v)
				}
			}
			if changed < p.Len()/4 {
				t.Errorf("%s, %s: %d points have got classes", how, kind, changed)
			}
		}
	}
}

// writeExtra writes points with extra bytes of one type.
func writeExtra(t *testing.T, path string, p *las.Points, kind las.ExtraType) {
	t.Helper()
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	layout := las.LayoutOf(p, 0.001)
	for k := range layout.Extras {
		layout.Extras[k].Type = kind
	}
	w, err := las.NewWriter(f, layout)
	if err == nil {
		err = w.Write(p)
	}
	if err == nil {
		err = w.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
}
