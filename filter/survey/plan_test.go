package survey

import (
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"superpoint/filter"
	"superpoint/filter/child"
	"superpoint/partition/tile"
	"superpoint/testdata/must"
)

// goodPlan is a plan of two sources in two tiles.
func goodPlan(t testing.TB) *plan {
	t.Helper()
	g := must.Get(tile.NewGrid(0, 0, 199, 99, 100, 10))(t)
	p := &plan{
		Version: planVersion, Software: filter.Version, Options: map[string]string{"regularization": "2"}, Grid: g, Unit: 1,
		Layout: layout{Format: 6, Scale: [3]float64{0.001, 0.001, 0.001},
			Extra: []child.Field{{Name: "Amplitude", Type: "double"}}},
		Outputs: []child.Field{{Name: "SuperpointID", Type: "uint32"},
			{Name: "Embedding0", Type: "float"}}, Reads: []string{"Intensity"}, Points: 30,
		Shared: shared{Spacing: 0.3, Regularization: 1, Lambda: 0.1, MinSize: 5, Reach: 2.4, Vertical: 1, Halo: 30},
		Sources: []source{
			{Path: "/data/a.laz", Points: 10, Bounds: [4]float64{0, 0, 99, 99}},
			{Path: "/data/b.laz", Points: 20, Bounds: [4]float64{100, 0, 199, 99}},
		},
	}
	p.Tiles = must.Get(findTiles(&p.Grid, bounded(p.Sources), 0))(t)
	must.OK(t, p.nameResults(&quiet{}, ""))
	return p
}

// bounded are sources with points all over their bounds.
func bounded(sources []source) (all []extent) {
	for _, s := range sources {
		all = append(all, extent{boxes: []tile.Box{s.box()}})
	}
	return all
}

func planText(t testing.TB, p *plan) string {
	t.Helper()
	text := must.Get(json.Marshal(p))(t)
	return string(text)
}

// TestPlansThatAreRefused edits a plan as somebody might who wants other files
// written over, or by mistake.
func TestPlansThatAreRefused(t *testing.T) {
	good := planText(t, goodPlan(t))
	if _, err := parsePlan([]byte(good)); err != nil {
		t.Fatalf("the good plan: %v\n%s", err, good)
	}
	for _, c := range []struct{ old, new, words string }{
		{`"a.laz"`, `"../../victim.laz"`, "victim"},
		{`"a.laz"`, `"/etc/victim.laz"`, "victim"},
		{`"a.laz"`, `"b.las"`, "may both become b.las"},
		{`"a.laz"`, `""`, "is not a name"},
		{`["a.laz",`, `["c.laz","a.laz",`, "3 results of 2 sources"},
		{`"results_of":"sources"`, `"results_of":"tiles"`, "tile_000_000.laz"},
		{`"results_of":"sources"`, `"results_of":"once"`, "once"},
		{`"column":1`, `"column":0`, "same square"},
		{`"column":1`, `"column":2`, "grid"},
		{`"column":1`, `"column":-1`, "grid"},
		{`"index":1`, `"index":0`, "index"},
		{`"sources":[0,1]`, `"sources":[99]`, "99"},
		{`"sources":[0,1]`, `"sources":[-1]`, "-1"},
		{`"sources":[0,1]`, `"sources":[]`, "no source"},
		{`"sources":[0,1]`, `"sources":[1,1]`, "ascending"},
		{`"type":"uint32"`, `"type":"string"`, "string"},
		{`"type":"uint32"`, `"type":"float"`, "ids"},
		{`"type":"double"`, `"type":"quad"`, "quad"},
		{`"name":"Amplitude"`, `"name":"A=uint8,B"`, "A=uint8"},
		{`"name":"Embedding0"`, `"name":"SuperpointID"`, "twice"},
		{`"path":"/data/a.laz"`, `"path":""`, "no path"},
		{`"points":10,`, `"points":-10,`, "-10"},
		{`"points":10,`, `"points":11,`, "31"},
		{`"points":10,`, `"points":10,"lacks":["X=>Z"],`, "X=>Z"},
		{`"points":30`, `"points":9223372036854775807`, "30"},
		{`"bounds":[0,0,99,99]`, `"bounds":[9,0,1,99]`, "bounds"},
		{`"bounds":[0,0,99,99]`, `"bounds":[-1e308,0,1e308,99]`, "bounds"},
		{`"size":100`, `"size":0`, "size"},
		{`"halo":10`, `"halo":1000`, "halo"},
		{`"lambda":0.1`, `"lambda":0`, "λ"},
		{`"spacing":0.3`, `"spacing":-1`, "spacing"},
		{`"columns":2`, `"columns":9223372036854775807`, "tiles"},
		{`"columns":2`, `"columns":0`, "tiles"},
		{`"unit":1`, `"unit":0`, "unit"},
		{`"scale":[0.001`, `"scale":[0`, "scale"},
		{`"offset":[0,0,0]`, `"offset":[1e300,0,0]`, "offset"},
		{`"dataformat_id":6`, `"dataformat_id":200`, "dataformat_id"},
		{`"regularization":"2"`, `"regularization":"-2"`, "regularization"},
		{`"regularization":"2"`, `"nonsense":"2"`, "nonsense"},
		{`"version":3`, `"version":4`, "version"},
		{`"version":3`, `"version":3,"more":1`, "more"},
		{good, good + good, "after top-level"},
		{good, `null`, "version"},
		{good, ``, "JSON"},
	} {
		if !strings.Contains(good, c.old) {
			t.Errorf("the plan has no %s", c.old)
		}
		must.Fail(parsePlan([]byte(strings.Replace(good, c.old, c.new, 1))))(t, c.words)
	}
}

// TestPlanIsNamedInErrors reads the plan of a folder.
func TestPlanIsNamedInErrors(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "plan.json")
	for _, text := range []string{"", "{", "null",
		strings.Replace(planText(t, goodPlan(t)), `"a.laz"`, `"../a.laz"`, 1)} {
		must.OK(t, os.WriteFile(path, []byte(text), 0o666))
		must.Fail(Open(nil, folder))(t, path, "plan again")
	}
}

// FuzzPlan reads plans and does with those that are accepted what the units of
// work do before they read a file.
func FuzzPlan(f *testing.F) {
	good := planText(f, goodPlan(f))
	f.Add([]byte(good))
	for _, edit := range []string{`"sources":[0,1]`, `"column":1`, `"results_of":"sources"`, `"size":100`,
		`"bounds":[0,0,99,99]`} {
		f.Add([]byte(strings.Replace(good, edit, edit[:strings.Index(edit, ":")]+`:-1e9`, 1)))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		p, err := parsePlan(text)
		if err != nil {
			return
		}
		u := &Survey{folder: "/survey", plan: p, sum: "0"}
		for _, result := range p.Results {
			if dir := filepath.Dir(u.Path("out", result)); dir != "/survey/out" {
				t.Fatalf("%q is written to %s", result, dir)
			}
		}
		for n := range p.Tiles {
			tile := &p.Tiles[n]
			must.Get(u.inputsOfEmbed(n))(t)
			core := p.Grid.Core(tile.Column, tile.Row)
			for _, k := range tile.Sources {
				u.slice(n, k)
				p.Sources[k].reader(&core)
			}
		}
		for _, s := range p.Sources {
			for _, x := range []float64{s.Bounds[0], s.Bounds[2], math.Inf(1), math.NaN()} {
				p.Grid.At(x, s.Bounds[1])
				p.Grid.Reached(x, s.Bounds[3], func(int, int) {})
			}
		}
		if _, err := parsePlan([]byte(planText(t, p))); err != nil {
			t.Errorf("a plan that was accepted is refused when it is written again: %v", err)
		}
		_ = fmt.Sprint(p.Layout.writer("a.laz", child.ExtraDims(p.Outputs)))
	})
}

// TestTilesAreTheSameAsByLooking compares with a plain loop over all tiles.
func TestTilesAreTheSameAsByLooking(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		var sources []source
		for range 1 + r.IntN(6) {
			x, y := 1000*r.Float64(), 1000*r.Float64()
			sources = append(sources, source{Bounds: [4]float64{x, y, x + 400*r.Float64(), y + 400*r.Float64()}})
		}
		g := must.Get(tile.NewGrid(0, 0, 1400, 1400, 50+100*r.Float64(), 40*r.Float64()+1))(t)
		var want []plannedTile
		for row := range g.Rows {
			for column := range g.Columns {
				core := g.Core(column, row)
				p, used := plannedTile{Index: len(want), Column: column, Row: row}, false
				for k, e := range bounded(sources) {
					b := e.boxes[0].Grow(g.Size / 1000)
					if touches(b, core.Grow(g.Halo)) {
						p.Sources = append(p.Sources, k)
					}
					used = used || touches(b, core)
				}
				if used {
					want = append(want, p)
				}
			}
		}
		if got, err := findTiles(&g, bounded(sources), 0); err != nil || !reflect.DeepEqual(got, want) {
			t.Fatalf("%d tiles, by looking %d, %v", len(got), len(want), err)
		}
	}
	wide := []source{{Bounds: [4]float64{0, 0, 1e7, 1e7}}}
	g := must.Get(tile.NewGrid(0, 0, 1e7, 1e7, 10, 2))(t)
	must.Fail(findTiles(&g, bounded(wide), 0))(t, "use larger tiles")
}

func TestNamesThatPlansCannotHold(t *testing.T) {
	folder := t.TempDir()
	path := filepath.Join(folder, "\xff.las")
	if err := os.WriteFile(path, nil, 0o666); err != nil {
		t.Skip(err)
	}
	must.Fail(Plan(nil, Request{Folder: filepath.Join(folder, "survey"), Inputs: []string{path}}))(t, "UTF-8")
}
