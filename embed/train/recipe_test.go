// SPDX-License-Identifier: BSD-3-Clause

package train

import (
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"superpoint/embed"
	"superpoint/testdata/must"
)

func TestAdam(t *testing.T) {
	a := &adam{Rate: 0.1, Clip: 1}
	w := []float32{1, 1, 1}
	a.step(w, []float32{1000, -0.5, 0})
	// the first step is the rate times the sign of the gradient
	for i, want := range []float32{0.9, 1.1, 1} {
		must.Hold(t, math.Abs(float64(w[i]-want)) <= 1e-5, "weight %d is %g after one step, want %g",
			i, w[i], want)
	}
	must.Hold(t, math.Abs(float64(a.Mean[0])-0.1) <= 1e-7,
		"the mean is %g, of the clipped gradient it is 0.1·1", a.Mean[0])
}

func TestRecipeErrors(t *testing.T) {
	for text, want := range map[string]string{
		"nam: x":                              "nam",
		"optimise: {epochs: 0}":               "optimise.epochs is 0",
		"loss: {weights: best}":               "best",
		"loss: {delta: 0}":                    "δ = 0",
		"inputs: {neighbor_channels: [x, y]}": "neighbor_channels",
		"groups: [{match: '[', share: 1}]":    "groups[0].match",
		"truth: {merge: {a: [1, 2], b: [2]}}": "class 2",
		"batch: {points: 5}":                  "batch.points is 5",
		"validation: {adjacency_knn: 5}":      "adjacency_knn",
	} {
		must.Fail(ParseRecipe([]byte(text)))(t, want)
	}
}

func TestClusterRecipes(t *testing.T) {
	for text, want := range map[string]string{
		"kind: soft":                                 "loss.kind is soft",
		"kind: clusters, clusters: {size: 1}":        "loss.clusters: size is 1",
		"kind: clusters, clusters: {embedding: 0}":   "partition.clusters is {0 1}",
		"kind: clusters, clusters: {iterations: 0}":  "iterations is 0",
		"kind: clusters, clusters: {compactness: x}": "cannot unmarshal",
	} {
		must.Fail(ParseRecipe([]byte(smallRecipe+"loss: {"+text+"}\n")))(t, want)
	}
}

func TestClasses(t *testing.T) {
	truth := Truth{Merge: map[string][]int{"vegetation": {5, 3, 4}}, Ignore: []int{66}}
	got, err := truth.classes("Classification", []float64{1, 3, 4, 5, 66, 6})
	must.OK(t, err)
	must.Equal(t, got, []int32{1, 3, 3, 3, -1, 6}, "classes")
}

func TestAugment(t *testing.T) {
	ch := &embed.Channels{Neighbors: 2, Neighbor: []string{"x", "y", "z", "planarity"}}
	a := newAugmenter(AugmentOptions{Rotate: true, Noise: 0.03, Clip: 0.05}, ch)
	set := slices.Repeat([]float32{1}, 2000*8)
	a.apply(set, rand.New(rand.NewPCG(1, 2)))
	var sum, square float64
	for i := 0; i < len(set); i += 4 {
		d := float64(set[i+2] - 1)
		must.Need(t, math.Abs(d) <= 0.05001, "noise of %g, the largest is 0.05", d)
		sum, square = sum+d, square+d*d
		r := math.Hypot(float64(set[i]), float64(set[i+1]))
		must.Need(t, math.Abs(r-math.Sqrt2) <= 0.11, "rotation changed a length to %g", r)
	}
	n := float64(len(set) / 4)
	must.Hold(t, math.Abs(sum/n) <= 0.002, "math.Abs(sum/n) is %v, want at most 0.002", math.Abs(sum/n))
	must.Hold(t, math.Abs(math.Sqrt(square/n)-0.028) <= 0.002,
		"deviation: got %v, want 0.028 within 0.002", math.Sqrt(square/n))
}

// TestNoiseOnDifferences: only values and their differences have noise.
func TestNoiseOnDifferences(t *testing.T) {
	names := []string{"x", "y", "z", "d_red", "blue", "d_intensity", "d_planarity", "rise"}
	a := newAugmenter(AugmentOptions{Noise: 0.03, Clip: 0.1},
		&embed.Channels{Neighbors: 2, Neighbor: names, Point: []string{"radius"}})
	set := make([]float32, 100*len(names))
	a.apply(set, rand.New(rand.NewPCG(1, 2)))
	for i, name := range names {
		changed := false
		for k := i; k < len(set); k += len(names) {
			changed = changed || set[k] != 0
		}
		must.Equal(t, changed, name != "d_planarity" && name != "rise", "noise on %s", name)
	}
}

// TestRecipes reads every recipe of the repository. Rules of classes, classes-*,
// are read by package classrules and its test.
func TestRecipes(t *testing.T) {
	files, err := filepath.Glob("recipes/*.yaml")
	must.OK(t, err)
	must.Need(t, len(files) >= 3, "len(files) is %v, want at least 3", len(files))
	for _, f := range files {
		if strings.HasPrefix(filepath.Base(f), "classes-") {
			continue
		}
		r, err := ParseRecipe(must.Get(os.ReadFile(f))(t))
		if err != nil {
			t.Error(err)
			continue
		}
		name := strings.TrimSuffix(filepath.Base(f), ".yaml")
		builtin := name == "aerial"
		if r.Name != name || builtin && (len(r.Data) == 0 || len(r.Limits) == 0) {
			t.Errorf("%s: name %q, %d sources, %d limits", f, r.Name, len(r.Data), len(r.Limits))
		}
	}
}

// TestAverage compares the running average with its definition.
func TestAverage(t *testing.T) {
	s := &state{Params: []float32{2}}
	s.Optimiser.Steps = 1
	s.average(0.9)
	must.Hold(t, s.Average[0] == 2, "the first average is %g, want the weight itself", s.Average[0])
	s.Params[0], s.Optimiser.Steps = 3, 1000
	s.average(0.9)
	must.Hold(t, math.Abs(float64(s.Average[0])-2.1) <= 1e-6, "the average is %g, want 2.1", s.Average[0])
}
