// SPDX-License-Identifier: BSD-3-Clause

package filter

import (
	"encoding/json"
	"reflect"
	"testing"

	"superpoint/testdata/must"
)

func TestOptionErrors(t *testing.T) {
	for _, c := range []struct{ text, wants string }{
		{`{"regularisation": 1}`, "did you mean regularization"},
		{`{"xyzzy": 1}`, `unknown option "xyzzy"; the options are model,`},
		{`{"regularization": 0}`, "option regularization: 0 is out of range; give a number above 0"},
		{`{"regularization": -2}`, "option regularization: -2 is out of range"},
		{`{"regularization": "many"}`, `option regularization: "many" is not a number`},
		{`{"regularization": "nan"}`, "out of range"},
		{`{"regularization": 1, "target_size": 100}`, "option target_size: 100 excludes regularization (1)"},
		{`{"target_size": 0.5}`, "option target_size: 0.5 is out of range"},
		{`{"target_size": "50,x"}`, `option target_size: "x" is not a number; give a number at least 1 (points)`},
		{`{"target_size": "50,"}`, `option target_size: "" is not a number`},
		{`{"target_size": "50,500,5000,50000"}`, "option target_size: 50,500,5000,50000 are 4 sizes; give at most 3"},
		{`{"target_size": "50,50"}`, "option target_size: 50,50; sizes of nested levels rise; give the finest first"},
		{`{"method": "vccs", "target_size": "50,500"}`, "option target_size: 50,500; method vccs has no nested levels; " +
			"give one size, or use method ssp"},
		{`{"method": "lin", "target_size": "50,500"}`, "method lin has no nested levels"},
		{`{"method": "ssp-cluster", "target_size": "50,500"}`, "method ssp-cluster has no nested levels"},
		{`{"solver": "cut-pursuit", "target_size": "50,500"}`, "option target_size: 50,500; solver cut-pursuit has no " +
			"nested levels; give one size, or use solver local"},
		{`{"method": "vccs", "seed_resolution": 1, "target_size": 100}`, "excludes seed_resolution"},
		{`{"knn": 2.5}`, "option knn: 2.5 is not a whole number"},
		{`{"knn": 300}`, "whole number from 1 to 64"},
		{`{"knn": 8, "adjacency_knn": 9}`, "option adjacency_knn: 9 is above knn (8); lower it, or raise knn"},
		{`{"method": "sspcluster"}`, `unknown value "sspcluster" (did you mean ssp-cluster?); choose one of ssp,`},
		{`{"solver": "cutpursuit"}`, "did you mean cut-pursuit"},
		{`{"solver": "multilevel"}`, "choose one of auto, cut-pursuit, local; merge and multilevel were removed"},
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
		{`{"method": "lin", "regularization": 1}`, "option regularization: method lin does not use it (only ssp, " +
			"geom-graph)"},
		{`{"seed_resolution": 1}`, "option seed_resolution: method ssp does not use it"},
		{`{"method": "lin", "knn": 10}`, "option knn: method lin does not use it (only ssp, ssp-cluster, geom-graph)"},
		{`{"method": "vccs", "adjacency_knn": 5}`, "option adjacency_knn: it has no effect, because method vccs uses no " +
			"adjacency graph"},
		{`{"method": "lin", "delaunay": true}`, "option delaunay: it has no effect, because method lin uses no adjacency " +
			"graph"},
		{`{"method": "lin", "max_edge": 1}`, "option max_edge: it has no effect"},
		{`{"delaunay": false, "max_edge": 1}`, "option max_edge: it has no effect, because delaunay is false"},
		{`{"method": "vccs", "embedding_color": true}`, "option embedding_color: it has no effect, because method vccs " +
			"has no embedding"},
		{`{"method": "lin", "embedding": true}`, "option embedding: it has no effect, because method lin has no embedding"},
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
	o := must.Get(parseOptions([]byte(`{"regularization":"2.5","knn":"12","delaunay":"True","spatial_weight":0,` +
		`"embedding":"false","threads":"2","model":"7"}`)))(t)
	if o.Regularization != 2.5 || o.KNN != 12 || !*o.Delaunay || *o.SpatialWeight != 0 || *o.Embedding ||
		o.Threads != 2 || o.Model != "7" {
		t.Errorf("%+v", o)
	}
}

// TestExamples reads every option's example, with a method that has the option and
// with what it needs beside it, and finds it in a field of its own.
func TestExamples(t *testing.T) {
	fields, all := map[any]string{}, new(Options)
	for _, s := range Specs() {
		given := map[string]string{s.Name: s.Example}
		if s.Methods != nil {
			given["method"] = s.Methods[0]
		}
		for _, other := range Specs() {
			if other.Name == s.Needs {
				given[other.Name] = other.Example
			}
		}
		if _, err := OptionsOf(given); err != nil {
			t.Errorf("%s: %v", s.Name, err)
		}
		field := s.field(all)
		if other, twice := fields[field]; twice {
			t.Errorf("options %s and %s go into one field", s.Name, other)
		}
		fields[field] = s.Name
		number := s.Kind == KindNumber || s.Kind == KindNumbers || s.Kind == KindInteger
		if s.Help == "" || s.Default == "" && s.DefaultText == "" || number && s.Range == (Range{}) {
			t.Errorf("%s: help, default or range is missing", s.Name)
		}
	}
	if n := reflect.TypeFor[Options]().NumField(); n != len(fields) {
		t.Errorf("Options has %d fields for %d options", n, len(fields))
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
		s := settings{}
		f, err := New(must.Get(parseOptions([]byte(text)))(t), nil)
		if err == nil {
			s, err = f.options.resolve(f.model)
		}
		if want.words != "" {
			must.Fail(err)(t, want.words)
		} else if err != nil || s.knn != want.knn || s.graph.Nearest != want.adjacency {
			t.Errorf("%s: %d neighbours, %d in the graph, %v", text, s.knn, s.graph.Nearest, err)
		}
	}
}

func FuzzOptions(f *testing.F) {
	f.Add("regularization", "1", "model", "auto")
	f.Add("knn", " 20", "delaunay", "TRUE")
	f.Fuzz(func(t *testing.T, name, value, other, beside string) {
		o, err := OptionsOf(map[string]string{name: value, other: beside})
		if (o == nil) == (err == nil) {
			t.Fatalf("options %v, error %v", o, err)
		}
	})
}

// parseOptions reads options from JSON text, as these tests write them.
func parseOptions(text []byte) (*Options, error) {
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
	return OptionsOf(given)
}
