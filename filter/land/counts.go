// SPDX-License-Identifier: BSD-3-Clause

package land

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"superpoint/embed/classes"
	"superpoint/filter/message"
)

// Counts counts the classes of the points of all views so far.
type Counts struct {
	Unclassified int      // points below min_confidence
	Unsure       float64  // 1 − mean confidence of the points that got a class, the largest of the views
	Doubted      int      // points that got a class in the view that Unsure is of
	Blank        []string // dimensions that carry no information
	Groups       []Group
	Rules        []classes.Ruled

	points     [math.MaxUint8 + 1]int // by code, points that kept their class included
	kept       int                    // points that kept their class
	given      int                    // points that got a class, and have a confidence
	confidence float64                // sum over these
}

// Group is groups of points of one kind that are noise.
type Group struct {
	What   string `json:"what"`
	Code   int    `json:"code"`
	Groups int    `json:"groups"`
	Points int    `json:"points"`
}

// add adds a point. A class outside 0 to 255, which a kept point may have in other dimensions than
// Classification, is not counted in points.
func (c *Counts) add(class float64, kept bool, confidence float32) {
	if class >= 0 && class <= math.MaxUint8 {
		c.points[uint8(class)]++
	}
	switch {
	case kept:
		c.kept++
	case confidence > 0:
		c.given++
		c.confidence += float64(confidence)
	}
}

// A mean confidence says something of a view if at least fewestGiven points got a class, and at least
// leastShare of those that got or kept one: the standard error of a mean of 100 values between 0 and 1 is
// at most 0.05, and what a survey leaves unclassified are its few difficult points. The share was chosen
// on three clouds of one tile, with 1.2 to 1.5 %, and is not measured on others.
const (
	fewestGiven = 100
	leastShare  = 0.05
)

// setUnsure sets Unsure from the points of one view. It stays 0 where too few points got a class.
func (c *Counts) setUnsure() {
	least := leastShare * float64(c.given+c.kept)
	if c.given >= fewestGiven && float64(c.given) >= least {
		c.Unsure = 1 - c.confidence/float64(c.given)
		c.Doubted = c.given
	}
}

// uncertainText says that the mean confidence of a view is low; "" if it is not.
func (c *Counts) uncertainText() string {
	return classes.UncertainText(1-c.Unsure, message.Count(c.Doubted, "point"))
}

// addGroup adds groups to the groups of the same kind.
func (c *Counts) addGroup(g Group) {
	for k := range c.Groups {
		if c.Groups[k].What == g.What {
			c.Groups[k].Groups += g.Groups
			c.Groups[k].Points += g.Points
			return
		}
	}
	c.Groups = append(c.Groups, g)
}

// addRule adds the points of a rule.
func (c *Counts) addRule(r classes.Ruled) {
	for k := range c.Rules {
		if c.Rules[k].Rule == r.Rule {
			c.Rules[k].Points += r.Points
			return
		}
	}
	c.Rules = append(c.Rules, r)
}

// Add adds the counts of another view.
func (c *Counts) Add(o *Counts) {
	c.Unclassified += o.Unclassified
	if o.Unsure > c.Unsure {
		c.Unsure = o.Unsure
		c.Doubted = o.Doubted
	}
	for _, name := range o.Blank {
		if !slices.Contains(c.Blank, name) {
			c.Blank = append(c.Blank, name)
		}
	}
	for _, g := range o.Groups {
		c.addGroup(g)
	}
	for _, r := range o.Rules {
		c.addRule(r)
	}
	for code, n := range o.points {
		c.points[code] += n
	}
	c.kept += o.kept
	c.given += o.given
	c.confidence += o.confidence
}

// Summary is the result of the option classes, in the metadata.
type Summary struct {
	Points []ClassCount `json:"points"` // by code
	// of the points that got a class and are not isolated
	Confidence float64 `json:"mean_confidence"`
	// points that kept their class (class_change)
	Protected    int `json:"protected"`
	Unclassified int `json:"unclassified"` // points below min_confidence
	// says that the mean confidence of a view is low
	Uncertain string `json:"uncertain,omitempty"`
	// dimensions that a view has, and that tell nothing
	Blank  []string `json:"no_information,omitempty"`
	Groups []Group  `json:"noise_groups,omitempty"` // groups of points that are noise
	// points by the rules of physics that apply
	Rules []classes.Ruled `json:"rules,omitempty"`
	// from the card: what the classifier is known to miss
	Limits []string `json:"limits,omitempty"`
}

// ClassCount is the number of points of a class.
type ClassCount struct {
	Code  int    `json:"code"`
	Name  string `json:"name"`
	Count int    `json:"count"`
}

// Summary returns the counts, with the names of their codes and the limits of a card.
func (c *Counts) Summary(card *classes.Card, name func(code int) string) *Summary {
	s := &Summary{Points: []ClassCount{}, Protected: c.kept, Unclassified: c.Unclassified,
		Uncertain: c.uncertainText(), Blank: c.Blank, Groups: c.Groups, Rules: c.Rules,
		Limits: card.Training.Limits}
	for code, n := range c.points {
		if n > 0 {
			s.Points = append(s.Points, ClassCount{Code: code, Name: name(code), Count: n})
		}
	}
	if c.given > 0 {
		s.Confidence = math.Round(1e4*c.confidence/float64(c.given)) / 1e4
	}
	return s
}

// mostListed is the number of classes that String lists.
const mostListed = 12

// String returns the result as one line of text, with the largest classes.
func (s *Summary) String() string {
	text := s.shares()
	if s.Confidence > 0 {
		text += fmt.Sprintf("; mean confidence %.2f", s.Confidence)
	}
	if s.Uncertain != "" {
		text += " (uncertain: check them)"
	}
	if s.Unclassified > 0 {
		text += fmt.Sprintf("; %s below min_confidence", message.Count(s.Unclassified, "point"))
	}
	if s.Protected > 0 {
		text += fmt.Sprintf("; %s unchanged (class_change)", message.Count(s.Protected, "point"))
	}
	if len(s.Blank) > 0 {
		text += "; " + (&Counts{Blank: s.Blank}).blankText()
	}
	for k := range s.Groups {
		text += "; " + s.Groups[k].text()
	}
	return text
}

// shares returns the shares of the largest classes.
func (s *Summary) shares() string {
	all := slices.Clone(s.Points)
	slices.SortStableFunc(all, func(a, b ClassCount) int { return cmp.Compare(b.Count, a.Count) })
	total := 0
	more := ClassCount{Name: message.Count(len(all)-mostListed, "further class")}
	for k, p := range all {
		total += p.Count
		if k >= mostListed {
			more.Count += p.Count
		}
	}
	all = all[:min(mostListed, len(all))]
	slices.SortFunc(all, func(a, b ClassCount) int { return cmp.Compare(a.Code, b.Code) })
	if more.Count > 0 {
		all = append(all, more)
	}
	var parts []string
	for _, p := range all {
		parts = append(parts, fmt.Sprintf("%s %.1f %%", p.Name, 100*float64(p.Count)/float64(total)))
	}
	return strings.Join(parts, ", ")
}

// text describes groups in words.
func (g *Group) text() string {
	return fmt.Sprintf("%s in %s %s: class %d, %s", message.Count(g.Points, "point"),
		message.Count(g.Groups, "group"),
		g.What, g.Code, classes.Name(g.Code))
}

// blankText says which dimensions carry no information.
func (c *Counts) blankText() string {
	blank := slices.SortedFunc(slices.Values(c.Blank), cmp.Compare[string])
	verb := "carry"
	if len(blank) == 1 && !strings.HasSuffix(blank[0], "s") {
		verb = "carries"
	}
	return strings.Join(blank, " and ") + " " + verb + " no information"
}
