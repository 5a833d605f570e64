// SPDX-License-Identifier: BSD-3-Clause

package filter

import (
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"testing"

	"superpoint/filter/method"
	"superpoint/testdata/heights"
	"superpoint/testdata/must"
)

// effects are values with which an option changes the result of a method that has
// it, where its example does not, and the options beside it in both runs.
func effects(learned, classes string) map[string]struct{ value, beside string } {
	return map[string]struct{ value, beside string }{
		"model": {learned, ""}, "regularization": {"3", ""}, "target_size": {"15", ""}, "spatial_weight": {"4", ""},
		"edge_decay": {"0.02", ""}, "knn": {"7", `"target_size":20`}, "adjacency_knn": {"4", ""},
		"max_edge": {"0.2", `"delaunay":true`}, "spacing": {"0.02", ""}, "embedding": {"true", `"embedding":false`},
		"classes": {classes, ""}, "class_dimension": {"Guess", `"classes":"` + classes + `"`},
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

// TestOptionsHaveAnEffect tries every option with every method: what is not
// refused must change what comes out.
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
	for _, s := range Specs() {
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
	if refused < 30 {
		t.Errorf("only %d options are refused", refused)
	}
}

func quote(text string) json.RawMessage { return json.RawMessage(`"` + text + `"`) }

// outcome is all that a user can see of a run, in a text; an error if the options
// are refused.
func outcome(t *testing.T, view *View, options map[string]json.RawMessage) (string, error) {
	text := must.Get(json.Marshal(options))(t)
	o, err := parseOptions(text)
	if err != nil {
		return "", err
	}
	f, err := New(o, nil)
	if err != nil {
		return "", err
	}
	s := mustSegment(t, f, view)
	d := must.Get(f.Describe(slices.Sorted(maps.Keys(view.Dimensions))))(t)
	all := ""
	for _, output := range d.Outputs {
		values := make([]float64, view.Len())
		must.OK(t, s.Output(output.Name, values))
		all += fmt.Sprint(output.Name, values)
	}
	return all, nil
}
