package classtrain

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"superpoint/embed/classes"
	"superpoint/partition/parallel"
)

// TestDeal: the files of a survey, which follow each other, lie in all parts, and a
// file's samples in one.
func TestDeal(t *testing.T) {
	var samples []*classes.Sample
	for _, name := range []string{"a1", "a1", "a2", "a3", "b1", "b1", "b2"} {
		samples = append(samples, &classes.Sample{Name: name})
	}
	part, err := deal(samples, 2)
	if want := []int{0, 0, 1, 0, 1, 1, 0}; err != nil || !slices.Equal(part, want) {
		t.Errorf("%v, want %v; %v", part, want, err)
	}
	if _, err := deal(samples, 6); err == nil || !strings.Contains(err.Error(), "there are 5") {
		t.Errorf("six parts of five files: %v", err)
	}
}

// TestFirstPassLeavesOut trains two passes. A street is told what the network says that
// did not learn it, and the classes of another street are known.
func TestFirstPassLeavesOut(t *testing.T) {
	card, settings := testCard(), quick()
	card.First = &classes.First{Networks: 2, Width: 8, Radii: []float64{4, 10}, Classes: 3}
	var samples []*classes.Sample
	for k := range 2 {
		s := street(1000, uint64(k+1))
		s.Name = fmt.Sprint("street ", k)
		samples = append(samples, s)
	}
	m, err := Train(Run{}, card, samples, each, settings)
	if err != nil {
		t.Fatal(err)
	}
	other := street(400, 7)
	p, _, err := m.Probabilities(parallel.Run{}, other.Features, other.Graph)
	if err != nil {
		t.Fatal(err)
	}
	if right := accuracy(p, other.Label, 3); right < 0.9 {
		t.Errorf("%.3f of another street are right", right)
	}
	if _, err := m.Save(); err != nil {
		t.Error(err)
	}
	twin := &trainer{Settings: settings, samples: samples, sets: each}
	twin.cumulate()
	first, err := twin.firstPass(Run{}, card)
	if err != nil {
		t.Fatal(err)
	}
	want, err := tell(first[0], samples[0], card.First)
	if err != nil || !slices.Equal(twin.samples[0].Features.Values, want.Features.Values) {
		t.Errorf("the first street is not told what the first network says: %v", err)
	}
	if !slices.Equal(m.FirstNetwork(1).Tensor("in.weight"), first[1].Tensor("in.weight")) {
		t.Error("the model has other networks of a first pass than were trained")
	}
	if _, err := Train(Run{}, card, samples[:1], each, settings); err == nil {
		t.Error("one file trains two networks that each leave some out")
	}
}
