package main

import (
	"maps"
	"slices"
	"strings"

	"superpoint/embed/classes"
)

// surveysLeftOut is the built-in classifier's figures of surveys that a network had not
// learned: they are in its card.
func (t *tableWriter) surveysLeftOut() error {
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
	t.line("IoU on surveys that a network had not learned: each of the %d networks learns without one. The built-in "+
		"classifier is all together; its card has the figures at other densities.\n", m.Card.Networks)
	t.head(append(append([]string{"survey left out"}, columns...), gap)...)
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
	return nil
}
