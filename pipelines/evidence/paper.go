// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/stat"

	"superpoint/pipelines/commands/compare"
)

// arm is one of several trainings that differ in one thing.
type arm struct{ system, name string }

// contenders are the methods of the paper's figure, of each the settings that stand for it.
func contenders() []arm {
	return []arm{{"ssp:paper-cross", "SSP"}, {"ssp:paper-seal", "SSP-SEAL"},
		{"ssp-cluster:paper-cluster3+*", "SSP-cluster"}, {"geom-graph*", "Geom-graph"}, {"vccs*", "VCCS"},
		{"lin*", "Lin"}}
}

// spread is a mean over seeds and its standard deviation, in per cent.
type spread struct {
	mean, deviation float64
	of              int
}

func spreadOf(values []float64) spread {
	mean, deviation := stat.MeanStdDev(values, nil)
	return spread{mean, deviation, len(values)}
}

func (s spread) String() string {
	if s.of < 2 {
		return fmt.Sprintf("%.1f", s.mean)
	}
	return fmt.Sprintf("%.1f±%.1f", s.mean, s.deviation)
}

// over returns a figure of a system: of each seed the mean over clouds, and of those the
// mean and the spread.
func over(m *compare.Measure, all []cell, system string) spread {
	var seeds []float64
	for _, seed := range distinct(all, seedOf) {
		var values []float64
		for i := range all {
			if name, of := seeded(all[i].System); name == system && of == seed {
				values = append(values, 100*m.Of(all[i].Scores()))
			}
		}
		if len(values) > 0 {
			seeds = append(seeds, spreadOf(values).mean)
		}
	}
	return spreadOf(seeds)
}

// placeOf returns cloud and size.
func placeOf(c *cell) string { return fmt.Sprint(c.Set, "|", c.Value) }

// equal leaves the clouds and sizes at which every one of the systems, with every seed,
// has the wanted number of components, and says how many of how many there are.
func equal(all []cell, systems []string) (kept []cell, places, of int) {
	all = with(all, func(c *cell) bool { return slices.Contains(systems, systemOf(c)) && c.Option == compare.ByPieces })
	trainings := len(distinct(all, func(c *cell) string { return c.System }))
	good := map[string]int{}
	for i := range all {
		if c := &all[i]; reached(c, compare.ByPieces) {
			good[placeOf(c)]++
		}
	}
	kept = with(all, func(c *cell) bool { return good[placeOf(c)] == trainings })
	return kept, len(distinct(kept, placeOf)), len(distinct(all, placeOf))
}

// Ablation is a table of trainings of the paper's systems, by pairs of a system and its name, the first of which the
// others are compared with: means over the clouds and sizes that all reach.
func (p *page) Ablation(cells, column string, pairs ...string) (string, error) {
	measured, err := load(p.folder, cells)
	var systems []string
	for k := 0; k < len(pairs); k += 2 {
		systems = append(systems, pairs[k])
	}
	all, places, of := equal(measured, systems)
	head := []string{column}
	for _, m := range figures() {
		head = append(head, m.Name)
	}
	t := newTable(append(head, "best − worst of the first, OOA/F")...)
	for k, system := range systems {
		row := []string{pairs[2*k+1]}
		for _, m := range figures() {
			row = append(row, over(&m, all, system).String())
		}
		lead := ""
		if k > 0 {
			lead = against(all, systems[0], system)
		}
		t.row(append(row, lead)...)
	}
	return fmt.Sprintf("%d of %d clouds and sizes, %d trainings, %d seeds.\n\n%s", places, of,
		len(distinct(all, func(c *cell) string { return c.System })), len(distinct(all, seedOf)), t.text()), err
}

// against says how far a training's best seed is from the first one's worst.
func against(all []cell, first, other string) string {
	var leads []string
	for _, m := range compared() {
		worst, best := math.Inf(1), math.Inf(-1)
		for _, seed := range distinct(all, seedOf) {
			some := with(all, func(c *cell) bool { return seedOf(c) == seed })
			worst, best = min(worst, over(&m, some, first).mean), max(best, over(&m, some, other).mean)
		}
		leads = append(leads, fmt.Sprintf("%+.1f", best-worst))
	}
	return strings.Join(leads, "/")
}

// contest are the tables of cells of the contenders.
func contest() []string { return []string{"paper", "paper-clusters", "paper-rivals"} }

// bestOf is OOA and F of the best setting.
func bestOf(some []cell, clouds []string, a arm) string {
	cells := a.best(some, clouds)
	if len(cells) == 0 {
		return "–"
	}
	figure, system := compared(), systemOf(&cells[0])
	return over(&figure[0], cells, system).String() + "/" + over(&figure[1], cells, system).String()
}

// best returns the cells of the setting with the best OOA of those that reach all clouds.
func (a *arm) best(some []cell, clouds []string) (cells []cell) {
	most := -1.0
	its := with(some, func(c *cell) bool {
		return matches([]string{a.system}, systemOf(c)) && slices.Contains(clouds, c.Set)
	})
	for _, system := range distinct(its, systemOf) {
		of := with(its, func(c *cell) bool { return systemOf(c) == system })
		if len(distinct(of, cloudOf)) < len(clouds) {
			continue
		}
		if ooa := over(&compared()[0], of, system); ooa.mean > most {
			most, cells = ooa.mean, of
		}
	}
	return cells
}
