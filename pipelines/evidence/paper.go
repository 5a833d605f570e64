// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"superpoint/pipelines/commands/compare"
)

// arm is one of several trainings that differ in one thing.
type arm struct{ system, name string }

const clusters = "ssp-cluster:paper-cluster3"

// ablation is a table of trainings, the first of which the others are compared with.
type ablation struct {
	cells, title, column string
	arms                 []arm
}

// ablations are the paper's own losses, trainings of other lengths and strengths μ̃ of the weights, other
// normalisations and embeddings off the sphere, and SSP-cluster with two normalisations.
func ablations() []ablation {
	const nine = "+embedding_importance=9"
	return []ablation{
		{"paper", "Losses", "weights", []arm{{"ssp:paper-cross", "cross-partition (the paper)"},
			{"ssp:paper-seal", "SEAL"}, {"ssp:paper-proportional", "Prop-weight"}, {"ssp:paper-none", "no weights"},
			{"ssp:paper-absolute", "‖·‖, −‖·‖ in place of φ, ψ"}}},
		{"paper-length", "Length of training and μ̃", "training", []arm{
			{"ssp:paper-cross", "cross-partition, 480 steps, μ̃ = 5"}, {"ssp:paper-cross-long", "1,920 steps"},
			{"ssp:paper-mu3", "μ̃ = 3"}, {"ssp:paper-mu8", "μ̃ = 8"}, {"ssp:paper-seal", "SEAL, 480 steps"},
			{"ssp:paper-seal-long", "SEAL, 1,920 steps"}}},
		{"paper-network", "Normalisation and sphere", "network", []arm{
			{"ssp:paper-cross", "batch normalisation, on the sphere"}, {"ssp:paper-cross-group", "group normalisation"},
			{"ssp:paper-cross-off", "off the sphere"},
			{"ssp:paper-absolute-off", "‖·‖, −‖·‖ in place of φ, ψ, off the sphere"}}},
		{"paper-clusters", "SSP-cluster", "network", []arm{{clusters + nine, "batch normalisation"},
			{clusters + "-group" + nine, "group normalisation (the paper)"}}},
	}
}

// contenders are the methods of the paper's figure, of each the settings that stand for it.
func contenders() []arm {
	return []arm{{"ssp:paper-cross", "SSP"}, {"ssp:paper-seal", "SSP-SEAL"}, {clusters + "+*", "SSP-cluster"},
		{"geom-graph*", "Geom-graph"}, {"vccs*", "VCCS"}, {"lin*", "Lin"}}
}

// spread is a mean over seeds and its standard deviation, in per cent.
type spread struct {
	mean, deviation float64
	of              int
}

func spreadOf(values []float64) (s spread) {
	s.of = len(values)
	for _, v := range values {
		s.mean += v / float64(len(values))
	}
	for _, v := range values {
		s.deviation += (v - s.mean) * (v - s.mean)
	}
	if len(values) > 1 {
		s.deviation = math.Sqrt(s.deviation / float64(len(values)-1))
	}
	return s
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

// Ablations are the tables of trainings of the paper's systems: means over the clouds and sizes that all of a table
// reach.
func (p *page) Ablations() (string, error) {
	var b strings.Builder
	for _, table := range ablations() {
		measured, err := load(p.folder, table.cells)
		if err != nil {
			return "", err
		}
		var systems []string
		for _, a := range table.arms {
			systems = append(systems, a.system)
		}
		all, places, of := equal(measured, systems)
		fmt.Fprintf(&b, "\n### %s\n\n%d of %d clouds and sizes, %d trainings, %d seeds.\n\n", table.title, places, of,
			len(distinct(all, func(c *cell) string { return c.System })), len(distinct(all, seedOf)))
		head := []string{table.column}
		for _, m := range figures() {
			head = append(head, m.Name)
		}
		t := newTable(append(head, "best − worst of the first, OOA", "F")...)
		for i, a := range table.arms {
			row := []string{a.name}
			for _, m := range figures() {
				row = append(row, over(&m, all, a.system).String())
			}
			if i == 0 {
				row = append(row, "", "")
			} else {
				row = append(row, against(all, systems[0], a.system)...)
			}
			t.row(row...)
		}
		b.WriteString(t.String())
	}
	return strings.TrimSuffix(b.String(), "\n"), nil
}

// against says how far a training's best seed is from the first one's worst.
func against(all []cell, first, other string) (row []string) {
	for _, m := range compared() {
		worst, best := math.Inf(1), math.Inf(-1)
		for _, seed := range distinct(all, seedOf) {
			some := with(all, func(c *cell) bool { return seedOf(c) == seed })
			worst, best = min(worst, over(&m, some, first).mean), max(best, over(&m, some, other).mean)
		}
		row = append(row, fmt.Sprintf("%+.1f", best-worst))
	}
	return row
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
