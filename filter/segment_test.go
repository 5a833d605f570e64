// SPDX-License-Identifier: BSD-3-Clause

package filter

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"superpoint/filter/cloud"
	"superpoint/filter/option"
	"superpoint/filter/steps"
	"superpoint/filter/workspace"

	"superpoint/filter/georef"
	"superpoint/filter/method"
	"superpoint/filter/paint"
	"superpoint/partition/base/parallel"
	"superpoint/partition/metrics"
	"superpoint/testdata/must"
)

// roof returns n points of a scene with known parts: flat ground, a gabled roof above it and a wall, 10 µm
// apart from a regular pattern, and the part of each point (2 ground, 6 roof, 5 wall).
func roof(n int, seed uint64) (view *cloud.View, part []float64) {
	r := rand.New(rand.NewPCG(seed, 1))
	view = metres(nil, nil, nil)
	side := math.Sqrt(float64(n)) / 4 // about 10 points a square metre
	for range n {
		x, y := r.Float64()*side, r.Float64()*side
		z, class := 0.0, 2.0
		switch u, v := math.Mod(x, 20), math.Mod(y, 20); {
		case u > 5 && u < 15 && v > 5 && v < 15:
			z, class = 6+math.Abs(u-10), 6
		case u > 4.5 && u <= 5 && v > 5 && v < 15:
			x, z, class = math.Floor(x/20)*20+4.5, 11*r.Float64(), 5
		}
		view.X, view.Y, view.Z = append(view.X, x), append(view.Y, y), append(view.Z, z+0.02*r.NormFloat64())
		part = append(part, class)
	}
	view.Dimensions["Classification"] = part
	return view, part
}

// indices converts indices of points for View.part.
func indices(of []int) (points []int32) {
	for _, i := range of {
		points = append(points, int32(i))
	}
	return points
}

func mustFilter(t testing.TB, text string) *Filter {
	t.Helper()
	return must.Get(newFilter(text, func(level int, text string) { t.Logf("log %d: %s", level, text) }))(t)
}

// newFilter makes a filter of options in JSON.
func newFilter(text string, log func(level int, text string)) (*Filter, error) {
	o, err := parseOptions([]byte(text))
	if err != nil {
		return nil, err
	}
	return New(o, log)
}

// listening returns a filter with options, and its messages.
func listening(t testing.TB, o *option.Options) (f *Filter, said *string) {
	t.Helper()
	said = new(string)
	return must.Get(New(o, func(_ int, text string) { *said += text }))(t), said
}

func mustSegment(t testing.TB, f *Filter, v *cloud.View) *Segmentation {
	t.Helper()
	return must.Get(f.Segment(steps.Run{}, v))(t)
}

// column returns an output.
func column(t testing.TB, s *Segmentation, name string) []float64 {
	t.Helper()
	values := make([]float64, len(s.ID))
	must.OK(t, s.Output(name, values))
	return values
}

// metres is a view of coordinates in metres.
func metres(x, y, z []float64) *cloud.View {
	return &cloud.View{X: x, Y: y, Z: z, Dimensions: map[string][]float64{},
		Reference: georef.Reference{HorizontalUnit: 1, VerticalUnit: 1}}
}

// A host may free a dimension when the filter does not read it any more.
func TestReleaseOfDimensions(t *testing.T) {
	reads := `"model":"` + randomModel(t) + `"`
	for options, released := range map[string]string{
		`{"model":"any"}`:                    "X Y Z",
		"{" + reads + "}":                    "X Y Z Intensity",
		"{" + reads + `,"vote":"Intensity"}`: "X Y Z",
		`{"method":"vccs"}`:                  "X Y Z",
		`{"model":"any","classes":"aerial"}`: "X Y Z",
	} {
		view, _ := roof(5000, 1)
		view.Dimensions = map[string][]float64{"Intensity": make([]float64, view.Len()),
			"Class": make([]float64, view.Len())}
		for i := range view.Len() {
			view.Dimensions["Intensity"][i], view.Dimensions["Class"][i] = float64(i%7), float64(i%2)
		}
		want := mustSegment(t, mustFilter(t, options), view)
		columns := map[string][]float64{"X": view.X, "Y": view.Y, "Z": view.Z,
			"Intensity": view.Dimensions["Intensity"]}
		var got []string
		view.Release = func(name string) {
			got = append(got, name)
			for i := range columns[name] {
				columns[name][i] = math.NaN()
			}
		}
		again := mustSegment(t, mustFilter(t, options), view)
		must.Equal(t, strings.Join(got, " "), released, `%s: strings.Join(got, " ")`, options)
		must.Equal(t, view.Len(), 5000, "%s: view.Len()", options)
		must.Equal(t, again.ID, want.ID, "%s: again.ID", options)
	}
}

func TestSegmentFollowsParts(t *testing.T) {
	view, part := roof(20000, 1)
	s := mustSegment(t, mustFilter(t, `{"model":"geometric","vote":"Classification"}`), view)
	must.Need(t, s.Count >= 10, "%d superpoints, want at least 10", s.Count)
	must.Need(t, s.Count <= 5000, "%d superpoints, want at most 5000", s.Count)
	label := make([]int32, len(part))
	id := make([]uint32, len(part))
	for i := range part {
		label[i], id[i] = int32(part[i]), s.ID[i]-1
	}
	best := paint.Majority(label, id, s.Count)
	right, voted := 0, column(t, s, "VotedClassification")
	for i := range label {
		must.Need(t, voted[i] == float64(best[id[i]]), "point %d of part %v is voted %v", i,
			part[i], voted[i])
		if best[id[i]] == label[i] {
			right++
		}
	}
	share := float64(right) / float64(len(part))
	must.Hold(t, share >= 0.97, "%v of the points follow their part", share)
	m := measured(t, view, s.ID)
	must.Hold(t, math.Abs(float64(m.OOA)-share) <= 1e-12, "OOA %v, counted by hand %v", m.OOA, share)
}

// measured compares ids with the classes of a view.
func measured(t *testing.T, view *cloud.View, id []uint32) metrics.Report {
	t.Helper()
	w := must.Get(workspace.New(steps.Run{}, view, workspace.MetricsKNN, 0, nil))(t)
	return must.Get(w.Measure(steps.Run{}, workspace.MetricsKNN, id, view.Dimensions["Classification"],
		nil))(t)
}

// TestNestedLevels: the finest level equals the level of a run with its size alone, and has this size; each
// superpoint lies in one superpoint of the next level; the metadata have the number, the size and λ of each
// level.
func TestNestedLevels(t *testing.T) {
	view, _ := roof(30000, 5)
	for _, options := range []string{`"model":"geometric"`, `"method":"geom-graph","min_size":3`,
		`"model":"any"`} {
		f := mustFilter(t, `{`+options+`,"target_size":"30,120,600","threads":3}`)
		s, want := mustSegment(t, f, view),
			mustSegment(t, mustFilter(t, `{`+options+`,"target_size":30}`), view)
		mean := float64(view.Len()) / float64(s.Count)
		must.Equal(t, s.ID, want.ID, "%s: s.ID", options)
		must.Hold(t, mean >= 30/1.1, "%s: mean is %v, want at least %v", options, mean, 30/1.1)
		must.Hold(t, mean <= 30*1.1, "%s: mean is %v, want at most %v", options, mean, 30*1.1)
		above, finer := f.Summary().Coarser, column(t, s, "SuperpointID")
		for k, target := range []float64{120, 600} {
			ids, in, used := column(t, s, fmt.Sprint("SuperpointID", k+1)), map[float64]float64{},
				map[float64]bool{}
			for i, id := range finer {
				up, seen := in[id]
				if seen {
					must.Need(t, up == ids[i],
						"%s: superpoint %v lies in %v and %v of level %d: up is not ids[i]",
						options, id, up, ids[i], k+1)
				}
				in[id], used[ids[i]] = ids[i], true
			}
			count, l := len(used), above[k]
			mean := float64(view.Len()) / float64(count)
			must.Hold(t, mean >= target/1.1,
				"%s, %v points: mean: got %v, want at least %v", options, target, mean, target/1.1)
			must.Hold(t, mean <= target*1.1,
				"%s, %v points: mean: got %v, want at most %v", options, target, mean, target*1.1)
			must.Equal(t, slices.Min(ids), 1, "%s, %v points: slices.Min(ids)", options, target)
			must.Equal(t, slices.Max(ids), float64(count),
				"%s, %v points: slices.Max(ids)", options, target)
			must.Equal(t, l.Superpoints, count, "%s, %v points: l.Superpoints", options, target)
			must.Equal(t, l.TargetSize, target, "%s, %v points: l.TargetSize", options, target)
			must.Hold(t, l.Lambda.lo > f.Summary().Lambda.lo,
				"%s, %v points: l.Lambda.lo is %v, want more than %v",
				options, target, l.Lambda.lo, f.Summary().Lambda.lo)
			must.Hold(t, l.Energy != 0, "%s, %v points: l.Energy is 0", options, target)
			finer = ids
		}
	}
}

// TestMinShare: with a target size, the smallest superpoint is the model's share of this size, or the
// share in the options.
func TestMinShare(t *testing.T) {
	view, _ := roof(8000, 5)
	for text, want := range map[string]int{
		`{"model":"geometric","target_size":100}`:        10,
		`{"model":"any","target_size":100}`:              4,
		`{"model":"any","target_size":100,"min_size":9}`: 9,
		`{"model":"any","target_size":10}`:               1,
		`{"model":"any","target_size":400}`:              16,
	} {
		f := mustFilter(t, text)
		mustSegment(t, f, view)
		must.Equal(t, f.Summary().MinSize, want, "%s: smallest size", text)
	}
}

// TestEveryMethodLooksForTheDevice requests a GPU that no machine has.
func TestEveryMethodLooksForTheDevice(t *testing.T) {
	for _, method := range method.Names(nil) {
		f, err := New(&option.Options{Device: "cuda:99", Method: method}, nil)
		if err == nil {
			_, err = f.Describe([]string{"X", "Y", "Z"})
		}
		must.Fail(err)(t, "is not available")
	}
}

// TestColorImportanceReadsColors asks the host for the dimensions that are read.
func TestColorImportanceReadsColors(t *testing.T) {
	f := mustFilter(t, `{"method":"vccs","color_importance":1}`)
	must.Fail(f.Describe([]string{"X", "Y", "Z", "Red"}))(t,
		`"Green" is missing (option color_importance needs it`)
	names, err := option.Inputs(f.options)
	must.OK(t, err)
	must.Equal(t, names, []string{"Red", "Green", "Blue"}, "names")
}

func TestCancel(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	view, _ := roof(1000, 7)
	for _, m := range everyMethod(t) {
		_, err := mustFilter(t, `{`+m.options+`}`).Segment(steps.Run{Context: ctx}, view)
		must.Hold(t, errors.Is(err, context.Canceled), "%s: got %v", m.options, err)
	}
}

func TestMetadata(t *testing.T) {
	view, _ := roof(3000, 9)
	f := mustFilter(t, `{"model":"geometric","regularization":2,"threads":1}`)
	mustSegment(t, f, view)
	text := must.Get(f.Metadata())(t)
	var m map[string]any
	must.OK(t, json.Unmarshal(text, &m))
	for _, key := range []string{"version", "method", "views", "points", "superpoints", "size",
		"model", "device",
		"threads", "solver",
		"regularization", "lambda", "energy", "min_size", "spatial_weight", "edge_decay", "knn",
		"adjacency_knn", "edges",
		"seconds"} {
		must.Hold(t, m[key] != nil, "%s is missing from %s", key, text)
	}
	must.Hold(t, m["regularization"] == 2.0, `m["regularization"] is %v, want 2.0`, m["regularization"])
	must.Hold(t, m["points"] == 3000.0, `m["points"] is %v, want 3000.0`, m["points"])
	must.Hold(t, m["model"] == "geometric", `m["model"] is %v, want %q`, m["model"], "geometric")
	must.Hold(t, m["threads"] == 1.0, `m["threads"] is %v, want 1.0`, m["threads"])
	for _, step := range append(steps.Names(), "total") {
		must.Hold(t, m["seconds"].(map[string]any)[step] != nil, "no time for %s", step)
	}
	// the summary of two views adds up the figures of both, or has their range
	other, _ := roof(2000, 11)
	const options = `{"model":"geometric","target_size":50}`
	first, second, both := mustFilter(t, options), mustFilter(t, options), mustFilter(t, options)
	for f, views := range map[*Filter][]*cloud.View{first: {view}, second: {other}, both: {view, other}} {
		for _, v := range views {
			mustSegment(t, f, v)
		}
	}
	a, b, sum := first.Summary(), second.Summary(), both.Summary()
	must.Equal(t, sum.Views, 2, "sum.Views")
	must.Equal(t, sum.Points, a.Points+b.Points, "sum.Points")
	must.Equal(t, sum.Superpoints, a.Superpoints+b.Superpoints, "sum.Superpoints")
	must.Equal(t, sum.Edges, a.Edges+b.Edges, "sum.Edges")
	must.Hold(t, math.Abs(sum.Energy-a.Energy-b.Energy) <= 1e-9,
		"sum.Energy-a.Energy is %v, want %v within 1e-9", sum.Energy-a.Energy, b.Energy)
	must.Equal(t, sum.Size.Max, max(a.Size.Max, b.Size.Max), "sum.Size.Max")
	must.Equal(t, sum.Size.Min, min(a.Size.Min, b.Size.Min), "sum.Size.Min")
	for _, r := range [][3]*valueRange{{a.Regularization, b.Regularization, sum.Regularization},
		{a.Lambda, b.Lambda,
			sum.Lambda}} {
		want := (valueRange{min(r[0].lo, r[1].lo), max(r[0].hi, r[1].hi)})
		must.Hold(t, *r[2] == want, "range %v, want %v: *r[2] is not want", *r[2], want)
		must.Hold(t, want.lo != want.hi, "range %v, want %v: want.lo is want.hi", *r[2], want)
	}
	for across, most := range map[string]int{"true": 4000, "false": 0} {
		f := mustFilter(t, `{"model":"geometric","across_lines":`+across+`}`)
		mustSegment(t, f, scanLines(4000))
		n := f.Summary().AcrossLines
		must.Hold(t, n <= most,
			"across_lines=%s: %d of %d points have edges across scan lines, want at most %v",
			across, n, most, most)
		must.Hold(t, n >= most/2,
			"across_lines=%s: %d of %d points have edges across scan lines, want at least %v",
			across, n, most, most/2)
	}
}

func TestOutputs(t *testing.T) {
	view, _ := roof(5000, 10)
	f := mustFilter(t, `{"model":"geometric","color":true,"embedding_color":true,"vote":"Classification",`+
		`"dimension":"ClusterID"}`)
	d := must.Get(f.Describe([]string{"Classification"}))(t)
	s := mustSegment(t, f, view)
	var names []string
	for _, o := range d.Outputs {
		names = append(names, o.Name)
		if o.Name != "ClusterID" {
			must.Hold(t, stalePattern().MatchString(o.Name),
				"%s of an earlier run is not recognised: stalePattern().MatchString(o.Name) is false", o.Name)
		}
		limit := map[string]float64{"uint8": 255, "uint16": 65535, "uint32": math.MaxUint32,
			"int32": math.MaxInt32}[o.Type]
		for i, v := range column(t, s, o.Name) {
			must.Need(t, !math.IsNaN(v), "%s of point %d is %v: v is NaN", o.Name, i, v)
			if o.Type != "float" {
				must.Need(t, v >= 0, "%s of point %d is %v: want v at least 0", o.Name, i, v)
				must.Need(t, v <= limit, "%s of point %d is %v: want v at most limit", o.Name, i, v)
				must.Need(t, v == math.Trunc(v),
					"%s of point %d is %v: v is not math.Trunc(v)", o.Name, i, v)
			}
		}
	}
	want := []string{"ClusterID", "Embedding0", "Embedding1", "Embedding2", "Embedding3", "Embedding4",
		"EmbeddingR",
		"EmbeddingG", "EmbeddingB", "SuperpointColor", "VotedClassification"}
	must.Equal(t, names[:1], want[:1], "names[:1]")
	must.Equal(t, names[len(names)-5:], want[len(want)-5:], "names[len(names)-5:]")
	must.Fail(s.Output("Nothing", make([]float64, view.Len())))(t)
	must.Fail(s.Output("ClusterID", make([]float64, 1)))(t)
}

// TestEmbeddingColor: −1, ½ and 1 become 0, ¾ of 65535 and 65535, in the order of the view; a missing column
// is 0.
func TestEmbeddingColor(t *testing.T) {
	f := mustFilter(t, `{"model":"geometric","embedding":false,"embedding_color":true}`)
	must.Get(f.Describe(nil))(t)
	of := &steps.Embeddings{Dim: 2, Values: []float32{-1, 1, 0.5, -0.5}}
	s := &Segmentation{ID: []uint32{1, 1}, order: []uint32{1, 0}}
	p := &partitioned{filter: f, Points: &steps.Points{Embeddings: of}}
	must.OK(t, s.prepare(p, parallel.Run{}, superpointOutputs()))
	for k, want := range [][]float64{{49151, 0}, {16384, 65535}, {0, 0}} {
		got := column(t, s, embeddingColors()[k])
		must.Hold(t, slices.Equal(got, want), "colour %d is %v, want %v", k, got, want)
	}
}

// TestStaleNames: an output of an earlier run is recognised by its name, unless an option names its
// dimension.
func TestStaleNames(t *testing.T) {
	f := mustFilter(t, `{"classes":"aerial","class_probabilities":true,"color":true,"vote":"UserData"}`)
	must.Get(f.Describe([]string{"UserData"}))(t)
	named := append(f.options.IDDimensions()[:1], f.options.ClassDimension)
	for _, w := range Outputs() {
		for _, name := range w.names(f) {
			must.Equal(t, stalePattern().MatchString(name), !slices.Contains(named, name), "%s", name)
		}
	}
	for _, w := range Outputs() {
		if w.stale == "" {
			must.Hold(t, slices.Contains([]string{"dimension", "class_dimension"}, w.Option),
				"the output of option %s has no pattern: set stale", w.Option)
		}
	}
}
