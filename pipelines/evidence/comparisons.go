// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"

	"superpoint/pipelines/commands/compare"
)

// ways are the two ways to compare methods: at equal numbers of connected components on the graph that all are
// measured on, because superpoints that fall apart there have more borders than their number says, and at equal
// numbers of superpoints.
func ways() []string { return []string{compare.ByPieces, compare.BySize} }

// equalTitle returns what is equal in a way to compare.
func equalTitle(way string) string {
	return map[string]string{compare.ByPieces: "connected components", compare.BySize: "superpoints"}[way]
}

// unreached is the logarithm of the largest ratio of a number to the wanted one. Some wanted numbers
// cannot be reached: there are at least as many components as parts of the 5-nn graph.
const unreached = 0.1

// reached reports whether a cell has about the wanted number of superpoints or of their connected components.
func reached(c *cell, way string) bool {
	n := c.Segments
	if way == compare.ByPieces {
		n = c.Pieces
	}
	return math.Abs(math.Log(float64(n)*c.Value/float64(c.Points))) <= unreached
}

// at returns the cells of a cloud and size that are comparable in a way: of every system that reaches the wanted
// number the cell that was asked for it, else the one asked for the other number.
func at(all []cell, cloud string, size float64, way string) (some []cell) {
	for i := range all {
		c := &all[i]
		if c.Set != cloud || c.Value != size || !reached(c, way) {
			continue
		}
		switch at := slices.IndexFunc(some, func(o cell) bool { return o.System == c.System }); {
		case at < 0:
			some = append(some, *c)
		case c.Option == way:
			some[at] = *c
		}
	}
	return some
}

// best returns the cell with the highest value of a measure; nil if there is none.
func best(m *compare.Measure, some []cell) (best *cell) {
	most := math.Inf(-1)
	for i := range some {
		if v := m.Of(some[i].Scores()); v > most {
			best, most = &some[i], v
		}
	}
	return best
}

// comparison is one comparison of ssp: a cloud, a mean size, a measure.
type comparison struct {
	cloud   string
	size    float64
	measure string
	rival   string
	lead    float64 // over the best rival
}

// comparisons compares ssp with the best of the other systems, cloud by cloud, the worst first, where ssp and a rival
// have the wanted number.
func comparisons(all []cell, way string) (list []comparison) {
	for _, cloud := range distinct(all, cloudOf) {
		for _, size := range distinct(all, sizeOf) {
			here := at(all, cloud, size, way)
			mine, others := with(here, isOurs), with(here, isRival)
			if len(mine) == 0 || len(others) == 0 {
				continue
			}
			for _, m := range compared() {
				rival := best(&m, others)
				list = append(list, comparison{cloud, size, m.Name, rival.System,
					m.Of(mine[0].Scores()) - m.Of(rival.Scores())})
			}
		}
	}
	slices.SortStableFunc(list, func(a, b comparison) int { return cmp.Compare(a.lead, b.lead) })
	return list
}

// tally is the summary of the comparisons of a measure: won, mean lead, worst lead.
func tally(list []comparison, measure string) string {
	won, of, sum, worst := 0, 0, 0., 0.
	for _, c := range list {
		if c.measure == measure {
			of, sum, worst = of+1, sum+c.lead, min(worst, c.lead)
			if c.lead >= 0 {
				won++
			}
		}
	}
	if of == 0 {
		return "–"
	}
	return fmt.Sprintf("%d of %d (%+.3f, %+.3f)", won, of, sum/float64(of), worst)
}

// advantage is the paper's headline: the ratio of the numbers of superpoints that the best rival and ssp need for the
// OOA of the rival.
type advantage struct {
	times float64
	bound string // atLeast: the fewest superpoints of ssp have the OOA; lessThan: not even its most have it
}

// The bounds of an advantage.
const (
	atLeast  = "≥ "
	lessThan = "< "
)

// newAdvantage compares cells of ssp, of several sizes, with those of its rivals at one size. It reports false if there
// are no cells of either. Between two sizes it interpolates by the logarithm of the numbers.
func newAdvantage(own, rivals []cell) (a advantage, ok bool) {
	ooa := compared()[0]
	rival := best(&ooa, rivals)
	if rival == nil || len(own) == 0 {
		return a, false
	}
	wanted := ooa.Of(rival.Scores())
	own = slices.SortedStableFunc(slices.Values(own), func(a, b cell) int { return cmp.Compare(a.Segments, b.Segments) })
	number := func(i int) float64 { return float64(own[i].Segments) }
	at := slices.IndexFunc(own, func(c cell) bool { return ooa.Of(c.Scores()) >= wanted })
	n := number(max(at, 0))
	switch {
	case at < 0:
		a.bound, n = lessThan, number(len(own)-1)
	case at == 0:
		a.bound = atLeast
	default:
		was, is := ooa.Of(own[at-1].Scores()), ooa.Of(own[at].Scores())
		share := (wanted - was) / (is - was)
		n = math.Exp(math.Log(number(at-1))*(1-share) + math.Log(n)*share)
	}
	a.times = float64(rival.Segments) / n
	return a, true
}

// String returns the ratio with its bound.
func (a advantage) String() string { return a.bound + strconv.FormatFloat(a.times, 'f', 1, 64) }
