// SPDX-License-Identifier: BSD-3-Clause

package classes

import (
	"slices"

	"superpoint/partition/base/parallel"
)

// unsure is the greatest confidence of a class that the network and the evidence disagree on: less than 0.6
// as float32, too.
const unsure = 0.5999

// likely is the greatest confidence of ground that has the form of water or the height of low plants, as no
// feature tells these apart, and of water inside a lake that the network does not see: less than 0.9.
const likely = 0.89

// disputedGround is the least confidence of ground that is disputed or raised.
const disputedGround = 0.7

// leastWater is the least probability of water from which on the form of water makes ground unsure, and not
// only likely.
const leastWater = 0.1

// A rule corrects what the network says by physics that it does not know, or that no feature tells. Of the
// rules for superpoints the first one that applies counts, and then, for each point, the first one of those
// for levels.
type rule struct {
	name string                       // in the metadata
	of   int                          // code of the class that is the most probable one
	at   []Level                      // levels of the points that it is for; nil for superpoints
	when func(c *condition) bool      // nil for always
	then func(c *condition) []float32 // new probabilities; nil for the same
	most float32                      // greatest confidence then
}

// condition is what rules read of a superpoint.
type condition struct {
	*Model
	row  []float32 // probabilities of the classes
	sure float32   // the greatest one
	body *Body
	told map[[2]int]bool // classes of users' labels, by body
}

// rules lists all rules. A label in a body is evidence, too: where one says water, water needs no other, and
// where one says ground or building, that is not corrected.
var rules = []rule{
	{name: "vegetation that is a sheet with points below", of: highVegetation, when: (*condition).isSheet,
		then: (*condition).toWater, most: unsure},
	{name: "building that is a sheet with points below", of: buildingCode, when: (*condition).isSheet,
		then: (*condition).toWater, most: unsure},
	{name: "vegetation below a sheet", of: highVegetation, when: (*condition).isSunk,
		then: (*condition).toOther,
		most: unsure},
	{name: "building below a sheet", of: buildingCode, when: (*condition).isSunk, then: (*condition).toOther,
		most: unsure},
	{name: "water without evidence", of: waterCode, when: (*condition).isDryLand, then: (*condition).toGround,
		most: unsure},
	{name: "ground inside a lake", of: groundCode, when: (*condition).isInsideLake,
		then: (*condition).toWater, most: likely},
	{name: "ground that is a lake", of: groundCode, when: (*condition).isLake, then: (*condition).toWater,
		most: unsure},
	{name: "ground that is hardly drier than water", of: groundCode, when: (*condition).isNearlyWater,
		most: unsure},
	{name: "raised ground", of: groundCode, when: (*condition).isRaisedGround, then: (*condition).toRaised,
		most: unsure},
	{name: "ground that ends in a step", of: groundCode, when: (*condition).endsInStep, most: unsure},
	{name: "ground in the form of water", of: groundCode, when: (*condition).hasFormOfWater, most: likely},

	{name: "vegetation on the ground", of: highVegetation, at: []Level{Low}, most: unsure},
	{name: "building on a bridge or a slope", of: buildingCode, at: []Level{OnDeck, Disputed}, most: unsure},
	{name: "ground as high as low plants", of: groundCode, at: []Level{Cover}, most: likely},
	{name: "ground on a bridge", of: groundCode, at: []Level{OnDeck}, most: unsure},
	{name: "ground above the terrain", of: groundCode, at: []Level{TooHigh}, then: (*condition).toNext,
		most: unsure},
	{name: "unsure ground on a slope", of: groundCode, at: []Level{Disputed}, when: (*condition).isDisputed,
		then: (*condition).toNext, most: unsure},
	{name: "ground on a slope", of: groundCode, at: []Level{Disputed}, most: unsure},
}

// RuleNames returns the names of all rules.
func RuleNames() (names []string) {
	for k := range rules {
		names = append(names, rules[k].name)
	}
	return names
}

// Without returns the model without rules of some names, to measure what these give and cost.
func (m *Model) Without(names ...string) *Model {
	own := *m
	own.skipped = names
	return &own
}

// noRule is the index of no rule.
const noRule = -1

// find returns the index of the first rule that applies to superpoints, or to points at a level.
func (c *condition) find(superpoints bool, level Level) int {
	class, sure := best(c.row)
	c.sure = sure
	code := c.Card.Classes[class].Code
	for k := range rules {
		r := &rules[k]
		if r.of != code || superpoints != (r.at == nil) || !superpoints && !slices.Contains(r.at, level) {
			continue
		}
		if (r.when == nil || r.when(c)) && !slices.Contains(c.skipped, r.name) {
			return k
		}
	}
	return noRule
}

// apply returns the probabilities by a rule. Those given are not changed.
func (c *condition) apply(r *rule) []float32 {
	row := slices.Clone(c.row)
	if r.then != nil {
		row = r.then(c)
	}
	if class, sure := best(row); sure > r.most {
		limit(row, class, r.most)
	}
	return row
}

// weigh corrects the probabilities of superpoints, superpoints × classes, by the rules for superpoints, and
// returns the rule of each. A classifier without water or ground is not corrected.
func (m *Model) weigh(f *Features, p []float32) (ruled []int8) {
	ruled = slices.Repeat([]int8{noRule}, len(f.Bodies))
	if m.Index(waterCode) < 0 || m.Index(groundCode) < 0 {
		return ruled
	}
	told := map[[2]int]bool{}
	for _, l := range f.Labels {
		if seed := f.Bodies[l.Row].seed; seed >= 0 {
			told[[2]int{seed, l.Code}] = true
		}
	}
	n := len(m.Card.Classes)
	for k := range f.Bodies {
		row := p[k*n : (k+1)*n]
		c := condition{Model: m, row: row, body: &f.Bodies[k], told: told}
		if found := c.find(true, Low); found != noRule {
			ruled[k] = int8(found)
			copy(row, c.apply(&rules[found]))
		}
	}
	return ruled
}

// AtLevel returns the probabilities of the classes of points of a superpoint at a level, of which the
// greatest is the confidence. Their sum is below 1 where the rest may be anything.
func (m *Model) AtLevel(row []float32, level Level) []float32 {
	row, _ = m.atLevel(row, level)
	return row
}

// levelled has the probabilities of the classes of points at every level of every superpoint.
type levelled struct {
	classes int
	row     []float32 // superpoints × Levels × classes
	rule    []int8    // superpoints × Levels: of the level
	before  []int8    // superpoints: of the superpoint
}

// of returns the probabilities of points at a level of a superpoint.
func (l *levelled) of(k uint32, level Level) []float32 {
	at := (int(k)*int(Levels) + int(level)) * l.classes
	return l.row[at : at+l.classes]
}

// atLevels applies the rules for levels to superpoints, whose own rules are applied.
func (m *Model) atLevels(run parallel.Run, p []float32, before []int8) (*levelled, error) {
	n := len(m.Card.Classes)
	l := &levelled{classes: n, row: make([]float32, len(p)*int(Levels)),
		rule:   make([]int8, len(before)*int(Levels)),
		before: before}
	return l, run.ForEach(len(before), 64, func(k int) {
		for level := range Levels {
			row, found := m.atLevel(p[k*n:(k+1)*n], level)
			l.rule[k*int(Levels)+int(level)] = int8(found)
			copy(l.of(uint32(k), level), row)
		}
	})
}

// count adds 1 to the rules that a point at a level of a superpoint has.
func (l *levelled) count(counts []int, k uint32, level Level) {
	for _, rule := range [2]int8{l.before[k], l.rule[int(k)*int(Levels)+int(level)]} {
		if rule != noRule {
			counts[rule]++
		}
	}
}

// atLevel also returns the rule that applies.
func (m *Model) atLevel(row []float32, level Level) ([]float32, int) {
	c := condition{Model: m, row: row}
	found := c.find(false, level)
	if found == noRule {
		return row, noRule
	}
	return c.apply(&rules[found]), found
}

// says reports whether a label of a class is in the body.
func (c *condition) says(code int) bool { return c.told[[2]int{c.body.seed, code}] }

// isDryLand reports whether the physics does not allow that the body is water.
func (c *condition) isDryLand() bool { return !c.body.mayBeWater() && !c.says(waterCode) }

// isSheet reports whether the superpoint is of a sheet.
func (c *condition) isSheet() bool { return c.body.sheet && len(c.told) == 0 }

// isSunk reports whether the superpoint is under a sheet, and the classifier has a class for that.
func (c *condition) isSunk() bool {
	return c.body.sunk && len(c.told) == 0 && c.Index(Unclassified) >= 0
}

// endsInStep reports whether the superpoint is of land that ends in a step wherever it ends.
func (c *condition) endsInStep() bool { return c.body.steep && !c.says(groundCode) }

// isLake reports whether form and evidence say that the body is water.
func (c *condition) isLake() bool { return c.body.isWater() && !c.says(groundCode) }

// isInsideLake reports whether they say so clearly, of a superpoint that is not at the rim.
func (c *condition) isInsideLake() bool { return c.body.isInsideWater() && !c.says(groundCode) }

// hasFormOfWater reports whether the body may be water.
func (c *condition) hasFormOfWater() bool { return c.body.isDoubtful() && !c.says(groundCode) }

// isNearlyWater reports whether the network thinks so, too.
func (c *condition) isNearlyWater() bool {
	return c.hasFormOfWater() && c.row[c.Index(waterCode)] >= leastWater
}

// isRaisedGround reports whether the body is raised and hardly sure.
func (c *condition) isRaisedGround() bool {
	return c.body.isRaised() && c.sure < disputedGround && !c.says(groundCode) &&
		slices.Max(c.standing()) >= leastScaled
}

// isDisputed reports whether ground is hardly sure.
func (c *condition) isDisputed() bool { return c.sure < disputedGround }

// toGround adds the probability of the most probable class to the probability of ground.
func (c *condition) toGround() []float32 { return c.moved(groundCode) }

// toOther adds it to the probability of other things.
func (c *condition) toOther() []float32 { return c.moved(Unclassified) }

// moved returns the probabilities after the most probable class has passed its own to another class.
func (c *condition) moved(code int) []float32 {
	row := slices.Clone(c.row)
	class, sure := best(row)
	row[class] = 0
	row[c.Index(code)] += sure
	return row
}

// toWater exchanges the probabilities of the most probable class and water.
func (c *condition) toWater() []float32 {
	row := slices.Clone(c.row)
	class, _ := best(row)
	water := c.Index(waterCode)
	row[class], row[water] = row[water], row[class]
	return row
}

// standing returns the probabilities of things that stand on the ground: ground and water have 0.
func (c *condition) standing() []float32 {
	row := slices.Clone(c.row)
	row[c.Index(groundCode)] = 0
	if water := c.Index(waterCode); water >= 0 {
		row[water] = 0
	}
	return row
}

// toNext returns the probabilities of things that stand on the ground, with a sum of unsure: the rest may be
// anything.
func (c *condition) toNext() []float32 {
	row := c.standing()
	sum := float32(0)
	for _, v := range row {
		sum += v
	}
	if sum < leastScaled {
		return slices.Clone(c.row)
	}
	for class, v := range row {
		row[class] = unsure * v / sum
	}
	return row
}

// toRaised returns the same with a sum of 1: the rest is any class, as only half of such points are of the
// next one.
func (c *condition) toRaised() []float32 {
	row := c.standing()
	scale(row, unsure)
	for class, v := range row {
		row[class] = v + (1-unsure)/float32(len(row))
	}
	return row
}

// Index returns the index of the class of a code, or −1.
func (m *Model) Index(code int) int {
	return slices.IndexFunc(m.Card.Classes, func(c Class) bool { return c.Code == code })
}

// limit sets the probability of a class to at most most, and scales the others so that the sum is 1.
func limit(row []float32, class int, most float32) {
	most = min(row[class], most)
	row[class] = 0
	if slices.Max(row) < leastScaled {
		for c := range row {
			row[c] = 1
		}
		row[class] = 0
	}
	scale(row, 1-most)
	row[class] = most
}

// leastScaled is the least probability by which 1 can be divided in float32.
const leastScaled = 1e-38

// scale scales probabilities, one of them at least leastScaled, to a sum.
func scale(row []float32, sum float32) {
	all := float32(0)
	for _, v := range row {
		all += v
	}
	for c := range row {
		row[c] *= sum / all
	}
}

// best returns the index of the most probable class, and its probability.
func best(row []float32) (class int, confidence float32) {
	confidence = slices.Max(row)
	return slices.Index(row, confidence), confidence
}
