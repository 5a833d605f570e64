// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"fmt"
	"math"
	"slices"

	"superpoint/partition/metrics"
	"superpoint/pipelines/commands/compare"
)

// figures returns the columns of tables of trainings. F is that of BR as coded.
func figures() []compare.Measure {
	share := func(of func(s metrics.Scores) metrics.Ratio) func(s metrics.Scores) float64 {
		return func(s metrics.Scores) float64 {
			if r := float64(of(s)); !math.IsNaN(r) {
				return r
			}
			return 0
		}
	}
	return []compare.Measure{
		{Name: "OOA", Of: share(func(s metrics.Scores) metrics.Ratio { return s.OOA })},
		{Name: "F", Of: share(metrics.Scores.F)},
		{Name: "BR", Of: share(func(s metrics.Scores) metrics.Ratio { return s.BRAsCoded })},
		{Name: "BP", Of: share(func(s metrics.Scores) metrics.Ratio { return s.BP })},
	}
}

// compared returns the figures of comparisons.
func compared() []compare.Measure { return figures()[:2] }

func isOurs(c *cell) bool  { return c.System == ours }
func isRival(c *cell) bool { return !isOurs(c) }

// wonTable is the head of a table of comparisons won, both ways side by side.
func wonTable() *table {
	head := []string{"set"}
	for _, w := range ways() {
		for _, m := range compared() {
			head = append(head, fmt.Sprintf("%s, equal %s", m.Name, equalTitle(w)))
		}
	}
	return newTable(head...)
}

func (t *table) won(title string, all []cell) {
	row := []string{title}
	for _, w := range ways() {
		list := comparisons(all, w)
		for _, m := range compared() {
			row = append(row, tally(list, m.Name))
		}
	}
	t.row(row...)
}

// Fewer is the paper's headline, by kinds of clouds and sets: the median of how many times fewer superpoints reach
// the OOA that the best rival has at N/50, and the range.
func (p *page) Fewer() string {
	head := []string{"clouds"}
	for _, s := range p.sets {
		head = append(head, s.title)
	}
	t := newTable(head...)
	for _, k := range kinds() {
		row := []string{k.name}
		for _, s := range p.sets {
			row = append(row, fewer(k.of(p.cells[s.name])))
		}
		t.row(row...)
	}
	return t.text()
}

func fewer(all []cell) string {
	var list []advantage
	for _, cloud := range distinct(all, cloudOf) {
		var own []cell
		for _, s := range distinct(all, sizeOf) {
			own = append(own, with(at(all, cloud, s, compare.BySize), isOurs)...)
		}
		if a, ok := newAdvantage(own, with(at(all, cloud, 50, compare.BySize), isRival)); ok {
			list = append(list, a)
		}
	}
	if len(list) == 0 {
		return "–"
	}
	slices.SortStableFunc(list, func(a, b advantage) int {
		if a.times < b.times {
			return -1
		}
		return 1
	})
	return fmt.Sprintf("%s (%s to %s)", list[(len(list)-1)/2], list[0], list[len(list)-1])
}

// usual is the size of the tables by kinds; cells/ has the others.
const usual = 100

// methods has a row for a kind of clouds: OOA/F of every method at N/100 and equal connected components, as means over
// the clouds that all of the row have, whose number is behind the first; of a rival's settings the one with the best
// OOA.
func methods(all []cell, list ...string) string {
	t := newTable(append([]string{"clouds"}, list...)...)
	for _, k := range kinds() {
		some := k.of(all)
		row := beside(some, list, usual, compare.ByPieces)
		if slices.ContainsFunc(row, func(c string) bool { return c != "–" }) {
			t.row(append([]string{k.title(distinct(some, cloudOf))}, row...)...)
		}
	}
	return t.text()
}

// beside are the means of methods at a size, the first with the number of clouds; methods
// that reach the wanted number on fewer than half of the clouds are left out.
func beside(all []cell, list []string, size float64, way string) []string {
	row := make([]string, len(list))
	var in []arm
	for i, m := range list {
		row[i] = "–"
		one := arm{system: m + "*"}
		if _, reach := common(all, size, way, []arm{one}); len(reach) > 0 && 2*len(reach) >= len(distinct(all, cloudOf)) {
			in = append(in, one)
		}
	}
	some, clouds := common(all, size, way, in)
	if len(in) < 2 || in[0].system != list[0]+"*" || len(clouds) == 0 {
		return row
	}
	for i, m := range list {
		row[i] = bestOf(some, clouds, arm{system: m + "*"})
	}
	row[0] += fmt.Sprintf(" (%d)", len(clouds))
	return row
}

// common returns the cells at a size on the clouds on which every one of some methods has the wanted number.
func common(all []cell, size float64, way string, methods []arm) (some []cell, clouds []string) {
	for _, cloud := range distinct(all, cloudOf) {
		here := at(all, cloud, size, way)
		if !slices.ContainsFunc(methods, func(a arm) bool {
			return !slices.ContainsFunc(here, func(c cell) bool { return matches([]string{a.system}, systemOf(&c)) })
		}) {
			some, clouds = append(some, here...), append(clouds, cloud)
		}
	}
	return some, clouds
}
