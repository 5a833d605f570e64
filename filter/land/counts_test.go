// SPDX-License-Identifier: BSD-3-Clause

package land

import (
	"fmt"
	"strings"
	"testing"

	"superpoint/embed/classes"
	"superpoint/testdata/must"
)

// TestMeanConfidence: isolated points have no confidence, and those that keep their class none of their own.
func TestMeanConfidence(t *testing.T) {
	c := new(Counts)
	c.add(2, false, 0.8)
	c.add(7, false, 0)
	c.add(6, true, 1)
	must.Equal(t, c.Summary(&classes.Card{}, classes.Name).Confidence, 0.8, "mean confidence")
}

// TestUncertainViews: points that keep their class hide no uncertain view, and neither does another view.
func TestUncertainViews(t *testing.T) {
	all := new(Counts)
	for _, view := range []struct {
		kept      int
		given     int
		sure      float32
		uncertain bool
	}{{0, 400, 0.95, false}, {900, 200, 0.81, false}, {900, 123, 0.79, true}, {0, 300, 0.95, true}} {
		c := new(Counts)
		for range view.kept {
			c.add(6, true, 1)
		}
		for range view.given {
			c.add(2, false, view.sure)
		}
		c.setUnsure()
		all.Add(c)
		s := all.Summary(&classes.Card{}, classes.Name)
		must.Equal(t, s.Uncertain != "", view.uncertain, "after a view of %+v: %q", view, s.Uncertain)
		must.Equal(t, strings.Contains(s.String(), "uncertain"), view.uncertain,
			"after a view of %+v: %q", view, s)
		if view.uncertain {
			must.Say(t, s.Uncertain, "the mean confidence of 123 points is 0.79")
		}
	}
}

// TestFewPointsAreNotUncertain: a view is not called uncertain for a few points that got a class, alone or
// among many that kept theirs, and isolated points, which have no confidence, do not make them more.
func TestFewPointsAreNotUncertain(t *testing.T) {
	for _, view := range []struct {
		name      string
		given     int
		isolated  int
		kept      int
		uncertain bool
	}{
		{"one point", 1, 0, 0, false},
		{"one point too few", 99, 0, 0, false},
		{"just enough points", 100, 0, 0, true},
		{"few points, and isolated ones", 99, 1000, 0, false},
		{"less than a twentieth", 100, 0, 1901, false},
		{"a twentieth", 100, 0, 1900, true},
		{"many points, less than a twentieth", 1000, 0, 20000, false},
		{"only points that kept their class", 0, 0, 1000, false},
	} {
		t.Run(view.name, func(t *testing.T) {
			c := new(Counts)
			for range view.given {
				c.add(2, false, 0.5)
			}
			for range view.isolated {
				c.add(7, false, 0)
			}
			for range view.kept {
				c.add(6, true, 1)
			}
			c.setUnsure()
			s := c.Summary(&classes.Card{}, classes.Name)
			must.Equal(t, s.Uncertain != "", view.uncertain, "%q", s.Uncertain)
			said := (&Result{Counts: c, Spacing: 1}).Notes(func(int) string { return "" })
			must.Equal(t, len(said) > 0, view.uncertain, "%q", said)
		})
	}
}

// TestRareClassesAreCounted: the least frequent of many classes are one item of the text.
func TestRareClassesAreCounted(t *testing.T) {
	many := &Summary{}
	for code := range 256 {
		many.Points = append(many.Points, ClassCount{Code: code, Name: fmt.Sprint("class ", code),
			Count: max(1, code-242)})
	}
	text := many.String()
	must.Hold(t, strings.HasPrefix(text, "class 244 0.6 %, class 245 0.9 %"), "%s", text)
	must.Hold(t, strings.HasSuffix(text, "class 255 3.9 %, 244 further classes 73.1 %"), "%s", text)
}

// TestNotesOfCounts: groups of one kind and dimensions without information are named once, over all views.
func TestNotesOfCounts(t *testing.T) {
	all := new(Counts)
	for range 2 {
		c := &Counts{Blank: []string{"returns"}}
		c.addGroup(Group{"at one place", classes.Noise, 1, 500})
		c.addGroup(Group{"below the ground", classes.Noise, 2, 30})
		all.Add(c)
	}
	text := all.Summary(&classes.Card{}, classes.Name).String()
	for _, want := range []string{"; returns carry no information; 1,000 points in 2 groups at one place: " +
		"class 7, low noise",
		"; 60 points in 4 groups below the ground: class 7, low noise"} {
		must.Hold(t, strings.Contains(text, want), "%q lacks %q", text, want)
	}
}

// TestLargestGroup: the group that is named is the one of its kind with the most points, not the first.
func TestLargestGroup(t *testing.T) {
	at := func(kind string, points, first int) classes.NoiseGroup {
		return classes.NoiseGroup{What: kind, Points: points, First: first}
	}
	r := &Result{Groups: []classes.NoiseGroup{at("high", 9, 1), at("low", 90, 2), at("high", 30, 3),
		at("high", 20, 4)}}
	place := func(point int) string { return fmt.Sprint("place ", point) }
	must.Say(t, r.largest("high", place), "30 points, one of them at place 3")
	must.Say(t, r.largest("low", place), "90 points, one of them at place 2")
}
