// SPDX-License-Identifier: BSD-3-Clause

package classtrain

import (
	"testing"

	"superpoint/embed/classes"
	"superpoint/testdata/must"
)

// TestStepsByTheData: a number in the settings is kept, else it follows the number of superpoints, within
// limits.
func TestStepsByTheData(t *testing.T) {
	for name, c := range map[string]struct {
		given, superpoints, networks int
		steps                        int
		watched                      bool
	}{
		"given":             {700, 5000, 1, 700, false},
		"few":               {0, 60, 1, fewest, true},
		"by the data":       {0, 2560, 1, 1000, true},
		"many":              {0, 20_000, 1, most, true},
		"several networks":  {0, 2560, 3, 1000, false},
		"nothing left out ": {0, 1, 1, fewest, false},
	} {
		s := street(c.superpoints, 1)
		if c.superpoints == 1 {
			must.Need(t, !heldOut(s, 0), "the only superpoint is left out")
		}
		tr := &trainer{Settings: classes.Settings{Steps: c.given, Batch: 512}, samples: []*classes.Sample{s},
			all: make([]*classes.Model, c.networks)}
		steps, w := tr.plan()
		must.Equal(t, steps, c.steps, "%s: steps", name)
		must.Equal(t, w != nil, c.watched, "%s: watched", name)
	}
}

// TestStopWhenNothingIsLearned: without a number of steps training ends when the loss of what is left out
// falls no longer, with the weights of the smallest loss, and the same ones again.
func TestStopWhenNothingIsLearned(t *testing.T) {
	settings := quick()
	settings.Steps = 0
	// Small and fast steps: hundreds come before the loss falls no longer.
	settings.Batch, settings.Part = 16, 16
	settings.Rate = 2e-2
	var models []*classes.Model
	for range 2 {
		last, planned := 0, 0
		report := func(step, steps int, _ float64) { last, planned = step+1, steps }
		samples := []*classes.Sample{street(300, 1)}
		m := must.Get(Train(Run{Report: report}, testCard(), samples, each, settings))(t)
		must.Hold(t, last < planned, "training took %d steps, want less than %d", last, planned)
		must.Equal(t, m.Card.Training.Steps, last, "steps of the card")
		must.Equal(t, last%watchEvery, 0, "steps after the last look")
		models = append(models, m)
	}
	must.Equal(t, models[0].Tensor("out.weight"), models[1].Tensor("out.weight"), "weights of two trainings")
}

// TestWatchKeepsTheBest: the weights of the smallest loss are kept, and the model is as before a look.
func TestWatchKeepsTheBest(t *testing.T) {
	s := street(900, 1)
	m := must.Get(classes.New(testCard()))(t)
	tr := &trainer{Settings: classes.Settings{Batch: 512}, model: m, all: []*classes.Model{m},
		samples: []*classes.Sample{s}, sets: each}
	_, w := tr.plan()
	good := newAverage(m)
	good["out.bias"][0] = 1
	bad := newAverage(m)
	bad["out.bias"][2] = 9
	before := m.Tensor("out.bias")[0]
	for look := range patience + 1 {
		mean := bad
		if look == 0 {
			mean = good
		}
		stop := must.Get(w.stalls(mean))(t)
		must.Equal(t, stop, look == patience, "stop at look %d", look)
	}
	must.Equal(t, w.best["out.bias"], good["out.bias"], "the best weights")
	must.Equal(t, m.Tensor("out.bias")[0], before, "the model's own weights")
}
