package main

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// duel is a figure of ours and the best rival's on one cloud at one size.
type duel struct {
	set, figure, rival string
	size               int
	ours, best         float64
}

func (d *duel) lead() float64 { return d.ours - d.best }

// duels compares ssp with the best of the other systems, cloud by cloud, the worst
// first; unmet are the clouds and sizes at which ssp, or every rival, misses the
// wanted number of pieces.
func duels(all []cell) (met []duel, unmet []string) {
	for _, place := range places(all) {
		some := with(place, (*cell).reached)
		ours, rivals := with(some, (*cell).isOurs), with(some, (*cell).isRival)
		if len(ours) == 0 || len(rivals) == 0 {
			who := "`any`"
			if len(ours) > 0 {
				who = "every rival"
			}
			unmet = append(unmet, fmt.Sprintf("%s at N/%d by %s", place[0].set, place[0].size, who))
			continue
		}
		for _, m := range peerFigures() {
			d := duel{set: ours[0].set, size: ours[0].size, figure: m.name, ours: m.share(&ours[0])}
			d.rival, d.best = m.best(rivals)
			met = append(met, d)
		}
	}
	slices.SortStableFunc(met, func(a, b duel) int { return cmp.Compare(a.lead(), b.lead()) })
	return met, unmet
}

// places parts cells by cloud and size.
func places(all []cell) (parts [][]cell) {
	for _, set := range distinct(all, (*cell).ofSet) {
		for _, size := range distinct(all, (*cell).ofSize) {
			if some := with(all, func(c *cell) bool { return c.set == set && c.size == size }); len(some) > 0 {
				parts = append(parts, some)
			}
		}
	}
	return parts
}

func (c *cell) isOurs() bool  { return c.system == "ssp" }
func (c *cell) isRival() bool { return !c.isOurs() }

// peerFigures are those of the cells.
func peerFigures() []measured {
	return slices.DeleteFunc(figures(), func(m measured) bool { return m.name != "OOA" && m.name != "F" })
}

// share is a figure of a cell, not in per cent.
func (m *measured) share(c *cell) float64 {
	s := c.Scores()
	return m.of(&s) / 100
}

// best is the highest of a figure among cells, and the system that has it.
func (m *measured) best(some []cell) (system string, value float64) {
	value = -1
	for i := range some {
		if v := m.share(&some[i]); v > value {
			system, value = some[i].system, v
		}
	}
	return system, value
}

// sum adds duels up: "won of all, mean lead" of all and of each figure.
func sum(all []duel) (row []string) {
	leads := make([]string, 0, 2)
	for _, name := range []string{"", "OOA", "F"} {
		won, of, lead := 0, 0, 0.0
		for i := range all {
			if d := &all[i]; name == "" || d.figure == name {
				of, lead = of+1, lead+d.lead()
				if d.lead() >= 0 {
					won++
				}
			}
		}
		row = append(row, fmt.Sprintf("%d of %d", won, of))
		if name != "" {
			leads = append(leads, fmt.Sprintf("%+.3f", lead/float64(max(of, 1))))
		}
	}
	return append(row, strings.Join(leads, ", "))
}

// peerCells are the cells of the default model, those of RESULTS.md, and of rivals outside
// the repository on the same clouds, which need not be measured again for another model:
// cells of ssp that were kept with theirs are not read.
func peerCells(folder string) (ours, rivals []cell, err error) {
	if rivals, err = load(folder, "peers"); err != nil {
		return nil, nil, err
	}
	rivals = with(rivals, (*cell).isRival)
	clouds := distinct(rivals, (*cell).ofSet)
	ours, err = load(folder, "val")
	return with(ours, func(c *cell) bool { return c.isOurs() && slices.Contains(clouds, c.set) }), rivals, err
}

func peerTables(folder string) (string, error) {
	ours, rivals, err := peerCells(folder)
	if err != nil || len(rivals) == 0 {
		return "Not measured.", err
	}
	return duelTables(append(ours, rivals...)), nil
}

// duelTables are the cells won by kind of clouds, and every cell.
func duelTables(all []cell) string {
	met, unmet := duels(all)
	var t table
	t.head("clouds", "cells won", "OOA", "F", "mean lead OOA, F")
	t.row(append([]string{fmt.Sprintf("all, %d", len(distinct(all, (*cell).ofSet)))}, sum(met)...)...)
	for _, k := range kinds() {
		clouds := distinct(k.of(all), (*cell).ofSet)
		if len(clouds) > 0 {
			some := slices.DeleteFunc(slices.Clone(met), func(d duel) bool { return !slices.Contains(clouds, d.set) })
			t.row(append([]string{fmt.Sprintf("%s, %d", k.title(clouds), len(clouds))}, sum(some)...)...)
		}
	}
	if len(unmet) > 0 {
		fmt.Fprintf(&t, "\nLeft out, the wanted number of pieces being missed: %s.\n", strings.Join(unmet, ", "))
	}
	t.WriteByte('\n')
	t.head("lead", "cloud", "N/", "measure", "`any`", "best rival")
	for i := range met {
		d := &met[i]
		t.row(fmt.Sprintf("%+.3f", d.lead()), marked(d.set), strconv.Itoa(d.size), d.figure, fmt.Sprintf("%.3f", d.ours),
			fmt.Sprintf("%.3f %s", d.best, d.rival))
	}
	return t.String()
}
