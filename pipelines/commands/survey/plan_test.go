// SPDX-License-Identifier: BSD-3-Clause

package survey

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"superpoint/embed"
	"superpoint/filter"
	"superpoint/filter/georef"
	"superpoint/filter/host"
	"superpoint/partition/base/arrays"
	"superpoint/partition/base/tile"
	"superpoint/partition/problem"
	"superpoint/pipelines/commands/survey/folder"
	"superpoint/pipelines/commands/survey/plan"
	"superpoint/pipelines/files/las"
	"superpoint/pipelines/files/pdalprocess"
	"superpoint/pipelines/job"
	scanned "superpoint/testdata/las"
	"superpoint/testdata/must"
)

// goodPlan is a plan of two sources in two tiles.
func goodPlan(t *testing.T) *plan.Plan {
	t.Helper()
	g := must.Get(tile.NewGrid(0, 0, 199, 99, 100, 10))(t)
	p := &plan.Plan{
		Version: plan.Version, Software: filter.Software(), Grid: g, Unit: 1,
		Options: map[string]string{"regularization": "2", "model": "geometric"},
		Outputs: []las.Column{{Name: "SuperpointID", Type: "uint32"},
			{Name: "Embedding0", Type: "float"}}, Reads: []string{"Intensity"}, Points: 30,
		Shared: plan.Shared{
			Spacing:  0.3,
			Strength: problem.Strength{Regularization: 1, Lambda: 0.1, MinSize: 5},
			LongEdge: 2.4,
			Halo:     30,
		},
		Sources: []plan.Source{
			{Path: "/data/a.laz", Points: 10, Bounds: [4]float64{0, 0, 99, 99}},
			{Path: "/data/b.laz", Points: 20, Bounds: [4]float64{100, 0, 199, 99}},
		},
	}
	p.Tiles = must.Get(plan.FindTiles(&p.Grid, p.Sources))(t)
	must.OK(t, p.NameResults())
	return p
}

func planText(t *testing.T, p *plan.Plan) string {
	t.Helper()
	sealed := *p
	sealed.Checksum = p.Sum()
	return string(must.Get(json.Marshal(sealed))(t))
}

// TestPlansThatAreRefused changes a plan by mistake, and as somebody might who wants other files
// written over, with a checksum that fits.
func TestPlansThatAreRefused(t *testing.T) {
	p := goodPlan(t)
	good := planText(t, p)
	must.Get(plan.Parse([]byte(good)))(t)
	for _, c := range []struct{ old, new, words string }{
		{`"halo":10`, `"halo":1000`, "was changed after"},
		{`"checksum":"`, `"checksum":"0`, "was changed after"},
		{`"version":11`, `"version":3`, "version"},
		{good, good + good, "after top-level"},
		{good, `null`, "version"},
		{good, ``, "JSON"},
	} {
		changed := strings.Replace(good, c.old, c.new, 1)
		must.Hold(t, changed != good, "the plan has no %s", c.old)
		must.Fail(plan.Parse([]byte(changed)))(t, c.words)
	}
	for name, words := range map[string]string{"../../victim.laz": "victim", "/etc/victim.laz": "victim",
		"b.las": "may both become b.las", ".laz": "cannot be the name", "": "cannot be the name",
		"a\n.laz":  "cannot be the name",
		`..\a.laz`: "cannot be the name"} {
		changed := *p
		changed.Results = []string{name, p.Results[1]}
		must.Fail(plan.Parse([]byte(planText(t, &changed))))(t, words)
	}
	fewer := *p
	fewer.Results = p.Results[:1]
	must.Fail(plan.Parse([]byte(planText(t, &fewer))))(t, "1 results of 2 sources")
}

// TestPlanIsNamedInErrors reads the plan of a folder.
func TestPlanIsNamedInErrors(t *testing.T) {
	project := t.TempDir()
	path := filepath.Join(project, "plan.json")
	for _, text := range []string{"", "{", "null",
		strings.Replace(planText(t, goodPlan(t)), `"a.laz"`, `"../a.laz"`, 1)} {
		must.OK(t, os.WriteFile(path, []byte(text), 0o666))
		must.Fail(folder.Open(nil, project, Steps()))(t, path, "remove the folder and plan again")
	}
}

// TestTilesAreTheSameAsByLooking compares with a plain loop over all tiles.
func TestTilesAreTheSameAsByLooking(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 200 {
		var sources []plan.Source
		for range 1 + r.IntN(6) {
			x, y := 1000*r.Float64(), 1000*r.Float64()
			sources = append(sources,
				plan.Source{Bounds: [4]float64{x, y, x + 400*r.Float64(), y + 400*r.Float64()}})
		}
		g := must.Get(tile.NewGrid(0, 0, 1400, 1400, 50+100*r.Float64(), 40*r.Float64()+1))(t)
		var want []plan.Tile
		for row := range g.Rows {
			for column := range g.Columns {
				core := g.Core(column, row)
				p, used := plan.Tile{Index: len(want), Column: column, Row: row}, false
				for k := range sources {
					b := sources[k].Box().Grow(g.Size / 1000)
					if b.Touches(core.Grow(g.Halo)) {
						p.Sources = append(p.Sources, k)
					}
					used = used || b.Touches(core)
				}
				if used {
					want = append(want, p)
				}
			}
		}
		got, err := plan.FindTiles(&g, sources)
		must.OK(t, err)
		must.Need(t, reflect.DeepEqual(got, want),
			"%d tiles, by looking %d, %v: got is not want", len(got), len(want), err)
	}
	wide := []plan.Source{{Bounds: [4]float64{0, 0, 1e7, 1e7}}}
	g := must.Get(tile.NewGrid(0, 0, 1e7, 1e7, 10, 2))(t)
	must.Fail(plan.FindTiles(&g, wide))(t, "16777216 tiles")
}

func TestNamesThatPlansCannotHold(t *testing.T) {
	project := t.TempDir()
	path := filepath.Join(project, "\xff.las")
	if err := os.WriteFile(path, nil, 0o666); err != nil {
		t.Skip(err)
	}
	r := Request{Folder: filepath.Join(project, "survey"), Inputs: []string{path}}
	must.Fail(Plan(nil, r))(t, "UTF-8")
}

// TestSourcesOfAPlan: dimensions that all sources have, or any the classes; columns with 0 where a source
// lacks them.
func TestSourcesOfAPlan(t *testing.T) {
	named := func(names ...string) *inspected {
		i := &inspected{about: new(pdalprocess.Schema)}
		for _, name := range names {
			i.about.Dimensions = append(i.about.Dimensions, las.Column{Name: name})
		}
		return i
	}
	all := []*inspected{named("X", "Red", "Class"), named("X", "Blue"), named("X", "Blue", "Red")}
	must.Equal(t, available(all, "Class"), []string{"Class", "X"}, "available dimensions")
	columns := new(host.Columns)
	addColumns(columns, &host.Columns{X: []float64{1, 2}, Dimensions: map[string][]float64{"Red": {5, 6}}})
	addColumns(columns, &host.Columns{X: []float64{3}, Dimensions: map[string][]float64{"Blue": {7}}})
	got := columns.Dimensions
	must.Equal(t, got["Red"], []float64{5, 6, 0}, `got["Red"]`)
	must.Equal(t, got["Blue"], []float64{0, 0, 7}, `got["Blue"]`)
	must.Equal(t, columns.X, []float64{1, 2, 3}, "columns.X")
	made := countIDs([][]uint32{{0, 1}, {1, 2}, {1, 3}})
	must.Equal(t, made.Superpoints, 4, "made.Superpoints")
	must.Equal(t, made.Crossing, 3, "made.Crossing")
	must.Equal(t, made.Tiles, 3, "made.Tiles")
}

// TestSampleCells: the sample takes cells in the order of their hashes, each once, with those around all
// bounds.
func TestSampleCells(t *testing.T) {
	p := goodPlan(t)
	cells := must.Get(sampleCells(p))(t)
	must.Hold(t, slices.IsSortedFunc(cells, tile.CompareCells),
		"cells in another order, or twice: slices.IsSortedFunc(cells, tile.CompareCells) is false")
	must.Equal(t, len(slices.Compact(slices.Clone(cells))), len(cells),
		"cells in another order, or twice: len(slices.Compact(slices.Clone(cells)))")
	b := p.Sources[0].Box()
	for _, at := range [][2]float64{{b.West, b.South}, {b.East, b.North}} {
		middle := cellAt(p, at[0], at[1])
		for k := range 9 {
			c := [2]int64{middle[0] + int64(k%3) - 1, middle[1] + int64(k/3) - 1}
			must.Hold(t, slices.Contains(cells, c), "cell %v beside %v is missing", c, at)
		}
	}
}

// TestGridInFeet: lengths are metres, those of the plan in units of the coordinates.
func TestGridInFeet(t *testing.T) {
	p := goodPlan(t)
	p.Unit, p.Shared.EmbeddingReach = 0.3048, 1
	must.OK(t, p.Layout(plan.Lengths{Tile: 30.48, Halo: 3.048}))
	for name, v := range map[string][2]float64{"tile": {p.Grid.Size, 100}, "halo": {p.Grid.Halo, 10},
		"halo to merge": {p.Shared.Halo, 10}} {
		must.Hold(t, math.Abs(v[0]-v[1]) <= 1e-9, "%s of %v feet, not %v", name, v[0], v[1])
	}
}

// FuzzParsePlan gives plans the version and checksum of valid ones: no plan writes outside its folder.
func FuzzParsePlan(f *testing.F) {
	f.Add([]byte(`{"sources":[{"path":"/x/a.las"},{"path":"/y/b.ply"}],"results":["a.las","b.laz"]}`))
	f.Add([]byte(`{"sources":[{"path":"a.las"}],"results":["../a.las"]}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		p := new(plan.Plan)
		if json.Unmarshal(text, p) != nil {
			return
		}
		p.Version = plan.Version
		p.Checksum = p.Sum()
		p, err := plan.Parse([]byte(planText(t, p)))
		if err != nil {
			return
		}
		must.Need(t, len(p.Results) == len(p.Sources),
			"len(p.Results) is %v, want %v", len(p.Results), len(p.Sources))
		must.Hold(t, len(p.Results) != 0, "len(p.Results) is 0")
		for _, name := range p.Results {
			must.Hold(t, filepath.Dir(filepath.Join("out", name)) == "out",
				`%q is not the name of a result: filepath.Dir(filepath.Join("out", name)) is not "out"`,
				name)
			must.Hold(t, strings.EqualFold(filepath.Ext(name)[:3], ".la"),
				`%q is not the name of a result: strings.EqualFold(filepath.Ext(name)[:3], ".la") is false`,
				name)
		}
	})
}

// quiet is a host that takes messages.
type quiet struct{ text strings.Builder }

func (q *quiet) Log(_ int, text string)   { q.text.WriteString(text + "\n") }
func (q *quiet) Progress(string, float64) {}
func (q *quiet) Stdout() io.Writer        { return &q.text }
func (q *quiet) Context() context.Context { return context.Background() }
func (q *quiet) Reference(text string) (georef.Reference, error) {
	return georef.Reference{WKT: text}, nil
}
func (q *quiet) Same(a, b georef.Reference) (bool, error)         { return a.Same(b), nil }
func (q *quiet) Convert(string, string, ...string) error          { return os.ErrInvalid }
func (q *quiet) WriteRaster(string, host.Raster, []float32) error { return os.ErrInvalid }
func (q *quiet) ReadRaster(string, int, []float32) (host.Raster, error) {
	return host.Raster{}, os.ErrInvalid
}
func (q *quiet) Read(string, []string) (*host.Columns, error) { return nil, os.ErrInvalid }

// emptyCloud writes an empty LAS 1.4 file.
func emptyCloud(t *testing.T, path string) {
	t.Helper()
	head := make([]byte, 375)
	copy(head, "LASF")
	head[25] = 4
	must.OK(t, os.MkdirAll(filepath.Dir(path), 0o777))
	must.OK(t, os.WriteFile(path, head, 0o666))
}

// A plan is for one version of the filter and for the files that its options name.
func TestPlansThatAreOld(t *testing.T) {
	t.Parallel()
	project := t.TempDir()
	model := must.Get(os.ReadFile("../../../embed/models/aerial.safetensors"))(t)
	path := filepath.Join(project, "mine")
	must.OK(t, os.WriteFile(path, model, 0o666))
	p := goodPlan(t)
	open := func() error {
		must.OK(t, os.WriteFile(filepath.Join(project, folder.PlanFile), []byte(planText(t, p)), 0o666))
		v, err := folder.Open(new(quiet), project, Steps())
		if err == nil {
			v.Close()
		}
		return err
	}
	p.Options["model"] = path
	must.Fail(0, open())(t, "option model")
	p.Content = map[string]string{"model": "f"}
	must.Fail(0, open())(t, path+" has changed")
	p.Content["model"] = must.Get(job.Content(path))(t)
	must.OK(t, open())
	p.Options["model"] = "aerial"
	must.Fail(0, open())(t, "aerial has changed") // the model of another build
	p.Content["model"] = must.Get(embed.Builtin("aerial"))(t).Sum()
	must.OK(t, open())
	p.Software = "0"
	must.Fail(0, open())(t, filter.Version)
	must.Equal(t, len(must.Get(os.ReadDir(project))(t)), 2, "files left")
}

// Sources are refused that hold the same points.
func TestSourcesThatDoNotGoTogether(t *testing.T) {
	t.Parallel()
	of := func(path, content string) *inspected {
		return &inspected{Source: plan.Source{Path: path, Identity: job.Identity{Content: content}}}
	}
	must.OK(t, compatible(new(quiet), []*inspected{of("a", "1"), of("b", "2"), of("c", "3")}))
	must.Fail(0, compatible(new(quiet), []*inspected{of("a", "1"), of("b", "2"), of("link", "1")}))(t,
		"a and link have the same points")
}

// TestSourcesWithoutPoints: files without points are named and left out; if all are, the error names one.
func TestSourcesWithoutPoints(t *testing.T) {
	t.Parallel()
	of := func(path string, points int64) *inspected {
		return &inspected{Source: plan.Source{Path: path, Points: points}}
	}
	h := new(quiet)
	kept := must.Get(withPoints(h, []*inspected{of("a.las", 0), of("b.las", 7)}))(t)
	must.Need(t, len(kept) == 1, "files: got %d, want 1", len(kept))
	must.Equal(t, kept[0].Path, "b.las", "file with points")
	must.Equal(t, h.text.String(), "a.las: it has no points and is left out\n", "warnings")
	must.Fail(withPoints(h, []*inspected{of("a.las", 0), of("c.las", 0)}))(t,
		"a.las: the input has no points; name another")
}

// Results have the names of sources, which must differ.
func TestNamesOfResults(t *testing.T) {
	t.Parallel()
	for second, want := range map[string]string{
		"/data/b.LAS":      "a.laz b.LAS",
		"/data/b.copc.laz": "a.laz b.laz",
		"/other/a.laz":     "/other/a.laz may both become a.laz; rename one of them",
		"/other/a.las":     "/other/a.las may both become a.las; rename one of them",
	} {
		p := goodPlan(t)
		p.Sources[1].Path, p.Results = second, nil
		got := fmt.Sprint(p.NameResults())
		if got == fmt.Sprint(nil) {
			got = strings.Join(p.Results, " ")
		}
		must.Hold(t, strings.HasSuffix(got, want), "%s: %s", second, got)
	}
}

// TestBoundsOfUnroundedCoordinates tests that bounds in a header become those of the points.
func TestBoundsOfUnroundedCoordinates(t *testing.T) {
	given := [3]float64{500_000.0051, 4_999_999.9949, -0.0749}
	on := &las.Lattice{Scale: [3]float64{.01, .01, .01}, Offset: [3]float64{500_000}}
	i := inspected{about: &pdalprocess.Schema{Lattice: on}, least: given, most: given}
	i.roundBounds()
	points := [3]float64{1*.01 + 500_000, 499_999_999 * .01, -7 * .01}
	must.Equal(t, i.least, points, "i.least")
	must.Equal(t, i.most, points, "i.most")
}

// TestEmptyTiles: a point far from all others makes no tiles between them, where planning has read all
// points. A tile next to a point stays, as readers round positions differently.
func TestEmptyTiles(t *testing.T) {
	t.Parallel()
	p := &plan.Plan{Unit: 1, Sources: []plan.Source{{Bounds: [4]float64{0, 0, 1000, 500}}}}
	p.Grid = must.Get(tile.NewGrid(0, 0, 1000, 500, 100, 10))(t)
	p.Tiles = must.Get(plan.FindTiles(&p.Grid, p.Sources))(t)
	all := len(p.Tiles)
	must.Need(t, all >= 40, "only %d tiles", all)
	p.Positions = &host.Columns{X: []float64{0, 150, 299.95, 990}, Y: []float64{0, 50, 50, 490}}
	p.DropEmptyTiles()
	var at [][2]int
	for k, tile := range p.Tiles {
		must.Equal(t, tile.Index, k, "tile %d: tile.Index", k)
		must.Equal(t, tile.Sources, []int{0}, "tile %d: tile.Sources", k)
		at = append(at, [2]int{tile.Column, tile.Row})
	}
	east, north := p.Grid.At(990, 490)
	must.Equal(t, at, [][2]int{{0, 0}, {1, 0}, {2, 0}, {3, 0}, {east, north}}, "tiles with points")
}

// TestBatches: a batch has at most 524,288 points, unless one source has more, and at most 64 sources.
func TestBatches(t *testing.T) {
	const half = 1 << 18
	for name, c := range map[string]struct {
		points []int64
		want   [][]int
	}{
		"as many as a batch may have": {[]int64{half, half, 1}, [][]int{{0, 1}, {2}}},
		"one more":                    {[]int64{half, half + 1}, [][]int{{0}, {1}}},
		"one source of more":          {[]int64{3 * half, 1, 1}, [][]int{{0}, {1, 2}}},
		"none":                        {nil, nil},
	} {
		p := new(plan.Plan)
		for _, n := range c.points {
			p.Sources = append(p.Sources, plan.Source{Points: n})
		}
		must.Equal(t, batches(p, arrays.Indices[int](len(c.points))), c.want, "%s: batches", name)
	}
	p := &plan.Plan{Sources: make([]plan.Source, 130)}
	var sizes []int
	for _, batch := range batches(p, arrays.Indices[int](130)) {
		sizes = append(sizes, len(batch))
	}
	must.Equal(t, sizes, []int{64, 64, 2}, "sources of the batches of empty sources")
}

// TestReferenceOfSlices: slices have the reference of the survey, whatever that of their source; without one
// they keep the source's.
func TestReferenceOfSlices(t *testing.T) {
	const own, surveys = `LOCAL_CS["of the file"]`, `LOCAL_CS["of the survey"]`
	for _, c := range []struct{ name, file, survey, want string }{
		{"the same", surveys, surveys, surveys},
		{"another", own, surveys, surveys},
		{"none in the file", "", surveys, surveys},
		{"none of the survey", own, "", own},
	} {
		t.Run(c.name, func(t *testing.T) {
			project := t.TempDir()
			from, to := filepath.Join(project, "source.las"), filepath.Join(project, "slice.las")
			made := &scanned.Points{X: []float64{1, 2}, Y: []float64{1, 2}, Z: []float64{3, 4},
				Classification: []uint8{2, 2}, WKT: c.file}
			must.OK(t, scanned.WriteFile(from, made, 0))
			source := must.Get(las.Read(from))(t)
			v := &folder.Survey{Plan: &plan.Plan{SRS: c.survey}}
			slice := must.Get(startSlice(v, to, source))(t)
			must.OK(t, source.Each(func(_ int, record []byte) error { return slice.Write(record, nil) }))
			must.OK(t, slice.Close())
			must.Equal(t, must.Get(las.Read(to))(t).WKT(), c.want, "reference of the slice")
		})
	}
}

// TestFormatOfPlans: the names of a plan of this version, which other releases of the same version read. Who
// changes one raises plan.Version.
func TestFormatOfPlans(t *testing.T) {
	must.Equal(t, plan.Version, 11, "version")
	var document any
	must.OK(t, json.Unmarshal([]byte(planText(t, goodPlan(t))), &document))
	found := map[string]bool{}
	addNames(found, "", document)
	want := strings.Fields(`
		checksum exact exact.corner exact.halo exact.lambda exact.level exact.min_size exact.origin
		exact.reach exact.regularization exact.spacing grid grid.columns grid.halo grid.origin grid.rows
		grid.seam grid.size middle options options.model options.regularization outputs outputs.name
		outputs.type points reads results software sources sources.bounds sources.content sources.path
		sources.points sources.stamp tiles tiles.column tiles.index tiles.row tiles.sources unit up
		version`)
	must.Equal(t, slices.Sorted(maps.Keys(found)), want, "names")
}

// addNames adds the names of a JSON document's values, with those of the values that they are in.
func addNames(to map[string]bool, in string, value any) {
	switch v := value.(type) {
	case map[string]any:
		for name, part := range v {
			to[in+name] = true
			addNames(to, in+name+".", part)
		}
	case []any:
		for _, part := range v {
			addNames(to, in, part)
		}
	}
}
