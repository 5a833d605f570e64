// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"superpoint/embed/classes"
)

// smrfIoU is the card's figure of SMRF on a survey.
const smrfIoU = iouOf + "ground by SMRF"

// leftOut returns the built-in classifier's figures of surveys that a network had not learned, from its card.
func leftOut() (networks int, surveys map[string]map[string]float64, err error) {
	m, err := classes.Builtin("aerial")
	if err != nil {
		return 0, nil, err
	}
	surveys = map[string]map[string]float64{}
	for key, v := range m.Card.Training.Figures {
		kind, measure, _ := strings.Cut(key, ": ")
		if strings.Contains(kind, " at ") { // thinned
			continue
		}
		if surveys[kind] == nil {
			surveys[kind] = map[string]float64{}
		}
		surveys[kind][strings.Replace(measure, iouOf+"of ", iouOf, 1)] = v
	}
	return m.Card.Networks, surveys, nil
}

// NetworksOfClasses is the number of networks of the built-in classifier.
func (p *page) NetworksOfClasses() (int, error) {
	networks, _, err := leftOut()
	return networks, err
}

// listed are the classes whose IoU a row of Risks has.
var listed = []string{"ground", "vegetation", "building", "water"}

// Risks are the IoU of classes and what could break: those that are taken for others, of surveys left out and of all
// sets.
func (p *page) Risks() (string, error) {
	_, surveys, err := leftOut()
	if err != nil {
		return "", err
	}
	s, err := p.shares()
	called := []string{"ground", "vegetation", "building", "other", "water"}
	head := []string{"clouds", "IoU of " + strings.Join(listed, "/")}
	for _, c := range called {
		head = append(head, "→ "+c)
	}
	t := newTable(append(head, calibration, "ground − SMRF", unsure+"/"+broken)...)
	for _, name := range slices.Sorted(maps.Keys(surveys)) {
		t.risk(name+", left out", surveys[name], called)
	}
	for _, set := range []string{"home", "val", "second", "third", "val3", "dry", "shore"} {
		if clouds := s.clouds(set, own, calibration); len(clouds) > 0 {
			t.risk(fmt.Sprintf("%s (%d)", title(set), len(clouds)), s.means(set), called)
		}
	}
	return t.text(), err
}

// means are those of the measures of superpoints over the clouds of a set that have the class; the IoU of SMRF is that
// on clouds where both have one.
func (s shares) means(set string) map[string]float64 {
	sum, clouds := map[string]float64{}, map[string]float64{}
	add := func(key string, v float64) { sum[key], clouds[key] = sum[key]+v, clouds[key]+1 }
	for k, v := range s {
		if k.set != set || k.method != own {
			continue
		}
		if truth, _, is := strings.Cut(k.measure, takenFor); is {
			sum[k.measure] += v
			clouds[k.measure] = float64(len(s.clouds(set, own, iouOf+truth)))
			continue
		}
		add(k.measure, v)
		if by, known := s[share{set, k.cloud, smrf, iouOf + "ground"}]; known && k.measure == iouOf+"ground" {
			add(smrfIoU, v-by)
		}
	}
	for key := range sum {
		sum[key] /= clouds[key]
	}
	if gain, known := sum[smrfIoU]; known {
		sum[smrfIoU] = sum[iouOf+"ground"] - gain
	}
	return sum
}

// risk is a row of what could break.
func (t *table) risk(name string, of map[string]float64, called []string) {
	var iou []string
	for _, class := range listed {
		iou = append(iou, shown(of, iouOf+class))
	}
	row := []string{name, strings.Join(iou, "/")}
	for _, class := range called {
		var wrong []string
		for _, key := range slices.Sorted(maps.Keys(of)) {
			truth, guess, is := strings.Cut(key, takenFor)
			first, more, _ := strings.Cut(guess, "+")
			if !is || first != class || of[key] < leastTaken {
				continue
			}
			if more != "" {
				truth += " (or " + more + ")"
			}
			wrong = append(wrong, fmt.Sprintf("%s %.1f", truth, 100*of[key]))
		}
		row = append(row, strings.Join(wrong, ", "))
	}
	gain := "–"
	if by, known := of[smrfIoU]; known {
		gain = fmt.Sprintf("%+.3f", of[iouOf+"ground"]-by)
	}
	t.row(append(row, shown(of, calibration), gain, shown(of, unsure)+"/"+shown(of, broken))...)
}

// title is that of a set of clouds.
func title(set string) string {
	if s := setNamed(set); s != nil {
		return s.title
	}
	return map[string]string{"home": "home", "val3": "other countries", "dry": "dry scenes", "shore": "shores"}[set]
}
