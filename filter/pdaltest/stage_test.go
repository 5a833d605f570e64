// SPDX-License-Identifier: BSD-3-Clause

package pdaltest

import (
	"fmt"
	"maps"
	"path/filepath"
	"strings"
	"testing"

	"superpoint/testdata/las"
)

// TestPartsHaveTheirOwnIDs: views, branches and stages of one pipeline share no id, and their ids together have no gap,
// at both levels.
func TestPartsHaveTheirOwnIDs(t *testing.T) {
	t.Parallel()
	west, _ := houseFile(t, 0, 0, 1)
	east, _ := houseFile(t, 1000, 0, 2)
	sizes := stage{"target_size": "20,80"}
	reader := func(path string) stage { // of a third of the points: small problems are solved exactly, which takes long
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
		"two readers":  {far, []any{reader(west), reader(east), superpoint(sizes)}},
		"two branches": {far, []any{ra, rb, sa, sb, stage{"type": "filters.merge", "inputs": []string{"sa", "sb"}}}},
		"a splitter": {quarter, []any{reader(west), stage{"type": "filters.splitter", "length": 12, "origin_x": 0,
			"origin_y": 0}, superpoint(sizes), stage{"type": "filters.merge"}}},
		"views that share points": {far, []any{reader(west), buffered, superpoint(sizes), stage{"type": "filters.merge"}}},
		"branches of views that share points": {far, []any{ra, rb, left, right, la, lb,
			stage{"type": "filters.merge", "inputs": []string{"sa", "sb"}}}},
		"two stages with where": {class, []any{reader(west), with(stage{"where": "Classification == 6"}),
			with(stage{"where": "Classification == 2"})}},
	} {
		out := filepath.Join(t.TempDir(), "out.las")
		pipeline(t, nil, append(c.stages, writer(out))...).ok(t)
		p := read(t, out)
		nested, coarse := map[float64]float64{}, p.Extra["SuperpointID1"]
		for _, dimension := range []string{"SuperpointID", "SuperpointID1"} {
			dense(t, ids(t, p, dimension))
			part := map[float64]int{}
			for i, id := range p.Extra[dimension] {
				if other, known := part[id]; known && other != c.part(p, i) {
					t.Fatalf("%s: id %v is in part %d and in part %d", name, id, other, c.part(p, i))
				}
				part[id] = c.part(p, i)
			}
		}
		for i, id := range p.Extra["SuperpointID"] {
			if up, known := nested[id]; known && up != coarse[i] {
				t.Fatalf("%s: superpoint %v lies in %v and in %v", name, id, up, coarse[i])
			}
			nested[id] = coarse[i]
		}
		if all := ids(t, p, "SuperpointID1"); 2*len(all) > len(nested) {
			t.Errorf("%s: %d superpoints in %d", name, len(nested), len(all))
		}
	}
}

func TestTwoStagesTwoDimensions(t *testing.T) {
	t.Parallel()
	in, _ := houseFile(t, 0, 0, 1)
	out := filepath.Join(t.TempDir(), "out.las")
	o := pipeline(t, nil, reader(in), superpoint(nil), superpoint(stage{"regularization": 8, "dimension": "Coarse"}),
		writer(out)).ok(t)
	p := read(t, out)
	fine, coarse := ids(t, p, "SuperpointID"), ids(t, p, "Coarse")
	dense(t, fine)
	dense(t, coarse)
	if len(coarse) >= len(fine) {
		t.Errorf("%d superpoints at regularization 8, %d at 1", len(coarse), len(fine))
	}
	if len(o.stage) != 2 {
		t.Errorf("metadata of %d stages", len(o.stage))
	}
	pipeline(t, nil, reader(in), superpoint(nil), superpoint(nil), writer(out)).ok(t)
	if again := ids(t, read(t, out), "SuperpointID"); len(again) != len(fine) || again[1] == 0 {
		t.Errorf("the second stage gives %d ids, %d of them 1", len(again), again[1])
	}
	one := func(class int) stage { // a superpoint of all points
		return superpoint(stage{"regularization": 1e6, "where": fmt.Sprint("Classification == ", class)})
	}
	pipeline(t, nil, reader(in), one(2), one(6), writer(out)).ok(t)
	p = read(t, out)
	for i, id := range p.Extra["SuperpointID"] {
		if want := map[uint8]float64{2: 1, 6: 2}[p.Classification[i]]; id != want {
			t.Fatalf("a point of class %d has id %v", p.Classification[i], id)
		}
	}
}

// TestOutputsOfTheStage: LAZ has the outputs, in types that hold them, and the spatial reference; the metadata counts.
func TestOutputsOfTheStage(t *testing.T) {
	t.Parallel()
	in, points := houseFile(t, 400000, 6000000, 1)
	laz := filepath.Join(t.TempDir(), "out.laz")
	o := pipeline(t, nil, reader(in), superpoint(stage{"color": true, "dimension": "ClusterID"}), writer(laz)).ok(t)
	file := readAny(t, laz)
	out := file.Points()
	sameColumns(t, points, out)
	if !strings.Contains(out.WKT, "UTM zone 32N") {
		t.Errorf("the spatial reference is now %q", out.WKT)
	}
	for name, kind := range map[string]string{"ClusterID": "uint32", "SuperpointColor": "uint8", "Embedding0": "float",
		"Embedding3": "float", "SuperpointID": ""} {
		if e := file.Extra(name); (e == nil) != (kind == "") || e != nil && las.Kinds[e.Kind] != kind {
			t.Errorf("dimension %s is not %s: %+v", name, kind, e)
		}
	}
	count := ids(t, out, "ClusterID")
	dense(t, count)
	if got := o.stage[0]; got["superpoints"] != float64(len(count)) || got["points"] != float64(points.Len()) {
		t.Errorf("the metadata has %v superpoints of %v points, the file %d of %d", got["superpoints"], got["points"],
			len(count), points.Len())
	}
	if len(count) < 3 || len(count) > 300 {
		t.Errorf("%d superpoints for a box on a plane", len(count))
	}
}
