// SPDX-License-Identifier: BSD-3-Clause

package main

import (
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
}

// least is the number of true points below which a class is not in the mean.
const least = 100

// scoreOf counts the points of a file by what their labels mean and their class.
func scoreOf(r *classrules.Rules, meaning []int, guess []float64) *score {
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
		s.count[s.merged[r.Sets[set][0]]][s.merged[g]]++
	}
	return s
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
		name := s.names[k]
		if others := s.with(k); others != "" {
			name += "+" + others
		}
		all[share{set, cloud, method, iouOf + name}] = v
		mean += v / float64(len(iou))
	}
	all[share{set, cloud, method, meanIoU}] = mean
	return all
}

func (s *score) with(k int) string {
	var all []string
	for o, m := range s.merged {
		if m == k && o != k {
			all = append(all, s.names[o])
		}
	}
	return strings.Join(all, "+")
}
