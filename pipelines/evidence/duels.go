package main

import (
	"fmt"
	"math"
	"strings"

	"superpoint/partition/metrics"
	"superpoint/pipelines/commands/compare"
)

// figures returns the columns of every table: BR as printed always with BR as coded, and F of the
// latter.
func figures() []compare.Measure {
	share := func(r metrics.Ratio) float64 {
		if math.IsNaN(float64(r)) {
			return 0
		}
		return float64(r)
	}
	return []compare.Measure{
		{Name: "OOA", Of: func(s metrics.Scores) float64 { return share(s.OOA) }},
		{Name: "F", Of: func(s metrics.Scores) float64 { return share(s.F()) }},
		{Name: "BR coded", Of: func(s metrics.Scores) float64 { return share(s.BRAsCoded) }},
		{Name: "BR printed", Of: func(s metrics.Scores) float64 { return share(s.BRAsPrinted) }},
		{Name: "BP", Of: func(s metrics.Scores) float64 { return share(s.BP) }},
	}
}

// compared returns the figures of comparisons.
func compared() []compare.Measure { return figures()[:2] }

func isOurs(c *cell) bool  { return c.System == ours }
func isRival(c *cell) bool { return !isOurs(c) }

// duels compares ssp with the best of the other systems, cloud by cloud, the worst
// first; unmet are the clouds and sizes at which ssp, or every rival, misses the number.
func duels(all []cell, way string) (met []compare.Comparison, unmet []string) {
	return compare.Comparisons(all, distinct(all, cloudOf), distinct(all, sizeOf), way, compared(), isOurs, isRival)
}

// standing is a tally as table cells: won, mean lead, worst lead.
func standing(all []compare.Comparison, figure string) []string {
	t := compare.NewTally(all, figure)
	if t.Of == 0 {
		return []string{"–", "–", "–"}
	}
	return []string{fmt.Sprintf("%d of %d", t.Won, t.Of), fmt.Sprintf("%+.3f", t.Mean), fmt.Sprintf("%+.3f", t.Worst)}
}

// headline is the paper's for a cloud: with how many times fewer superpoints ours has the OOA of the best rival
// at a size.
func headline(all []cell, cloud string, size float64) (a compare.Advantage, ok bool) {
	var own []cell
	for _, s := range distinct(all, sizeOf) {
		own = append(own, with(compare.At(all, cloud, s, compare.BySize), isOurs)...)
	}
	return compare.NewAdvantage(own, with(compare.At(all, cloud, size, compare.BySize), isRival))
}

// methodOf returns the method of a system: vccs of vccs+normal_importance=0.4, cp of cp_plain.
func methodOf(c *cell) string { return c.System[:strings.IndexAny(c.System+"+", "+_:")] }
