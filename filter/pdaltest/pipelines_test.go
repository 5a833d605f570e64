package pdaltest

import (
	"path/filepath"
	"strings"
	"testing"

	"superpoint/testdata/las"
)

// unique fails the test unless no id is shared by two of the point sets.
func unique(t *testing.T, sets ...map[int]int) {
	t.Helper()
	seen := make(map[int]int)
	for i, set := range sets {
		for id := range set {
			if other, twice := seen[id]; twice {
				t.Fatalf("id %d is in set %d and in set %d", id, other, i)
			}
			seen[id] = i
		}
	}
}

// part counts the ids of the points that inside selects.
func part(p *las.Points, inside func(i int) bool) map[int]int {
	count := make(map[int]int)
	for i, v := range p.Extra["SuperpointID"] {
		if inside(i) {
			count[int(v)]++
		}
	}
	return count
}

func TestTwoReadersAreTwoViews(t *testing.T) {
	t.Parallel()
	a, _ := houseFile(t, 0, 0, 1)
	b, _ := houseFile(t, 1000, 0, 2)
	out := filepath.Join(t.TempDir(), "out.las")
	pipeline(t, nil, reader(a), reader(b), superpoint(nil), writer(out)).ok(t)
	p := read(t, out)
	dense(t, ids(t, p, "SuperpointID"))
	unique(t, part(p, func(i int) bool { return p.X[i] < 500 }), part(p, func(i int) bool { return p.X[i] > 500 }))
}

func TestSplitterBefore(t *testing.T) {
	t.Parallel()
	in, _ := houseFile(t, 0, 0, 1)
	out := filepath.Join(t.TempDir(), "out.las")
	o := pipeline(t, nil, reader(in), stage{"type": "filters.splitter", "length": 12, "origin_x": 0, "origin_y": 0},
		superpoint(nil), stage{"type": "filters.merge"}, writer(out)).ok(t)
	p := read(t, out)
	dense(t, ids(t, p, "SuperpointID"))
	quarter := func(east, north bool) map[int]int {
		return part(p, func(i int) bool { return (p.X[i] >= 12) == east && (p.Y[i] >= 12) == north })
	}
	unique(t, quarter(false, false), quarter(true, false), quarter(false, true), quarter(true, true))
	if got := o.stage[0]["views"]; got != 4.0 {
		t.Errorf("metadata says %v views of 4", got)
	}
}

func TestTwoStagesOverwrite(t *testing.T) {
	t.Parallel()
	in, _ := houseFile(t, 0, 0, 1)
	dir := t.TempDir()
	once, twice := filepath.Join(dir, "once.las"), filepath.Join(dir, "twice.las")
	second := superpoint(stage{"regularization": 4})
	pipeline(t, nil, reader(in), second, writer(once)).ok(t)
	pipeline(t, nil, reader(in), superpoint(nil), second, writer(twice)).ok(t)
	a, b := read(t, once), read(t, twice)
	dense(t, ids(t, b, "SuperpointID"))
	for i := range a.Len() {
		if a.Extra["SuperpointID"][i] != b.Extra["SuperpointID"][i] {
			t.Fatalf("point %d: %v alone, %v after another stage", i, a.Extra["SuperpointID"][i], b.Extra["SuperpointID"][i])
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
}

func TestTwoStagesWithWhereShareOneDimension(t *testing.T) {
	t.Parallel()
	in, _ := houseFile(t, 0, 0, 1)
	out := filepath.Join(t.TempDir(), "out.las")
	pipeline(t, nil, reader(in), superpoint(stage{"where": "Classification == 6"}),
		superpoint(stage{"where": "Classification == 2"}), writer(out)).ok(t)
	p := read(t, out)
	dense(t, ids(t, p, "SuperpointID"))
	unique(t, part(p, func(i int) bool { return p.Classification[i] == 2 }),
		part(p, func(i int) bool { return p.Classification[i] == 6 }))
}

func TestTwoBranches(t *testing.T) {
	t.Parallel()
	a, _ := houseFile(t, 0, 0, 1)
	b, _ := houseFile(t, 1000, 0, 2)
	out := filepath.Join(t.TempDir(), "out.las")
	ra, rb, sa, sb := reader(a), reader(b), superpoint(nil), superpoint(nil)
	ra["tag"], rb["tag"], sa["tag"], sb["tag"] = "a", "b", "sa", "sb"
	sa["inputs"], sb["inputs"] = "a", "b"
	pipeline(t, nil, ra, rb, sa, sb, stage{"type": "filters.merge", "inputs": []string{"sa", "sb"}}, writer(out)).ok(t)
	p := read(t, out)
	dense(t, ids(t, p, "SuperpointID"))
	unique(t, part(p, func(i int) bool { return p.X[i] < 500 }), part(p, func(i int) bool { return p.X[i] > 500 }))
}

func TestEmptyViewPasses(t *testing.T) {
	t.Parallel()
	in, _ := houseFile(t, 0, 0, 1)
	out := filepath.Join(t.TempDir(), "out.las")
	o := pipeline(t, nil, reader(in), stage{"type": "filters.range", "limits": "Z[1000:]"}, superpoint(nil),
		writer(out)).ok(t)
	if !strings.Contains(o.stderr, "no points") {
		t.Errorf("no warning about an empty view: %q", o.stderr)
	}
}

func TestTinyClouds(t *testing.T) {
	t.Parallel()
	for n := 1; n <= 25; n += 8 {
		out := filepath.Join(t.TempDir(), "out.las")
		pipeline(t, nil, stage{"type": "readers.faux", "mode": "ramp", "count": n, "bounds": "([0,1],[0,1],[0,1])"},
			superpoint(nil), writer(out)).ok(t)
		dense(t, ids(t, read(t, out), "SuperpointID"))
	}
	out := filepath.Join(t.TempDir(), "out.las")
	pipeline(t, nil, stage{"type": "readers.faux", "mode": "constant", "count": 100, "bounds": "([5,6],[5,6],[5,6])"},
		superpoint(nil), writer(out)).ok(t)
	if count := ids(t, read(t, out), "SuperpointID"); len(count) != 1 {
		t.Errorf("%d superpoints for 100 times the same point", len(count))
	}
}
