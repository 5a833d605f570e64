package pdaltest

import (
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
