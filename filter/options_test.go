// SPDX-License-Identifier: BSD-3-Clause

package filter

import (
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"superpoint/filter/cloud"
	"superpoint/filter/option"
	"superpoint/filter/steps"

	"superpoint/filter/lasformat"
	"superpoint/filter/message"
	"superpoint/filter/method"
	"superpoint/partition/base/parallel"
	"superpoint/testdata/heights"
	"superpoint/testdata/must"
)

func TestOptionErrors(t *testing.T) {
	for _, c := range []struct{ text, wants string }{
		{`{"regularisation": 1}`, "did you mean regularization"},
		{`{"xyzzy": 1}`, `unknown option "xyzzy"; the options are model,`},
		{`{"regularization": 0}`,
			"option regularization: 0 is out of range; give a number at least 0.000001, for example 1"},
		{`{"regularization": 1e300}`, "option regularization: 1e+300 is out of range, above 1000000; give"},
		{`{"regularization": "many"}`, `option regularization: "many" is not a number`},
		{`{"regularization": 1, "target_size": 100}`, "option target_size: 100 excludes regularization (1)"},
		{`{"target_size": 0.5}`, "option target_size: 0.5 is out of range"},
		{`{"target_size": "50,x"}`,
			`option target_size: "x" is not a number; give a number at least 1 (points)`},
		{`{"target_size": "50,"}`, `option target_size: "" is not a number`},
		{`{"target_size": "50,500,5000,50000"}`,
			"option target_size: 50,500,5000,50000 are 4 sizes; give at most 3"},
		{`{"target_size": "50,50"}`,
			"option target_size: 50,50; sizes of nested levels rise; give the finest first"},
		{`{"method": "vccs", "target_size": "50,500"}`,
			"option target_size: 50,500; method vccs has no nested levels; " +
				"give one size, or use method ssp"},
		{`{"method": "lin", "target_size": "50,500"}`, "method lin has no nested levels"},
		{`{"method": "ssp-cluster", "target_size": "50,500"}`, "method ssp-cluster has no nested levels"},
		{`{"solver": "cut-pursuit", "target_size": "50,500"}`,
			"option target_size: 50,500; solver cut-pursuit has no " +
				"nested levels; give one size, or use solver local"},
		{`{"method": "vccs", "seed_resolution": 1, "target_size": 100}`, "excludes seed_resolution"},
		{`{"knn": 2.5}`, "option knn: 2.5 is not a whole number"},
		{`{"knn": 300}`, "whole number from 1 to 64"},
		{`{"knn": 8, "adjacency_knn": 9}`,
			"option adjacency_knn: 9 is above knn (8); lower it, or raise knn"},
		{`{"method": "sspcluster"}`,
			`unknown value "sspcluster" (did you mean ssp-cluster?); choose one of ssp,`},
		{`{"solver": "cutpursuit"}`, "did you mean cut-pursuit"},
		{`{"solver": "multilevel"}`,
			"choose one of auto, cut-pursuit, local; merge and multilevel were removed"},
		{`{"method": "geom-graph", "model": "aerial"}`, "cannot be used with method geom-graph"},
		{`{"device": "gpu"}`, `option device: unknown value "gpu"; use auto, cpu, cuda or cuda:N`},
		{`{"device": "cuda:x"}`, "cuda:N with N the number"},
		{`{"dimension": "X"}`, "is a field of LAS"},
		{`{"dimension": "a b"}`, "not a dimension name"},
		{`{"vote": "1st"}`, "not a dimension name"},
		{`{"truth": "Classification"}`, `unknown option "truth"`},
		{`{"embedding": "maybe"}`, "neither true nor false"},
		{`{"model": ""}`, "value is empty"},
		{`{"method": "vccs", "voxel_resolution": 2, "seed_resolution": 1}`, "above seed_resolution"},
		{`{"method": "lin", "regularization": 1}`,
			"option regularization: method lin does not use it (only ssp, " +
				"geom-graph)"},
		{`{"seed_resolution": 1}`, "option seed_resolution: method ssp does not use it"},
		{`{"method": "lin", "knn": 10}`,
			"option knn: method lin does not use it (only ssp, ssp-cluster, geom-graph)"},
		{`{"method": "vccs", "adjacency_knn": 5}`,
			"option adjacency_knn: it has no effect, because method vccs uses no " +
				"adjacency graph"},
		{`{"method": "lin", "delaunay": true}`,
			"option delaunay: it has no effect, because method lin uses no adjacency " +
				"graph"},
		{`{"method": "lin", "max_edge": 1}`, "option max_edge: it has no effect"},
		{`{"delaunay": false, "max_edge": 1}`,
			"option max_edge: it has no effect, because delaunay is false"},
		{`{"method": "vccs", "embedding_color": true}`,
			"option embedding_color: it has no effect, because method vccs " +
				"has no embedding"},
		{`{"method": "lin", "embedding": true}`,
			"option embedding: it has no effect, because method lin has no embedding"},
		// options that count because of another
		{`{"method": "vccs", "adjacency_knn": 5, "color": true}`, ""},
		{`{"method": "lin", "delaunay": true, "max_edge": 1, "color": true}`, ""},
		{`{"method": "vccs", "embedding_color": false, "embedding": false}`, ""}, {`{"max_edge": 1}`, ""},
		{`{"delaunay": true, "max_edge": 1}`, ""},
	} {
		o, err := parseOptions([]byte(c.text))
		if c.wants != "" {
			must.Fail(o, err)(t, c.wants)
		} else if err != nil {
			t.Errorf("%s: %v", c.text, err)
		}
	}
}

func TestOptionValues(t *testing.T) {
	o := must.Get(
		parseOptions([]byte(`{"regularization":"2.5","knn":"12","delaunay":"True","spatial_weight":0,` +
			`"embedding":"false","threads":"2","model":"7"}`)))(t)
	must.Equal(t, o.Regularization, 2.5, "o.Regularization")
	must.Equal(t, o.KNN, 12, "o.KNN")
	must.Hold(t, *o.Delaunay, "*o.Delaunay is false")
	must.Equal(t, *o.SpatialWeight, 0, "*o.SpatialWeight")
	must.Hold(t, !*o.Embedding, "*o.Embedding is true")
	must.Equal(t, o.Threads, 2, "o.Threads")
	must.Equal(t, o.Model, "7", "o.Model")
}

// TestExamples reads every option's example, with a method that has the option and
// with what it needs beside it, and finds it in a field of its own.
func TestExamples(t *testing.T) {
	fields, all := map[any]string{}, new(option.Options)
	for _, s := range option.Specs() {
		_, err := option.OptionsOf(beside(&s, s.Example))
		must.Hold(t, err == nil, "%s: %v", s.Name, err)
		field := s.Field(all)
		other, twice := fields[field]
		must.Hold(t, !twice, "options %s and %s go into one field", s.Name, other)
		fields[field] = s.Name
		number := s.Kind == option.KindNumber || s.Kind == option.KindNumbers || s.Kind == option.KindInteger
		must.Hold(t, s.Help != "", "%s: s.Help is empty", s.Name)
		if s.Default == "" {
			must.Hold(t, s.DefaultText != "", "%s: s.DefaultText is empty", s.Name)
		}
		if number {
			must.Hold(t, s.Range != (option.Range{}),
				"%s: s.Range equals option.Range{}: %v", s.Name, s.Range)
		}
	}
	n := reflect.TypeFor[option.Options]().NumField()
	must.Hold(t, n == len(fields), "Options has %d fields for %d options", n, len(fields))
}

// beside returns a value of the option, with a method that has it and what it needs.
func beside(s *option.Spec, value string) map[string]string {
	given := map[string]string{s.Name: value}
	if s.Methods != nil {
		given["method"] = s.Methods[0]
	}
	for _, other := range option.Specs() {
		if other.Name == s.Needs {
			given[other.Name] = other.Example
		}
	}
	return given
}

// written returns a number as a user writes it.
func written(x float64) string { return strconv.FormatFloat(x, 'f', -1, 64) }

// TestOddNumbers gives every option numbers at the ends of its range, and odd ones: there are superpoints, or
// an error that names the option and the remedy, which for a number has the range and an example.
func TestOddNumbers(t *testing.T) {
	view, part := roof(300, 4)
	view.Dimensions = map[string][]float64{"Red": part, "Green": part, "Blue": part}
	for _, s := range option.Specs() {
		if s.Range == (option.Range{}) && !s.List {
			continue
		}
		least, most := written(s.Range.Min), written(s.Range.Max)
		for _, v := range []string{least, most, "1e-300", "5e-324", "1e300", "1e6", "NaN", "inf", "-inf",
			"-0", "-1", "0x1",
			"99999999999999999999", "1,1e300", "1;2", "1e", "{}", "[1]", "null", "true"} {
			given := beside(&s, v)
			switch s.Name {
			case "max_edge":
				given["delaunay"] = "true"
			case "knn":
				given["model"] = "geometric"
			}
			o, err := option.OptionsOf(given)
			remedy, numeric := s.Name, s.Range != (option.Range{})
			if err != nil && numeric {
				remedy = s.Remedy()
			}
			if f := (*Filter)(nil); err == nil {
				if f, err = New(o, nil); err == nil {
					_, err = f.Segment(steps.Run{}, view)
				}
			}
			ends := numeric && (v == least || v == most)
			if err != nil {
				must.Hold(t, strings.Contains(err.Error(), s.Name),
					"%s=%s: got %q, want %q in it", s.Name, v, err.Error(), s.Name)
				must.Hold(t, strings.Contains(err.Error(), remedy),
					"%s=%s: got %q, want %q in it", s.Name, v, err.Error(), remedy)
				if ends && !strings.Contains(err.Error(), "use at least") {
					must.Equal(t, s.Name, "first_id", "%s=%s: s.Name", s.Name, v)
				}
			}
		}
	}
}

// TestSettings: options of the graph with what others leave of them.
func TestSettings(t *testing.T) {
	const unordered = `{"model":"geometric","solver":"cut-pursuit","spatial_weight":1,"spacing":2`
	for text, want := range map[string]struct {
		knn, adjacency int
		words          string
	}{
		`{"model":"geometric"}`:                      {20, 10, ""},
		`{"model":"geometric","knn":3}`:              {3, 3, ""},
		`{"model":"geometric","adjacency_knn":30}`:   {30, 30, ""},
		`{"model":"geometric","adjacency_knn":4}`:    {20, 4, ""},
		`{"model":"geometric","max_edge":9}`:         {words: "option max_edge"},
		unordered + `,"delaunay":true}`:              {20, 10, ""},
		unordered + `}`:                              {words: "option spacing"},
		unordered + `,"delaunay":true,"max_edge":9}`: {words: "option spacing"},
	} {
		s := option.Settings{}
		f, err := newFilter(text, nil)
		if err == nil {
			s, err = f.options.Resolve(f.model)
		}
		if want.words != "" {
			must.Fail(err)(t, want.words)
		} else if err != nil || s.KNN != want.knn || s.Graph.Nearest != want.adjacency {
			t.Errorf("%s: %d neighbours, %d in the graph, %v", text, s.KNN, s.Graph.Nearest, err)
		}
	}
}

func FuzzOptions(f *testing.F) {
	f.Add("regularization", "1", "model", "auto")
	f.Add("knn", " 20", "delaunay", "TRUE")
	f.Fuzz(func(t *testing.T, name, value, other, beside string) {
		o, err := option.OptionsOf(map[string]string{name: value, other: beside})
		must.Need(t, (o == nil) != (err == nil), "options %v, error %v", o, err)
	})
}

// parseOptions reads options from JSON text, as these tests write them.
func parseOptions(text []byte) (*option.Options, error) {
	var values map[string]json.RawMessage
	if err := json.Unmarshal(text, &values); err != nil {
		return nil, err
	}
	given := map[string]string{}
	for name, value := range values {
		if given[name] = string(value); value[0] == '"' {
			var unquoted string
			if err := json.Unmarshal(value, &unquoted); err != nil {
				return nil, err
			}
			given[name] = unquoted
		}
	}
	return option.OptionsOf(given)
}

// TestOneDimensionForTwo names each dimension that the options write, and each
// that they read, as the dimension of the ids.
func TestOneDimensionForTwo(t *testing.T) {
	all := `"color":true,"embedding_color":true,"vote":"Class"`
	for _, options := range []string{`"model":"geometric",` + all, `"model":"auto",` + all,
		`"method":"vccs","color":true,"vote":"Class"`} {
		available := []string{"Class"}
		d := must.Get(mustFilter(t, `{`+options+`}`).Describe(available))(t)
		taken := slices.Concat(d.Required, d.Outputs[1:])
		must.Hold(t, len(taken) >= 3, "%s: %v", options, taken)
		for _, other := range taken {
			for _, name := range []string{other.Name, strings.ToLower(other.Name)} {
				f, err := newFilter(fmt.Sprintf(`{"dimension":%q,%s}`, name, options), nil)
				if err == nil {
					_, err = f.Describe(available)
				}
				must.Need(t, err != nil, "%s, ids to %s: no error", options, name)
				must.Hold(t, strings.Contains(strings.ToLower(err.Error()), strings.ToLower(other.Name)),
					"%s, ids to %s: got %q, want %q in it",
					options, name, strings.ToLower(err.Error()), strings.ToLower(other.Name))
				must.Hold(t, strings.Contains(err.Error(), "option dimension"),
					"%s, ids to %s: got %q, want %q in it", options, name, err.Error(), "option dimension")
			}
		}
	}
	long := fmt.Sprintf(`{"dimension":"D%031d","target_size":"20,80"}`, 0)
	must.Fail(newFilter(long, nil))(t, "has 33 characters", "shorter")
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
		must.Fail(mustFilter(t, `{"model":"geometric","vote":"Bad"}`).Segment(steps.Run{}, view))(t,
			fmt.Sprintf(`option vote: dimension "Bad" of point 17 is %v`, v))
	}
	view, part := roof(100, 6)
	must.Fail(mustFilter(t, `{"model":"geometric","vote":"Klass"}`).Segment(steps.Run{}, view))(t,
		`"Klass" is missing`)
	three, _ := roof(100, 6)
	three = three.Part([]int32{0, 1, 2}) // in another order: class and object 0 and −1 are none
	three.Dimensions = map[string][]float64{"Class": {0, 6, -1}, "Object": {4, 0, 9}}
	truth := must.Get(three.Truth(parallel.Run{}, []uint32{1, 2, 0}, "Class", "Object"))(t)
	must.Equal(t, truth.Class, []int32{6, -1, -1}, "truth.Class")
	must.Equal(t, truth.Object, []int32{-1, 9, 4}, "truth.Object")
	for i := range part {
		part[i] = -1 // no point has a class
	}
	s := mustSegment(t, mustFilter(t, `{"model":"geometric","vote":"Classification"}`), view)
	for i, v := range column(t, s, "VotedClassification") {
		must.Need(t, v == 0, "point %d is voted %v", i, v)
	}
}

// TestModelOfClusters: ssp-cluster warns that a model was not trained for it; no built-in model
// was.
func TestModelOfClusters(t *testing.T) {
	for _, name := range []string{"ssp", "ssp-cluster"} {
		f, said := listening(t, &option.Options{Method: name, Model: "aerial"})
		must.Get(f.Describe(nil))(t)
		must.Equal(t, strings.Contains(*said, "model aerial was not trained for it"), name == "ssp-cluster",
			"%s: warned of model aerial, %q", name, *said)
	}
}

// TestStaleDimensions warns of what an earlier run wrote and this one does not.
func TestStaleDimensions(t *testing.T) {
	own := []string{"SuperpointID", "SuperpointColor", "Embedding0", "Embedding12", "EmbeddingR",
		"VotedClass"}
	for _, c := range []struct {
		options   string
		available []string
		stale     string
	}{
		{`{"model":"geometric","embedding":false}`, own,
			"SuperpointColor, Embedding0, Embedding12, EmbeddingR, VotedClass"},
		{`{"model":"aerial","color":true,"embedding_color":true}`, own, "Embedding12, VotedClass"},
		{`{"model":"aerial","color":true,"embedding_color":true,"vote":"VotedClass"}`, own, "Embedding12"},
		{`{"model":"geometric","dimension":"ClusterID"}`, own, ""},
		{`{"model":"geometric"}`, []string{"SuperpointID", "Embedding", "EmbeddingX", "Intensity"}, ""},
	} {
		var said []string
		f := must.Get(newFilter(c.options, func(level int, text string) {
			if level == message.Warning {
				said = append(said, text)
			}
		}))(t)
		must.Get(f.Describe(c.available))(t)
		want := "the points have " + c.stale + " of an earlier run"
		if c.stale == "" {
			must.Equal(t, len(said), 0, "%s: len(said)", c.options)
		} else {
			must.Equal(t, len(said), 1, "%s: len(said)", c.options)
			must.Hold(t, strings.HasPrefix(said[0], want),
				"%s: got %q, want %q at its start", c.options, said[0], want)
		}
	}
}

// effects are values with which an option changes the result of a method that has
// it, where its example does not, and the options beside it in both runs.
func effects(learned, classes string) map[string]struct{ value, beside string } {
	return map[string]struct{ value, beside string }{
		"model": {learned, ""}, "regularization": {"3", ""}, "target_size": {"15", ""},
		"spatial_weight": {"4", ""},
		"edge_decay":     {"0.02", ""}, "knn": {"7", `"target_size":20`}, "adjacency_knn": {"4", ""},
		"max_edge": {"0.2", `"delaunay":true`}, "spacing": {"0.02", ""},
		"embedding": {"true", `"embedding":false`},
		"classes":   {classes, ""}, "class_dimension": {"Guess", `"classes":"` + classes + `"`},
		"class_change":       {"all", `"class_dimension":"Class","classes":"` + classes + `"`},
		"min_confidence":     {"1", `"classes":"` + classes + `"`},
		"vote":               {"Class", ""},
		"spatial_importance": {"3", `"target_size":20`}, "embedding_importance": {"9", ""},
		"normal_importance": {"0", `"target_size":20`},
	}
}

// without lists the options that this test does not try, with the reason.
var without = map[string]string{
	"method":       "is what the others are tried with",
	"across_lines": "needs scan lines: TestNoStripes tests",
	"device":       "gives the same result",
	"threads":      "gives the same result",
}

// TestOptionsHaveAnEffect tries every option with every method: an option that is not refused must change
// the result.
func TestOptionsHaveAnEffect(t *testing.T) {
	view, part := roof(1200, 4)
	view.Dimensions = map[string][]float64{"Class": part}
	for k, name := range []string{"Red", "Green", "Blue"} {
		column := make([]float64, view.Len())
		for i := range column {
			column[i] = float64((i/8*7919 + k*31) % 256)
		}
		view.Dimensions[name] = column
	}
	tries, refused := effects(xyzModel(t), heights.File(t)), 0
	known := map[string]string{} // outcomes by the options beside the one that is tried
	for _, s := range option.Specs() {
		if without[s.Name] != "" {
			continue
		}
		effect, ok := tries[s.Name]
		if !ok {
			effect.value = s.Example
		}
		for _, name := range method.Names(nil) {
			base := map[string]json.RawMessage{"method": quote(name)}
			if method.Named(name).Embeds && s.Name != "model" {
				base["model"] = quote("geometric")
			}
			must.OK(t, json.Unmarshal([]byte("{"+effect.beside+"}"), &base))
			with := maps.Clone(base)
			with[s.Name] = quote(effect.value)
			key := fmt.Sprintf("%s", base)
			if known[key] == "" {
				before, err := outcome(t, view, base)
				if err != nil {
					refused++ // what stands beside the option
					continue
				}
				known[key] = before
			}
			after, err := outcome(t, view, with)
			switch {
			case err != nil:
				refused++
			case known[key] == after:
				t.Errorf("method %s takes option %s, and nothing changes", name, s.Name)
			}
		}
	}
	must.Hold(t, refused >= 30, "only %d options are refused", refused)
}

func quote(text string) json.RawMessage { return json.RawMessage(`"` + text + `"`) }

// outcome is all that a user can see of a run, in a text; an error if the options are refused.
func outcome(t *testing.T, view *cloud.View, options map[string]json.RawMessage) (string, error) {
	f, err := newFilter(string(must.Get(json.Marshal(options))(t)), nil)
	if err != nil {
		return "", err
	}
	s := mustSegment(t, f, view)
	d := must.Get(f.Describe(slices.Sorted(maps.Keys(view.Dimensions))))(t)
	all := ""
	for _, output := range d.Outputs {
		all += fmt.Sprint(output.Name, column(t, s, output.Name))
	}
	return all, nil
}
