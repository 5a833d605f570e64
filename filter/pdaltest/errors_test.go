package pdaltest

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"superpoint/testdata/must"
)

// refused fails the test unless pdal ended with exit code 1, said every one of
// the words, and left nothing at path.
func refused(t *testing.T, o outcome, path string, words ...string) {
	t.Helper()
	if o.code != 1 {
		t.Errorf("exit code %d, want 1", o.code)
	}
	for _, word := range words {
		if !strings.Contains(o.stderr, word) {
			t.Errorf("the message does not say %q: %s", word, strings.TrimSpace(o.stderr))
		}
	}
	if _, err := os.Stat(path); err == nil {
		t.Errorf("an output file was left behind")
	}
}

// TestWrongOptions has an option of each kind of error; all others are in the tests of filter.
func TestWrongOptions(t *testing.T) {
	t.Parallel()
	in, _ := houseFile(t, 0, 0, 1)
	folder := t.TempDir()
	corrupt := filepath.Join(folder, "corrupt.safetensors")
	must.OK(t, os.WriteFile(corrupt, []byte("this is not a model"), 0o666))
	for _, c := range []struct {
		name    string
		options stage
		words   []string // what was wrong, and the remedy
	}{
		{"unknown option", stage{"colour": true}, []string{"colour"}},
		{"unknown method", stage{"method": "spp"}, []string{"method", "spp", "ssp, "}},
		{"coordinates as ids", stage{"dimension": "X"}, []string{"dimension", "X", "ClusterID"}},
		{"quotes", stage{"model": `a "quoted" \ model` + "\t\n"}, []string{"model", "quoted"}},
		{"missing truth", stage{"truth": "Klassification"}, []string{"truth", "Klassification", "Classification"}},
		{"missing model", stage{"model": filepath.Join(folder, "none.safetensors")}, []string{"model", "none.safetensors"}},
		{"corrupt model", stage{"model": corrupt}, []string{"corrupt.safetensors"}},
		{"option that the model sets", stage{"model": "aerial", "knn": 9},
			[]string{"option knn: 9", "aerial", "20 neighbours"}},
		{"no such device", stage{"method": "vccs", "device": "cuda:99"}, []string{"cuda:99", "not available"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			out := filepath.Join(folder, "out.las")
			refused(t, pipeline(t, nil, reader(in), superpoint(c.options), writer(out)), out,
				append(c.words, "filters.superpoint")...)
		})
	}
}

// TestColorImportance has a level field whose halves differ in colour only: the
// superpoints of VCCS keep them apart.
func TestColorImportance(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	in, out := filepath.Join(folder, "in.txt"), filepath.Join(folder, "out.las")
	text := "X,Y,Z,Red,Green,Blue\n"
	for i := range 4000 {
		red := 0
		if i%80 >= 37 {
			red = 60000
		}
		text += fmt.Sprintf("%g,%g,%g,%d,0,0\n", float64(i%80)/8, float64(i/80)/8, float64(i*7%11)/1000, red)
	}
	must.OK(t, os.WriteFile(in, []byte(text), 0o666))
	mixed := func(importance float64) int {
		pipeline(t, nil, in, superpoint(stage{"method": "vccs", "color_importance": importance}), writer(out)).ok(t)
		p := read(t, out)
		left, right := map[float64]bool{}, map[float64]bool{}
		for i, id := range p.Extra["SuperpointID"] {
			if p.X[i] < 37./8-0.01 {
				left[id] = true
			} else {
				right[id] = true
			}
		}
		both := 0
		for id := range left {
			if right[id] {
				both++
			}
		}
		return both
	}
	if without, with := mixed(0), mixed(20); with >= without || without == 0 {
		t.Errorf("%d superpoints of both colours, %d where colours count", without, with)
	}
	grey := stage{"type": "readers.faux", "mode": "grid", "bounds": "([0,10],[0,10],[0,1])"}
	refused(t, pipeline(t, nil, grey, superpoint(stage{"method": "vccs", "color_importance": 1}),
		writer(filepath.Join(folder, "none.las"))),
		filepath.Join(folder, "none.las"), `"Red" is missing`, "color_importance")
}

func TestNaNCoordinates(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	in, out := filepath.Join(folder, "in.txt"), filepath.Join(folder, "out.las")
	must.OK(t, os.WriteFile(in, []byte("X,Y,Z\n1,2,3\n2,nan,3\n3,3,3\n"), 0o666))
	refused(t, pipeline(t, nil, in, superpoint(nil), writer(out)), out, "filters.superpoint", "point 1", "NaN", "remove")
}

func TestExistingOutputSurvivesAnError(t *testing.T) {
	t.Parallel()
	in, _ := houseFile(t, 0, 0, 1)
	out := filepath.Join(t.TempDir(), "out.las")
	must.OK(t, os.WriteFile(out, []byte("precious"), 0o666))
	o := pipeline(t, nil, reader(in), superpoint(stage{"truth": "Nothing"}), writer(out))
	text, err := os.ReadFile(out)
	if o.code != 1 || err != nil || string(text) != "precious" {
		t.Errorf("exit code %d, file %q, %v", o.code, text, err)
	}
}
