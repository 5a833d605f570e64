// SPDX-License-Identifier: BSD-3-Clause

package main

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/stat"

	"superpoint/pipelines/commands/compare"
)

// group is what a line of a table is of: the rows of a set, a kind of clouds, a system or a cloud.
type group struct {
	Name, Title, Role string
	Earlier           int      // readings before readings.csv begins
	Clouds            []string // patterns of names
	Match             string   // pattern of systems
	Readings          int
	Last              any      // date of a reading
	Systems           []string `yaml:"-"` // columns
	rows              `yaml:"-"`
}

// rows have the numbers of tables.
type rows []row

// unmeasured is the text of a number that is not known.
const unmeasured = "–"

// Count is the number of clouds.
func (all rows) Count() int { return len(distinct(all, cloudOf)) }

// Of are the rows of clouds whose names match patterns of a group.
func (all rows) Of(kind *group) rows { return all.matching(kind.Clouds, true) }

// Without are the rows of clouds whose names do not match a pattern.
func (all rows) Without(pattern string) rows { return all.matching([]string{pattern}, false) }

func (all rows) matching(patterns []string, is bool) rows {
	return compare.Select(all, func(r *row) bool {
		return is == slices.ContainsFunc(patterns,
			func(pattern string) bool { return matches(pattern, r.cloud) })
	})
}

// Has reports whether there are rows of a cloud.
func (all rows) Has(cloud string) bool { return slices.Contains(distinct(all, cloudOf), cloud) }

// By are the rows of a system.
func (all rows) By(system string) rows {
	return compare.Select(all, func(r *row) bool { return r.system == system })
}

// mean is the mean of a figure over the rows that have it, and the number of these rows.
func (all rows) mean(figure string) (v float64, count int) {
	var values []float64
	for _, r := range all {
		if v, known := r.of[figure]; known {
			values = append(values, v)
		}
	}
	return stat.Mean(values, nil), len(values)
}

// show writes the mean of a figure, and the number of rows that have it.
func (all rows) show(format, figure string) string {
	v, count := all.mean(figure)
	if count == 0 {
		return unmeasured
	}
	return fmt.Sprintf(format, v, count)
}

// Mean is the mean of a figure of a system over the clouds that have it.
func (all rows) Mean(system, figure string) string { return all.By(system).show("%.3[1]f", figure) }

// MeanOf also says of how many clouds it is.
func (all rows) MeanOf(system, figure string) string { return all.By(system).show("%.2f (%d)", figure) }

// trainings returns the mean of a figure for each training of the classifier, over the clouds that have
// it, and the number of these.
func (all rows) trainings(figure string) (means []float64, clouds int) {
	for _, system := range distinct(all, systemOf) {
		v, count := all.By(system).mean(figure)
		if count > 0 && (system == own || strings.HasPrefix(system, "seed ")) {
			means = append(means, v)
			clouds = max(clouds, count)
		}
	}
	return means, clouds
}

// Trainings writes the mean of a figure over trainings of the classifier, and its standard deviation.
func (all rows) Trainings(figure string) string {
	means, _ := all.trainings(figure)
	if len(means) == 0 {
		return unmeasured
	}
	mean, deviation := stat.MeanStdDev(means, nil)
	return fmt.Sprintf("%.3f±%.3f", mean, deviation)
}

// MeanOfTrainings writes the mean of a figure over trainings of the classifier, and of how many clouds it is.
func (all rows) MeanOfTrainings(figure string) string {
	means, clouds := all.trainings(figure)
	return fmt.Sprintf("%.2f (%d)", stat.Mean(means, nil), clouds)
}

// Percent is the mean in per cent.
func (all rows) Percent(system, figure string) string {
	v, _ := all.By(system).mean(figure)
	return fmt.Sprintf("%.2f", 100*v)
}

// Gain is the mean difference of a figure between superpoints and another system, over the clouds where both
// have it.
func (all rows) Gain(figure, over string) string {
	var gains rows
	for _, here := range groups(all, cloudOf) {
		mine, one := rows(here).By(own).mean(figure)
		its, other := rows(here).By(over).mean(figure)
		if one > 0 && other > 0 {
			gains = append(gains, row{of: map[string]float64{figure: mine - its}})
		}
	}
	return gains.show("%+.3[1]f", figure)
}

// Taken returns the classes that are mistaken for a class, and how often, in per cent. Clouds of the class
// without a figure count as 0.
func (all rows) Taken(class string) string {
	sum, wrong := map[string]float64{}, []string{}
	all = all.By(own)
	for _, r := range all {
		for figure, v := range r.of {
			sum[figure] += v
		}
	}
	for _, figure := range slices.Sorted(maps.Keys(sum)) {
		truth, guess, is := strings.Cut(figure, takenFor)
		first, more, _ := strings.Cut(guess, "+")
		_, clouds := all.mean(iouOf + truth)
		share := sum[figure] / float64(clouds)
		if !is || first != class || share < leastTaken {
			continue
		}
		if more != "" {
			truth += " (or " + more + ")"
		}
		wrong = append(wrong, fmt.Sprintf("%s %.1f", truth, 100*share))
	}
	return strings.Join(wrong, ", ")
}

// Shared are the rows of a figure on the clouds that all systems of the set have; nil if the first has none.
func (g *group) Shared(figure string, systems ...string) *group {
	some := compare.Select(g.rows, func(r *row) bool { _, known := r.of[figure]; return known })
	measured := distinct(some, systemOf)
	in := compare.Select(systems, func(s *string) bool { return slices.Contains(measured, *s) })
	if len(in) == 0 || in[0] != systems[0] {
		return nil
	}
	some, _ = shared(some, cloudOf, in)
	return &group{Title: g.Title, Systems: systems, rows: some}
}

// bySeed are the means of every seed, in per cent.
func (all rows) bySeed(figure string) (means []float64) {
	for _, some := range groups(all, seedOf) {
		v, _ := rows(some).mean(figure)
		means = append(means, 100*v)
	}
	return means
}

// Spread is the mean over seeds with its standard deviation, in per cent.
func (all rows) Spread(figure string) string {
	seeds := all.bySeed(figure)
	mean, deviation := stat.MeanStdDev(seeds, nil)
	if len(seeds) < 2 {
		return fmt.Sprintf("%.1f", mean)
	}
	return fmt.Sprintf("%.1f±%.1f", mean, deviation)
}

// Ahead is how far a training's best seed is ahead of another one's worst.
func (all rows) Ahead(of *group, figure string) string {
	return fmt.Sprintf("%+.1f", slices.Max(all.bySeed(figure))-slices.Min(of.bySeed(figure)))
}

// ablation compares trainings of the paper's systems, the first of which the others are compared with.
type ablation struct {
	Column                       string
	Places, Of, Trainings, Seeds int // at how many of how many clouds and sizes all have the wanted number
	Systems                      []*group
}

// Ablation has the trainings of pairs of a system and its name: means over the clouds and sizes that all
// reach.
func (p *page) Ablation(cells, column string, pairs ...string) (*ablation, error) {
	measured, err := p.load(cells)
	return newAblation(measured, column, pairs...), err
}

func newAblation(measured rows, column string, pairs ...string) *ablation {
	a := &ablation{Column: column}
	for pair := range slices.Chunk(pairs, 2) {
		a.Systems = append(a.Systems, &group{Title: pair[1], Match: pair[0]})
	}
	measured = compare.Select(measured, func(r *row) bool {
		return r.asked == compare.ByPieces && slices.Contains(pairs, r.system)
	})
	trainings := distinct(measured, trainedOf)
	all, places := shared(compare.Select(measured, func(r *row) bool { return r.reached(compare.ByPieces) }),
		placeOf, trainings)
	a.Places, a.Of = len(places), len(distinct(measured, placeOf))
	seeded := compare.Select(all, func(r *row) bool { return r.seed != 0 })
	a.Trainings, a.Seeds = len(trainings), len(distinct(seeded, seedOf))
	for _, g := range a.Systems {
		g.rows = rows(all).By(g.Match)
	}
	return a
}

// Won summarises the comparisons of ssp with the best of its rivals in a figure: won, mean lead, worst lead.
func (all rows) Won(way, figure string) string {
	won := 0
	sum := 0.
	worst := 0.
	list := all.leads(way, figure)
	for _, l := range list {
		sum, worst = sum+l.by, min(worst, l.by)
		if l.by >= 0 {
			won++
		}
	}
	if len(list) == 0 {
		return unmeasured
	}
	return fmt.Sprintf("%d of %d (%+.3f, %+.3f)", won, len(list), sum/float64(len(list)), worst)
}

// lead is the lead of ssp over the best of its rivals, at one place in one figure.
type lead struct {
	rival string
	by    float64
}

// leads compares ssp with the best rival where both have the wanted number.
func (all rows) leads(way, figure string) (list []lead) {
	for _, here := range groups(reaching(all, way), placeOf) {
		mine := highest(compare.Select(here, isOurs), figure)
		rival := highest(compare.Select(here, isRival), figure)
		if mine != nil && rival != nil {
			list = append(list, lead{rival.system, mine.of[figure] - rival.of[figure]})
		}
	}
	return list
}

// Fewer is the paper's headline: the median of how many times fewer superpoints reach the OOA that the best
// rival has at N/50, and the range.
func (all rows) Fewer() string {
	var list []advantage
	for _, here := range groups(reaching(all, compare.BySize), cloudOf) {
		rivals := compare.Select(here, func(r *row) bool { return isRival(r) && r.size == 50 })
		if a, ok := newAdvantage(compare.Select(here, isOurs), rivals); ok {
			list = append(list, a)
		}
	}
	if len(list) == 0 {
		return unmeasured
	}
	slices.SortStableFunc(list, func(a, b advantage) int { return cmp.Compare(a.times, b.times) })
	return fmt.Sprintf("%s (%s to %s)", list[(len(list)-1)/2], list[0], list[len(list)-1])
}

// advantage is the paper's headline: the ratio of the numbers of superpoints that the best rival and ssp need
// for the OOA of the rival.
type advantage struct {
	times float64
	bound string // atLeast: the fewest superpoints of ssp have the OOA; lessThan: not even its most have it
}

// The bounds of an advantage.
const (
	atLeast  = "≥ "
	lessThan = "< "
)

// newAdvantage compares rows of ssp, of several sizes, with rows of its rivals at one size. It reports false
// if there are no rows of either.
func newAdvantage(own, rivals []row) (a advantage, ok bool) {
	rival := highest(rivals, "OOA")
	if rival == nil || len(own) == 0 {
		return a, false
	}
	n, bound := numberWith(own, rival.of["OOA"])
	return advantage{float64(rival.Segments) / n, bound}, true
}

// numberWith returns the number of superpoints with which ssp has an OOA, from rows of several sizes. Between
// two sizes it interpolates by the logarithm of the numbers. The bound says that the OOA is outside the rows.
func numberWith(own []row, wanted float64) (n float64, bound string) {
	own = slices.SortedStableFunc(slices.Values(own),
		func(a, b row) int { return cmp.Compare(a.Segments, b.Segments) })
	at := slices.IndexFunc(own, func(r row) bool { return r.of["OOA"] >= wanted })
	switch at {
	case -1:
		return float64(own[len(own)-1].Segments), lessThan
	case 0:
		return float64(own[0].Segments), atLeast
	}
	fewer := &own[at-1]
	more := &own[at]
	share := (wanted - fewer.of["OOA"]) / (more.of["OOA"] - fewer.of["OOA"])
	logarithm := math.Log(float64(fewer.Segments))*(1-share) + math.Log(float64(more.Segments))*share
	return math.Exp(logarithm), ""
}

// String returns the ratio with its bound.
func (a advantage) String() string { return a.bound + strconv.FormatFloat(a.times, 'f', 1, 64) }

// usual is the size of the tables by kinds; cells/ has the others.
const usual = 100

// Methods compares methods on kinds of clouds.
func (p *page) Methods(all rows, methods ...string) (lines [][]string) {
	for _, kind := range p.Kinds {
		if line := all.Of(kind).beside(usual, methods...); line != nil {
			lines = append(lines, append([]string{p.marked(kind, all.Of(kind))}, line...))
		}
	}
	return lines
}

// beside are OOA/F of methods at a size and equal connected components, as means over the clouds that all
// have, whose number is behind the first; of a rival's settings the one with the best OOA. Methods that reach
// the wanted number on fewer than half of the clouds are left out; nil if the first or all others are.
func (all rows) beside(size float64, methods ...string) (line []string) {
	here := compare.Select(reaching(all, compare.ByPieces), func(r *row) bool { return r.size == size })
	in := patternsOf(here, methods, all.Count())
	some, clouds := shared(here, cloudOf, in)
	hasFirst := slices.Contains(in, methods[0]+"*")
	if !hasFirst || len(in) < 2 || len(clouds) == 0 {
		return nil
	}
	for _, m := range methods {
		text := unmeasured
		if its := best(some, m+"*", len(clouds)); len(its) > 0 {
			text = its.Spread("OOA") + "/" + its.Spread("F")
		}
		line = append(line, text)
	}
	line[0] += fmt.Sprintf(" (%d)", len(clouds))
	return line
}

// patternsOf returns the patterns of those methods that have rows on at least half of some clouds.
func patternsOf(all []row, methods []string, clouds int) (patterns []string) {
	for _, m := range methods {
		pattern := m + "*"
		_, on := shared(all, cloudOf, []string{pattern})
		if len(on) > 0 && 2*len(on) >= clouds {
			patterns = append(patterns, pattern)
		}
	}
	return patterns
}

// best returns the rows of the setting of a method with the best OOA of those that have rows on all of some
// clouds.
func best(all []row, method string, clouds int) (its rows) {
	most := -1.0
	for _, of := range groups(compare.Select(all, func(r *row) bool { return r.is(method) }), systemOf) {
		if len(distinct(of, cloudOf)) < clouds {
			continue
		}
		if ooa := stat.Mean(rows(of).bySeed("OOA"), nil); ooa > most {
			most, its = ooa, of
		}
	}
	return its
}

// marked is the title of a kind, with the mark of clouds that touch tiles of training.
func (p *page) marked(kind *group, its rows) string {
	if len(its.Of(p.Touching)) > 0 {
		return kind.Title + "†"
	}
	return kind.Title
}
