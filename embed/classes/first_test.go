package classes

import (
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"superpoint/partition/parallel"
)

// scattered has superpoints of several sizes about a square, two at one place, and
// probabilities of three classes.
func scattered(n int, seed uint64) (*Features, []float32) {
	r := rand.New(rand.NewPCG(seed, 9))
	f := &Features{Names: []string{"one"}, Values: make([]float32, n), Present: []bool{true},
		Size: make([]float32, n), Place: make([][3]float32, n)}
	p := make([]float32, n*3)
	for k := range n {
		f.Values[k], f.Size[k] = float32(k), float32(1+r.IntN(500))
		f.Place[k] = [3]float32{r.Float32() * 60, r.Float32() * 60, r.Float32() * 100}
		for c := range 3 {
			p[k*3+c] = r.Float32() * 4
		}
		Softmax(p[k*3:k*3+3], 1)
	}
	f.Place[n-1] = f.Place[0]
	return f, p
}

var testFirst = &First{Networks: 2, Width: 4, Radii: []float64{5, 15}, Classes: 3}

func TestSurroundingsByBruteForce(t *testing.T) {
	f, p := scattered(500, 1)
	f.Place[7] = [3]float32{1000, 0, 0}
	s, err := f.Surrounded(parallel.Run{Threads: 1}, p, testFirst)
	if err != nil || len(s.Names) != 7 || s.Names[4] != "class0_within_15" || s.Row(3)[0] != 3 || !s.Present[6] {
		t.Fatalf("%v, %v", s.Names, err)
	}
	for k := range f.Len() {
		for at, radius := range testFirst.Radii {
			var sum [3]float64
			total := 0.0
			for j, q := range f.Place {
				d := math.Hypot(float64(q[0])-float64(f.Place[k][0]), float64(q[1])-float64(f.Place[k][1]))
				if j == k || d > radius {
					continue
				}
				total += float64(f.Size[j])
				for c := range sum {
					sum[c] += float64(f.Size[j]) * float64(p[j*3+c])
				}
			}
			for c, v := range sum {
				if got := float64(s.Row(k)[1+at*3+c]); math.Abs(got-v/max(total, 1)) > 2e-6 {
					t.Fatalf("class %d within %v m of %d is %v, want %v", c, radius, k, got, v/max(total, 1))
				}
			}
		}
	}
	if !slices.Equal(s.Row(7)[1:], make([]float32, 6)) {
		t.Errorf("one alone has surroundings %v", s.Row(7)[1:])
	}
	again, err := f.Surrounded(parallel.Run{Threads: 3}, p, testFirst)
	if err != nil || !slices.Equal(again.Values, s.Values) {
		t.Errorf("other threads give other surroundings: %v", err)
	}
	if _, err := f.Surrounded(parallel.Run{}, p[1:], testFirst); err == nil {
		t.Error("too few probabilities are taken")
	}
}

// TestSurroundingsInAnyOrder deals other numbers to the superpoints: the same values,
// to the last bit.
func TestSurroundingsInAnyOrder(t *testing.T) {
	f, p := scattered(300, 2)
	want, err := f.Surrounded(parallel.Run{}, p, testFirst)
	if err != nil {
		t.Fatal(err)
	}
	g, q := scattered(300, 2)
	order := rand.New(rand.NewPCG(3, 3)).Perm(300)
	for k, from := range order {
		g.Values[k], g.Size[k], g.Place[k] = f.Values[from], f.Size[from], f.Place[from]
		copy(q[k*3:k*3+3], p[from*3:])
	}
	got, err := g.Surrounded(parallel.Run{}, q, testFirst)
	if err != nil {
		t.Fatal(err)
	}
	for k, from := range order {
		if !slices.Equal(got.Row(k), want.Row(from)) {
			t.Fatalf("superpoint %d has %v, as number %d %v", from, want.Row(from), k, got.Row(k))
		}
	}
}

// twoPasses is a model of random weights with a first pass.
func twoPasses(t testing.TB) *Model {
	t.Helper()
	card := testCard()
	first := *testFirst
	card.First = &first
	return randomWeights(t, card)
}

func TestModelFileOfTwoPasses(t *testing.T) {
	m := twoPasses(t)
	s := squares(t, 2, [3]float64{0, 0, 5}, [3]float64{4, 0, 5}, [3]float64{0, 0, 13}, [3]float64{8, 0, 6})
	f, _ := Describe(parallel.Run{}, s, 2)
	g, _ := NewGraph(parallel.Run{}, s, f)
	p, hidden, err := m.Probabilities(parallel.Run{Threads: 1}, f, g)
	if err != nil {
		t.Fatal(err)
	}
	file, err := m.Save()
	if err != nil {
		t.Fatal(err)
	}
	again, err := Load(file)
	if err != nil {
		t.Fatal(err)
	}
	if q, _, err := again.Probabilities(parallel.Run{Threads: 3}, f, g); err != nil || !slices.Equal(p, q) {
		t.Errorf("what is loaded gives %v, not %v: %v", q, p, err)
	}
	// the first pass counts, and labels of a class that it does not know leave it as it is
	fitted, err := again.Fit(hidden, []Label{{0, 9}, {1, 2}}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if file, err = fitted.Save(); err != nil {
		t.Fatal(err)
	}
	if again, err = Load(file); err != nil || again.Card.First.Classes != 3 || len(again.Card.Classes) != 4 {
		t.Fatalf("with a class more: %v", err)
	}
	if _, h, err := again.Probabilities(parallel.Run{}, f, g); err != nil || !slices.Equal(h, hidden) {
		t.Errorf("labels change what the last layer reads: %v", err)
	}
	again.FirstNetwork(1).Tensor("out.bias")[0]++
	if _, h, _ := again.Probabilities(parallel.Run{}, f, g); slices.Equal(h, hidden) {
		t.Error("the first pass does not count")
	}
	again.FirstNetwork(1).Tensor("deviation")[0] = 0
	if _, err := again.Save(); err == nil || !strings.Contains(err.Error(), "first.1.deviation") {
		t.Errorf("a deviation of 0 is saved: %v", err)
	}
}

// TestWithoutAFirstPass: a model without one reads the features as they are, and its
// file has the tensors that it always had.
func TestWithoutAFirstPass(t *testing.T) {
	m := randomModel(t)
	f := &Features{Names: FeatureNames(2)}
	if got, err := m.surrounded(parallel.Run{}, f, nil); err != nil || got != f {
		t.Errorf("the features are others: %v", err)
	}
	all, own := m.Card.stored(), m.Card.Tensors()
	if len(all) != len(own) || len(own) != 10 || m.Inputs() != 2*len(f.Names) {
		t.Errorf("%d tensors, %d of them its own", len(all), len(own))
	}
}

func TestFirstPassesThatAreRefused(t *testing.T) {
	for want, change := range map[string]func(f *First){
		"2 to 64 networks":  func(f *First) { f.Networks = 1 },
		"at most 1024 wide": func(f *First) { f.Width = 1 << 20 },
		"2 to 3 classes":    func(f *First) { f.Classes = 4 },
		"1 to 8 radii":      func(f *First) { f.Radii = nil },
		"radii above 0":     func(f *First) { f.Radii = []float64{math.NaN()} },
	} {
		c, first := testCard(), *testFirst
		change(&first)
		c.First = &first
		if err := c.Validate(); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", want, err)
		}
	}
}
