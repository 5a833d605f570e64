// SPDX-License-Identifier: BSD-3-Clause

package pdaltest

import (
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"superpoint/filter/lasformat"
	"superpoint/partition/base/parallel"
	"superpoint/testdata/las"
	"superpoint/testdata/must"
	"superpoint/testdata/scan"
	"superpoint/testdata/scenes"
)

// TestPartsHaveTheirOwnIDs: views, branches and stages of one pipeline share no id, and their ids together
// have no gap, at both levels.
func TestPartsHaveTheirOwnIDs(t *testing.T) {
	t.Parallel()
	west, _ := houseFile(t, 0, 0, 1)
	east, _ := houseFile(t, 1000, 0, 2)
	sizes := stage{"target_size": "20,80"}
	// of a third of the points: small problems are solved exactly, which takes long
	reader := func(path string) stage {
		r := reader(path)
		r["count"] = 1000
		return r
	}
	ra, rb, sa, sb := reader(west), reader(east), superpoint(sizes), superpoint(sizes)
	ra["tag"], rb["tag"], sa["tag"], sb["tag"] = "a", "b", "sa", "sb"
	sa["inputs"], sb["inputs"] = "a", "b"
	far := func(p *las.Points, i int) int { return int(p.X[i] / 500) }
	quarter := func(p *las.Points, i int) int { return int(p.X[i]/12)&1 + 2*(int(p.Y[i]/12)&1) }
	class := func(p *las.Points, i int) int { return int(p.Classification[i]) }
	buffered := stage{"type": "filters.splitter", "length": 12, "origin_x": 0, "origin_y": 0, "buffer": 5}
	left, right := maps.Clone(buffered), maps.Clone(buffered)
	left["inputs"], left["tag"], right["inputs"], right["tag"] = "a", "la", "b", "lb"
	with := func(options stage) stage {
		maps.Copy(options, sizes)
		return superpoint(options)
	}
	la, lb := with(stage{"inputs": "la", "tag": "sa"}), with(stage{"inputs": "lb", "tag": "sb"})
	for name, c := range map[string]struct {
		part   func(p *las.Points, i int) int
		stages []any
	}{
		"two readers": {far, []any{reader(west), reader(east), superpoint(sizes)}},
		"two branches": {far,
			[]any{ra, rb, sa, sb, stage{"type": "filters.merge", "inputs": []string{"sa", "sb"}}}},
		"a splitter": {quarter, []any{reader(west), stage{"type": "filters.splitter", "length": 12,
			"origin_x": 0,
			"origin_y": 0}, superpoint(sizes), stage{"type": "filters.merge"}}},
		"views that share points": {far, []any{reader(west), buffered, superpoint(sizes),
			stage{"type": "filters.merge"}}},
		"branches of views that share points": {far, []any{ra, rb, left, right, la, lb,
			stage{"type": "filters.merge", "inputs": []string{"sa", "sb"}}}},
		"two stages with where": {class, []any{reader(west), with(stage{"where": "Classification == 6"}),
			with(stage{"where": "Classification == 2"})}},
	} {
		p := made(t, c.stages...)
		nested, coarse := map[float64]float64{}, p.Extra["SuperpointID1"]
		for _, dimension := range []string{"SuperpointID", "SuperpointID1"} {
			dense(t, ids(t, p, dimension))
			part := map[float64]int{}
			for i, id := range p.Extra[dimension] {
				other, known := part[id]
				if known {
					must.Need(t, other == c.part(p, i),
						"%s: id %v is in %d and in %d: other is not c.part(p, i)",
						name, id, other, c.part(p, i))
				}
				part[id] = c.part(p, i)
			}
		}
		for i, id := range p.Extra["SuperpointID"] {
			up, known := nested[id]
			if known {
				must.Need(t, up == coarse[i],
					"%s: superpoint %v lies in %v and in %v: up is not coarse[i]", name, id, up, coarse[i])
			}
			nested[id] = coarse[i]
		}
		all := ids(t, p, "SuperpointID1")
		must.Hold(t, 2*len(all) <= len(nested), "%s: %d superpoints in %d", name, len(nested), len(all))
	}
}

// TestIdsOfSharedViews: of two views with two houses each, of which they share one, the ids are renumbered
// without gaps, the first one, too. Each house is one superpoint.
func TestIdsOfSharedViews(t *testing.T) {
	t.Parallel()
	var stages []any
	for k := range 3 {
		in, _ := houseFile(t, 1000*float64(k), 0, 1)
		stages = append(stages, reader(in))
	}
	p := made(t, append(stages, stage{"type": "filters.merge"},
		stage{"type": "filters.splitter", "length": 1500, "origin_x": -500, "origin_y": -500, "buffer": 30},
		superpoint(stage{"regularization": 1e6}), stage{"type": "filters.merge"})...)
	house := map[float64]int{}
	for i, id := range p.Extra["SuperpointID"] {
		at := int(p.X[i]) / 1000
		if known, is := house[id]; is {
			must.Need(t, known == at, "superpoint %v is in house %d and in house %d", id, known, at)
		}
		house[id] = at
	}
	must.Equal(t, len(house), 3, "superpoints")
	dense(t, ids(t, p, "SuperpointID"))
}

func TestTwoStagesTwoDimensions(t *testing.T) {
	t.Parallel()
	in, _ := houseFile(t, 0, 0, 1)
	out := filepath.Join(t.TempDir(), "out.las")
	o := pipeline(t, nil, reader(in), superpoint(nil),
		superpoint(stage{"regularization": 8, "dimension": "Coarse"}),
		writer(out)).ok(t)
	p := read(t, out)
	fine, coarse := ids(t, p, "SuperpointID"), ids(t, p, "Coarse")
	dense(t, fine)
	dense(t, coarse)
	must.Hold(t, len(coarse) < len(fine), "%d superpoints at regularization 8, %d at 1",
		len(coarse), len(fine))
	must.Hold(t, len(o.stage) == 2, "metadata of %d stages", len(o.stage))
	again := ids(t, made(t, reader(in), superpoint(nil), superpoint(nil)), "SuperpointID")
	must.Need(t, len(again) == len(fine),
		"the second stage gives ids: got %v, want %v", len(again), len(fine))
	must.Hold(t, again[1] != 0, "again[1] is 0")
	one := func(class int) stage { // a superpoint of all points
		return superpoint(stage{"regularization": 1e6, "where": fmt.Sprint("Classification == ", class)})
	}
	p = made(t, reader(in), one(2), one(6))
	for i, id := range p.Extra["SuperpointID"] {
		must.Need(t, id == map[uint8]float64{2: 1, 6: 2}[p.Classification[i]],
			"a point of class %d has id %v", p.Classification[i], id)
	}
}

// TestOutputsOfTheStage: LAZ has the outputs, in types that hold them, and the spatial reference; the
// metadata counts.
func TestOutputsOfTheStage(t *testing.T) {
	t.Parallel()
	in, points := houseFile(t, 400000, 6000000, 1)
	laz := filepath.Join(t.TempDir(), "out.laz")
	o := pipeline(t, nil, reader(in), superpoint(stage{"color": true, "dimension": "ClusterID"}),
		writer(laz)).ok(t)
	file := readAny(t, laz)
	out := file.Points()
	sameColumns(t, points, out)
	must.Hold(t, strings.Contains(out.WKT, "UTM zone 32N"), "the spatial reference is now %q", out.WKT)
	for name, kind := range map[string]string{"ClusterID": "uint32", "SuperpointColor": "uint8",
		"Embedding0": "float",
		"Embedding3": "float", "SuperpointID": ""} {
		e := file.Extra(name)
		must.Equal(t, e == nil, kind == "", "dimension %s is not %s: e == nil", name, kind)
		if e != nil {
			must.Equal(t, las.Kinds[e.Kind], kind,
				"dimension %s is not %s: las.Kinds[e.Kind]", name, kind)
		}
	}
	count := ids(t, out, "ClusterID")
	dense(t, count)
	got := o.stage[0]
	must.Need(t, got["superpoints"] == float64(len(count)),
		`got["superpoints"] is %v, want %v`, got["superpoints"], float64(len(count)))
	must.Hold(t, got["points"] == float64(points.Len()),
		`got["points"] is %v, want %v`, got["points"], float64(points.Len()))
	must.Hold(t, len(count) >= 3, "%d superpoints for a box on a plane, want at least 3", len(count))
	must.Hold(t, len(count) <= 300, "%d superpoints for a box on a plane, want at most 300", len(count))
}

// TestThreadsOfTheStage: a view of more points than the shim copies on one thread gets the same values on one
// and two threads, with `where` and where rows are in the view more than once.
func TestThreadsOfTheStage(t *testing.T) {
	t.Parallel()
	s := must.Get(scenes.New("village", scenes.Options{Seed: 3}))(t)
	cloud := must.Get(scan.Cloud(parallel.Run{}, s, scan.Options{Mode: scan.Aerial, Points: 90_000, Seed: 3,
		Noise: 1}))(t)
	path := filepath.Join(t.TempDir(), "village.las")
	must.OK(t, las.WriteFile(path, cloud, 0.001))
	for name, c := range map[string]struct {
		before  []any
		options stage
	}{
		"every output": {nil, everyOutput(nil)},
		"where":        {nil, everyOutput(stage{"where": "Classification != 6"})},
		"rows twice": {[]any{stage{"type": "filters.splitter", "length": 60, "buffer": 5},
			stage{"type": "filters.merge"}},
			superpoint(nil)},
	} {
		var files [2][]byte
		for k := range files {
			out := filepath.Join(t.TempDir(), "out.las")
			c.options["threads"] = k + 1
			stages := slices.Concat([]any{path}, c.before, []any{c.options, writer(out)})
			pipeline(t, nil, stages...).ok(t)
			files[k] = must.Get(os.ReadFile(out))(t)
		}
		must.Need(t, len(files[0]) >= 90_000*38,
			"%s: files: got %v, want at least %v", name, len(files[0]), 90_000*38)
		must.Equal(t, files[0], files[1], "%s: files[0]", name)
	}
}

// TestListsOfOptions: an array of JSON equals a text with commas, an object equals a list of codes.
func TestListsOfOptions(t *testing.T) {
	t.Parallel()
	in, _ := houseFile(t, 0, 0, 1)
	text := made(t, reader(in), everyOutput(stage{"target_size": "20,80", "class_change": "0,2,6",
		"class_codes": "building=26,vegetation=3", "vegetation_heights": "0.5,1.5"}))
	array := made(t, reader(in),
		everyOutput(stage{"target_size": []int{20, 80}, "class_change": []int{0, 2, 6},
			"class_codes": []string{"building=26", "vegetation=3"}, "vegetation_heights": []any{0.5, "1.5"}}))
	must.Hold(t, maps.EqualFunc(text.Extra, array.Extra, slices.Equal),
		"maps.EqualFunc(text.Extra, array.Extra, slices.Equal) is false")
	must.Need(t, slices.Contains(array.Extra["Guess"], 26),
		`array.Extra["Guess"] is %v, want 26 in it`, array.Extra["Guess"])
	must.Hold(t, array.Extra["SuperpointID1"] != nil, `array.Extra["SuperpointID1"] is nil`)
	object := made(t, reader(in), everyOutput(stage{"target_size": "20,80", "class_change": "0,2,6",
		"class_codes": map[string]int{"building": 26, "vegetation": 3}, "vegetation_heights": "0.5,1.5"}))
	must.Hold(t, maps.EqualFunc(text.Extra, object.Extra, slices.Equal),
		"other outputs with an object of codes")
}

// TestLabelsOfAnyType: labels of a field that a file has as another type than LAS are voted for and kept.
func TestLabelsOfAnyType(t *testing.T) {
	t.Parallel()
	in, out := filepath.Join(t.TempDir(), "in.ply"), filepath.Join(t.TempDir(), "out.csv")
	for kind, label := range map[string]int{"uchar": 3, "ushort": 300, "int": 70000, "float": 300,
		"double": 70000} {
		ply := strings.ReplaceAll(
			"ply\nformat ascii 1.0\nelement vertex 400\n$double x\n$double y\n$double z\n$"+kind+
				" classification\n$"+kind+" pointsourceid\nend_header\n", "$", "property ")
		for i := range 400 {
			ply += fmt.Sprintf("%d %d 0 %[3]d %[3]d\n", i%20, i/20, label)
		}
		put(t, in, ply)
		pipeline(t, nil, in, superpoint(stage{"vote": "Classification"}),
			superpoint(stage{"vote": "PointSourceId",
				"classes": "aerial"}), stage{"type": "writers.text", "filename": out, "precision": 0,
				"keep_unspecified": false,
				"order":            "Classification,VotedClassification,VotedPointSourceId"}).ok(t)
		want := fmt.Sprintf("%[1]d,%[1]d,%[1]d\n", label)
		text := string(must.Get(os.ReadFile(out))(t))
		must.Hold(t, strings.Count(text, want) == 400, "%s %s: %.200s", kind, want, text)
	}
}

// everyOutput asks for every dimension that the stage can write.
func everyOutput(options stage) stage {
	s := superpoint(stage{"color": true, "embedding_color": true, "vote": "Classification",
		"classes":         "aerial",
		"class_dimension": "Guess", "class_change": "all"})
	maps.Copy(s, options)
	return s
}

// TestValuesStayWhereNoneIsComputed runs pipelines over files that an earlier run has been over, and over
// files that it has not. Where the stage computes a value, it is the same; where `where` leaves a point out,
// it is what the file had, or 0 if it did not have the dimension. New ids are above those that stay.
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
		{"where nothing",
			func(in [2]string) []any { return []any{reader(in[0]), everyOutput(stage{"where": "Z > 1000"})} },
			1, true},
		{"two where", func(in [2]string) []any {
			return []any{reader(in[0]), everyOutput(roof),
				everyOutput(ground)}
		},
			1, false},
		{"where, then all", func(in [2]string) []any {
			return []any{reader(in[0]), everyOutput(roof),
				everyOutput(nil)}
		},
			1, false},
		{"two branches", func(in [2]string) []any { return branches(in, nil) }, 2, false},
		{"two branches with where", func(in [2]string) []any { return branches(in, roof) }, 2, true},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			var got [2]*las.Points
			for i, in := range [][2]string{fresh, used} {
				got[i] = made(t, c.stages(in)...)
			}
			var before [2][]*las.Points
			for k := range c.files {
				before[0], before[1] = append(before[0], read(t, fresh[k])),
					append(before[1], read(t, used[k]))
			}
			must.Equal(t, stays(t, before, got) > 0, c.left, "points are left out")
			count := ids(t, got[0], "SuperpointID")
			delete(count, 0)
			dense(t, count)
		})
	}
}

// stays checks that got[1] has the values of got[0] where the stage computed some, ids all moved by the same,
// above those that stay; and elsewhere what its input had, or 0. It returns how many points were left out.
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
	must.Need(t, len(got[0].Extra) >= 12,
		"%d and %d dimensions: want len(got[0].Extra) at least 12", len(got[0].Extra), len(got[1].Extra))
	must.Hold(t, len(got[1].Extra) == len(got[0].Extra),
		"%d and %d dimensions: len(got[1].Extra) is not len(got[0].Extra)",
		len(got[0].Extra), len(got[1].Extra))
	for name, want := range got[0].Extra {
		had := [2][]float64{column(before[0], name), column(before[1], name)}
		for i, v := range got[1].Extra[name] {
			switch {
			case computed[i] == 0:
				must.Need(t, v == had[1][i],
					"%s of point %d, left out, is %v and %v, not %v and %v: v is not had[1][i]",
					name, i, v, want[i], had[1][i], had[0][i])
				must.Need(t, want[i] == had[0][i],
					"%s of point %d, left out, is %v and %v, not %v and %v: had[0][i] is not want[i]",
					name, i, v, want[i], had[1][i], had[0][i])
				left++
			case name != ids && v != want[i] || name == ids && moved >= 0 && v-want[i] != moved:
				t.Fatalf("%s of point %d is %v, in a file without outputs %v", name, i, v, want[i])
			case name == ids:
				moved = v - want[i]
			}
		}
	}
	if left > 0 && moved > 0 {
		least := slices.Max(got[1].Extra[ids]) - slices.Max(computed)
		must.Hold(t, moved >= least, "ids are moved by %v, want at least %v", moved, least)
	}
	return left
}

// TestFieldsOfLAS: every dimension that a LAS file of its richest format has is one that ids are refused for.
func TestFieldsOfLAS(t *testing.T) {
	t.Parallel()
	in := filepath.Join(t.TempDir(), "in.las")
	pipeline(t, nil, stage{"type": "readers.faux", "mode": "ramp", "count": 7,
		"bounds": "([0,9],[0,9],[0,3])"},
		stage{"type": "writers.las", "filename": in, "minor_version": 4, "dataformat_id": 8}).ok(t)
	var schema struct {
		Schema struct{ Dimensions []struct{ Name string } }
	}
	must.OK(t, json.Unmarshal([]byte(pdal(t, nil, "info", "--schema", in).ok(t).stdout), &schema))
	must.Hold(t, len(schema.Schema.Dimensions) >= 17, "%d dimensions", len(schema.Schema.Dimensions))
	for _, d := range schema.Schema.Dimensions {
		must.Hold(t, slices.Contains(lasformat.Fields(), d.Name), "%s is no field", d.Name)
	}
}
