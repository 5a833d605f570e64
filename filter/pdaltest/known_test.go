// SPDX-License-Identifier: BSD-3-Clause

package pdaltest

import (
	"bytes"
	"os"
	"slices"
	"strings"
	"testing"

	"superpoint/testdata/las"
	"superpoint/testdata/must"
	"superpoint/testdata/scan"
)

// TestClassesOfKnownSuperpoints: classify does not segment a result of segment with the same options again,
// and writes the bytes that it writes if it does: of a copy, which nothing proves to be a result.
func TestClassesOfKnownSuperpoints(t *testing.T) {
	t.Parallel()
	at := place(t)
	must.OK(t, las.WriteFile(at("plain.las"), must.Get(scanned("village", scan.Aerial, 5000))(t), 0.001))
	labels := labelsFile(t, at("labels.csv"))
	must.OK(t, os.Mkdir(at("copy"), 0o777))
	for _, c := range []struct {
		name, file string
		segment    []string
		classify   []string
		known      bool
	}{
		{"options of the default", "default.las", nil, []string{"--class_change", "all"}, true},
		{"packed", "packed.laz", nil, []string{"--class_change", "all"}, true},
		{"nested levels", "nested.laz", []string{"--target_size", "50,500"},
			[]string{"--target_size", "50,500", "--class_probabilities", "true"}, true},
		{"classes before", "classes.las", []string{"--classes", "aerial"}, nil, true},
		{"another method", "vccs.las", []string{"--method", "vccs"}, []string{"--method", "vccs"}, true},
		{"another size", "other.las", []string{"--target_size", "50"}, nil, false},
		{"no embedding", "bare.las", []string{"--embedding", "false"},
			[]string{"--embedding", "false"}, false},
		{"a selection", "where.las", []string{"--where", "Z > 0"}, nil, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			in, copied := at(c.file), at("copy/"+c.file)
			do(t, slices.Concat([]string{"segment"}, c.segment, []string{at("plain.las"), in})...)
			must.OK(t, os.WriteFile(copied, must.Get(os.ReadFile(in))(t), 0o666))
			args := slices.Concat([]string{"classify", "--labels", labels}, c.classify)
			first := do(t, slices.Concat(args, []string{in, at("a-" + c.file)})...)
			second := do(t, slices.Concat(args, []string{copied, at("b-" + c.file)})...)
			const told = "superpoints of the input"
			must.Equal(t, strings.Contains(first.stdout, told), c.known, "superpoints known, of a result")
			must.Equal(t, strings.Contains(second.stdout, told), false, "superpoints known, of a copy")
			a := must.Get(os.ReadFile(at("a-" + c.file)))(t)
			b := must.Get(os.ReadFile(at("b-" + c.file)))(t)
			must.Hold(t, bytes.Equal(a, b), "%d and %d bytes differ", len(a), len(b))
		})
	}
}

// TestChangedSuperpointsAreComputedAgain: a result that another program changed is no proof of anything.
func TestChangedSuperpointsAreComputedAgain(t *testing.T) {
	t.Parallel()
	at := place(t)
	must.OK(t, las.WriteFile(at("plain.las"), must.Get(scanned("village", scan.Aerial, 5000))(t), 0.001))
	do(t, "segment", at("plain.las"), at("in.las"))
	content := must.Get(os.ReadFile(at("in.las")))(t)
	content[len(content)/2] ^= 1
	must.OK(t, os.WriteFile(at("in.las"), content, 0o666))
	o := do(t, "classify", "--labels", labelsFile(t, at("labels.csv")), at("in.las"), at("out.las"))
	must.Hold(t, !strings.Contains(o.stdout, "superpoints of the input"), "%s", o.stdout)
}
