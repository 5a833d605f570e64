// SPDX-License-Identifier: BSD-3-Clause

package classes

import (
	"slices"
	"testing"

	"superpoint/partition/base/parallel"
	"superpoint/testdata/must"
)

// TestRulesHaveNames: a rule is found by its name, so that it can be counted and left out.
func TestRulesHaveNames(t *testing.T) {
	names := RuleNames()
	slices.Sort(names)
	must.Equal(t, len(names), len(rules), "len(names)")
	must.Equal(t, len(slices.Compact(names)), len(rules), "len(slices.Compact(names))")
	must.Hold(t, names[0] != "", "a rule has no name")
}

// TestRulesOfBodies: what each rule for superpoints makes of a superpoint to which it applies, and that it
// does not without the rule.
func TestRulesOfBodies(t *testing.T) {
	const ground, vegetation, building, water, other = 0, 1, 2, 3, 4
	card := testCard()
	card.Classes = append(card.Classes, Class{waterCode, "water"}, Class{Unclassified, "other"})
	m := must.Get(New(card))(t)
	lake := Body{Area: 5000, Tilt: 0.0002, Higher: 0.9}
	wet := lake
	wet.Voids = 0.2
	wet.inner = true
	rim := lake
	rim.Smooth = 2
	inside := rim
	inside.inner = true
	for _, c := range []struct {
		rule        string
		body        Body
		said, class int
		sure, most  float32
		others      string // rule that applies without it
	}{
		{"vegetation that is a sheet with points below", Body{sheet: true}, vegetation, water,
			0.9, unsure, ""},
		{"building that is a sheet with points below", Body{sheet: true}, building, water, 0.9, unsure, ""},
		{"vegetation below a sheet", Body{sunk: true}, vegetation, other, 0.9, unsure, ""},
		{"building below a sheet", Body{sunk: true}, building, other, 0.9, unsure, ""},
		{"water without evidence", noBody, water, ground, 0.9, unsure, ""},
		{"ground inside a lake", inside, ground, water, 0.97, likely, "ground that is a lake"},
		{"ground that is a lake", wet, ground, water, 0.9, unsure, "ground in the form of water"},
		{"ground that is a lake", rim, ground, water, 0.9, unsure, "ground in the form of water"},
		{"ground that is hardly drier than water", lake, ground, ground, 0.7, unsure,
			"ground in the form of water"},
		{"raised ground", Body{Area: 10, Lower: 1}, ground, building, 0.6, unsure, ""},
		{"ground that ends in a step", Body{steep: true, seed: -1}, ground, ground, 0.9, unsure, ""},
		{"ground in the form of water", lake, ground, ground, 0.97, likely, ""},
	} {
		t.Run(c.rule, func(t *testing.T) {
			p := []float32{0, 0, 0, 0, 0}
			p[c.said] = c.sure
			next := building
			if c.said == building {
				next = vegetation
			}
			p[next] = (1 - c.sure) / 2
			p[(c.said+water)%4] += (1 - c.sure) / 2
			if c.rule == "ground that is hardly drier than water" {
				p = []float32{0.7, 0, 0.1, 0.2, 0}
			}
			f := &Features{Bodies: []Body{c.body}, Size: []float32{1}}
			got := slices.Clone(p)
			ruled := m.weigh(f, got)
			must.Need(t, ruled[0] != noRule, "no rule applies")
			must.Equal(t, rules[ruled[0]].name, c.rule, "rule")
			class, sure := best(got)
			must.Equal(t, class, c.class, "class of %v", got)
			must.Hold(t, sure <= c.most, "confidence of %v", got)
			without := slices.Clone(p)
			ruled = m.Without(c.rule).weigh(f, without)
			if c.others == "" {
				must.Equal(t, ruled[0], noRule, "without the rule: ruled[0]")
				must.Equal(t, without, p, "without the rule: without")
			} else {
				must.Equal(t, rules[ruled[0]].name, c.others, "rule that applies without it")
			}
		})
	}
}

// TestRulesAreCounted: the points of a rule are those whose superpoint, or whose level, it is for.
func TestRulesAreCounted(t *testing.T) {
	m := waterModel(t)
	m.Card.Embedding = Embedding{}
	m = must.Get(New(m.Card))(t)
	m.Tensor("out.bias")[3] = 9 // all is water
	s, _ := pond(t, 0.05, 0.8, 0)
	c := must.Get(m.Classify(parallel.Run{Threads: 3}, s, false))(t)
	must.Need(t, len(c.Rules) > 0, "len(c.Rules) is %v, want more than 0", len(c.Rules))
	must.Need(t, c.Rules[0].Rule == "water without evidence",
		"c.Rules[0].Rule is %q, want %q", c.Rules[0].Rule, "water without evidence")
	dry := 0
	for i, class := range c.Class {
		if s.Component[i] != None && class != waterCode {
			dry++
		}
	}
	must.Hold(t, dry > 0, "dry is %v, want more than 0", dry)
	must.Hold(t, c.Rules[0].Points >= dry,
		"c.Rules[0].Points is %v, want at least %v", c.Rules[0].Points, dry)
	none := must.Get(m.Without(RuleNames()...).Classify(parallel.Run{}, s, false))(t)
	must.Hold(t, len(none.Rules) == 0, "without any rule: %+v", none.Rules)
}

// TestNamesOfCodes has the first and the last names, and codes without one.
func TestNamesOfCodes(t *testing.T) {
	for code, want := range map[int]string{2: "ground", 6: "building", 20: "ignored ground", 21: "snow",
		22: "temporal exclusion", 23: "class 23", 255: "class 255"} {
		must.Equal(t, Name(code), want, "name of class %d", code)
	}
}

// TestIsConstant: one other value is enough, above or below the first, at the end or before.
func TestIsConstant(t *testing.T) {
	for _, c := range []struct {
		values []float32
		want   bool
	}{{nil, true}, {[]float32{3}, true}, {[]float32{3, 3, 3}, true}, {[]float32{3, 3, 2}, false},
		{[]float32{3, 4, 3}, false}, {[]float32{0, -1}, false}} {
		must.Equal(t, isConstant(c.values), c.want, "%v is constant", c.values)
	}
}
