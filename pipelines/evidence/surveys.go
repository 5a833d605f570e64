package main

import (
	"maps"
	"slices"
	"strings"

	"superpoint/embed/classes"
)

// surveysLeftOut is the built-in classifier's figures of surveys that a network had not
// learned: they are in its card.
func (t *table) surveysLeftOut() error {
	m, err := classes.Builtin("aerial")
	if err != nil {
		return err
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
	t.line("IoU on surveys that a network had not learned: each of the %d networks learns without one, and is measured "+
		"on it, on all training tiles as they are and thinned. The built-in classifier is all networks together. The "+
		"calibration error is that of the confidence.\n", m.Card.Networks)
	t.head(append(append([]string{"survey left out"}, columns...), gap)...)
	for _, kind := range slices.Sorted(maps.Keys(rows)) {
		row := []string{kind}
		for _, c := range append(columns, gap) {
			row = append(row, shown(rows[kind], c))
		}
		t.row(row...)
	}
	return nil
}
