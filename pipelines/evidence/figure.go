// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"slices"
	"strings"

	"superpoint/partition/metrics"
	"superpoint/pipelines/commands/compare"
)

// drawCurves returns the paper's figure of its systems: OOA and F against the number of components, by kinds of
// clouds, the counts of all clouds of a kind added up.
func (p *page) drawCurves() (string, error) {
	all, err := p.load(p.Curves.Cells...)
	if err != nil {
		return "", err
	}
	var drawn []cell
	var systems, patterns, titles []string
	for _, s := range p.Curves.Systems {
		systems, patterns = append(systems, s.Title), append(patterns, s.Match)
	}
	for _, kind := range p.Kinds {
		for size, here := range groups(reaching(all.Of(kind), compare.ByPieces), sizeOf) {
			some, clouds := shared(here, cloudOf, patterns)
			for i, pattern := range patterns {
				its := best(some, pattern, len(clouds))
				if len(its) == 0 {
					continue
				}
				c := cell{Set: p.marked(kind, some), System: systems[i], Option: compare.ByPieces, Value: size}
				for _, r := range its {
					c.Add(r.Counts)
				}
				c.Pieces /= int64(len(distinct(its, seedOf)))
				if drawn = append(drawn, c); !slices.Contains(titles, c.Set) {
					titles = append(titles, c.Set)
				}
			}
		}
	}
	var text strings.Builder
	ooa := func(s metrics.Scores) metrics.Ratio { return s.OOA }
	err = compare.WriteFigure(&text, drawn, titles, systems, []compare.Measure{
		{Name: "OOA (%)", Of: ooa}, {Name: "F (%)", Of: metrics.Scores.F}})
	return text.String(), err
}
