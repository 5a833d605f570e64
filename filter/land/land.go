// SPDX-License-Identifier: BSD-3-Clause

// Package land gives the points of a cloud classes of land cover. It needs superpoints, however they were
// computed, but no graph of points: the stage calls it with the superpoints of a view, the command classify
// and surveys with those that are known already.
package land

import (
	"fmt"
	"slices"
	"strings"

	"superpoint/embed/classes"
	"superpoint/filter/message"
	"superpoint/partition/base/parallel"
)

// Settings follow from the options of classes.
type Settings struct {
	Model         *classes.Model
	Codes         CodeTable  // of class_codes
	Change        []uint8    // classes that may be overwritten; nil for all
	Heights       [2]float64 // least heights of medium and of high vegetation, metres
	Least         float64    // min_confidence
	Probabilities bool       // class_probabilities
}

// Result has the classes of the points, in the order of the cloud.
type Result struct {
	Class []float64 // as they are written
	// probability that the class is correct; 1 for points that keep theirs, 0 for isolated ones
	Confidence []float32
	Kept       []bool    // points that keep their class
	Each       []float32 // probabilities, points × classes of the model; nil unless asked for
	Counts     *Counts
	Groups     []classes.NoiseGroup
	Spacing    float64 // of the points, metres
}

// Classify computes the classes. Noise and withheld points keep their class, and so do points of a class that
// may not be changed.
func Classify(run parallel.Run, set *Settings, in *Input) (*Result, error) {
	s := &classes.Superpoints{Cloud: in.Cloud, Neighbors: in.Neighbors, Component: in.Component,
		Count: in.Count,
		Dim:   in.Dim, Embedding: in.Embedding, Attributes: in.Attributes,
		Noise: make([]bool, in.Cloud.Len())}
	for i := range s.Noise {
		s.Noise[i] = in.takesNoPart(i)
	}
	if err := s.FindOutliers(run); err != nil {
		return nil, err
	}
	c, err := set.Model.Classify(run, s, set.Probabilities)
	if err != nil {
		return nil, err
	}
	return set.result(in, s, c), nil
}

// result returns what the points get of what was computed.
func (set *Settings) result(in *Input, s *classes.Superpoints, c *classes.Classified) *Result {
	n := in.Cloud.Len()
	r := &Result{Class: make([]float64, n), Confidence: c.Confidence, Kept: make([]bool, n), Each: c.Each,
		Counts: &Counts{Blank: c.Blank, Rules: c.Rules}, Groups: s.Groups, Spacing: c.Spacing}
	for i := range n {
		if before, kept := set.keeps(in, i); kept {
			r.Class[i] = before
			r.Confidence[i] = 1
			r.Kept[i] = true
			r.Counts.add(before, true, 1)
			continue
		}
		code := int(c.Vegetation(i, set.Heights))
		sure := c.Confidence[i]
		if sure > 0 && float64(sure) < set.Least {
			code = classes.Unclassified
			r.Counts.Unclassified++
		}
		r.Class[i] = float64(set.Codes.Of(code))
		r.Counts.add(r.Class[i], false, sure)
	}
	r.Counts.setUnsure()
	for _, g := range s.Groups {
		r.Counts.addGroup(Group{What: g.What, Code: int(g.Class), Groups: 1, Points: g.Points})
	}
	return r
}

// keeps returns the class of a point before, and whether it stays.
func (set *Settings) keeps(in *Input, i int) (before float64, stays bool) {
	before = in.before(i)
	return before, in.takesNoPart(i) || in.Before != nil && !set.mayChange(before)
}

// mayChange reports whether points of a class may get another one.
func (set *Settings) mayChange(class float64) bool {
	return set.Change == nil || slices.ContainsFunc(set.Change,
		func(c uint8) bool { return float64(c) == class })
}

// Notes returns what a user should know of the classes of a view: one sentence that says why it is unlike the
// clouds of training, if it is, and one for each kind of groups that are noise. place writes the coordinates
// of a point of the cloud.
func (r *Result) Notes(place func(point int) string) (notes []string) {
	if text := r.unlike(); text != "" {
		notes = append(notes, text)
	}
	for _, g := range r.Counts.Groups {
		notes = append(notes, fmt.Sprintf("%s; the largest group has %s", g.text(), r.largest(g.What, place)))
	}
	return notes
}

// unlike says why a view is unlike the clouds of training; "" if it is not.
func (r *Result) unlike() string {
	var reasons []string
	if text := r.Counts.uncertainText(); text != "" {
		reasons = append(reasons, text)
	}
	if slices.Contains(r.Counts.Blank, classes.Returns) { // without intensity, only dark lakes are missed
		reasons = append(reasons, r.Counts.blankText()+", and classes are computed without")
	}
	if text := classes.SpacingText(r.Spacing); text != "" {
		reasons = append(reasons, text)
	}
	return strings.Join(reasons, "; ")
}

// largest describes the largest group of a kind.
func (r *Result) largest(what string, place func(point int) string) string {
	var most classes.NoiseGroup
	for _, g := range r.Groups {
		if g.What == what && g.Points > most.Points {
			most = g
		}
	}
	return fmt.Sprintf("%s, one of them at %s", message.Count(most.Points, "point"), place(most.First))
}
