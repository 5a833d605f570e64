package main

import (
	"fmt"
	"math"
	"slices"
	"strconv"

	"superpoint/partition/metrics"
)

// arm is one of several trainings that differ in one thing.
type arm struct{ system, name string }

// losses are those of the paper's ablation, the paper's own first.
func losses() []arm {
	return []arm{{"ssp:paper-cross", "cross-partition (the paper)"}, {"ssp:paper-seal", "SEAL"},
		{"ssp:paper-proportional", "Prop-weight"}, {"ssp:paper-none", "no weights"},
		{"ssp:paper-absolute", "‖·‖, −‖·‖ in place of φ, ψ"}}
}

// mixtures are those of the net of positions alone.
func mixtures() []arm {
	return []arm{{"ssp:any-mix", "cross-partition, 0.3 SEAL on towns from the air"},
		{"ssp:any-cross", "cross-partition"}, {"ssp:any-seal", "SEAL"}}
}

func systems(arms []arm) (names []string) {
	for _, a := range arms {
		names = append(names, a.system)
	}
	return names
}

// ablationTables are those of the paper's net.
func ablationTables(cells string) (string, error) { return armTables(cells, losses(), "paper") }

// anyTables are those of the net of positions alone.
func anyTables(cells string) (string, error) {
	return armTables(cells, mixtures(), "any", "any-simulated")
}

// armTables compares trainings: over all clouds, against the first of them, and by
// kinds and clouds.
func armTables(folder string, arms []arm, names ...string) (string, error) {
	all, err := load(folder, names...)
	if err != nil || len(all) == 0 {
		return "Not measured.", err
	}
	all, sizes, of := equal(all, systems(arms))
	var t table
	trainings := distinct(all, func(c *cell) string { return c.system + strconv.Itoa(c.seed) })
	fmt.Fprintf(&t, "%d trainings, %d clouds; of %d clouds and sizes the %d at which every training has the wanted "+
		"number\nof pieces to within a tenth. Means over clouds and sizes; ± is the standard deviation over seeds.\n\n",
		len(trainings), len(distinct(all, (*cell).ofSet)), of, sizes)
	t.overall(all, arms)
	t.WriteByte('\n')
	t.against(all, arms)
	t.WriteByte('\n')
	t.byKind(all, arms)
	t.WriteByte('\n')
	t.bySize(all, arms)
	t.WriteByte('\n')
	t.byCloud(all, arms)
	return t.String(), nil
}

func headings(first ...string) []string {
	for _, m := range figures() {
		first = append(first, m.name)
	}
	return first
}

func values(all []cell, system string) (row []string) {
	for _, m := range figures() {
		row = append(row, m.over(all, system).String())
	}
	return row
}

// overall has a row a training's loss.
func (t *table) overall(all []cell, arms []arm) {
	t.head(headings("weights")...)
	for _, a := range arms {
		t.row(append([]string{a.name}, values(all, a.system)...)...)
	}
}

// bySize has a row a size and loss, with segments and pieces.
func (t *table) bySize(all []cell, arms []arm) {
	t.head(headings("N/", "weights", "segments", "pieces")...)
	for _, size := range distinct(all, (*cell).ofSize) {
		some := with(all, func(c *cell) bool { return c.size == size })
		for _, a := range arms {
			segments, pieces := numbers(some, a.system)
			t.row(append([]string{strconv.Itoa(size), a.name, segments, pieces}, values(some, a.system)...)...)
		}
	}
}

// numbers are the segments and pieces of a system on all clouds together, as means
// over its seeds.
func numbers(all []cell, system string) (segments, pieces string) {
	some := with(all, func(c *cell) bool { return c.system == system })
	var sum metrics.Counts
	for i := range some {
		sum.Add(some[i].Counts)
	}
	seeds := int64(max(len(distinct(some, (*cell).ofSeed)), 1))
	return strconv.FormatInt(sum.Segments/seeds, 10), strconv.FormatInt(sum.Pieces/seeds, 10)
}

// against compares the first loss with each other one: how far ahead its mean is,
// in how many clouds and sizes its mean over seeds is ahead, and whether its worst
// seed is ahead of the other's best.
func (t *table) against(all []cell, arms []arm) {
	t.head("the first against", "lead OOA", "lead F", "OOA ahead", "F ahead", "worst seed − best seed, OOA",
		"worst seed − best seed, F")
	ooa, f := figures()[0], figures()[4]
	for _, a := range arms[1:] {
		won := func(m *measured) string {
			ahead, of := 0, 0
			for _, set := range distinct(all, (*cell).ofSet) {
				for _, size := range distinct(all, (*cell).ofSize) {
					some := with(all, func(c *cell) bool { return c.set == set && c.size == size })
					if len(some) == 0 {
						continue
					}
					of++
					if m.over(some, arms[0].system).mean >= m.over(some, a.system).mean {
						ahead++
					}
				}
			}
			return fmt.Sprintf("%d of %d", ahead, of)
		}
		lead := func(m *measured) string {
			return fmt.Sprintf("%+.1f", m.over(all, arms[0].system).mean-m.over(all, a.system).mean)
		}
		gap := func(m *measured) string {
			worst, best := math.Inf(1), math.Inf(-1)
			for _, seed := range distinct(all, (*cell).ofSeed) {
				some := with(all, func(c *cell) bool { return c.seed == seed })
				worst, best = min(worst, m.over(some, arms[0].system).mean), max(best, m.over(some, a.system).mean)
			}
			return fmt.Sprintf("%+.1f", worst-best)
		}
		t.row(a.name, lead(&ooa), lead(&f), won(&ooa), won(&f), gap(&ooa), gap(&f))
	}
}

// byKind has a row a kind of clouds and loss.
func (t *table) byKind(all []cell, arms []arm) {
	t.head(headings("clouds", "weights")...)
	for _, k := range kinds() {
		some := k.of(all)
		clouds := distinct(some, (*cell).ofSet)
		if len(clouds) == 0 {
			continue
		}
		for _, a := range arms {
			t.row(append([]string{fmt.Sprintf("%s, %d", k.title(clouds), len(clouds)), a.name},
				values(some, a.system)...)...)
		}
	}
}

// byCloud has a row a cloud: OOA and F at N/100 of every loss.
func (t *table) byCloud(all []cell, arms []arm) {
	head := []string{"OOA; F at N/100"}
	for _, a := range arms {
		head = append(head, a.name)
	}
	t.head(head...)
	some := with(all, func(c *cell) bool { return c.size == 100 })
	ooa, f := figures()[0], figures()[4]
	for _, set := range distinct(some, (*cell).ofSet) {
		of := with(some, func(c *cell) bool { return c.set == set })
		row := []string{marked(set)}
		for _, a := range arms {
			row = append(row, ooa.over(of, a.system).String()+"; "+f.over(of, a.system).String())
		}
		t.row(row...)
	}
}

// sorted returns the systems that a table has and that match.
func sorted(all []cell, patterns ...string) (names []string) {
	for _, name := range distinct(all, (*cell).ofSystem) {
		if matches(patterns, name) {
			names = append(names, name)
		}
	}
	return slices.Clip(names)
}
