package classtrain

import (
	"math"
	"testing"

	"superpoint/embed/classes"
	"superpoint/partition/parallel"
)

// TestJoin compares logits, but for a constant, with the mean of the networks'.
func TestJoin(t *testing.T) {
	s := street(40, 1)
	settings := quick()
	settings.Steps = 20
	var all []*classes.Model
	var want []float64
	for seed := range uint64(3) {
		settings.Seed = seed + 1
		m, err := Train(Run{}, testCard(), []*classes.Sample{s}, each, settings)
		if err != nil {
			t.Fatal(err)
		}
		m.Card.Temperature = 1
		p, _, err := m.Probabilities(parallel.Run{}, s.Features, s.Graph)
		if err != nil {
			t.Fatal(err)
		}
		want = append(want, make([]float64, len(p)-len(want))...)
		for i := range p {
			want[i] += math.Log(float64(p[i])/float64(p[i/3*3])) / 3
		}
		all = append(all, m)
	}
	joined, err := join(all)
	if err != nil {
		t.Fatal(err)
	}
	p, hidden, err := joined.Probabilities(parallel.Run{}, s.Features, s.Graph)
	if err != nil || len(hidden) != 40*2*36 {
		t.Fatalf("%d hidden, %v", len(hidden), err)
	}
	for i := range p {
		if got := math.Log(float64(p[i]) / float64(p[i/3*3])); math.Abs(got-want[i]) > 1e-4 {
			t.Fatalf("logit %d is %v, want %v", i, got, want[i])
		}
	}
	if _, err := joined.Save(); err != nil {
		t.Error(err)
	}
	settings.Networks = 3
	settings.Seed = 1
	again, err := Train(Run{}, testCard(), []*classes.Sample{s}, each, settings)
	if err != nil || again.Card.Networks != 3 || again.Tensor("in.weight")[40] != joined.Tensor("in.weight")[40] {
		t.Errorf("three networks at once: %v", err)
	}
}
