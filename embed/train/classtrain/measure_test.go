// SPDX-License-Identifier: BSD-3-Clause

package classtrain

import (
	"testing"

	"superpoint/embed/classes"
	"superpoint/testdata/must"
)

// TestFiguresCountPointsTakenForAClass measures networks that take everything for ground: 600 points of it,
// 400 of buildings, and 500 that may be a building or a tree.
func TestFiguresCountPointsTakenForAClass(t *testing.T) {
	s := street(15, 1)
	s.Kind = "street"
	clear(s.Label)
	for k := range 15 {
		s.Label[k*3+[]int{0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 2}[k]] = 100
	}
	m := must.Get(classes.New(testCard()))(t)
	m.Tensor("out.bias")[0] = 3
	// 50 points of the first superpoint of ground and of the first building are too high, 100 of ground are
	// disputed; all others are low
	for level := range s.Levels {
		s.Levels[level] = make([]float32, len(s.Label))
	}
	copy(s.Levels[classes.Low], s.Label)
	for _, at := range []int{0, 6*3 + 1} {
		s.Levels[classes.Low][at], s.Levels[classes.TooHigh][at] = 50, 50
	}
	s.Levels[classes.Low][3], s.Levels[classes.Disputed][3] = 0, 100
	tr := &trainer{model: m, all: []*classes.Model{m, m}, without: []int{0},
		samples: []*classes.Sample{s}, sets: each}
	must.OK(t, tr.measure())
	for name, want := range map[string]float64{
		"IoU of ground":         0.379, // 550 of 600 + 350 + 500
		"IoU of ground by SMRF": 0.310, // 450 of 600 + 350 + 500
		"IoU of building":       0.111, // 50 of 400 + 50
		"building as ground":    0.875,
		"ground as building":    0.083,
		"right below 0.6":       0.25,  // 100 of ground and 50 of buildings, of 600
		"wrong at 0.9":          0.567, // 850 of 1,500
		"wrong of those at 0.9": 0.654, // 850 of 1,300: all but 100 too high and 100 disputed
	} {
		got, known := m.Card.Training.Figures["street: "+name]
		must.Hold(t, got == want, "%s is %v, want %v: got is not want", name, got, want)
		must.Hold(t, known, "%s is %v, want %v: known is false", name, got, want)
	}
	_, known := m.Card.Training.Figures["street: building as tree"]
	must.Hold(t, !known, "buildings that are taken for trees have a figure")
}

// TestLimitsOfConfidence: a confidence at a limit is not below it.
func TestLimitsOfConfidence(t *testing.T) {
	for _, c := range []struct{ sure, unsure, verySure float32 }{
		{0.59, 1, 0}, {sureAbove, 0, 0}, {0.89, 0, 0}, {verySureAbove, 0, 1}, {1, 0, 1},
	} {
		of := newTally(2)
		of.count(classes.Set{1}, 1, []float32{1 - c.sure, c.sure})
		must.Equal(t, of.unsure, float64(c.unsure), "points below %v at %v", sureAbove, c.sure)
		must.Equal(t, of.verySure, float64(c.verySure), "points from %v on at %v", verySureAbove, c.sure)
		must.Equal(t, of.correct, 1, "right points at %v", c.sure)
	}
}
