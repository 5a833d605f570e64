// SPDX-License-Identifier: BSD-3-Clause

package filter

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"superpoint/filter/lasformat"
	"superpoint/partition/base/parallel"
	"superpoint/testdata/must"
)

// TestOneDimensionForTwo names each dimension that the options write, and each
// that they read, as the dimension of the ids.
func TestOneDimensionForTwo(t *testing.T) {
	all := `"color":true,"embedding_color":true,"vote":"Class"`
	for _, options := range []string{`"model":"geometric",` + all, `"model":"auto",` + all,
		`"method":"vccs","color":true,"vote":"Class"`} {
		available := []string{"Class"}
		d := must.Get(mustFilter(t, `{`+options+`}`).Describe(available))(t)
		taken := slices.Concat(d.Required, d.Outputs[1:])
		if len(taken) < 3 {
			t.Errorf("%s: %v", options, taken)
		}
		for _, other := range taken {
			for _, name := range []string{other.Name, strings.ToLower(other.Name)} {
				o := must.Get(parseOptions(fmt.Appendf(nil, `{"dimension":%q,%s}`, name, options)))(t)
				f, err := New(o, nil)
				if err == nil {
					_, err = f.Describe(available)
				}
				if err == nil || !strings.Contains(strings.ToLower(err.Error()), strings.ToLower(other.Name)) ||
					!strings.Contains(err.Error(), "option dimension") {
					t.Errorf("%s, ids to %s: %v", options, name, err)
				}
			}
		}
	}
	for _, field := range lasformat.Fields() {
		for _, name := range []string{field, strings.ToUpper(field)} {
			must.Fail(parseOptions(fmt.Appendf(nil, `{"dimension":%q}`, name)))(t, name)
		}
	}
}

// TestLabelsThatAreNone votes over numbers that are no labels.
func TestLabelsThatAreNone(t *testing.T) {
	for _, v := range []float64{-3, 1.5, math.NaN(), 3e9} {
		view, _ := roof(100, 6)
		bad := make([]float64, view.Len())
		bad[17] = v
		view.Dimensions["Bad"] = bad
		must.Fail(mustFilter(t, `{"model":"geometric","vote":"Bad"}`).Segment(Run{}, view))(t,
			fmt.Sprintf(`option vote: dimension "Bad" of point 17 is %v`, v))
	}
	three, _ := roof(100, 6)
	three = three.Part([]int32{0, 1, 2}) // in another order: class and object 0 and −1 are none
	three.Dimensions = map[string][]float64{"Class": {0, 6, -1}, "Object": {4, 0, 9}}
	truth := must.Get(three.truth(parallel.Run{}, []uint32{1, 2, 0}, "Class", "Object"))(t)
	if !slices.Equal(truth.Class, []int32{6, -1, -1}) || !slices.Equal(truth.Object, []int32{-1, 9, 4}) {
		t.Errorf("%+v", truth)
	}
	view, part := roof(100, 6)
	for i := range part {
		part[i] = -1 // no point has a class
	}
	s := mustSegment(t, mustFilter(t, `{"model":"geometric","vote":"Classification"}`), view)
	voted := make([]float64, view.Len())
	must.OK(t, s.Output("VotedClassification", voted))
	for i, v := range voted {
		if v != 0 {
			t.Fatalf("point %d is voted %v", i, v)
		}
	}
}

// TestStaleDimensions warns of what an earlier run wrote and this one does not.
// TestModelOfClusters: ssp-cluster says that a model was not trained for it; no built-in one was.
func TestModelOfClusters(t *testing.T) {
	for _, name := range []string{"ssp", "ssp-cluster"} {
		said := ""
		f := must.Get(New(&Options{Method: name, Model: "aerial"}, func(_ int, text string) { said += text }))(t)
		must.Get(f.Describe(nil))(t)
		if asks := strings.Contains(said, "model aerial was not trained for it"); asks != (name == "ssp-cluster") {
			t.Errorf("%s said %q", name, said)
		}
	}
}

func TestStaleDimensions(t *testing.T) {
	own := []string{"SuperpointID", "SuperpointColor", "Embedding0", "Embedding12", "EmbeddingR", "VotedClass"}
	for _, c := range []struct {
		options   string
		available []string
		stale     string
	}{
		{`{"model":"geometric","embedding":false}`, own, "SuperpointColor, Embedding0, Embedding12, EmbeddingR, VotedClass"},
		{`{"model":"aerial","color":true,"embedding_color":true}`, own, "Embedding12, VotedClass"},
		{`{"model":"aerial","color":true,"embedding_color":true,"vote":"VotedClass"}`, own, "Embedding12"},
		{`{"model":"geometric","dimension":"ClusterID"}`, own, ""},
		{`{"model":"geometric"}`, []string{"SuperpointID", "Embedding", "EmbeddingX", "Intensity"}, ""},
	} {
		var said []string
		o := must.Get(parseOptions([]byte(c.options)))(t)
		f := must.Get(New(o, func(level int, text string) {
			if level == LogWarning {
				said = append(said, text)
			}
		}))(t)
		must.Get(f.Describe(c.available))(t)
		want := "the points have " + c.stale + " of an earlier run"
		if c.stale == "" && len(said) != 0 || c.stale != "" && (len(said) != 1 || !strings.HasPrefix(said[0], want)) {
			t.Errorf("%s: warnings %q, want %q", c.options, said, want)
		}
	}
}
