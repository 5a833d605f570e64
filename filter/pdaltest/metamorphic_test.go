package pdaltest

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"superpoint/testdata/las"
)

// everyOutput asks for every dimension that the stage can write.
func everyOutput(options stage) stage {
	s := superpoint(stage{"color": true, "embedding_color": true, "vote": "Classification"})
	for name, value := range options {
		s[name] = value
	}
	return s
}

// TestOwnOutputAgain runs pipelines over files that an earlier run has been
// over: every dimension is as on the files without it, also where `where` leaves
// points out.
func TestOwnOutputAgain(t *testing.T) {
	dir := t.TempDir()
	var fresh, used [2]string
	for k := range fresh {
		fresh[k], _ = houseFile(t, 1000*float64(k), 0, uint64(k+1))
		used[k] = filepath.Join(dir, fmt.Sprint("used", k, ".las"))
		pipeline(t, nil, reader(fresh[k]), everyOutput(stage{"regularization": 0.3}), writer(used[k])).ok(t)
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
		left   bool // points of no id remain
	}{
		{"all points", func(in [2]string) []any { return []any{reader(in[0]), everyOutput(nil)} }, false},
		{"where", func(in [2]string) []any { return []any{reader(in[0]), everyOutput(roof)} }, true},
		{"where nothing", func(in [2]string) []any { return []any{reader(in[0]), everyOutput(stage{"where": "Z > 1000"})} },
			true},
		{"two where", func(in [2]string) []any { return []any{reader(in[0]), everyOutput(roof), everyOutput(ground)} },
			false},
		{"where, then all", func(in [2]string) []any { return []any{reader(in[0]), everyOutput(roof), everyOutput(nil)} },
			false},
		{"two branches", func(in [2]string) []any { return branches(in, nil) }, false},
		{"two branches with where", func(in [2]string) []any { return branches(in, roof) }, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			var got [2]*las.Points
			for i, in := range [][2]string{fresh, used} {
				out := filepath.Join(dir, "out.las")
				pipeline(t, nil, append(c.stages(in), writer(out))...).ok(t)
				got[i] = read(t, out)
			}
			sameDimensions(t, got[0], got[1])
			if len(got[0].Extra) < 8 || len(got[1].Extra) != len(got[0].Extra) {
				t.Errorf("%d and %d dimensions", len(got[0].Extra), len(got[1].Extra))
			}
			for name, column := range got[0].Extra {
				if !slices.Equal(column, got[1].Extra[name]) {
					t.Errorf("%s is not what it is on the files without ids", name)
				}
			}
			count := ids(t, got[1], "SuperpointID")
			if _, left := count[0]; left != c.left {
				t.Errorf("points without an id: %d", count[0])
			}
			delete(count, 0)
			dense(t, count)
		})
	}
}

// TestIDsInEveryDimension gives the ids each dimension that a LAS file of its
// richest format has: they come back, or nothing is written.
func TestIDsInEveryDimension(t *testing.T) {
	in := filepath.Join(t.TempDir(), "in.las")
	pipeline(t, nil, stage{"type": "readers.faux", "mode": "ramp", "count": 700, "bounds": "([0,9],[0,9],[0,3])"},
		stage{"type": "writers.las", "filename": in, "minor_version": 4, "dataformat_id": 8}).ok(t)
	var schema struct {
		Schema struct{ Dimensions []struct{ Name string } }
	}
	if err := json.Unmarshal([]byte(pdal(t, nil, "info", "--schema", in).ok(t).stdout), &schema); err != nil {
		t.Fatal(err)
	}
	if len(schema.Schema.Dimensions) < 17 {
		t.Errorf("%d dimensions", len(schema.Schema.Dimensions))
	}
	out := filepath.Join(t.TempDir(), "out.las")
	for _, d := range schema.Schema.Dimensions {
		if err := os.WriteFile(out, []byte("precious"), 0o666); err != nil {
			t.Fatal(err)
		}
		o := pipeline(t, nil, stage{"type": "readers.las", "filename": in},
			superpoint(stage{"dimension": d.Name, "min_size": 1, "regularization": 0.01}), writer(out))
		text, err := os.ReadFile(out)
		if err != nil {
			t.Fatal(err)
		}
		if o.code != 0 {
			refused(t, o, "", "option dimension", d.Name)
			if string(text) != "precious" {
				t.Errorf("ids to %s: the file that was there is gone", d.Name)
			}
			continue
		}
		dense(t, ids(t, read(t, out), d.Name))
	}
}

// TestIDsInANarrowDimension writes ids to a dimension that the file has already,
// in a type that is too small.
func TestIDsInANarrowDimension(t *testing.T) {
	in, _ := houseFile(t, 0, 0, 1)
	dir := t.TempDir()
	for _, kind := range []string{"uint8", "int16", "float"} {
		narrow, out := filepath.Join(dir, "narrow.las"), filepath.Join(dir, "out.las")
		w := writer(narrow)
		w["extra_dims"] = "SuperpointID=" + kind
		pipeline(t, nil, reader(in), stage{"type": "filters.ferry", "dimensions": "Classification=>SuperpointID"}, w).ok(t)
		pipeline(t, nil, reader(narrow), superpoint(stage{"regularization": 0.01, "min_size": 1}), writer(out)).ok(t)
		count := ids(t, read(t, out), "SuperpointID")
		if dense(t, count); len(count) < 257 {
			t.Errorf("%s: %d superpoints", kind, len(count))
		}
	}
}

// TestFractionsAreNoClasses votes over heights.
func TestFractionsAreNoClasses(t *testing.T) {
	in, p := houseFile(t, 0, 0, 1)
	out := filepath.Join(t.TempDir(), "out.las")
	first := slices.IndexFunc(p.Z, func(z float64) bool { return z != math.Trunc(z) })
	o := pipeline(t, nil, reader(in), superpoint(stage{"vote": "Z"}), writer(out))
	refused(t, o, out, "option vote", `dimension "Z" of point `+fmt.Sprint(first), "whole numbers")
}
