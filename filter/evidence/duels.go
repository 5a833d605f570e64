package main

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"superpoint/partition/metrics"
)

// measured is a figure of the tables, as a share.
type measured struct {
	name string
	of   func(s *metrics.Scores) float64
}

// figures returns the columns of every table: BR as printed always with BR as coded, and F of the
// latter.
func figures() []measured {
	share := func(r metrics.Ratio) float64 {
		if math.IsNaN(float64(r)) {
			return 0
		}
		return float64(r)
	}
	return []measured{
		{"OOA", func(s *metrics.Scores) float64 { return share(s.OOA) }},
		{"F", func(s *metrics.Scores) float64 { return share(s.F()) }},
		{"BR coded", func(s *metrics.Scores) float64 { return share(s.BRAsCoded) }},
		{"BR printed", func(s *metrics.Scores) float64 { return share(s.BRAsPrinted) }},
		{"BP", func(s *metrics.Scores) float64 { return share(s.BP) }},
	}
}

// compared returns the figures of comparisons.
func compared() []measured { return figures()[:2] }

func (m *measured) value(c *cell) float64 {
	s := c.Scores()
	return m.of(&s)
}

// at returns the cells of a cloud and size that are comparable in a way: of every system
// that reaches the wanted number the cell that was asked for it, else the one that
// reached it though asked for the other.
func at(all []cell, cloud string, size int, w way) (some []cell) {
	here := with(all, func(c *cell) bool { return c.cloud == cloud && c.size == size && c.reached(w) })
	slices.SortStableFunc(here, func(a, b cell) int {
		order := cmp.Or(cmp.Compare(a.system, b.system), cmp.Compare(a.seed, b.seed))
		if order == 0 && a.asked != b.asked {
			order = 1
			if a.asked == w {
				order = -1
			}
		}
		return order
	})
	return slices.CompactFunc(here, func(a, b cell) bool { return a.system == b.system && a.seed == b.seed })
}

func (c *cell) isOurs() bool  { return c.system == ours }
func (c *cell) isRival() bool { return !c.isOurs() }

// duel is a comparison: a figure of ssp and of the best rival on a cloud at a size.
type duel struct {
	cloud, figure, rival string
	size                 int
	ours, best           float64
}

func (d *duel) lead() float64 { return d.ours - d.best }

// duels compares ssp with the best of the other systems, cloud by cloud, the worst
// first; unmet are the clouds and sizes at which ssp, or every rival, misses the number.
func duels(all []cell, w way) (met []duel, unmet []string) {
	for _, cloud := range distinct(all, (*cell).ofCloud) {
		for _, size := range distinct(all, (*cell).ofSize) {
			some := at(all, cloud, size, w)
			own, others := with(some, (*cell).isOurs), with(some, (*cell).isRival)
			if len(own) == 0 || len(others) == 0 {
				unmet = append(unmet, fmt.Sprintf("%s N/%d", cloud, size))
				continue
			}
			for _, m := range compared() {
				d := duel{cloud: cloud, size: size, figure: m.name, ours: m.value(&own[0])}
				d.rival, d.best = m.best(others)
				met = append(met, d)
			}
		}
	}
	slices.SortStableFunc(met, func(a, b duel) int { return cmp.Compare(a.lead(), b.lead()) })
	return met, unmet
}

// best returns the highest value of a figure among cells, and its system.
func (m *measured) best(some []cell) (system string, value float64) {
	value = -1
	for i := range some {
		if v := m.value(&some[i]); v > value {
			system, value = some[i].system, v
		}
	}
	return system, value
}

// tally is the summary of comparisons of a figure: won, total, mean and worst lead.
func tally(all []duel, figure string) (won, of int, mean, worst float64) {
	for i := range all {
		if d := &all[i]; d.figure == figure {
			of, mean, worst = of+1, mean+d.lead(), min(worst, d.lead())
			if d.lead() >= 0 {
				won++
			}
		}
	}
	return won, of, mean / float64(max(of, 1)), worst
}

// standing is a tally as table cells: won, mean lead, worst lead.
func standing(all []duel, figure string) []string {
	won, of, mean, worst := tally(all, figure)
	if of == 0 {
		return []string{"–", "–", "–"}
	}
	return []string{fmt.Sprintf("%d of %d", won, of), fmt.Sprintf("%+.3f", mean), fmt.Sprintf("%+.3f", worst)}
}

// fewer is the paper's headline for a cloud: the number of superpoints of the rival with
// the best OOA at N/size, over the number with which ours has that OOA.
type fewer struct {
	cloud, rival string
	ooa, times   float64
	sign         string // ≥: our fewest superpoints have it already; <: not even our most have it
}

func (f *fewer) String() string { return f.sign + fmt.Sprintf("%.1f", f.times) }

// headline computes it, interpolated between sizes by the logarithm of the counts.
func headline(all []cell, cloud string, size int) (f fewer, ok bool) {
	ooa := &figures()[0]
	others := with(at(all, cloud, size, bySuperpoint), (*cell).isRival)
	if f.rival, f.ooa = ooa.best(others); f.rival == "" {
		return f, false
	}
	f.cloud = cloud
	reference := float64(with(others, func(c *cell) bool { return c.system == f.rival })[0].Segments)
	var own []cell
	for _, s := range distinct(all, (*cell).ofSize) {
		own = append(own, with(at(all, cloud, s, bySuperpoint), (*cell).isOurs)...)
	}
	if len(own) == 0 {
		return f, false
	}
	slices.SortFunc(own, func(a, b cell) int { return cmp.Compare(a.Segments, b.Segments) })
	for i := range own {
		v := ooa.value(&own[i])
		if v < f.ooa {
			continue
		}
		n := float64(own[i].Segments)
		if i == 0 {
			f.sign = "≥ "
		} else {
			was := ooa.value(&own[i-1])
			share := (f.ooa - was) / (v - was)
			n = math.Exp(math.Log(float64(own[i-1].Segments))*(1-share) + math.Log(n)*share)
		}
		f.times = reference / n
		return f, true
	}
	f.sign, f.times = "< ", reference/float64(own[len(own)-1].Segments)
	return f, true
}

// rivalOf returns the method of a system: vccs of vccs+normal_importance=0.4, cp of cp_plain.
func (c *cell) rivalOf() string {
	return c.system[:strings.IndexAny(c.system+"+", "+_:")]
}
