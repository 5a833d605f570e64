// SPDX-License-Identifier: BSD-3-Clause

package classes

import (
	"bytes"
	"cmp"
	"context"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"superpoint/partition/base/parallel"
	"superpoint/partition/neighbor"
	"superpoint/testdata/must"
)

// squares returns level squares of 4 × 4 points, 1 m apart, at the given positions.
func squares(t testing.TB, dim int, places ...[3]float64) *Superpoints {
	t.Helper()
	var x, y, z []float64
	for _, p := range places {
		for i := range 16 {
			x, y, z = append(x, p[0]+float64(i%4)), append(y, p[1]+float64(i/4)), append(z, p[2])
		}
	}
	s := surveyed(t, x, y, z)
	s.Component, s.Count, s.Dim = make([]uint32, len(x)), len(places), dim
	s.Embedding, s.Attributes = make([]float32, len(x)*dim), map[string][]float32{}
	for i, o := range s.Cloud.Order {
		s.Component[i] = o / 16
		for d := range dim {
			s.Embedding[i*dim+d] = float32(o / 16)
		}
	}
	return s
}

// described returns the features and the graph.
func described(t testing.TB, s *Superpoints, dim int) (*Features, *Graph) {
	t.Helper()
	f, g, err := Describe(parallel.Run{}, s, dim)
	must.OK(t, err)
	return f, g
}

func column(f *Features, k int, name string) float32 {
	return f.Row(k)[slices.Index(f.Names, name)]
}

// TestFeaturesByHand: a floor, a floor beside it, and a roof 8 m above the first.
func TestFeaturesByHand(t *testing.T) {
	s := squares(t, 2, [3]float64{0, 0, 5}, [3]float64{4.5, 0, 5}, [3]float64{0, 0, 13})
	s.Attributes["ReturnNumber"], s.Attributes["NumberOfReturns"] = make([]float32, 48), make([]float32, 48)
	for i, o := range s.Cloud.Order {
		s.Attributes["ReturnNumber"][i], s.Attributes["NumberOfReturns"][i] = 1, float32(1+o/16)
	}
	f, _ := described(t, s, 2)
	must.Need(t, len(f.Names) == len(FeatureNames(2)), "len(f.Names) is not len(FeatureNames(2))")
	must.Need(t, len(f.Values) == 3*len(f.Names),
		"values: got %v, want %v", len(f.Values), 3*len(f.Names))
	must.Need(t, slices.Equal(f.Size, []float32{16, 16, 16}), "f.Size is not []float32{16, 16, 16}")
	must.Hold(t, !slices.Contains(f.Present, false), "of %v are present: %v", f.Names, f.Present)
	for name, want := range map[string][3]float32{
		"height": {0, 0, 0},
		// σ = √1.25
		"log_area":        {float32(math.Log(1.128)), float32(math.Log(1.128)), float32(math.Log(1.128))},
		"thickness":       {float32(math.Log(0.01)), float32(math.Log(0.01)), float32(math.Log(0.01))},
		"normal_z":        {1, 1, 1},
		"above_mean":      {0, 0, asinh(8)},
		"above_max":       {0, 0, asinh(8)},
		"over_mean":       {asinh(8), 0, 0},
		"under_mean":      {0, 0, asinh(8)},
		"above_smrf_mean": {0, 0, asinh(8)},
		"body_tilt":       {float32(math.Log(3e-4)), float32(math.Log(3e-4)), float32(math.Log(0.0503))},
		"body_lower":      {0, 0, 0},
		"embedding1_mean": {0, 1, 2},
		"embedding1_std":  {0, 0, 0},
		"echo_mean":       {1, 0.5, 0.3333},
	} {
		for k := range want {
			got := column(f, k, name)
			must.Hold(t, math.Abs(float64(got-want[k])) <= 0.01, "%s of %d is %v, want %v", name, k,
				got, want[k])
		}
	}
	got := f.Place[1]
	must.Hold(t, math.Abs(got[0]-f.Place[0][0]-4.5) <= 1e-4,
		"got[0]-f.Place[0][0] is %v, want 4.5 within 1e-4", got[0]-f.Place[0][0])
	must.Hold(t, math.Abs(got[2]-f.Place[2][2]+8) <= 1e-4,
		"got[2]-f.Place[2][2] is %v, want -8 within 1e-4", got[2]-f.Place[2][2])
	for range 2 { // a dimension that is 0 everywhere is none
		clear(s.Attributes["ReturnNumber"])
		f, _ = described(t, s, 4)
		for i, name := range f.Names {
			kind, _, _ := strings.Cut(name, "_")
			absent := kind == "echo" || kind == "returns" || strings.HasPrefix(kind, "embedding")
			must.Hold(t, f.Present[i] != absent,
				"without returns, embedding of another length: present of %s is %v", name, absent)
		}
		delete(s.Attributes, "ReturnNumber")
	}
	// the roof is ignored in heights, and then of one superpoint with the second floor
	s.low = make([]bool, 48)
	for i, k := range s.Component {
		s.low[i], s.Component[i] = k == 2, min(k, 1)
	}
	s.Count = 2
	f, _ = described(t, s, 2)
	height, over := column(f, 1, "height"), column(f, 0, "over_mean")
	must.Equal(t, height, asinh(8), "height of the second floor")
	must.Equal(t, over, 0, "over")
}

// TestBodiesGrowFromTheLargest: the second of four steps of 10 cm is within a level step of those beside it.
// As the largest it is the seed, and these are of its body; the fourth is not, though it is of a level with
// the third.
func TestBodiesGrowFromTheLargest(t *testing.T) {
	s := squares(t, 0, [3]float64{0, 0, 5}, [3]float64{4, 0, 5.1}, [3]float64{4, 4, 5.1},
		[3]float64{8, 0, 5.2},
		[3]float64{12, 0, 5.3})
	for i, k := range s.Component {
		s.Component[i] = []uint32{0, 1, 1, 2, 3}[k]
	}
	s.Count = 4
	f, _ := described(t, s, 0)
	for k, b := range f.Bodies {
		want := [4]int{1, 1, 1, 3}[k]
		must.Hold(t, b.seed == want,
			"superpoint %d has a body of %v m² of seed %d: b.seed is not want", k, b.Area, b.seed)
		must.Hold(t, b.Area == f.Bodies[want].Area,
			"superpoint %d has a body of %v m² of seed %d: b.Area is not f.Bodies[want].Area",
			k, b.Area, b.seed)
	}
}

func TestGraphByHand(t *testing.T) {
	s := squares(t, 0, [3]float64{0, 0, 5}, [3]float64{3, 4, 5}, [3]float64{4, 0, 5}, [3]float64{0, 1, 500})
	_, g := described(t, s, 0)
	must.Equal(t, g.Touching[:Fan], []int32{2, 1, 0, 0, 0, 0, 0, 0},
		"squares that the first touches, sides before corners")
	must.Equal(t, g.Near[:Fan], []int32{3, 2, 1, 0, 0, 0, 0, 0},
		"squares near the first, of which one 500 m above is near in plan")
	must.Hold(t, !slices.ContainsFunc(g.Touching[3*Fan:], func(k int32) bool { return k != 3 }),
		"the fourth touches %v", g.Touching[3*Fan:])
}

func TestPointsWithoutSuperpoint(t *testing.T) {
	s := squares(t, 0, [3]float64{0, 0, 5}, [3]float64{4, 0, 5})
	for i, c := range s.Component {
		if c == 1 {
			s.Component[i] = None
		}
	}
	s.Count = 1
	f, _, err := Describe(parallel.Run{}, s, 0)
	must.OK(t, err)
	must.Need(t, f.Len() == 1, "f.Len() is %v, want 1", f.Len())
	must.Equal(t, f.Size[0], 16, "f.Size[0]")
	s.Component[0] = 7
	_, _, err = Describe(parallel.Run{}, s, 0)
	must.Fail(0, err)(t, "superpoint 7 of 1")
}

func testCard() *Card {
	return &Card{
		Format: Format, Name: "test", Classes: []Class{{2, "ground"}, {5, "vegetation"}, {6, "building"}},
		Embedding: Embedding{Model: "any", Dim: 2}, Width: 8, Rounds: 2, Temperature: 1,
	}
}

func randomModel(t testing.TB) *Model {
	t.Helper()
	return randomWeights(t, testCard())
}

func randomWeights(t testing.TB, card *Card) *Model {
	t.Helper()
	m := must.Get(New(card))(t)
	r := rand.New(rand.NewPCG(1, 2))
	for _, w := range m.Card.Tensors() {
		if !IsWeight(w.Name) {
			continue
		}
		for i := range m.Tensor(w.Name) {
			m.Tensor(w.Name)[i] = float32(r.NormFloat64() * 0.3)
		}
	}
	return m
}

func TestProbabilities(t *testing.T) {
	m := randomModel(t)
	s := squares(t, 2, [3]float64{0, 0, 5}, [3]float64{4, 0, 5}, [3]float64{0, 0, 13}, [3]float64{8, 0, 6})
	f, g := described(t, s, 2)
	p, hidden, err := m.Probabilities(parallel.Run{Threads: 1}, f, g)
	must.OK(t, err)
	must.Need(t, len(p) == 4*3, "probabilities: got %v, want %v", len(p), 4*3)
	must.Need(t, len(hidden) == 4*16, "hidden: got %v, want %v", len(hidden), 4*16)
	for k := range 4 {
		sum := p[3*k] + p[3*k+1] + p[3*k+2]
		must.Hold(t, math.Abs(float64(sum)-1) <= 1e-6, "the probabilities of %d add up to %v", k, sum)
	}
	q, _, err := m.Probabilities(parallel.Run{Threads: 3}, f, g)
	must.Need(t, err == nil, "another number of threads gives %v, not %v: %v", q, p, err)
	must.Equal(t, p, q, "another number of threads gives %v, not %v: p", q, p)
	// the features of neighbours have an effect
	f.Row(1)[0] += 3
	q, _, _ = m.Probabilities(parallel.Run{}, f, g)
	must.Hold(t, !slices.Equal(p[:3], q[:3]), "an adjacent superpoint has no effect")
	m.Card.Temperature = 100
	q, _, _ = m.Probabilities(parallel.Run{}, f, g)
	must.Hold(t, slices.Max(q) <= 0.4, "at temperature 100 probabilities are %v", q)
}

func TestModelFile(t *testing.T) {
	m := randomModel(t)
	file := must.Get(m.Save())(t)
	again := must.Get(Load(file))(t)
	must.Equal(t, again.Sum(), m.Sum(),
		"the model that was saved is not the one that is loaded: again.Sum()")
	must.Equal(t, again.Tensor("out.weight"), m.Tensor("out.weight"),
		`the model that was saved is not the one that is loaded: again.Tensor("out.weight")`)
	must.Equal(t, again.Card.Classes[2].Name, "building",
		"the model that was saved is not the one that is loaded: again.Card.Classes[2].Name")
	damaged := bytes.Clone(file)
	damaged[len(damaged)-2] ^= 1
	for name, text := range map[string][]byte{"damaged": damaged, "shortened": file[:len(file)-8],
		"empty": nil} {
		_, err := Load(text)
		must.Hold(t, err != nil, "a %s file was loaded", name)
	}
	m.Tensor("deviation")[3] = 0
	must.Fail(m.Save())(t, "deviation")
}

func TestCardsThatAreRefused(t *testing.T) {
	for field, change := range map[string]func(c *Card){
		"format":        func(c *Card) { c.Format = "superpoint-model/1" },
		"name":          func(c *Card) { c.Name = "No Name" },
		"classes":       func(c *Card) { c.Classes = c.Classes[:1] },
		"classes[1]":    func(c *Card) { c.Classes[1].Code = 2 },
		"classes[0]":    func(c *Card) { c.Classes[0].Code = 256 },
		"classes[2]":    func(c *Card) { c.Classes[2].Name = "ground" },
		"embedding.dim": func(c *Card) { c.Embedding.Dim = 1000 },
		"width":         func(c *Card) { c.Width = 1 << 20 },
		"networks":      func(c *Card) { c.Networks = 65 },
		"rounds":        func(c *Card) { c.Rounds = -1 },
		"temperature":   func(c *Card) { c.Temperature = math.NaN() },
		"features":      func(c *Card) { c.Features = []string{"log_size"} },
	} {
		c := testCard()
		change(c)
		must.Fail(c.Validate())(t, field+" is")
	}
	least := testCard()
	least.Width, least.Networks = 16, maxNetworks // together as wide as one network may be
	must.OK(t, least.Validate())
	least.Features = FeatureNames(least.Embedding.Dim)
	text := string(must.Get(least.YAML())(t))
	must.Get(parseCard([]byte(text)))(t)
	for _, more := range []string{"unknown: 1\n", "---\n" + text} {
		must.Fail(parseCard([]byte(text + more)))(t)
	}
	least.Width++
	must.Fail(least.Validate())(t, "networks is")
	other := testCard()
	other.Features = append(FeatureNames(other.Embedding.Dim)[1:], "log_size")
	must.Fail(other.Validate())(t, "features is [log_size log_area]; differ")
}

func FuzzLoad(f *testing.F) {
	file := must.Get(randomModel(f).Save())(f)
	f.Add(file)
	f.Add(file[:100])
	f.Fuzz(func(t *testing.T, file []byte) {
		m, err := Load(file)
		if err != nil {
			return
		}
		err = m.Card.Validate()
		must.Hold(t, err == nil, "a loaded classifier is not valid: %v", err)
	})
}

// The mean confidence is compared as it is printed: "0.80, below 0.80" would be said of 0.797.
func TestUncertainText(t *testing.T) {
	for mean, low := range map[float64]bool{0.797: false, 0.8: false, 0.794: true, 0: true,
		math.NaN(): false} {
		text := UncertainText(mean, "1,234 points")
		must.Equal(t, text != "", low, `%v: text != ""`, mean)
		must.Equal(t, strings.Contains(text, "mean confidence of 1,234 points"), low, "%v: %q", mean, text)
		must.Hold(t, !strings.Contains(text, "0.80, below"),
			"%v: got %q, want no %q in it", mean, text, "0.80, below")
	}
}

// TestProposeShowsEveryClass: the first proposals are one of each class, though only those of one class are
// uncertain. Classes that have a label, or less than leastTaken of the points, are not proposed first.
func TestProposeShowsEveryClass(t *testing.T) {
	m := must.Get(New(testCard()))(t)
	f, p, hidden := &Features{}, []float32{}, []float32{}
	for k := range 40 {
		row, size := []float32{0.4, 0.35, 0.25}, float32(100)
		switch {
		case k >= 30 && k < 39:
			row, size = []float32{0.01, 0.98, 0.01}, float32(10+k)
		case k == 39:
			row, size = []float32{0.01, 0.01, 0.98}, 1
		}
		f.Size, p = append(f.Size, size), append(p, row...)
		for range 2 * m.Card.hidden() {
			hidden = append(hidden, float32(k%7))
		}
	}
	chosen := m.Propose(f, p, hidden, nil, 3)
	must.Need(t, len(chosen) == 3, "len(chosen) is %v, want 3", len(chosen))
	must.Equal(t, chosen[0], 38, "chosen[0]")
	must.Hold(t, chosen[1] < 30, "chosen[1] is %v, want less than 30", chosen[1])
	must.Hold(t, chosen[2] < 30, "chosen[2] is %v, want less than 30", chosen[2])
	chosen = m.Propose(f, p, hidden, []int{38}, 2)
	must.Need(t, len(chosen) == 2, "with a label: len(chosen) is %v, want 2", len(chosen))
	must.Hold(t, chosen[0] < 30, "with a label: chosen[0] is %v, want less than 30", chosen[0])
	must.Hold(t, chosen[1] < 30, "with a label: chosen[1] is %v, want less than 30", chosen[1])
	chosen = m.Propose(f, p, hidden, []int{38}, 100)
	must.Equal(t, len(chosen), 39, "all are proposed but the labelled one: len(chosen)")
	must.Hold(t, !slices.Contains(chosen, 38),
		"all are proposed but the labelled one: chosen has 38: %v", chosen)
	w := 2 * m.Card.hidden() // once each class has a label, large and different ones come first
	f.Size = []float32{10, 10, 10, 90, 1}
	for _, want := range []int{3, 2} {
		got := m.Propose(f, slices.Concat(p[:12], p[39*3:]), hidden[:5*w], []int{0, 4}, 1)
		must.Hold(t, slices.Equal(got, []int{want}), "%v is proposed, want %d", got, want)
		clear(hidden[3*w : 4*w]) // as a labelled one
	}
}

// TestClassesWithoutLabel: superpoints of a class that no label names keep their probabilities where labels
// of others resemble them; those of labelled classes are not among them.
func TestClassesWithoutLabel(t *testing.T) {
	m, hidden := twoKinds(t)
	for i := range m.Tensor("out.weight") {
		m.Tensor("out.weight")[i] *= 0.2 // the model is sure of nothing
	}
	labels := []Label{{0, 2}, {1, 5}}
	unlabelled := must.Get(m.Unlabelled(hidden, labels))(t)
	must.Equal(t, len(unlabelled), 1, "classes without a label")
	must.Equal(t, len(unlabelled[6]), 39, "superpoints of the class without a label")
	change := func(kept []Rehearsal) (sum float64) {
		r := must.Get(m.fit(m.Card, hidden, labels, kept, nil))(t)
		fitted := *m
		fitted.tensors = maps.Clone(m.tensors)
		fitted.tensors["out.weight"], fitted.tensors["out.bias"] = r.weights()
		before := must.Get(m.Uncorrected(parallel.Run{}, hidden))(t)
		after := must.Get(fitted.Uncorrected(parallel.Run{}, hidden))(t)
		for k := 3; k < 80; k += 2 {
			sum += math.Abs(float64(before[k*3+2] - after[k*3+2]))
		}
		return sum
	}
	with, without := change(rehearsed(unlabelled)), change(nil)
	must.Hold(t, with < without/4, "probabilities change by %v with rehearsal and %v without", with, without)
}

// TestContradictedClass: a class without a label is not kept where the model was sure of it at two labels,
// all of other classes.
func TestContradictedClass(t *testing.T) {
	m, hidden := twoKinds(t)
	for count, want := range []int{0: 40, 1: 39, 2: 0} {
		labels := []Label{{0, 2}, {1, 5}, {3, 5}}[:1+count]
		unlabelled := must.Get(m.Unlabelled(hidden, labels))(t)
		must.Equal(t, len(unlabelled[6]), want, "superpoints kept with %d labels that contradict them", count)
	}
}

// twoKinds returns a model of three classes, and the inputs of its last layer for 80 superpoints: the even
// rows are surely class 0, the odd ones class 2.
func twoKinds(t *testing.T) (*Model, []float32) {
	t.Helper()
	m := randomModel(t)
	w := 2 * m.Card.hidden()
	clear(m.Tensor("out.bias"))
	for i := range w {
		copy(m.Tensor("out.weight")[i*3:], [][]float32{{1, 0, 0}, {0, 0, 1}}[i%2])
	}
	r := rand.New(rand.NewPCG(3, 4))
	hidden := make([]float32, 80*w)
	for k := range 80 {
		for i := range w {
			hidden[k*w+i] = 0.2 * r.Float32()
			if i%2 == k%2 {
				hidden[k*w+i]++
			}
		}
	}
	return m, hidden
}

// TestFewLabels: labels that agree with the model, that are too few to contradict it, or that contradict each
// other change the class of no other superpoint, and many that contradict it change those that resemble them.
func TestFewLabels(t *testing.T) {
	const zero, one, two, other = 2, 5, 6, 64
	rows := func(code int, rows ...int) (all []Label) {
		for _, row := range rows {
			all = append(all, Label{row, code})
		}
		return all
	}
	for _, c := range []struct {
		name      string
		labels    []Label
		even, odd int // classes of superpoints without a label
	}{
		{"one that agrees", rows(zero, 0), zero, two},
		{"one class only", rows(zero, 0, 2, 4, 6, 8), zero, two},
		{"one class only, that the model does not know", rows(other, 0), zero, two},
		{"one that contradicts the model", rows(one, 1), zero, two},
		{"a class that the model finds nowhere", rows(one, 1, 0), zero, two},
		{"two of equal kind that contradict each other",
			slices.Concat(rows(zero, 0), rows(one, 2)), zero, two},
		{"twenty of one class and one of the other",
			slices.Concat(rows(zero, 0), rows(two, 1, 3, 5, 7, 9, 11, 13, 15, 17, 19, 21, 23, 25, 27, 29, 31,
				33, 35, 37, 39)), zero, two},
		{"six that contradict the model", rows(one, 1, 3, 5, 7, 9, 11), zero, one},
		{"six of a class that the model does not know", rows(other, 1, 3, 5, 7, 9, 11), zero, other},
		{"six that contradict it beside six that agree",
			slices.Concat(rows(one, 1, 3, 5, 7, 9, 11), rows(zero, 0, 2, 4, 6, 8, 10)), zero, one},
	} {
		t.Run(c.name, func(t *testing.T) {
			m, hidden := twoKinds(t)
			x, zeros := []float64{0, 1}, []float64{0, 0}
			cloud := must.Get(neighbor.New(x, zeros, zeros, parallel.Run{}))(t)
			s := &Superpoints{Cloud: cloud, whole: []uint32{None, None}}
			f := &Features{Size: make([]float32, 80), Place: make([][3]float64, 80)}
			fitted := must.Get(m.Fit(s, f, hidden, c.labels, nil))(t)
			p := must.Get(fitted.Uncorrected(parallel.Run{}, hidden))(t)
			isLabel := map[int]bool{}
			for _, l := range c.labels {
				isLabel[l.Row] = true
			}
			for k := range 80 {
				want := []int{c.even, c.odd}[k%2]
				code, _ := fitted.Best(p, k)
				if !isLabel[k] {
					must.Equal(t, int(code), want, "class of superpoint %d", k)
				}
			}
		})
	}
}

// TestTrust: a class is rehearsed in so far as labels confirm what the model was sure of.
func TestTrust(t *testing.T) {
	for _, c := range []struct {
		name         string
		right, wrong int
		want         float64
	}{
		{"no label", 0, 0, 1},
		{"one that confirms", 1, 0, 1},
		{"one that contradicts", 0, 1, 1. / 3},
		{"one of each", 1, 1, 1. / 2},
		{"two that contradict", 0, 2, 0},
		{"five that contradict", 1, 5, 0},
	} {
		m, hidden := twoKinds(t)
		var labels []Label
		for range c.right {
			labels = append(labels, Label{2 * len(labels), 2})
		}
		for range c.wrong {
			labels = append(labels, Label{2 * len(labels), 5})
		}
		b := must.Get(m.guess(hidden, labels))(t)
		got := b.trust(labels)[0]
		must.Hold(t, math.Abs(got-c.want) <= 1e-3, "%s: %v, want %v", c.name, got, c.want)
	}
}

// TestTrustOfUnsure: labels at superpoints of which the model is not sure tell little against a class.
func TestTrustOfUnsure(t *testing.T) {
	m, hidden := twoKinds(t)
	clear(m.Tensor("out.weight")) // every class has a third, the first one is the most probable
	labels := []Label{{0, 2}, {1, 5}, {2, 6}}
	b := must.Get(m.guess(hidden, labels))(t)
	got := b.trust(labels)[0]
	must.Hold(t, math.Abs(got-1) <= 1e-6, "trust with one of three right is %v, want 1", got)
	b = must.Get(m.guess(hidden, labels[1:]))(t)
	want := 2*2/(2+2./3) - 1
	got = b.trust(labels[1:])[0]
	must.Hold(t, math.Abs(got-want) <= 1e-6, "trust with none of two right is %v, want %v", got, want)
}

// TestConfirmed: superpoints that the model is not sure of are not rehearsed, nor those with labels.
func TestConfirmed(t *testing.T) {
	m, hidden := twoKinds(t)
	w := 2 * m.Card.hidden()
	clear(hidden[2*w : 3*w]) // all classes are as probable
	labels := []Label{{0, 2}, {6, 5}}
	b := must.Get(m.guess(hidden, labels))(t)
	all := b.confirmed(labels)
	must.Equal(t, len(all), mostRehearsed, "superpoints of the labelled class")
	var few []int
	for _, r := range all[:3] {
		must.Hold(t, math.Abs(r.Weight-0.5) <= 1e-3,
			"weight %v with one label that confirms and one that does not, want 0.5", r.Weight)
		few = append(few, r.Row)
	}
	must.Equal(t, few, []int{4, 8, 10}, "first rows")
}

// TestExcess: three in four labels have a class that one in two superpoints has.
func TestExcess(t *testing.T) {
	m, hidden := twoKinds(t)
	for i := range m.Tensor("out.weight") {
		m.Tensor("out.weight")[i] *= 100 // all superpoints are sure
	}
	for _, c := range []struct {
		name     string
		of       [3]int // labels of each class of the model
		others   int    // labels of a class that it does not know
		zero, to float64
	}{
		{"more of one", [3]int{3, 0, 1}, 0, math.Log(1.5), math.Log(0.5)},
		{"equally many", [3]int{2, 0, 2}, 0, 0, 0},
		{"one class only", [3]int{3, 0, 0}, 0, math.Log(1), 0},
		{"a new class beside them", [3]int{2, 0, 2}, 4, 0, 0},
		{"a new class only", [3]int{}, 4, 0, 0},
	} {
		var labels []Label
		for class, count := range c.of {
			for range count {
				labels = append(labels, Label{len(labels), m.Card.Classes[class].Code})
			}
		}
		for range c.others {
			labels = append(labels, Label{len(labels), 64})
		}
		b := must.Get(m.guess(hidden, labels))(t)
		got := b.excess(labels)
		must.Hold(t, math.Abs(got[0]-c.zero) <= 1e-5, "%s: class 0 has %v, want %v", c.name, got[0], c.zero)
		must.Hold(t, math.Abs(got[2]-c.to) <= 1e-5, "%s: class 2 has %v, want %v", c.name, got[2], c.to)
		must.Equal(t, got[1], 0, "%s: a class without a label", c.name)
	}
}

// TestStandardisedWeights: the weights of a fit give the logits of its standardised inputs.
func TestStandardisedWeights(t *testing.T) {
	m, hidden := twoKinds(t)
	r := must.Get(m.fit(m.Card, hidden, []Label{{0, 5}, {1, 5}}, nil, nil))(t)
	fitted := *m
	fitted.tensors = maps.Clone(m.tensors)
	fitted.tensors["out.weight"], fitted.tensors["out.bias"] = r.weights()
	p := must.Get(fitted.Uncorrected(parallel.Run{}, hidden))(t)
	for k, x := range r.x {
		row := make([]float32, r.count)
		for c := range row {
			logit := r.logits[k][c]
			for i, v := range x {
				logit += v * r.theta[i*r.count+c]
			}
			row[c] = float32(logit)
		}
		Softmax(row, 1)
		for c, want := range row {
			got := p[k*r.count+c]
			must.Hold(t, math.Abs(float64(got-want)) <= 1e-5, "label %d: class %d has %v, want %v", k, c, got,
				want)
		}
	}
}

// TestRehearsed: of many superpoints some are taken, evenly.
func TestRehearsed(t *testing.T) {
	var all []Rehearsal
	for row := range 10 * mostRehearsed {
		all = append(all, Rehearsal{Row: row})
	}
	some := rehearsed(map[int][]Rehearsal{9: all, 1: all[:2]})
	must.Equal(t, len(some), 2+mostRehearsed, "rehearsed superpoints")
	must.Equal(t, some[3].Row, 10, "second of the many")
}

// TestFitByHand: one label, for the first of two classes that begin equal. With p the penalty, p·a = 1/(1 +
// exp(2a)) at the solution (a, −a).
func TestFitByHand(t *testing.T) {
	f := &regression{
		x:       [][]float64{{1}},
		logits:  [][]float64{{0, 0}},
		target:  [][]float64{{1, 0}},
		weight:  []float64{1},
		count:   2,
		penalty: 2 / (1 + math.E),
	}
	f.solve()
	must.Hold(t, math.Abs(f.theta[0]-0.5) <= 1e-6, "f.theta[0] is %v, want 0.5 within 1e-6", f.theta[0])
	must.Hold(t, math.Abs(f.theta[1]+0.5) <= 1e-6, "f.theta[1] is %v, want -0.5 within 1e-6", f.theta[1])
}

// TestFitStartsFromTheModel: labels that the model is sure of change no weights, and are kept with their
// places. TestFitAtATemperature: the same classifier, with weights instead of a temperature, learns the same
// from labels.
func TestFitAtATemperature(t *testing.T) {
	hot, cold := randomModel(t), randomModel(t)
	hot.Card.Temperature = 0.5
	for _, name := range []string{"out.weight", "out.bias"} {
		for i := range cold.Tensor(name) {
			cold.Tensor(name)[i] *= 2
		}
	}
	s := squares(t, 2, [3]float64{0, 0, 5}, [3]float64{4, 0, 5}, [3]float64{0, 0, 13}, [3]float64{8, 0, 6})
	f, g := described(t, s, 2)
	var p [2][]float32
	for k, m := range []*Model{hot, cold} {
		before, hidden, err := m.Probabilities(parallel.Run{}, f, g)
		must.OK(t, err)
		fitted := must.Get(m.Fit(s, f, hidden, []Label{{0, 2}, {2, 6}}, nil))(t)
		p[k] = must.Get(fitted.Last(parallel.Run{}, f, hidden))(t)
		must.Hold(t, !slices.Equal(before, p[k]), "labels change nothing")
	}
	for i, v := range p[0] {
		must.Hold(t, math.Abs(float64(v-p[1][i])) <= 1e-5,
			"probability %d is %v at a temperature, %v without", i, v, p[1][i])
	}
}

func TestFitStartsFromTheModel(t *testing.T) {
	m := randomModel(t)
	w := 2 * m.Card.hidden()
	for i := range w { // the first input tells class 0, the second class 2
		copy(m.Tensor("out.weight")[i*3:], [][]float32{{40, 0, 0}, {0, 0, 40}, {0, 0, 0}}[min(i, 2)])
	}
	hidden := make([]float32, 4*w)
	for k, input := range []int{0, 1, 0, 1} {
		hidden[k*w+input] = 1
	}
	f := &Features{Size: make([]float32, 4), Place: make([][3]float64, 4)}
	cloud := must.Get(neighbor.New([]float64{5e5, 5e5 + 0.1, 5e5 + 1}, []float64{2, 3, 2}, []float64{7, 7, 7},
		parallel.Run{}))(t)
	s := &Superpoints{Cloud: cloud, whole: []uint32{0, 0, 0}}
	for i, from := range cloud.Order {
		if s.whole[i] = min(from, 1); from == 1 { // the centroid is at the second point
			p := cloud.Position(uint32(i))
			f.Place[1] = [3]float64{p.X, p.Y, p.Z}
		}
	}
	before := must.Get(m.Last(parallel.Run{}, f, hidden))(t)
	fitted := must.Get(m.Fit(s, f, hidden, []Label{{0, 2}, {1, 6}}, nil))(t)
	again := must.Get(Load(must.Get(fitted.Save())(t)))(t)
	must.Equal(t, again.Card.Labels, []Place{{5e5, 2, 7, 2}, {5e5 + 0.1, 3, 7, 6}},
		"places of labels: again.Card.Labels")
	must.Hold(t, m.Card.Labels == nil, "places of labels: m.Card.Labels is %v, want nil", m.Card.Labels)
	must.Equal(t, s.find(again.Card.Labels), map[int]int{0: 2, 1: 6}, "superpoints of the labels")
	for i, v := range must.Get(fitted.Last(parallel.Run{}, f, hidden))(t) {
		must.Need(t, math.Abs(float64(v-before[i])) <= 1e-4, "probability %d was %v and is %v", i,
			before[i], v)
	}
	for i, v := range fitted.Tensor("out.weight") {
		d := math.Abs(float64(v - m.Tensor("out.weight")[i]))
		must.Need(t, d <= 1e-3, "weight %d changed by %v", i, d)
	}
	// a new class begins as probable as the others on average, and the prior variance of a logit does not
	// depend on the number of inputs
	copy(m.Tensor("out.bias"), []float32{3, 1, 5})
	wide := *m
	wide.Card = testCard()
	wide.Card.Width, wide.tensors = 16, map[string][]float32{"out.weight": make([]float32, 2*w*3),
		"out.bias": {3, 1, 5}}
	card := testCard()
	card.Classes = append(card.Classes, Class{64, "wire"})
	narrow := must.Get(m.fit(card, hidden, []Label{{0, 2}}, nil, nil))(t)
	start := narrow.start[w]
	must.Equal(t, start[3], 3, "start[3]")
	must.Equal(t, start[0], 3, "start[0]")
	must.Equal(t, start[2], 5, "start[2]")
	twice := must.Get(wide.fit(card, slices.Concat(hidden, hidden), []Label{{0, 2}}, nil, nil))(t)
	must.Equal(t, twice.penalty, 2*narrow.penalty, "1/variance of twice the inputs")
}

// TestIsolatedPointsAreNoise: an isolated point is high noise above the ground, low noise below it, and
// unclassified near it; a point without a superpoint for another reason has class 0.
func TestIsolatedPointsAreNoise(t *testing.T) {
	want := []uint8{HighNoise, HighNoise, Unclassified, Unclassified, Noise, Noise, 0}
	x, y := []float64{40, 60, 80, 100, 120, 140}, []float64{40, 40, 40, 40, 40, 40}
	z := []float64{60, 3, 1, -1, -3, -60}
	for i := range 100 {
		x, y, z = append(x, float64(i%10)), append(y, float64(i/10)), append(z, 0)
	}
	x, y, z = append(x, 5), append(y, 5), append(z, 5)
	s := surveyed(t, x, y, z)
	s.Count, s.Component = 1, make([]uint32, len(x))
	cloud := s.Cloud
	for i, from := range cloud.Order {
		if from == 6 {
			s.Component[i] = None
		}
	}
	must.OK(t, s.FindOutliers(parallel.Run{}))
	for i, from := range cloud.Order { // a point 5 m over the others is isolated in flat boxes only
		if from == 106 && (s.Noise[i] || !s.low[i]) || from > 6 && from < 106 && s.low[i] {
			t.Errorf("point %d is noise: %v, ignored in heights: %v", from, s.Noise[i], s.low[i])
		}
	}
	m := randomModel(t)
	m.Tensor("out.bias")[2] = 50 // buildings, at any height
	c := must.Get(m.Classify(parallel.Run{}, s, false))(t)
	for i, from := range cloud.Order {
		class, sure := c.Class[i], c.Confidence[i]
		if from < 7 && (class != want[from] || sure != 0) || from >= 7 && (slices.Contains(want, class) ||
			math.Abs(float64(sure)-c.Mean) > 1e-6) {
			t.Errorf("point %d has class %d at %v, the mean is %v", from, class, sure, c.Mean)
		}
	}
}

// bits returns the bits of a number, of every NaN the same.
func bits(v float32) uint32 {
	if v != v {
		return math.Float32bits(float32(math.NaN()))
	}
	return math.Float32bits(v)
}

// TestDenseKernel: the kernel sums as plainDense does, to the bit, for any sizes and with inputs of 0, −0 and
// NaN.
func TestDenseKernel(t *testing.T) {
	r := rand.New(rand.NewPCG(4, 1))
	random := func(n int) []float32 {
		all := make([]float32, n)
		for i := range all {
			all[i] = float32(r.NormFloat64())
		}
		return all
	}
	for inputs := 1; inputs < 40; inputs++ {
		for _, outputs := range []int{1, 5, 8, 33, 64} {
			x, weight, bias := random(inputs), random(inputs*outputs), random(outputs)
			for i := range x {
				x[i] *= []float32{1, 1, 0, float32(math.Copysign(0, -1))}[r.IntN(4)]
			}
			if inputs == 39 {
				x[3], weight[5*outputs] = float32(math.NaN()), float32(math.Inf(1))
			}
			got, want := make([]float32, outputs), make([]float32, outputs)
			dense(got, x, weight, bias)
			plainDense(want, x, weight, bias)
			for o, v := range want {
				must.Need(t, bits(got[o]) == bits(v),
					"%d inputs, output %d of %d: %v, want %v", inputs, o, outputs, got[o], v)
			}
		}
	}
}

// TestCancelledInputsOfTheLastLayer: an error of the first layers is returned, and not hidden by the last
// one.
func TestCancelledInputsOfTheLastLayer(t *testing.T) {
	m := randomModel(t)
	f, g := described(t, squares(t, 2, [3]float64{0, 0, 5}, [3]float64{4, 0, 5}), 2)
	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := m.hidden(parallel.Run{Context: cancelled}, f, g)
	must.Says(t, err, "canceled", "error")
}

// TestHeightsInColumns: heights below the highest and above the lowest point of a vertical column, 0 for
// points that are ignored and lie outside of both, and in columns of ignored points only.
func TestHeightsInColumns(t *testing.T) {
	heights := []struct {
		z           float64
		ignored     bool
		under, over float32
	}{{z: 2, under: 0, over: 5}, {z: 4, under: 2, over: 3}, {z: 7, under: 5, over: 0},
		{z: -3, ignored: true, under: 0, over: 10}, {z: 30, ignored: true, under: 28, over: 0}}
	var x, y, z []float64
	for _, p := range heights {
		x, y, z = append(x, 0.1), append(y, 0.1), append(z, p.z)
	}
	x, y, z = append(x, 100.1), append(y, 0.1), append(z, 50) // ignored in a column of its own
	s := surveyed(t, x, y, z)
	s.low = make([]bool, len(x))
	for i, o := range s.Cloud.Order {
		s.low[i] = int(o) == len(heights) || heights[o].ignored
	}
	under, over := s.columns()
	above, below := make([]float32, len(x)), make([]float32, len(x))
	under(above)
	over(below)
	for i, o := range s.Cloud.Order {
		if int(o) == len(heights) {
			must.Equal(t, above[i], 0, "height in a column of ignored points")
			must.Equal(t, below[i], 0, "height below the top of a column of ignored points")
			continue
		}
		near := func(what string, got, want float32) {
			must.Hold(t, math.Abs(float64(got-want)) < 1e-3, "%s at %v m: %v, want %v", what, heights[o].z,
				got, want)
		}
		near("height above the lowest point", above[i], heights[o].under)
		near("height of the highest point above it", below[i], heights[o].over)
	}
}

// TestConstantValues: values are constant if none differs, higher or lower than the first.
func TestConstantValues(t *testing.T) {
	for name, c := range map[string]struct {
		values []float32
		want   bool
	}{
		"equal":         {[]float32{3, 3, 3}, true},
		"one":           {[]float32{3}, true},
		"none":          {nil, true},
		"a higher one":  {[]float32{3, 3, 4}, false},
		"a lower one":   {[]float32{3, 3, 2}, false},
		"a negative":    {[]float32{0, -1}, false},
		"an early peak": {[]float32{9, 1, 1}, false},
	} {
		must.Equal(t, isConstant(c.values), c.want, "%s: constant", name)
	}
}

// TestNearByBruteForce: the near superpoints of each are those with the nearest centroids in plan, of many
// whose order in space is not that of their numbers.
func TestNearByBruteForce(t *testing.T) {
	const n = 40
	r := rand.New(rand.NewPCG(7, 8))
	f := &Features{Place: make([][3]float64, n), Size: make([]float32, n)}
	for k := range f.Place {
		f.Place[k] = [3]float64{r.Float64() * 100, r.Float64() * 100, r.Float64() * 9}
	}
	g := &Graph{Near: make([]int32, n*Fan)}
	must.OK(t, g.near(parallel.Run{}, f))
	for k, p := range f.Place {
		away := func(j int32) float64 { return math.Hypot(f.Place[j][0]-p[0], f.Place[j][1]-p[1]) }
		var others []int32
		for j := range int32(n) {
			if int(j) != k {
				others = append(others, j)
			}
		}
		slices.SortFunc(others, func(a, b int32) int { return cmp.Compare(away(a), away(b)) })
		must.Equal(t, g.Near[k*Fan:(k+1)*Fan], others[:Fan], "near superpoints of %d", k)
	}
}

// TestBlankGroups: all groups of dimensions that are there without information are named, in their order.
func TestBlankGroups(t *testing.T) {
	for name, c := range map[string]struct {
		attributes map[string][]float32
		want       []string
	}{
		"none": {nil, nil},
		"all": {map[string][]float32{returnNumber: {1, 1, 1}, numberOfReturns: {1, 1, 1},
			intensityName: {5, 5, 5}},
			[]string{Returns, "intensity"}},
		"one": {map[string][]float32{intensityName: {0, 0, 0}}, []string{"intensity"}},
		"filled": {map[string][]float32{returnNumber: {1, 2, 1}, numberOfReturns: {2, 2, 1},
			intensityName: {5, 6, 5}},
			nil},
	} {
		t.Run(name, func(t *testing.T) {
			s := surveyed(t, []float64{0, 1, 2}, make([]float64, 3), make([]float64, 3))
			s.Attributes = c.attributes
			must.Equal(t, s.blank(), c.want, "groups")
		})
	}
}
