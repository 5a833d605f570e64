// SPDX-License-Identifier: BSD-3-Clause

package classrules

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"superpoint/embed/classes"
	"superpoint/testdata/must"
)

func read(t *testing.T, text string) (*Rules, error) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "rules.yaml")
	must.OK(t, os.WriteFile(path, []byte(text), 0o644))
	return Read(path)
}

const good = `
classes: [{code: 2, name: ground}, {code: 5, name: tree}, {code: 6, name: building}]
labels:
  - {files: "ahn*, x.laz", codes: {1: [building, tree], 2: [ground]}}
  - {files: "*", codes: {2: [ground]}, others: [tree, building]}
`

func TestMeaning(t *testing.T) {
	r := must.Get(read(t, good))(t)
	for path, want := range map[string][]classes.Set{
		"/a/ahn3.laz": {{1, 2}, {0}, nil, nil}, "x.laz": {{1, 2}, {0}, nil, nil},
		"ign.laz": {{1, 2}, {0}, {1, 2}, {1, 2}},
	} {
		sets := must.Get(r.Meaning(path, []float64{1, 2, 6, 65}))(t)
		for i, set := range sets {
			var got classes.Set
			if set >= 0 {
				got = r.Sets[set]
			}
			must.Hold(t, slices.Equal(got, want[i]), "%s: label %d means %v, want %v", path, i, got, want[i])
		}
	}
}

func TestWeight(t *testing.T) {
	r := must.Get(read(t, strings.Replace(good, `{files: "*",`, `{files: "*", weight: 0.5,`, 1)))(t)
	for path, want := range map[string]float64{"/a/ahn3.laz": 1, "ign.laz": 0.5} {
		got := must.Get(r.Of(path))(t)
		must.Hold(t, got.Weight == want,
			"%s of %s has the weight %v, want %v: got.Weight is not want",
			path, got.Survey, got.Weight, want)
		must.Hold(t, got.Survey == filepath.Base(path),
			"%s of %s has the weight %v, want %v: got.Survey is not filepath.Base(path)",
			path, got.Survey, got.Weight, want)
	}
}

func TestAlways(t *testing.T) {
	r := must.Get(read(t, strings.Replace(good, `{files: "*",`, `{files: "*", always: true,`, 1)))(t)
	for path, want := range map[string]bool{"/a/ahn3.laz": false, "ign.laz": true} {
		must.Equal(t, must.Get(r.Of(path))(t).Always, want, "always of %s", path)
	}
}

func TestRulesAreRefused(t *testing.T) {
	for text, want := range map[string]string{
		"classes: []": "no meaning of labels",
		strings.Replace(good, "tree]", "car]", 1): `"car"`,
		good + "sorts: 3":                         "sorts",
		strings.Replace(good, `{files: "*",`, `{files: "*", weight: -1,`, 1): "weight -1",
		good + "thin: [2, 0]": "thin has 0",
	} {
		must.Fail(read(t, text))(t, want)
	}
	r := must.Get(read(t, strings.Replace(good, `"*"`, `"b*"`, 1)))(t)
	must.Fail(r.Meaning("ign.laz", nil))(t, "no rule")
}

// TestBuiltInRules reads the rules of the built-in classes, which have a survey for every network to leave
// out.
func TestBuiltInRules(t *testing.T) {
	r := must.Get(Read("../../../embed/train/recipes/classes-aerial.yaml"))(t)
	surveys := map[string]bool{}
	for _, rule := range r.Labels {
		surveys[rule.Survey] = true
	}
	must.Equal(t, r.Name, "aerial", "r.Name")
	must.Need(t, len(r.Classes) == 5, "classes: got %v, want 5", len(r.Classes))
	must.Hold(t, !surveys[""], `surveys[""] is true`)
	must.Hold(t, len(surveys) >= r.Settings.Networks,
		"len(surveys) is %v, want at least %v", len(surveys), r.Settings.Networks)
	must.Equal(t, must.Get(r.Of("/a/ign_sparse_0299.laz"))(t).Survey, "IGN, sparse", "survey")
}

func FuzzRules(f *testing.F) {
	f.Add(good)
	f.Fuzz(func(t *testing.T, text string) {
		r, err := read(t, text)
		if err != nil {
			return
		}
		for _, l := range r.Labels {
			must.Hold(t, len(r.Classes) != 0, "len(r.Classes) is 0")
			must.Hold(t, l.Weight >= 0, "l.Weight is %v, want at least 0", l.Weight)
			must.Hold(t, l.Weight <= mostWeight, "l.Weight is %v, want at most %v", l.Weight, mostWeight)
		}
	})
}
