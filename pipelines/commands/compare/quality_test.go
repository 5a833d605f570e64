// SPDX-License-Identifier: BSD-3-Clause

package compare

import (
	"slices"
	"testing"

	"superpoint/embed"
	"superpoint/filter"
	"superpoint/filter/georef"
	"superpoint/filter/host"
	"superpoint/filter/method"
	"superpoint/partition/base/parallel"
	"superpoint/partition/metrics"
	"superpoint/testdata/must"
	"superpoint/testdata/scan"
	"superpoint/testdata/scenes"
)

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

// madeFor says for which kinds of scans a built-in model is; nil: for all.
var madeFor = map[string][]string{
	"any": nil, "aerial": {"air", "forest"}, "indoor": {"room", "handheld", "table"},
	"paper": {"room", "handheld", "table"}, // rooms are the paper's S3DIS
}

// TestModelsAgainstHandCraftedFeatures measures every built-in model on simulated scans of the kinds that it is for,
// of a seed that no training has seen, at 100 points a superpoint. Its OOA is above that of hand-crafted features; and
// F of the default model is above that of every method without learning.
func TestModelsAgainstHandCraftedFeatures(t *testing.T) {
	for _, k := range kinds {
		view := simulated(t, k.scene, k.o)
		rule := Rule{Truth: "Classification", Merge: [][]int{{3, 4, 5}}, Ignore: []int{7, 18}}
		if k.indoor {
			rule = Rule{Truth: "PointSourceId", Objects: true}
		}
		truth := must.Get(rule.truth(&host.Columns{X: view.X, Dimensions: view.Dimensions}, ""))(t)
		w := must.Get(filter.NewWorkspace(filter.Run{}, view, 20, 0, nil))(t)
		reached := func(o filter.Options) *metrics.Report {
			o.TargetSize = []float64{100}
			s := must.Get(must.Get(filter.New(&o, nil))(t).SegmentIn(filter.Run{}, w))(t)
			r := must.Get(w.Measure(filter.Run{}, filter.MetricsKNN, s.ID, truth.class, truth.object))(t)
			t.Logf("%s, %s%s: OOA %.3f, BR %.3f, BP %.3f", k.name, o.Method, o.Model, r.OOA, r.BRAsCoded, r.BP)
			return &r
		}
		crafted := reached(filter.Options{Method: method.GeomGraph})
		rivals := map[string]*metrics.Report{method.GeomGraph: crafted}
		for _, name := range []string{method.VCCS, method.Lin} {
			rivals[name] = reached(filter.Options{Method: name})
		}
		for _, model := range embed.Builtins() {
			of, ok := madeFor[model]
			if !ok {
				t.Fatalf("for which kinds of scans is %s?", model)
			}
			if of != nil && !slices.Contains(of, k.name) {
				continue
			}
			r := reached(filter.Options{Model: model})
			if r.OOA <= crafted.OOA {
				t.Errorf("%s, %s: OOA %.3f, hand-crafted features %.3f", k.name, model, r.OOA, crafted.OOA)
			}
			for name, rival := range rivals {
				if of == nil && r.F() <= rival.F() {
					t.Errorf("%s, %s: F %.3f, %s %.3f", k.name, model, r.F(), name, rival.F())
				}
			}
		}
	}
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

// TestOneTrueClass: points of one class have nothing to compare, unless some are of objects.
func TestOneTrueClass(t *testing.T) {
	for object, words := range map[float64]string{0: "all labelled points are of class 2", 1: ""} {
		labels := truthSet{}
		labels.add(&truth{class: []float64{0, 2, 2}, object: []float64{0, 0, object}})
		if err := labels.check(); words == "" {
			must.OK(t, err)
		} else {
			must.Fail(err)(t, words)
		}
	}
}

// TestCellsAreNoFormulas: a name is as it is, but for ./ before one that a spreadsheet takes for a formula.
func TestCellsAreNoFormulas(t *testing.T) {
	for name, want := range map[string]string{"a.laz": "a.laz", "a b.laz": "a b.laz", "": "", "a=b": "a=b", "é": "é"} {
		if got := TableCell(name); got != want {
			t.Errorf("%q gives %q", name, got)
		}
	}
	for _, name := range []string{"=HYPERLINK(1).laz", "+1", "-1.laz", "--", "@SUM(A1)", "\t=1", "\r=1"} {
		if got := TableCell(name); got != "./"+name {
			t.Errorf("%q gives %q", name, got)
		}
	}
}
