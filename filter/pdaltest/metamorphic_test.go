// SPDX-License-Identifier: BSD-3-Clause

package pdaltest

import (
	"encoding/json"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"testing"

	"superpoint/filter/lasformat"
	"superpoint/testdata/las"
	"superpoint/testdata/must"
)

// everyOutput asks for every dimension that the stage can write.
func everyOutput(options stage) stage {
	s := superpoint(stage{"color": true, "embedding_color": true, "vote": "Classification", "classes": "aerial",
		"class_dimension": "Guess", "class_change": "all"})
	maps.Copy(s, options)
	return s
}

// TestValuesStayWhereNoneIsComputed runs pipelines over files that an earlier run has been
// over, and over files that it has not. Where the stage computes a value, it is the same;
// where `where` leaves a point out, it is what the file had, or 0 if it did not have the
// dimension. New ids are above those that stay.
func TestValuesStayWhereNoneIsComputed(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	var fresh, used [2]string
	for k := range fresh {
		in, _ := houseFile(t, 1000*float64(k), 0, uint64(k+1))
		fresh[k] = filepath.Join(dir, fmt.Sprint("fresh", k, ".las"))
		used[k] = filepath.Join(dir, fmt.Sprint("used", k, ".las"))
		pipeline(t, nil, reader(in), stage{"type": "filters.ferry", "dimensions": "PointSourceId=>Guess"},
			writer(fresh[k])).ok(t)
		pipeline(t, nil, reader(fresh[k]), everyOutput(stage{"regularization": 0.3}),
			writer(used[k])).ok(t)
	}
	roof, ground := stage{"where": "Classification == 6"}, stage{"where": "Classification == 2"}
	branches := func(in [2]string, options stage) []any {
		ra, rb, sa, sb := reader(in[0]), reader(in[1]), everyOutput(options), everyOutput(options)
		ra["tag"], rb["tag"], sa["tag"], sb["tag"] = "a", "b", "sa", "sb"
		sa["inputs"], sb["inputs"] = "a", "b"
		return []any{ra, rb, sa, sb, stage{"type": "filters.merge", "inputs": []string{"sa", "sb"}}}
	}
	for _, c := range []struct {
		name   string
		stages func(in [2]string) []any
		files  int
		left   bool // points are left out
	}{
		{"all points", func(in [2]string) []any { return []any{reader(in[0]), everyOutput(nil)} }, 1, false},
		{"where", func(in [2]string) []any { return []any{reader(in[0]), everyOutput(roof)} }, 1, true},
		{"where nothing", func(in [2]string) []any { return []any{reader(in[0]), everyOutput(stage{"where": "Z > 1000"})} },
			1, true},
		{"two where", func(in [2]string) []any { return []any{reader(in[0]), everyOutput(roof), everyOutput(ground)} },
			1, false},
		{"where, then all", func(in [2]string) []any { return []any{reader(in[0]), everyOutput(roof), everyOutput(nil)} },
			1, false},
		{"two branches", func(in [2]string) []any { return branches(in, nil) }, 2, false},
		{"two branches with where", func(in [2]string) []any { return branches(in, roof) }, 2, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			var got [2]*las.Points
			for i, in := range [][2]string{fresh, used} {
				out := filepath.Join(t.TempDir(), "out.las")
				pipeline(t, nil, append(c.stages(in), writer(out))...).ok(t)
				got[i] = read(t, out)
			}
			var before [2][]*las.Points
			for k := range c.files {
				before[0], before[1] = append(before[0], read(t, fresh[k])), append(before[1], read(t, used[k]))
			}
			if left := stays(t, before, got); (left > 0) != c.left {
				t.Errorf("%d points are left out", left)
			}
			count := ids(t, got[0], "SuperpointID")
			delete(count, 0)
			dense(t, count)
		})
	}
}

// stays checks that got[1] has the values of got[0] where the stage computed some, ids
// all moved by the same, above those that stay; and elsewhere what its input had, or 0. It
// returns how many points were left out.
func stays(t *testing.T, before [2][]*las.Points, got [2]*las.Points) (left int) {
	t.Helper()
	column := func(all []*las.Points, name string) (values []float64) {
		for _, p := range all {
			if p.Extra[name] == nil {
				values = append(values, make([]float64, p.Len())...)
			}
			values = append(values, p.Extra[name]...)
		}
		return values
	}
	const ids = "SuperpointID"
	computed, moved := got[0].Extra[ids], -1.0
	if len(got[0].Extra) < 12 || len(got[1].Extra) != len(got[0].Extra) {
		t.Errorf("%d and %d dimensions", len(got[0].Extra), len(got[1].Extra))
	}
	for name, want := range got[0].Extra {
		had := [2][]float64{column(before[0], name), column(before[1], name)}
		for i, v := range got[1].Extra[name] {
			switch {
			case computed[i] == 0:
				if v != had[1][i] || want[i] != had[0][i] {
					t.Fatalf("%s of point %d, left out, is %v and %v, not %v and %v", name, i, v, want[i], had[1][i], had[0][i])
				}
				left++
			case name != ids && v != want[i] || name == ids && moved >= 0 && v-want[i] != moved:
				t.Fatalf("%s of point %d is %v, in a file without outputs %v", name, i, v, want[i])
			case name == ids:
				moved = v - want[i]
			}
		}
	}
	if left > 0 && moved > 0 && moved < slices.Max(got[1].Extra[ids])-slices.Max(computed) {
		t.Errorf("ids are moved by %v only", moved)
	}
	return left
}

// TestFieldsOfLAS: every dimension that a LAS file of its richest format has is one that ids are refused for.
func TestFieldsOfLAS(t *testing.T) {
	t.Parallel()
	in := filepath.Join(t.TempDir(), "in.las")
	pipeline(t, nil, stage{"type": "readers.faux", "mode": "ramp", "count": 7, "bounds": "([0,9],[0,9],[0,3])"},
		stage{"type": "writers.las", "filename": in, "minor_version": 4, "dataformat_id": 8}).ok(t)
	var schema struct {
		Schema struct{ Dimensions []struct{ Name string } }
	}
	must.OK(t, json.Unmarshal([]byte(pdal(t, nil, "info", "--schema", in).ok(t).stdout), &schema))
	if len(schema.Schema.Dimensions) < 17 {
		t.Errorf("%d dimensions", len(schema.Schema.Dimensions))
	}
	for _, d := range schema.Schema.Dimensions {
		if !slices.Contains(lasformat.Fields(), d.Name) {
			t.Errorf("%s is no field", d.Name)
		}
	}
}
