// SPDX-License-Identifier: BSD-3-Clause

package classtrain

import (
	"math"
	"slices"

	"superpoint/embed/classes"
	"superpoint/partition/base/parallel"
)

// tally counts points of clouds that a network has not learned.
type tally struct {
	// of each class: points of it; that are found; of others that are taken for it
	truth, right, wrong []float64
	taken               [][]float64 // of each true class: points taken for each class
	points, correct     float64
	unsure              float64       // correct points below sureAbove
	verySure, broken    float64       // points at verySureAbove and above, and the wrong ones of these
	loss                float64       // negative log-likelihood of all points
	gap                 [bins]float64 // of points of a confidence: right ones less the sum of confidences
	// points of ground that SMRF finds, and misses; others that it takes for ground
	smrf [3]float64
}

// sureAbove is the confidence from which on a class is sure.
const sureAbove = 0.6

// verySureAbove is the confidence from which on a wrong class is a broken promise.
const verySureAbove = 0.9

// bins is the number of steps of confidence in the expected calibration error.
const bins = 15

// leastPoints is the number of points of a class below which it has no figure.
const leastPoints = 300

func newTally(classes int) *tally {
	of := &tally{truth: make([]float64, classes), right: make([]float64, classes),
		wrong: make([]float64, classes)}
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

// measure puts into the card, of every kind of cloud that samples name, the IoU of classes and of
// ground by SMRF, the shares of points taken for another class, of correct ones that are not sure and of
// wrong ones that are, and the expected calibration error, by networks that have not learned the survey. A
// point that may be of a class among others counts neither for nor against it.
func (t *trainer) measure() error {
	if len(t.all) == 1 {
		return nil
	}
	card, kinds := t.model.Card, map[string]*tally{}
	for i, s := range t.samples {
		if s.Kind == "" || t.without[i] == nobody {
			continue
		}
		m := t.all[t.without[i]]
		m.Card.Temperature = card.Temperature
		p, _, err := m.Probabilities(parallel.Run{}, s.Features, s.Graph)
		if err != nil {
			return err
		}
		if kinds[s.Kind] == nil {
			kinds[s.Kind] = newTally(len(card.Classes))
		}
		t.count(kinds[s.Kind], s, p)
	}
	card.Training.Figures = map[string]float64{}
	for kind, of := range kinds {
		of.write(card, kind)
	}
	return nil
}

// count adds the points of a sample that its network has not learned, by the probabilities of its
// superpoints. Points of a sample without levels are low.
func (t *trainer) count(of *tally, s *classes.Sample, p []float32) {
	levels := s.Levels[:]
	n := len(t.model.Card.Classes)
	sets := len(t.sets)
	if levels[classes.Low] == nil {
		levels = [][]float32{s.Label}
	}
	ground := t.model.Index(groundCode)
	for k := range s.Features.Len() {
		if len(t.all) == 1 && !heldOut(s, k) {
			continue
		}
		for level, labels := range levels {
			row := t.model.AtLevel(p[k*n:(k+1)*n], classes.Level(level))
			low := classes.Level(level) <= classes.OnDeck
			for i, set := range t.sets {
				points := float64(labels[k*sets+i])
				of.count(set, points, row)
				switch is := len(set) == 1 && set[0] == ground; {
				case is && low:
					of.smrf[0] += points
				case is:
					of.smrf[1] += points
				case !slices.Contains(set, ground) && low:
					of.smrf[2] += points
				}
			}
		}
	}
}

// groundCode is the code of ground in LAS.
const groundCode = 2

// write puts the figures of a kind into the card.
func (of *tally) write(card *classes.Card, kind string) {
	put := func(measure string, v float64) {
		card.Training.Figures[kind+": "+measure] = math.Round(v*1000) / 1000
	}
	for c, class := range card.Classes {
		if of.truth[c] < leastPoints {
			continue
		}
		put("IoU of "+class.Name, of.right[c]/(of.truth[c]+of.wrong[c]))
		if smrf := of.smrf; class.Code == groundCode && smrf[0] > 0 {
			put("IoU of ground by SMRF", smrf[0]/(smrf[0]+smrf[1]+smrf[2]))
		}
		for o, points := range of.taken[c] {
			if share := points / of.truth[c]; o != c && share >= leastTaken {
				put(class.Name+" as "+card.Classes[o].Name, share)
			}
		}
	}
	put("calibration error", of.calibrationError())
	put("right below 0.6", of.unsure/max(1, of.correct))
	put("wrong at 0.9", of.broken/max(1, of.points))
	put("wrong of those at 0.9", of.broken/max(1, of.verySure))
}

// leastProbable bounds the loss of a point, as a label may be wrong.
const leastProbable = 1e-4

// count adds points whose label means a set of classes, which have a row of probabilities.
func (of *tally) count(set classes.Set, points float64, row []float32) {
	if points == 0 {
		return
	}
	sure := slices.Max(row)
	right := float32(0)
	guess := slices.Index(row, sure)
	bin := min(int(sure*bins), bins-1)
	for _, c := range set {
		right += row[c]
	}
	of.points += points
	of.loss -= points * math.Log(max(float64(right), leastProbable))
	of.gap[bin] -= points * float64(sure)
	if len(set) == 1 {
		of.truth[set[0]] += points
		of.taken[set[0]][guess] += points
	}
	verySure := sure >= verySureAbove
	if verySure {
		of.verySure += points
	}
	if !slices.Contains(set, guess) {
		of.wrong[guess] += points
		if verySure {
			of.broken += points
		}
		return
	}
	of.gap[bin] += points
	of.correct += points
	if sure < sureAbove {
		of.unsure += points
	}
	if len(set) == 1 {
		of.right[guess] += points
	}
}
