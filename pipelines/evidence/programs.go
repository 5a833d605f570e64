package main

import (
	"fmt"
	"slices"

	"superpoint/pipelines/commands/compare"
)

// pair is a setting of a foreign program and the same one of this repository's method.
type pair struct{ program, own string }

// pairs are those that peers/programs.py names.
func pairs() []pair {
	return []pair{{"pcl_normal1", vccs}, {"pcl_normal04", vccs + "+normal_importance=0.4"},
		{"pcl_color02", vccs + "+color_importance=0.2"}, {"pcl_color1", vccs + "+color_importance=1"},
		{"pcl_color3", vccs + "+color_importance=3"}, {"yblin_default", lin}, {"pdal_default", lin}}
}

// programs has the mean differences of OOA and F between foreign programs and this repository's methods with
// the same settings, over the clouds and sizes at which both have the wanted number.
func (t *table) programs(all []cell) {
	t.line("## Their programs minus this repository's methods, on validation\n")
	head := []string{"program", "method"}
	for _, w := range compare.Ways() {
		head = append(head, fmt.Sprintf("equal %s: comparisons", compare.Title(w)))
		for _, m := range compared() {
			head = append(head, m.Name)
		}
	}
	t.head(head...)
	for _, p := range pairs() {
		row, some := []string{"`" + p.program + "`", "`" + p.own + "`"}, 0
		for _, w := range compare.Ways() {
			more, of := p.lead(all, w)
			row, some = append(append(row, fmt.Sprint(of)), more...), some+of
		}
		if some > 0 {
			t.row(row...)
		}
	}
	t.line("")
}

// lead returns the mean differences of the compared figures, and the number of clouds and sizes.
func (p *pair) lead(all []cell, way string) (row []string, of int) {
	sums := make([]float64, len(compared()))
	its := with(all, func(c *cell) bool { return c.System == p.program || c.System == p.own })
	for _, cloud := range distinct(its, cloudOf) {
		for _, size := range distinct(its, sizeOf) {
			here := compare.At(its, cloud, size, way)
			if len(here) < 2 {
				continue
			}
			other := slices.IndexFunc(here, func(c cell) bool { return c.System == p.program })
			for i, m := range compared() {
				sums[i] += m.Of(here[other].Scores()) - m.Of(here[1-other].Scores())
			}
			of++
		}
	}
	for _, sum := range sums {
		row = append(row, fmt.Sprintf("%+.3f", sum/float64(max(of, 1))))
	}
	return row, of
}
