// SPDX-License-Identifier: BSD-3-Clause

package classtrain

import (
	"fmt"
	"math"
	"slices"

	"superpoint/embed/classes"
)

// tally counts points of clouds that a network has not learned.
type tally struct {
	truth, right, wrong []float64   // of each class: points of it; that are found; of others that are taken for it
	taken               [][]float64 // of each true class: points taken for each class
	points              float64
	gap                 [bins]float64 // of points of a confidence: right ones less the sum of confidences
}

// bins is the number of steps of confidence in the expected calibration error.
const bins = 15

// leastPoints is the number of points of a class below which it has no figure.
const leastPoints = 300

func newTally(classes int) *tally {
	of := &tally{truth: make([]float64, classes), right: make([]float64, classes), wrong: make([]float64, classes)}
	for range classes {
		of.taken = append(of.taken, make([]float64, classes))
	}
	return of
}

// calibrationError is the expected one (Guo et al. 2017, arXiv:1706.04599).
func (of *tally) calibrationError() (sum float64) {
	for _, g := range of.gap {
		sum += math.Abs(g)
	}
	return sum / max(1e-9, of.points)
}

// leastTaken is the share of a class's points taken for another class from which on it has a figure.
const leastTaken = 0.02

// measure puts into the card, of every kind of cloud that samples name, the IoU of classes,
// the shares of points taken for another class, and the expected calibration error, by
// networks that have not learned the survey. A point that may be of a class among others
// counts neither for nor against it.
func (t *trainer) measure() error {
	if len(t.all) == 1 {
		return nil
	}
	card, kinds := t.model.Card, map[string]*tally{}
	n, sets := len(card.Classes), len(t.sets)
	for i, s := range t.samples {
		if s.Kind == "" {
			continue
		}
		p, err := t.predict(i, card.Temperature)
		if err != nil {
			return err
		}
		if kinds[s.Kind] == nil {
			kinds[s.Kind] = newTally(n)
		}
		for k := range s.Features.Len() {
			t.count(kinds[s.Kind], unseen{p[k*n : (k+1)*n], s.Label[k*sets : (k+1)*sets], 1}, 1)
		}
	}
	rounded := func(v float64) float64 { return math.Round(v*1000) / 1000 }
	card.Training.Figures = map[string]float64{}
	for kind, of := range kinds {
		for c, class := range card.Classes {
			if of.truth[c] >= leastPoints {
				key := fmt.Sprintf("%s: IoU of %s", kind, class.Name)
				card.Training.Figures[key] = rounded(of.right[c] / (of.truth[c] + of.wrong[c]))
				for o, points := range of.taken[c] {
					if share := points / of.truth[c]; o != c && share >= leastTaken {
						card.Training.Figures[fmt.Sprintf("%s: %s as %s", kind, class.Name, card.Classes[o].Name)] = rounded(share)
					}
				}
			}
		}
		card.Training.Figures[kind+": calibration error"] = rounded(of.calibrationError())
	}
	return nil
}

// count adds a superpoint, at a temperature.
func (t *trainer) count(of *tally, r unseen, temperature float64) {
	y := make([]float32, len(r.p))
	for c, v := range r.p {
		y[c] = float32(math.Log(float64(v) + 1e-12))
	}
	classes.Softmax(y, float32(temperature))
	sure := slices.Max(y)
	guess := slices.Index(y, sure)
	bin := min(int(sure*bins), bins-1)
	for s, set := range t.sets {
		points := float64(r.label[s]) * r.weight
		if points == 0 {
			continue
		}
		of.points += points
		of.gap[bin] -= points * float64(sure)
		if len(set) == 1 {
			of.truth[set[0]] += points
			of.taken[set[0]][guess] += points
		}
		if !slices.Contains(set, guess) {
			of.wrong[guess] += points
			continue
		}
		of.gap[bin] += points
		if len(set) == 1 {
			of.right[guess] += points
		}
	}
}
