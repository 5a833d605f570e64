// SPDX-License-Identifier: BSD-3-Clause

package filter

import (
	"fmt"
	"maps"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"superpoint/filter/cloud"
	"superpoint/filter/georef"
	"superpoint/filter/land"
	"superpoint/filter/option"
	"superpoint/filter/steps"
	"superpoint/filter/workspace"

	"superpoint/embed/classes"
	"superpoint/filter/message"
	"superpoint/partition/base/parallel"
	"superpoint/testdata/heights"
	"superpoint/testdata/must"
	"superpoint/testdata/scan"
	"superpoint/testdata/scenes"
)

// classified returns the classes and confidences of points by their heights, with further options.
func classified(t *testing.T, view *cloud.View, options string) (class, confidence []float64) {
	t.Helper()
	return classifiedBy(t, heights.File(t), view, `,"model":"geometric"`+options)
}

func TestClassesOfPeopleStay(t *testing.T) {
	view, _ := roof(4000, 2)
	given := view.Dimensions["Classification"]
	for i := range given {
		given[i] = float64(i % 4)
	}
	fresh, sure := classified(t, view, `,"class_dimension":"Guess","threads":1`)
	kinds := slices.Compact(slices.Sorted(slices.Values(fresh)))
	must.Need(t, slices.Equal(kinds, []float64{2, 6}), "classes %v", kinds)
	class, confidence := classified(t, view, "")
	for i := range given {
		stays := given[i] > 1
		if stays {
			must.Need(t, class[i] == given[i],
				"point %d of class %v becomes %v, confidence %v: class[i] is not given[i]",
				i, given[i], class[i], confidence[i])
			must.Need(t, confidence[i] == 1,
				"point %d of class %v becomes %v, confidence %v: confidence[i] is not 1",
				i, given[i], class[i], confidence[i])
		} else {
			must.Need(t, class[i] == fresh[i],
				"point %d of class %v becomes %v, confidence %v: class[i] is not fresh[i]",
				i, given[i], class[i], confidence[i])
			must.Need(t, confidence[i] >= 0.5,
				"point %d of class %v becomes %v, confidence %v: want confidence[i] at least 0.5",
				i, given[i], class[i], confidence[i])
			must.Need(t, confidence[i] < 1,
				"point %d of class %v becomes %v, confidence %v: want confidence[i] less than 1",
				i, given[i], class[i], confidence[i])
		}
	}
	class, confidence = classified(t, view, `,"class_change":"all","threads":3`)
	must.Equal(t, class, fresh,
		"class_change=all does not change all, or classes depend on the number of threads: class")
	must.Equal(t, confidence, sure,
		"class_change=all does not change all, or classes depend on the number of threads: confidence")
	class, _ = classified(t, view, `,"class_change":"3, 0"`)
	for i := range given {
		stays := given[i] == 1 || given[i] == 2
		if stays {
			must.Need(t, class[i] == given[i],
				"class_change=3,0: class[i] is %v, want %v", class[i], given[i])
		} else {
			must.Need(t, class[i] == fresh[i],
				"class_change=3,0: class[i] is %v, want %v", class[i], fresh[i])
		}
	}
}

// TestConfidenceOfKeptClasses: points that keep their class keep its confidence, with all digits; the others
// get one.
func TestConfidenceOfKeptClasses(t *testing.T) {
	view, _ := roof(4000, 2)
	given := view.Dimensions["Classification"]
	clear(given)
	given[2] = 7
	fresh, sure := classified(t, view, "")
	before := slices.Repeat([]float64{0.123456789}, len(given))
	before[1], before[2], before[3] = 0, 1, math.NaN()
	view.Dimensions["ClassConfidence"] = before
	for i := range given {
		given[i] = float64(6 * (i & 1))
	}
	given[2] = 7
	class, confidence := classified(t, view, "")
	for i := range given {
		want := sure[i]
		if given[i] != 0 {
			want = before[i]
		}
		// as texts, because NaN equals nothing
		must.Equal(t, fmt.Sprint(confidence[i]), fmt.Sprint(want),
			"confidence of point %d of class %v, then %v", i, given[i], class[i])
	}
	class, confidence = classified(t, view, `,"class_change":"all"`)
	must.Equal(t, confidence[1], sure[1], "confidence of a point whose class is changed")
	must.Equal(t, class[1], fresh[1], "class[1]")
	must.Equal(t, confidence[2], 1, "confidence of noise")
}

// TestClassCodes writes other codes for the classes of a forest, and other names into the metadata.
func TestClassCodes(t *testing.T) {
	view, _ := aerialScan(t, "forest", scenes.Options{Seed: 31}, 6)
	keep := make([]float64, view.Len())
	for i := range 100 {
		keep[i] = 5
	}
	view.Dimensions["Classification"] = keep
	want, sure := classifiedBy(t, "aerial", view, "")
	for option, codes := range map[string]struct {
		to    map[float64]float64
		names string // of 1, 2, 3 and 5
	}{
		"vegetation=1": {map[float64]float64{3: 1, 4: 1, 5: 1},
			"unclassified/vegetation ground low high"},
		"Vegetation = 3,ground=8": {map[float64]float64{3: 3, 4: 3, 5: 3, 2: 8},
			"unclassified ground Vegetation high"},
		"high vegetation=4": {map[float64]float64{5: 4}, "unclassified ground low high"},
		"2=200,3=200, unclassified=0": {map[float64]float64{2: 200, 3: 200, 1: 0},
			"unclassified ground low high"},
		"ground=5,5=2": {map[float64]float64{2: 5, 5: 2}, "unclassified 5 low ground"},
	} {
		f := mustFilter(t, fmt.Sprintf(`{"classes":"aerial","class_codes":%q}`, option))
		s := mustSegment(t, f, view)
		class, confidence := column(t, s, "Classification"), column(t, s, "ClassConfidence")
		changed := 0
		for i, code := range want {
			if to, is := codes.to[code]; is && keep[i] == 0 {
				code = to
				changed++
			}
			must.Need(t, class[i] == code, "%s: point %d of class %v gets %v", option, i, want[i], class[i])
		}
		var names []string
		for _, code := range []int{1, 2, 3, 5} {
			names = append(names, strings.TrimSuffix(f.land.Codes.Name(code), " vegetation"))
		}
		must.Hold(t, changed != 0, "%s: changed is 0", option)
		must.Equal(t, confidence, sure, "%s: confidence", option)
		must.Equal(t, strings.Join(names, " "), codes.names, `%s: strings.Join(names, " ")`, option)
	}
	for codes, words := range map[string]string{
		"{}": `"" is not a class and the code`, `{"shed":26}`: `"shed=26" is not a class and the code`,
		"shed=26": `"shed=26" is not a class and the code to write for it; write, for example, building=26, with a ` +
			"code from 0 to 255 and one of the classes ground [2], vegetation [3, 4, 5], building [6], " +
			"other [1], water [9], low vegetation [3], medium vegetation [4], high vegetation [5], " +
			"unclassified [1], low noise [7], high noise [18]",
		"building=256": "a code from 0 to 255", "building": "building=26", "building=": "building=26",
		"=3":          "building=26",
		"building=3,": "building=26", "vegetation=3,high vegetation=5": "class 5, high vegetation, is 3 " +
			"before",
		"6=1,building=1": "class 6, building, is 1 before",
	} {
		must.Fail(New(&option.Options{Classes: "aerial", ClassCodes: codes}, nil))(t, words)
	}
	f := mustFilter(t, `{"classes":"aerial","class_codes":"building=64"}`)
	must.Fail(f.CheckFormat(3))(t, "gives class 64")
	must.OK(t, f.CheckFormat(6))
}

// TestClassProbabilities: the greatest probability of a point belongs to its class and is its
// confidence.
func TestClassProbabilities(t *testing.T) {
	view, _ := aerialScan(t, "village", scenes.Options{Seed: 5}, 6)
	want, sure := classifiedBy(t, "aerial", view, "")
	s := mustSegment(t,
		mustFilter(t, `{"classes":"aerial","class_probabilities":true,"class_codes":"water=99"}`), view)
	codes := []float64{2, 5, 6, 1, 9}
	p := map[float64][]float64{}
	for _, code := range codes {
		p[code] = column(t, s, fmt.Sprint("Probability", code))
	}
	several := 0
	for i, class := range want {
		sum, most, best := 0.0, 0.0, 0.0
		for _, code := range codes {
			if sum += p[code][i]; p[code][i] > most {
				most, best = p[code][i], code
			}
		}
		if class == 3 || class == 4 {
			class = 5
		}
		if best != class {
			must.Need(t, sure[i] <= 0,
				"point %d has class %v, and class %v is the most probable", i, class, best)
		}
		must.Need(t, most == sure[i],
			"point %d of class %v and confidence %v: most is %v, want %v", i, class, sure[i], most, sure[i])
		must.Need(t, sum <= 1+1e-5,
			"point %d of class %v and confidence %v: sum: got %v, want at most %v",
			i, class, sure[i], sum, 1+1e-5)
		if most > 0 && most < 0.9 {
			several++
		}
	}
	must.Hold(t, several != 0, "all points are sure")
	must.Fail(s.Output("Probability3", make([]float64, view.Len())))(t, "is not written")
}

// TestClassesAreCounted compares the metadata of two views with what the points have.
func TestClassesAreCounted(t *testing.T) {
	view, _ := roof(4000, 2)
	given := view.Dimensions["Classification"]
	for i := range given {
		given[i] = []float64{0, 1, 6, 9}[i%4]
	}
	f := mustFilter(t, fmt.Sprintf(`{"model":"geometric","classes":%q}`, heights.File(t)))
	must.Hold(t, f.Summary().Classes == nil, "classes of no view")
	counts, sure := map[int]int{}, 0.0
	for k := range 2 {
		s := mustSegment(t, f, view)
		if k == 0 {
			f.record.classes.Unsure = 0.9 // of the first view
		}
		class, confidence := column(t, s, "Classification"), column(t, s, "ClassConfidence")
		for i := range class {
			counts[int(class[i])]++
			if i%4 < 2 {
				sure += confidence[i]
			}
		}
	}
	must.Say(t, f.Summary().Classes.Uncertain, "points is 0.10") // of the least certain view

	got, names := f.Summary().Classes, map[int]string{2: "ground", 6: "building", 9: "water"}
	sure /= float64(view.Len())
	must.Need(t, len(got.Points) == 3, "len(got.Points) is %v, want 3", len(got.Points))
	must.Need(t, got.Protected == view.Len(), "got.Protected is %v, want %v", got.Protected, view.Len())
	must.Need(t, math.Abs(got.Confidence-sure) <= 1e-4,
		"got.Confidence is %v, want %v within 1e-4", got.Confidence, sure)
	for _, p := range got.Points {
		must.Need(t, p.Count == counts[p.Code],
			"%+v, want %d, %s: p.Count is not counts[p.Code]", p, counts[p.Code], names[p.Code])
		must.Hold(t, p.Name == names[p.Code],
			"%+v, want %d, %s: p.Name is not names[p.Code]", p, counts[p.Code], names[p.Code])
	}
	must.Say(t, got.String(), "ground ", ", building ", ", water 25.0 %; mean confidence 0.",
		"; 4,000 points unchanged (class_change)")
}

// TestUnsurePointsAreUnclassified compares the classes with a least confidence with those
// without one, and the metadata with both.
func TestUnsurePointsAreUnclassified(t *testing.T) {
	view, _ := roof(4000, 2)
	view.Dimensions["Classification"] = nil
	view.X, view.Y, view.Z = append(view.X, 5), append(view.Y, 5), append(view.Z, 900) // noise, which stays
	class, confidence := classified(t, view, "")
	least := (slices.Min(confidence[:4000]) + slices.Max(confidence)) / 2
	again, _ := classified(t, view, fmt.Sprintf(`,"min_confidence":%v`, least))
	below := 0
	for i, sure := range confidence {
		want := class[i]
		if i < 4000 && sure < least {
			want = 1
			below++
		}
		must.Need(t, again[i] == want, "point %d of class %v and confidence %v gets %v", i, class[i],
			sure, again[i])
	}
	must.Need(t, below != 0, "below is 0")
	must.Need(t, below != 4000, "below is 4000")
	must.Need(t, class[4000] == classes.HighNoise,
		"class[4000] is %v, want %v", class[4000], classes.HighNoise)
	f := mustFilter(t, fmt.Sprintf(`{"model":"geometric","classes":%q,"min_confidence":%v}`,
		heights.File(t), least))
	mustSegment(t, f, view)
	got, want := f.Summary().Classes, message.Count(below, "point")+" below min_confidence"
	must.Equal(t, got.Unclassified, below, "got.Unclassified")
	must.Say(t, got.String(), want)
	must.Equal(t, got.Uncertain != "", got.Confidence < classes.Uncertain,
		"uncertain at a mean confidence of %v: %q", got.Confidence, got.Uncertain)
}

// TestWithheldPointsTakeNoPart: points far below the roof that are marked as withheld, in
// either way that PDAL marks them, or are noise keep their class and change none of the others'.
func TestWithheldPointsTakeNoPart(t *testing.T) {
	clean, _ := roof(4000, 2)
	clean.Dimensions["Classification"] = nil
	want, _ := classified(t, clean, "")
	for name, mark := range map[string]float64{"Withheld": 1, "ClassFlags": 5, "noise": 0, "": 0} {
		view, _ := roof(4000, 2)
		marks, given := make([]float64, 4000), make([]float64, 4000)
		for i := range 400 { // a sheet below a part of the roof
			view.X, view.Y, view.Z = append(view.X, view.X[i]), append(view.Y, view.Y[i]),
				append(view.Z, view.Z[i]-30)
			marks, given = append(marks, mark), append(given, 1)
			if name == "noise" {
				given[4000+i] = classes.Noise
			}
		}
		view.Dimensions = map[string][]float64{"Classification": given}
		if name != "" {
			view.Dimensions[name] = marks
		}
		got, _ := classified(t, view, "")
		kept, same := 0, 0
		for i := range got {
			switch {
			case i >= 4000 && got[i] == given[i]:
				kept++
			case i < 4000 && got[i] == want[i]:
				same++
			}
		}
		must.Equal(t, kept == 400 && same > 3800, name != "",
			"%q: %d of 400 withheld points keep their class, %d of 4000 others have the same",
			name, kept, same)
	}
}

func TestClassesAreRefused(t *testing.T) {
	path := heights.File(t)
	for options, want := range map[string]string{
		`{"classes":"arial"}`:                      `"arial" is neither`,
		fmt.Sprintf(`{"classes":%q}`, xyzModel(t)): "option classes",
		fmt.Sprintf(`{"classes":%q,"class_change":"ground"}`,
			path): "codes from 0 to 255",
		fmt.Sprintf(`{"classes":%q,"vote":"Classification"}`,
			path): "would be overwritten",
		fmt.Sprintf(`{"classes":%q,"vegetation_heights":"2"}`,
			path): `"2" is not two heights`,
		fmt.Sprintf(`{"classes":%q,"vegetation_heights":"2,1"}`,
			path): `"2,1" is not two heights`,
		fmt.Sprintf(`{"classes":%q,"vegetation_heights":"-1,2"}`, path):  "not two heights",
		fmt.Sprintf(`{"classes":%q,"vegetation_heights":"1,NaN"}`, path): "not two heights",
		fmt.Sprintf(`{"classes":%q,"vegetation_heights":"1,2,3"}`, path): "not two heights",
		`{"class_change":"all"}`: "without classes",
		fmt.Sprintf(`{"classes":%q,"class_dimension":"SuperpointID"}`, path):             "SuperpointID",
		fmt.Sprintf(`{"classes":%q,"class_dimension":"Z"}`, path):                        "is a field of LAS",
		fmt.Sprintf(`{"classes":%q,"class_dimension":"intensity"}`, path):                "is a field of LAS",
		fmt.Sprintf(`{"model":%q,"method":"ssp","classes":"%s"}`, path, xyzModel(t)[:1]): "option",
	} {
		must.Fail(newFilter(options, nil))(t, want)
	}
	f := mustFilter(t, fmt.Sprintf(`{"classes":%q,"class_dimension":"userdata"}`, path))
	must.OK(t, f.CheckFormat(3))
	for change, most := range map[string]int{"0,31": 31, "0,32": 255} {
		f := mustFilter(t, fmt.Sprintf(`{"classes":%q,"class_change":%q}`, path, change))
		must.OK(t, f.CheckFormat(6))
		must.Equal(t, f.CheckFormat(3) == nil, most == 31, "class_change=%s: fits format 3", change)
	}
}

// TestClassInput: points that are withheld, and points with id 0, have no superpoint; each point keeps
// its id and embedding.
func TestClassInput(t *testing.T) {
	view, _ := roof(500, 3)
	ids, embedding, marks := make([]uint32, 500), make([]float32, 1000), make([]float64, 500)
	for i := range ids {
		ids[i], embedding[2*i+1], marks[i] = uint32(i%5*7), float32(i), float64(i%3)
	}
	view.Dimensions["Withheld"] = marks
	w := must.Get(workspace.New(steps.Run{}, view, 20, 1, nil))(t)
	s, all, err := w.ClassInput(ids, 2, embedding)
	must.OK(t, err)
	must.Need(t, slices.Equal(all, []uint32{7, 14, 21, 28}), "all is not []uint32{7, 14, 21, 28}")
	for i, from := range w.Order() {
		rank, known := slices.BinarySearch(all, ids[from])
		if marks[from] != 0 {
			must.Need(t, s.Noise[i],
				"point %d with id %d comes from row %d, noise: s.Noise[i] is false",
				from, ids[from], s.Component[i])
		}
		if s.Component[i] == classes.None && known {
			must.Need(t, s.Noise[i],
				"point %d with id %d comes from row %d, noise: s.Noise[i] is false",
				from, ids[from], s.Component[i])
		}
		if s.Component[i] != classes.None {
			must.Need(t, int(s.Component[i]) == rank,
				"point %d with id %d comes from row %d, noise: s.Component[i] is %v, want %v",
				from, ids[from], s.Component[i], int(s.Component[i]), rank)
		}
		must.Need(t, s.Embedding[2*i+1] == float32(from),
			"point %d with id %d comes from row %d, noise: s.Embedding[2*i+1] is %v, want %v",
			from, ids[from], s.Component[i], s.Embedding[2*i+1], float32(from))
	}
}

// TestClassesOfKnownSuperpoints: classes, confidences and probabilities of points whose superpoints and
// embeddings are known are those that the stage gives, bit for bit, whatever else its graph, its sizes and
// its threads are.
func TestClassesOfKnownSuperpoints(t *testing.T) {
	view, _ := aerialScan(t, "village", scenes.Options{Seed: 12}, 6)
	before := make([]float64, view.Len())
	for i := range before {
		before[i] = float64([]int{0, 0, 0, 0, 0, 0, 0, 0, 6, 7}[i%10])
	}
	view.Dimensions["Classification"] = before
	const wanted = `"classes":"aerial","class_probabilities":true`
	outputs := []string{"Classification", "ClassConfidence", "Probability2", "Probability9"}
	for name, options := range map[string]string{
		"defaults": `"threads":1`, "more neighbors": `"adjacency_knn":15`,
		"target size": `"target_size":"60"`,
	} {
		t.Run(name, func(t *testing.T) {
			stage := mustSegment(t, mustFilter(t, `{`+wanted+`,`+options+`}`), view)
			known := mustFilter(t, `{`+wanted+`,"threads":3}`)
			must.Get(known.Describe(view.Names()))(t)
			got := must.Get(known.Classify(steps.Run{}, view, land.Known{ID: stage.ID, Dim: stage.Dim,
				Embedding: stage.Embedding()}))(t)
			for _, output := range outputs {
				must.Hold(t, slices.Equal(column(t, got, output), column(t, stage, output)),
					"%s differs", output)
			}
			must.Fail(got.Output("SuperpointID", make([]float64, view.Len())))(t, "is not written")
		})
	}
}

// TestGroupsOfNoiseAreReported: points without coordinates become noise, change the class of no other point,
// and are named in a message and in the metadata.
func TestGroupsOfNoiseAreReported(t *testing.T) {
	clean, _ := aerialScan(t, "village", scenes.Options{Seed: 12}, 6)
	want, _ := classifiedBy(t, "aerial", clean, "")
	n := clean.Len()
	view := &cloud.View{Dimensions: map[string][]float64{}}
	view.X, view.Y, view.Z = slices.Clone(clean.X), slices.Clone(clean.Y), slices.Clone(clean.Z)
	for name, values := range clean.Dimensions {
		view.Dimensions[name] = slices.Concat(values, slices.Repeat([]float64{1}, 500))
	}
	for range 500 {
		view.X, view.Y, view.Z = append(view.X, -5e3), append(view.Y, -9e3), append(view.Z, 0)
	}
	const feet = 0.3048
	for i := range view.X {
		view.X[i] /= feet
		view.Y[i] /= feet
		view.Z[i] /= feet
	}
	view.Reference = georef.Reference{HorizontalUnit: feet, VerticalUnit: feet}
	view.Release = func(string) {} // coordinates are gone when places are written, as in a pipeline
	var messages []string
	f, err := newFilter(`{"classes":"aerial"}`,
		func(_ int, text string) { messages = append(messages, text) })
	must.OK(t, err)
	s := mustSegment(t, f, view)
	class := column(t, s, "Classification")
	same := 0
	for i, c := range class {
		if i < n && c == want[i] {
			same++
		}
		if i >= n {
			must.Need(t, c == classes.Noise,
				"point %d without coordinates has class %v: c is not classes.Noise", i, c)
		}
	}
	must.Hold(t, 100*same >= 99*n, "%d of %d points have another class", n-same, n)
	must.Say(t, strings.Join(messages, "; "),
		"500 points in 1 group at one place: class 7, low noise; the largest group has "+
			"500 points, one of them at (-16404.2, -29527.56, 0)")
	groups := f.Summary().Classes.Groups
	must.Need(t, len(groups) == 1, "metadata: len(groups) is %v, want 1", len(groups))
	must.Equal(t, groups[0].Points, 500, "metadata: groups[0].Points")
	must.Equal(t, groups[0].Code, classes.Noise, "metadata: groups[0].Code")
}

// TestReturnsOfSinglePulses: a cloud whose pulses all have one return gets the classes of one without
// returns, and both the message and the metadata say that they carry no information; with returns it gets
// others.
func TestReturnsOfSinglePulses(t *testing.T) {
	view, _ := aerialScan(t, "forest", scenes.Options{Seed: 12}, 6)
	_, with := classifiedBy(t, "aerial", view, "")
	returns := map[string][]float64{}
	for _, name := range []string{"ReturnNumber", "NumberOfReturns"} {
		returns[name] = slices.Repeat([]float64{1}, view.Len())
		delete(view.Dimensions, name)
	}
	without, sure := classifiedBy(t, "aerial", view, "")
	maps.Copy(view.Dimensions, returns)
	var messages []string
	f, err := newFilter(`{"classes":"aerial"}`,
		func(_ int, text string) { messages = append(messages, text) })
	must.OK(t, err)
	s := mustSegment(t, f, view)
	must.Hold(t, slices.Equal(column(t, s, "Classification"), without), "classes differ")
	must.Hold(t, slices.Equal(column(t, s, "ClassConfidence"), sure), "confidences differ")
	must.Hold(t, !slices.Equal(with, sure), "returns change nothing")
	must.Say(t, strings.Join(messages, "; "),
		"returns carry no information, and classes are computed without")
	must.Hold(t, slices.Equal(f.Summary().Classes.Blank, []string{"returns"}), "metadata: %v",
		f.Summary().Classes.Blank)
}

// TestBuiltInClassesKnowTheDefaultModel fails when the weights of the default model
// have changed since the built-in classes were trained: train the classes again.
func TestBuiltInClassesKnowTheDefaultModel(t *testing.T) {
	for _, name := range classes.Builtins() {
		m := must.Get(classes.Builtin(name))(t)
		f := mustFilter(t, `{}`)
		must.OK(t, f.selectModel(nil))
		must.Equal(t, f.Embedding(), m.Card.Embedding, "embedding that classes %s know", name)
	}
}

// aerialScan returns a simulated aerial scan of 10,000 points, and its true classes.
func aerialScan(t *testing.T, scene string, o scenes.Options, density float64) (
	view *cloud.View, truth []uint8) {
	t.Helper()
	o.Detail = .3
	s := must.Get(scenes.New(scene, o))(t)
	p := must.Get(scan.Cloud(parallel.Run{}, s, scan.Options{Mode: scan.Aerial, Points: 10_000,
		Density: density,
		Seed:    o.Seed}))(t)
	view = metres(p.X, p.Y, p.Z)
	for i := range p.X {
		view.Dimensions["ReturnNumber"] = append(view.Dimensions["ReturnNumber"], float64(p.ReturnNumber[i]))
		view.Dimensions["NumberOfReturns"] = append(view.Dimensions["NumberOfReturns"],
			float64(p.NumberOfReturns[i]))
		view.Dimensions["Intensity"] = append(view.Dimensions["Intensity"], float64(p.Intensity[i]))
	}
	return view, p.Classification
}

// classifiedBy returns the classes and confidences of points by a classifier, with further options.
func classifiedBy(t *testing.T, classifier string, view *cloud.View, options string) (
	class, confidence []float64) {
	t.Helper()
	s := mustSegment(t, mustFilter(t, fmt.Sprintf(`{"classes":%q%s}`, classifier, options)), view)
	name := "Classification"
	if strings.Contains(options, "class_dimension") {
		name = "Guess"
	}
	return column(t, s, name), column(t, s, "ClassConfidence")
}

// classifiedScan returns the classes and confidences that the built-in classifier gives a scan, and the true
// classes.
func classifiedScan(t *testing.T, scene string, o scenes.Options, density float64, options string) (class,
	confidence []float64,
	truth []uint8) {
	t.Helper()
	view, truth := aerialScan(t, scene, o, density)
	class, confidence = classifiedBy(t, "aerial", view, options)
	return class, confidence, truth
}

// TestLabelsKeepDryLandDry fits the classifier to labels of a shore, whose water needs them. Labelled
// superpoints have their class at every point, whatever it is, and dry land elsewhere stays dry.
func TestLabelsKeepDryLandDry(t *testing.T) {
	view, truth := aerialScan(t, "field", scenes.Options{Seed: 9208, Water: true}, 1)
	f := mustFilter(t, `{"embedding":true}`)
	w := must.Get(workspace.New(steps.Run{}, view, classes.ShapeNeighbors, 0, nil))(t)
	s := must.Get(f.SegmentIn(steps.Run{}, w))(t)
	in, ids, err := w.ClassInput(s.ID, s.Dim, s.Embedding())
	must.OK(t, err)
	m := must.Get(classes.Builtin("aerial"))(t)
	features, graph, err := classes.Describe(parallel.Run{}, in, s.Dim)
	must.OK(t, err)
	_, hidden, err := m.Probabilities(parallel.Run{}, features, graph)
	must.OK(t, err)
	count := make([]map[int]int, len(ids)) // points by superpoint and true class
	for i, id := range s.ID {
		row, _ := slices.BinarySearch(ids, id)
		if count[row] == nil {
			count[row] = map[int]int{}
		}
		count[row][int(truth[i])]++
	}
	var labels []classes.Label
	told := map[uint32]float64{}
	for row, of := range count {
		if row%5 == 0 {
			code := slices.MaxFunc(slices.Sorted(maps.Keys(of)), func(a, b int) int { return of[a] - of[b] })
			if row%35 == 0 {
				code = 17 // a class that the classifier does not have
			}
			labels, told[ids[row]] = append(labels, classes.Label{Row: row, Code: code}), float64(code)
		}
	}
	fitted := must.Get(m.Fit(in, features, hidden, labels, nil))(t)
	path := filepath.Join(t.TempDir(), "fitted.safetensors")
	must.OK(t, os.WriteFile(path, must.Get(fitted.Save())(t), 0o600))
	class, confidence := classifiedBy(t, path, view, `,"min_confidence":0.9`)
	for i, id := range s.ID {
		code, is := told[id]
		if is {
			must.Need(t, class[i] == code,
				"a point of superpoint %d, labelled %v, has class %v at %v: class[i] is not code",
				id, code, class[i], confidence[i])
			must.Need(t, confidence[i] == 1,
				"a point of superpoint %d, labelled %v, has class %v at %v: confidence[i] is not 1",
				id, code, class[i], confidence[i])
		}
	}
	staysDry(t, path, 9300, 2, 2, 2, 2)
}

// staysDry classifies dry scans of seeds from a first one on, of densities: at most 0.5 % of the land may
// become water.
func staysDry(t *testing.T, classifier string, seed uint64, densities ...float64) {
	t.Helper()
	land, wet := 0, 0
	for k, density := range densities {
		view, truth := aerialScan(t, "dry", scenes.Options{Seed: seed + uint64(k)}, density)
		class, _ := classifiedBy(t, classifier, view, "")
		for i, c := range truth {
			if c != scenes.WaterClass {
				land++
				if class[i] == scenes.WaterClass {
					wet++
				}
			}
		}
	}
	must.Hold(t, land >= 7500*len(densities), "land is %v, want at least %v", land, 7500*len(densities))
	must.Hold(t, wet <= land/200, "wet is %v, want at most %v", wet, land/200)
}

// TestVegetationHeights: the bounds divide the vegetation of 0,0 by height, and change no other class and no
// confidence.
func TestVegetationHeights(t *testing.T) {
	scanned := func(heights string) (class, confidence []float64) {
		if heights != "" {
			heights = `,"vegetation_heights":"` + heights + `"`
		}
		class, confidence, _ = classifiedScan(t, "forest", scenes.Options{Seed: 31}, 6, heights)
		return class, confidence
	}
	all, sure := scanned("0,0")
	last := 0.0
	for _, heights := range []string{"0.5,2", "", "1,4", "1000,1000"} {
		class, confidence := scanned(heights)
		count := map[float64]float64{}
		for i, c := range class {
			count[c]++
			vegetation := c >= 3 && c <= 5
			must.Need(t, vegetation == (all[i] == 5),
				"%q: vegetation is %v, want %v", heights, vegetation, (all[i] == 5))
			if !vegetation {
				must.Need(t, c == all[i], "%q: a point has class: got %v, want %v", heights, c, all[i])
			}
		}
		must.Equal(t, confidence, sure, "%q: confidence", heights)
		must.Hold(t, count[3] >= last, "%q: count[3] is %v, want at least %v", heights, count[3], last)
		if heights == "0.5,2" {
			must.Hold(t, min(count[4], count[5]) != 0, "%q: min(count[4], count[5]) is 0", heights)
		}
		if heights == "1000,1000" {
			must.Hold(t, count[4]+count[5] <= 0,
				"%q: count[4]+count[5] is %v, want at most 0", heights, count[4]+count[5])
		}
		last = count[3]
	}
}

// TestDryLandStaysDry classifies level, sloping, terraced, rolling and ploughed fields, car parks, runways,
// flat roofs, bare islets and salt pans of seeds that training has not seen.
func TestDryLandStaysDry(t *testing.T) {
	var densities []float64
	for kind := range 10 {
		densities = append(densities, .5*math.Pow(40, float64(kind*7%10)/9))
	}
	staysDry(t, "aerial", 6000, densities...)
}

// TestWaterIsFoundOrUnsure classifies rivers, canals and the sea of seeds that training has not seen, which
// return many pulses, some or none: at most 10 % of the water of these eight may surely be ground. Of 48 such
// scenes it is 21 %, see the limits in embed/train/recipes/classes-aerial.yaml.
func TestWaterIsFoundOrUnsure(t *testing.T) {
	var water, found, wrong float64
	for k := range 8 {
		class, confidence, truth := classifiedScan(t, []string{"street", "village", "field", "forest"}[k%4],
			scenes.Options{Seed: uint64(7006 + k), Water: true}, []float64{1, 4, 12}[k%3], "")
		for i, c := range truth {
			switch {
			case c != scenes.WaterClass:
				continue
			case class[i] == scenes.WaterClass:
				found++
			case class[i] == scenes.Ground && confidence[i] > .6:
				wrong++
			}
			water++
		}
	}
	must.Hold(t, water >= 5000, "water is %v, want at least 5000", water)
	must.Hold(t, wrong <= .1*water, "surely ground: got %v, want at most %v", wrong, .1*water)
	must.Hold(t, found >= .1*water, "found is %v, want at least %v", found, .1*water)
}
