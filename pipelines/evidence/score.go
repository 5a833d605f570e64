// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"math"
	"slices"
	"strings"

	"superpoint/embed/classes"
	"superpoint/pipelines/commands/classrules"
)

// score counts points by true and guessed class. Classes that some label of the
// file does not distinguish count as one.
type score struct {
	names  []string
	merged []int // class → the one it counts as
	count  [][]int
	sure   [bins]struct{ points, right, confidence float64 } // by confidence
	unsure int                                               // right points below sureAbove
	broken int                                               // wrong points at verySure or above
}

// least is the number of true points below which a class is not in the mean, bins the number of steps of confidence in
// the expected calibration error, sureAbove and verySure the confidences from which on a class is said to be sure, and
// hardly to need a look, and leastTaken the share of a class's points taken for another class from which on it is kept.
const (
	least      = 100
	bins       = 15
	sureAbove  = 0.6
	verySure   = 0.9
	leastTaken = 0.005
)

// scoreOf counts the points of a file by what their labels mean, their class and its confidence; nil is always sure.
func scoreOf(r *classrules.Rules, meaning []int, guess, confidence []float64) *score {
	s := &score{merged: make([]int, len(r.Classes)), count: make([][]int, len(r.Classes))}
	for k, class := range r.Classes {
		s.names, s.merged[k], s.count[k] = append(s.names, class.Name), k, make([]int, len(r.Classes))
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
	s.count[truth][guess]++
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

// measures returns overall accuracy, and the IoU of each class that has enough
// points.
func (s *score) measures() (accuracy float64, iou map[int]float64) {
	right, all := 0, 0
	iou = map[int]float64{}
	for k := range s.count {
		truth, guessed := 0, 0
		for o := range s.count {
			truth += s.count[k][o]
			guessed += s.count[o][k]
		}
		right, all = right+s.count[k][k], all+truth
		if truth >= least {
			iou[k] = float64(s.count[k][k]) / float64(truth+guessed-s.count[k][k])
		}
	}
	return float64(right) / float64(all), iou
}

// shares are the measures of a cloud and a method.
func (s *score) shares(set, cloud, method string) shares {
	overall, iou := s.measures()
	all, mean := shares{share{set, cloud, method, accuracy}: overall}, 0.0
	for k, v := range iou {
		all[share{set, cloud, method, iouOf + s.name(k)}] = v
		mean += v / float64(len(iou))
	}
	all[share{set, cloud, method, meanIoU}] = mean
	return all
}

// risks are the shares of each class's points taken for another one, the expected calibration error (Guo et al. 2017,
// arXiv:1706.04599), the share of right points that are not sure, and that of all points
// that are wrong and very sure.
func (s *score) risks(set, cloud string) shares {
	all, points, right, gap := shares{}, 0.0, 0.0, 0.0
	for k := range s.count {
		truth := 0
		for _, n := range s.count[k] {
			truth += n
		}
		for g, n := range s.count[k] {
			if part := float64(n) / float64(max(1, truth)); g != k && truth >= least && part >= leastTaken {
				all[share{set, cloud, own, s.name(k) + takenFor + s.name(g)}] = part
			}
		}
	}
	for _, b := range s.sure {
		points, right, gap = points+b.points, right+b.right, gap+math.Abs(b.right-b.confidence)
	}
	all[share{set, cloud, own, calibration}] = gap / max(1, points)
	all[share{set, cloud, own, unsure}] = float64(s.unsure) / max(1, right)
	all[share{set, cloud, own, broken}] = float64(s.broken) / max(1, points)
	return all
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
