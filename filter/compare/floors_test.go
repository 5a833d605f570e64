package compare

import (
	"flag"
	"math"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"gopkg.in/yaml.v3"

	"superpoint/embed"
	"superpoint/filter"
	"superpoint/filter/georef"
	"superpoint/partition/parallel"
	"superpoint/testdata/must"
	"superpoint/testdata/scan"
	"superpoint/testdata/scenes"
)

var writeFloors = flag.Bool("floors", false, "write floors.yaml from what is measured")

// quality is what a model reaches on a cloud, in per cent.
type quality struct {
	OOA, BR, BP float64
}

// below is how far under today's figures a floor lies: the spread from one
// training of a model to the next.
var below = quality{OOA: 1.5, BR: 8, BP: 6}

// kinds are simulated scans as the kinds of real ones; objects are the simulated
// ones indoors, and the connected parts of a class outdoors.
var kinds = []struct {
	name, scene string
	o           scan.Options
	indoor      bool
}{
	{"air", "village", scan.Options{Mode: scan.Aerial, Density: 10}, false},
	{"forest", "forest", scan.Options{Mode: scan.Ellipse, Density: 20}, false},
	{"spinning", "street", scan.Options{Mode: scan.Spinning}, false},
	{"mobile", "street", scan.Options{Mode: scan.Mobile}, false},
	{"facade", "facade", scan.Options{Mode: scan.Terrestrial}, false},
	{"room", "room", scan.Options{Mode: scan.Terrestrial}, true},
	{"handheld", "home", scan.Options{Mode: scan.Handheld}, true},
	{"table", "table", scan.Options{Mode: scan.Camera}, true},
}

// TestFloors measures every built-in model on simulated scans of every kind, with
// a seed that no training has seen, at 100 points a superpoint. None may fall
// below its floor in testdata/floors.yaml (remade by go test -floors).
func TestFloors(t *testing.T) {
	path := filepath.Join("testdata", "floors.yaml")
	floors := map[string]map[string]quality{}
	if text, err := os.ReadFile(path); err != nil && !*writeFloors {
		t.Fatal(err)
	} else if err := yaml.Unmarshal(text, &floors); err != nil {
		t.Fatal(err)
	}
	measured := map[string]map[string]quality{}
	for _, k := range kinds {
		view := simulated(t, k.scene, k.o)
		rule := Rule{Truth: "Classification", Merge: [][]int{{3, 4, 5}}, Ignore: []int{7, 18}}
		if k.indoor {
			rule = Rule{Truth: "PointSourceId", Objects: true}
		}
		class, object, err := rule.Labels(view, "")
		must.OK(t, err)
		w := must.Get(filter.NewWorkspace(filter.Run{}, view, 20, 0, nil))(t)
		measured[k.name] = map[string]quality{}
		for _, model := range embed.Builtins() {
			q := reached(t, w, model, class, object)
			measured[k.name][model] = quality{q.OOA - below.OOA, math.Max(q.BR-below.BR, 0), math.Max(q.BP-below.BP, 0)}
			t.Logf("%s, %s: OOA %.1f, BR %.0f, BP %.1f", k.name, model, q.OOA, q.BR, q.BP)
			floor, ok := floors[k.name][model]
			if !*writeFloors && (!ok || q.OOA < floor.OOA || q.BR < floor.BR || q.BP < floor.BP) {
				t.Errorf("%s, %s: OOA %.1f, BR %.0f, BP %.1f; the floors are %+v", k.name, model, q.OOA, q.BR, q.BP, floor)
			}
		}
	}
	if *writeFloors {
		text := must.Get(yaml.Marshal(measured))(t)
		must.OK(t, os.WriteFile(path, text, 0o644))
	}
}

func reached(t *testing.T, w *filter.Workspace, model string, class, object []float64) quality {
	f := must.Get(filter.New(&filter.Options{Model: model, TargetSize: 100}, nil))(t)
	s := must.Get(f.SegmentIn(filter.Run{}, w))(t)
	report := must.Get(w.Measure(filter.Run{}, filter.MetricsKNN, s.ID, class, object))(t)
	return quality{100 * float64(report.OOA), 100 * float64(report.BRAsCoded), 100 * float64(report.BP)}
}

// simulated scans a scene.
func simulated(t *testing.T, scene string, o scan.Options) *filter.View {
	return seeded(t, scene, o, 3001)
}

// seeded is that scan of another seed.
func seeded(t *testing.T, scene string, o scan.Options, seed uint64) *filter.View {
	s := must.Get(scenes.New(scene, scenes.Options{Seed: seed, Detail: .3}))(t)
	o.Points, o.Seed, o.Color = 25_000, seed, true
	p := must.Get(scan.Cloud(parallel.Run{}, s, o))(t)
	view := &filter.View{X: p.X, Y: p.Y, Z: p.Z, Reference: georef.Reference{HorizontalUnit: 1, VerticalUnit: 1},
		Dimensions: map[string][]float64{"Classification": numbers(p.Classification),
			"PointSourceId": numbers(p.PointSourceID),
			"Red":           numbers(p.Red), "Green": numbers(p.Green), "Blue": numbers(p.Blue)}}
	return view
}

func numbers[T uint8 | uint16](from []T) []float64 {
	return slices.Collect(func(yield func(float64) bool) {
		for _, v := range from {
			if !yield(float64(v)) {
				return
			}
		}
	})
}

func TestCellsAreNoFormulas(t *testing.T) {
	for path, want := range map[string]string{
		"a.laz": "a.laz", "/data/a b.laz": "a b.laz", "=HYPERLINK(1).laz": "./=HYPERLINK(1).laz", "/x/+1.laz": "./+1.laz",
		"x/-1.laz": "./-1.laz", "@SUM(A1).laz": "./@SUM(A1).laz", "\t=1.laz": "./\t=1.laz", "": ".",
	} {
		if got := FileCell(path); got != want {
			t.Errorf("%q gives %q", path, got)
		}
	}
	for name, want := range map[string]string{"town": "town", "=1+1": "1+1", "--": "data", "": "data", "a=b": "a=b"} {
		if got := SetCell(name); got != want {
			t.Errorf("%q gives %q", name, got)
		}
	}
}
