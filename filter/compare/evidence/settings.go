package main

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// settingTable says how good each setting of a rival is: its means, over the clouds and
// sizes at which all settings of that rival have the wanted number of pieces, and the
// cells in which it is the best of that rival's, and of all rivals', and in which ours
// wins against it alone.
func settingTable(folder string) (string, error) {
	ours, rivals, err := peerCells(folder)
	if err != nil || len(rivals) == 0 {
		return "Not measured.", err
	}
	own, first := bestSettings(rivals)
	var t table
	t.head("setting", "OOA", "F", "means over", "best of its rival's", "best of all", "`any` against it alone")
	for _, rival := range distinct(rivals, (*cell).ofRival) {
		its := with(rivals, func(c *cell) bool { return c.ofRival() == rival })
		settings := distinct(its, (*cell).ofSystem)
		some, sizes, of := equal(its, settings)
		for _, setting := range settings {
			row := []string{"`" + setting + "`"}
			for _, m := range peerFigures() {
				row = append(row, fmt.Sprintf("%.3f", m.over(some, setting).mean/100))
			}
			met, _ := duels(append(slices.Clone(ours), with(its, func(c *cell) bool { return c.system == setting })...))
			t.row(append(row, fmt.Sprintf("%d of %d", sizes, of), strconv.Itoa(own[setting]), strconv.Itoa(first[setting]),
				sum(met)[0])...)
		}
	}
	return t.String(), nil
}

// bestSettings counts the cells in which a setting is the best of its rival's, and of all.
func bestSettings(rivals []cell) (own, first map[string]int) {
	own, first = map[string]int{}, map[string]int{}
	for _, place := range places(with(rivals, (*cell).reached)) {
		for _, m := range peerFigures() {
			setting, _ := m.best(place)
			first[setting]++
			for _, rival := range distinct(place, (*cell).ofRival) {
				setting, _ := m.best(with(place, func(c *cell) bool { return c.ofRival() == rival }))
				own[setting]++
			}
		}
	}
	return own, first
}

// ofRival is the rival of a setting: cp of cp_plain.
func (c *cell) ofRival() string {
	rival, _, _ := strings.Cut(c.system, "_")
	return rival
}
