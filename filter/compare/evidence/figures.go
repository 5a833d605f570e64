package main

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"superpoint/partition/metrics"
)

// measured is a figure of the tables, in per cent.
type measured struct {
	name string
	of   func(s *metrics.Scores) float64
}

// figures are those of every table: BR as printed never without BR as coded, and F
// of the latter.
func figures() []measured {
	share := func(r metrics.Ratio) float64 {
		if math.IsNaN(float64(r)) {
			return 0
		}
		return 100 * float64(r)
	}
	return []measured{
		{"OOA", func(s *metrics.Scores) float64 { return share(s.OOA) }},
		{"BR coded", func(s *metrics.Scores) float64 { return share(s.BRAsCoded) }},
		{"BR printed", func(s *metrics.Scores) float64 { return share(s.BRAsPrinted) }},
		{"BP", func(s *metrics.Scores) float64 { return share(s.BP) }},
		{"F", func(s *metrics.Scores) float64 { return share(s.F()) }},
	}
}

// spread is a mean over seeds and its standard deviation.
type spread struct {
	mean, deviation float64
	of              int
}

func over(values []float64) (s spread) {
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
	return fmt.Sprintf("%.1f ± %.1f", s.mean, s.deviation)
}

// distinct lists the values of a property of cells, in order.
func distinct[T string | int](all []cell, of func(c *cell) T) (values []T) {
	for i := range all {
		if v := of(&all[i]); !slices.Contains(values, v) {
			values = append(values, v)
		}
	}
	slices.Sort(values)
	return values
}

func (c *cell) ofSet() string    { return c.set }
func (c *cell) ofSystem() string { return c.system }
func (c *cell) ofSeed() int      { return c.seed }
func (c *cell) ofSize() int      { return c.size }

// equal leaves the sizes of clouds at which every one of the systems, with every
// seed, has the wanted number of pieces, and says how many there were.
func equal(all []cell, systems []string) (kept []cell, sizes, of int) {
	trainings := map[string]bool{}
	good := map[string]int{}
	seen := map[string]bool{}
	place := func(c *cell) string { return fmt.Sprint(c.set, "|", c.size) }
	for i := range all {
		c := &all[i]
		if !slices.Contains(systems, c.system) {
			continue
		}
		trainings[fmt.Sprint(c.system, "|", c.seed)] = true
		seen[place(c)] = true
		if c.reached() {
			good[place(c)]++
		}
	}
	for i := range all {
		if c := &all[i]; slices.Contains(systems, c.system) && good[place(c)] == len(trainings) {
			kept = append(kept, *c)
		}
	}
	return kept, len(distinct(kept, place)), len(seen)
}

// over returns a figure of a system: of each seed the mean over clouds, and of those
// the mean and the spread.
func (m *measured) over(all []cell, system string) spread {
	var seeds []float64
	for _, seed := range distinct(all, (*cell).ofSeed) {
		var values []float64
		for i := range all {
			if c := &all[i]; c.system == system && c.seed == seed {
				s := c.Scores()
				values = append(values, m.of(&s))
			}
		}
		if len(values) > 0 {
			seeds = append(seeds, over(values).mean)
		}
	}
	return over(seeds)
}

// with returns the cells that a test is true of.
func with(all []cell, test func(c *cell) bool) (some []cell) {
	for i := range all {
		if test(&all[i]) {
			some = append(some, all[i])
		}
	}
	return some
}

// table is a Markdown table in the making.
type table struct{ strings.Builder }

func (t *table) row(cells ...string) { fmt.Fprintf(t, "| %s |\n", strings.Join(cells, " | ")) }

func (t *table) head(cells ...string) {
	t.row(cells...)
	fmt.Fprintf(t, "|%s\n", strings.Repeat("---|", len(cells)))
}
