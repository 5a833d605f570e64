package metrics

import (
	"math"
	"math/rand/v2"
	"testing"
)

// Hubert and Arabie's index of {0,0,1,1} against {0,0,1,2}: pairs together in
// both 1, in the first 2, in the second 1, of 6: (1 − 1/3)/(3/2 − 1/3) = 4/7.
func TestAdjustedRand(t *testing.T) {
	for _, c := range []struct {
		a, b []int32
		want float64
	}{
		{[]int32{0, 0, 1, 1}, []int32{0, 0, 1, 2}, 4. / 7},
		{[]int32{0, 0, 1, 1}, []int32{5, 5, 3, 3}, 1},
		{[]int32{0, 0, 1, 1}, []int32{0, 1, 0, 1}, -0.5},
		{[]int32{0, 0, 1, 1, -1, 1}, []int32{0, 0, 1, 2, 0, -2}, 4. / 7},
		{[]int32{0, 0, 0}, []int32{1, 1, 1}, 1},
		{[]int32{0}, []int32{0}, math.NaN()},
	} {
		got, err := AdjustedRand(c.a, c.b)
		if err != nil {
			t.Fatal(err)
		}
		near(t, "adjusted Rand index", got, c.want)
		back, _ := AdjustedRand(c.b, c.a)
		near(t, "swapped", back, c.want)
	}
	if _, err := AdjustedRand([]int32{1}, nil); err == nil {
		t.Error("no error for different lengths")
	}
}

func TestEdgeAUC(t *testing.T) {
	object := []int32{0, 0, 1, 1, -1}
	g := path(5)
	for _, c := range []struct {
		contrast []float32
		want     float64
	}{
		{[]float32{0.9, 0.1, 0.8, 0}, 1},
		{[]float32{0.1, 0.9, 0.8, 0}, 0},
		{[]float32{0.5, 0.5, 0.5, 0}, 0.5},
		{[]float32{0.5, 0.5, 0.9, 0}, 0.75},
	} {
		got, err := EdgeAUC(g, object, c.contrast)
		if err != nil {
			t.Fatal(err)
		}
		near(t, "AUC", got, c.want)
	}
	got, _ := EdgeAUC(g, []int32{1, 1, 1, 1, 1}, make([]float32, 4))
	near(t, "AUC without transitions", got, math.NaN())
}

func TestEdgeAUCAgainstPairs(t *testing.T) {
	rng := rand.New(rand.NewPCG(4, 4))
	g, truth, _ := random(80, 3, 4, 9)
	contrast := make([]float32, g.Edges())
	for i := range contrast {
		contrast[i] = float32(rng.IntN(7)-3) / 3
	}
	var in, cross []float32
	for u := range uint32(80) {
		for e := g.Start[u]; e < g.Start[u+1]; e++ {
			a, b := truth.Object[u], truth.Object[g.Head[e]]
			if a >= 0 && b >= 0 && a == b {
				in = append(in, contrast[e])
			} else if a >= 0 && b >= 0 {
				cross = append(cross, contrast[e])
			}
		}
	}
	sum := 0.0
	for _, x := range cross {
		for _, y := range in {
			if x < y {
				sum++
			} else if x == y {
				sum += 0.5
			}
		}
	}
	got, err := EdgeAUC(g, truth.Object, contrast)
	if err != nil {
		t.Fatal(err)
	}
	near(t, "AUC", got, sum/float64(len(in)*len(cross)))
}
