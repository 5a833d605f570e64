// SPDX-License-Identifier: BSD-3-Clause

package classtrain

import (
	"math"
	"slices"

	"superpoint/embed/classes"
	"superpoint/partition/base/parallel"
)

// Limits of the number of steps that is chosen by the data.
const (
	passes     = 200  // over all superpoints, at most
	fewest     = 300  // steps, over which weights are averaged
	most       = 3000 // steps
	watchEvery = 100  // steps between two looks at what is left out
	patience   = 3    // looks without a smaller loss
	smaller    = 0.01 // share by which a loss must fall
)

// plan returns the number of steps, and what ends them earlier; nil if the settings have a number of steps,
// or if nothing is left out of all tiles.
func (t *trainer) plan() (steps int, w *watch) {
	if t.Steps > 0 {
		return t.Steps, nil
	}
	superpoints := 0
	for _, s := range t.samples {
		superpoints += s.Features.Len()
	}
	steps = min(most, max(fewest, passes*superpoints/t.Batch))
	if len(t.all) > 1 || !slices.ContainsFunc(t.samples, hasHeldOut) {
		return steps, nil
	}
	return steps, &watch{trainer: t, least: math.Inf(1)}
}

// hasHeldOut reports whether a superpoint of a sample is left out of training.
func hasHeldOut(s *classes.Sample) bool {
	for k := range s.Features.Len() {
		if heldOut(s, k) {
			return true
		}
	}
	return false
}

// watch compares the loss of what is left out, by the averaged weights, between some steps (early stopping,
// Prechelt 1998, doi:10.1007/3-540-49430-8_3).
type watch struct {
	*trainer
	best  average // weights of the least loss
	least float64
	since int // looks since then
}

// stalls reports whether the loss of what is left out has not fallen for some time.
func (w *watch) stalls(mean average) (bool, error) {
	loss, err := w.loss(mean)
	if err != nil {
		return false, err
	}
	if loss < (1-smaller)*w.least {
		w.since = 0
	} else {
		w.since++
	}
	if loss < w.least {
		w.least = loss
		w.best = mean.clone()
	}
	return w.since >= patience, nil
}

// loss returns the mean negative log-likelihood of the points that are left out, by averaged weights.
func (w *watch) loss(mean average) (float64, error) {
	now := average{}
	for name := range mean {
		for _, v := range w.model.Tensor(name) {
			now[name] = append(now[name], float64(v))
		}
	}
	mean.take(w.model)
	defer now.take(w.model)
	of := newTally(len(w.model.Card.Classes))
	for _, s := range w.samples {
		p, _, err := w.model.Probabilities(parallel.Run{}, s.Features, s.Graph)
		if err != nil {
			return 0, err
		}
		w.count(of, s, p)
	}
	return of.loss / max(1, of.points), nil
}
