// SPDX-License-Identifier: BSD-3-Clause

package classtrain

import (
	"testing"

	"superpoint/embed/classes"
	"superpoint/testdata/must"
)

// TestFiguresCountPointsTakenForAClass measures networks that take everything for ground: 600 points of it, 400 of
// buildings, and 500 that may be a building or a tree.
func TestFiguresCountPointsTakenForAClass(t *testing.T) {
	s := street(15, 1)
	s.Kind = "street"
	clear(s.Label)
	for k := range 15 {
		s.Label[k*3+[]int{0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 2}[k]] = 100
	}
	m := must.Get(classes.New(testCard()))(t)
	m.Tensor("out.bias")[0] = 1
	tr := &trainer{model: m, all: []*classes.Model{m, m}, without: []int{0}, samples: []*classes.Sample{s}, sets: each}
	must.OK(t, tr.measure())
	figures := m.Card.Training.Figures
	if got := figures["street: IoU of ground"]; got != .4 { // 600 of 600 + 400 + 500
		t.Errorf("IoU of ground is %v, want 0.4", got)
	}
	if got := figures["street: IoU of building"]; got != 0 {
		t.Errorf("IoU of building is %v, want 0", got)
	}
	if got := figures["street: building as ground"]; got != 1 {
		t.Errorf("%v of the buildings are taken for ground, want 1", got)
	}
	if _, known := figures["street: ground as building"]; known {
		t.Error("ground that is taken for buildings has a figure")
	}
}
