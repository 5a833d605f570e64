// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"maps"
	"slices"
	"strings"

	"superpoint/embed/classes"
)

// NetworksOfClasses is the number of networks of the built-in classifier.
func (p *page) NetworksOfClasses() (int, error) {
	m, err := classes.Builtin("aerial")
	if err != nil {
		return 0, err
	}
	return m.Card.Networks, nil
}

// LeftOutSurveys are the built-in classifier's figures of surveys that a network had not learned: they are in its card.
func (p *page) LeftOutSurveys() (string, error) {
	m, err := classes.Builtin("aerial")
	if err != nil {
		return "", err
	}
	const gap = "calibration error"
	columns := []string{"ground", "vegetation", "building", "water"}
	rows := map[string]map[string]float64{}
	for key, v := range m.Card.Training.Figures {
		kind, measure, _ := strings.Cut(key, ": ")
		if rows[kind] == nil {
			rows[kind] = map[string]float64{}
		}
		rows[kind][strings.TrimPrefix(measure, iouOf+"of ")] = v
	}
	t := newTable(append(append([]string{"survey left out"}, columns...), gap)...)
	for _, kind := range slices.Sorted(maps.Keys(rows)) {
		if strings.Contains(kind, " at ") { // thinned
			continue
		}
		row := []string{kind}
		for _, c := range append(columns, gap) {
			row = append(row, shown(rows[kind], c))
		}
		t.row(row...)
	}
	return t.text(), nil
}
