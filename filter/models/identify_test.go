// SPDX-License-Identifier: BSD-3-Clause

package models

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"superpoint/embed"
	"superpoint/embed/classes"
	"superpoint/testdata/must"
)

// TestIdentify: built-in models that may be used have checksums, by option, and files are named.
func TestIdentify(t *testing.T) {
	var every strings.Builder
	for _, name := range embed.Builtins() {
		every.WriteString(must.Get(embed.Builtin(name))(t).Sum())
	}
	one := must.Get(embed.Builtin("aerial"))(t).Sum()
	ofClasses := must.Get(classes.Builtin("aerial"))(t).Sum()
	type sums map[string]string
	const model, classifier = "a.safetensors", "b.safetensors"
	for name, c := range map[string]struct {
		model, classes string
		builtin        sums
		files          []string
	}{
		"no option":             {"", "", sums{"model": every.String()}, nil},
		"automatic":             {Auto, "", sums{"model": every.String()}, nil},
		"no learned model":      {Geometric, "", nil, nil},
		"one model":             {"aerial", "", sums{"model": one}, nil},
		"a model, a classifier": {"aerial", "aerial", sums{"model": one, "classes": ofClasses}, nil},
		"files":                 {model, classifier, nil, []string{"classes", "model"}},
		"a file, a classifier":  {model, "aerial", sums{"classes": ofClasses}, []string{"model"}},
	} {
		t.Run(name, func(t *testing.T) {
			builtin, files, err := Identify(map[string]string{"model": c.model, "classes": c.classes})
			must.OK(t, err)
			must.Hold(t, maps.Equal(builtin, c.builtin), "built-in models %v, want %v", builtin, c.builtin)
			must.Equal(t, slices.Sorted(slices.Values(files)), c.files, "options that name files")
		})
	}
}
