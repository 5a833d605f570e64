// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"math"
	"slices"
	"strings"

	"superpoint/embed/classes"
	"superpoint/pipelines/commands/classrules"
	"superpoint/pipelines/commands/compare"
)

// score counts points by class. Classes that some label of the
// file does not distinguish count as one.
type score struct {
	names  []string
	merged []int                                             // class → the one it counts as
	count  map[[2]int]int64                                  // by true and guessed class
	sure   [bins]struct{ points, right, confidence float64 } // by confidence
	unsure int                                               // right points below sureAbove
	broken int                                               // wrong points at verySure or above
}

// bins is the number of steps of confidence in the expected calibration error, sureAbove and verySure the confidences
// from which on a class is said to be sure, and hardly to need a look, and leastTaken the share of a class's points
// taken for another class from which on it is kept.
const (
	bins       = 15
	sureAbove  = 0.6
	verySure   = 0.9
	leastTaken = 0.005
)

// scoreOf counts the points of a file by what their labels mean, their class and its confidence; nil is always sure.
func scoreOf(r *classrules.Rules, meaning []int, guess, confidence []float64) *score {
	s := &score{merged: make([]int, len(r.Classes)), count: map[[2]int]int64{}}
	for k, class := range r.Classes {
		s.names, s.merged[k] = append(s.names, class.Name), k
	}
	for set := range slices.Values(slices.Compact(slices.Sorted(slices.Values(meaning)))) {
		if set >= 0 {
			for _, k := range r.Sets[set] {
				s.merge(s.merged[k], s.merged[r.Sets[set][0]])
			}
		}
	}
	for i, set := range meaning {
		if set < 0 {
			continue
		}
		g := slices.IndexFunc(r.Classes, func(class classes.Class) bool { return float64(class.Code) == guess[i] })
		if g < 0 {
			g = slices.Index(s.names, "other")
		}
		sure := 1.0
		if confidence != nil {
			sure = confidence[i]
		}
		s.add(s.merged[r.Sets[set][0]], s.merged[g], sure)
	}
	return s
}

// add counts a point.
func (s *score) add(truth, guess int, confidence float64) {
	s.count[[2]int{truth, guess}]++
	bin := &s.sure[min(int(confidence*bins), bins-1)]
	bin.points, bin.confidence = bin.points+1, bin.confidence+confidence
	if truth != guess {
		if confidence >= verySure {
			s.broken++
		}
		return
	}
	bin.right++
	if confidence < sureAbove {
		s.unsure++
	}
}

func (s *score) merge(from, to int) {
	for k, m := range s.merged {
		if m == from {
			s.merged[k] = to
		}
	}
}

// figures are the overall accuracy, the IoU of each class that has enough points, and its mean.
func (s *score) figures() map[string]float64 {
	of := map[string]float64{}
	for _, r := range compare.ScoreClasses(s.count) {
		switch {
		case r.Class == nil:
			of[accuracy] = float64(r.Recall)
			if mean := float64(r.IoU); !math.IsNaN(mean) {
				of[meanIoU] = mean
			}
		case r.Points >= compare.FewestPoints:
			of[iouOf+s.name(*r.Class)] = float64(r.IoU)
		}
	}
	return of
}

// risks are the shares of each class's points taken for another one, the expected calibration error (Guo et al. 2017,
// arXiv:1706.04599), the share of right points that are not sure, and that of all points
// that are wrong and very sure.
func (s *score) risks() map[string]float64 {
	of, points, right, gap := map[string]float64{}, 0.0, 0.0, 0.0
	for _, r := range compare.ScoreClasses(s.count) {
		for g := range s.names {
			if r.Class == nil || g == *r.Class || r.Points < compare.FewestPoints {
				continue
			}
			if part := float64(s.count[[2]int{*r.Class, g}]) / float64(r.Points); part >= leastTaken {
				of[s.name(*r.Class)+takenFor+s.name(g)] = part
			}
		}
	}
	for _, b := range s.sure {
		points, right, gap = points+b.points, right+b.right, gap+math.Abs(b.right-b.confidence)
	}
	of[calibration] = gap / max(1, points)
	of[unsure] = float64(s.unsure) / max(1, right)
	of[broken] = float64(s.broken) / max(1, points)
	return of
}

// name is that of a class with those that count as one with it.
func (s *score) name(k int) string {
	all := []string{s.names[k]}
	for o, m := range s.merged {
		if m == k && o != k {
			all = append(all, s.names[o])
		}
	}
	return strings.Join(all, "+")
}
