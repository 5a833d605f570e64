// SPDX-License-Identifier: BSD-3-Clause

package filter

import (
	"cmp"
	"fmt"
	"slices"

	"superpoint/embed/classes"
	"superpoint/filter/cloud"
	"superpoint/filter/georef"
	"superpoint/filter/land"
	"superpoint/filter/lasformat"
	"superpoint/filter/message"
	"superpoint/filter/models"
	"superpoint/filter/option"
	"superpoint/partition/base/arrays"
	"superpoint/partition/base/parallel"
	"superpoint/partition/neighbor"
)

// checkClasses checks the options of classes and loads the classifier.
func (f *Filter) checkClasses() (err error) {
	o := f.options
	if o.Classes == "" {
		return nil
	}
	if err = option.CheckClassDimension(o.ClassDimension); err != nil {
		return err
	}
	set := &land.Settings{Probabilities: o.ClassProbabilities}
	if o.MinConfidence != nil {
		set.Least = *o.MinConfidence
	}
	if set.Change, err = land.ClassCodes("class_change", cmp.Or(o.ClassChange, "0,1")); err != nil {
		return err
	}
	if set.Heights, err = land.VegetationHeights(cmp.Or(o.VegetationHeights, "0.5,2")); err != nil {
		return err
	}
	if set.Model, err = models.Classes("classes", o.Classes); err != nil {
		return err
	}
	if set.Codes, err = land.ParseClassCodes(set.Model, o.ClassCodes); err != nil {
		return err
	}
	f.classifier, f.land = set.Model, set
	return nil
}

// CheckFormat fails if a LAS point format cannot hold the classes.
func (f *Filter) CheckFormat(format int) error {
	most := lasformat.MaxClass(format)
	if f.classifier == nil || f.options.ClassDimension != option.DefaultClassDimension {
		return nil
	}
	if code := f.maxCode(); code > most {
		return fmt.Errorf(
			"option classes: %q gives class %d, and LAS point format %d holds 0 to %d; convert the file to "+
				"point format 6 or above, or set class_dimension, for example class_dimension=UserData",
			f.options.Classes, code,
			format, most)
	}
	if change := f.land.Change; len(change) > 0 && int(slices.Max(change)) > most {
		return fmt.Errorf(
			"option class_change: %q has class %d, and LAS point format %d holds 0 to %d; leave it out",
			f.options.ClassChange, slices.Max(change), format, most)
	}
	return nil
}

// maxCode returns the greatest class code that is written.
func (f *Filter) maxCode() int { return f.land.Codes.Most(f.classifier) }

// class returns the classes of the points of the view.
func (p *partitioned) class(run parallel.Run, s *Segmentation) (valueOf, error) {
	c, err := p.classesOf(run, s)
	return func(_, i int) float64 { return c.class[i] }, err
}

// confidence returns the confidences of the classes. A class that was kept has its confidence in the input,
// with all its digits.
func (p *partitioned) confidence(run parallel.Run, s *Segmentation) (valueOf, error) {
	c, err := p.classesOf(run, s)
	return func(_, i int) float64 {
		if c.before != nil && float32(c.before[s.order[i]]) == c.confidence[i] {
			return c.before[s.order[i]]
		}
		return float64(c.confidence[i])
	}, err
}

// probabilities returns the probabilities of all classes.
func (p *partitioned) probabilities(run parallel.Run, s *Segmentation) (valueOf, error) {
	c, err := p.classesOf(run, s)
	number := len(p.filter.classifier.Card.Classes)
	return func(k, i int) float64 { return float64(c.probabilities[i*number+k]) }, err
}

// classesOf returns the classes of the view. It classifies the points if that was not done yet.
func (p *partitioned) classesOf(run parallel.Run, s *Segmentation) (*pointClasses, error) {
	if s.classes == nil {
		if err := p.classify(run, s); err != nil {
			return nil, err
		}
	}
	return s.classes, nil
}

// classify assigns a class to each point of the view.
func (p *partitioned) classify(run parallel.Run, s *Segmentation) error {
	if p.Connected != nil {
		p.Graph = nil // the outputs that read it come before
	}
	arrays.Collect()
	in := &land.Input{Cloud: p.Cloud, Neighbors: p.Lists, Component: p.Component, Count: p.Count}
	if p.filter.knows(p.filter.Embedding()) {
		in.Dim, in.Embedding = p.Dim, p.Values
	}
	return p.filter.classifyPoints(run, p.view, in, s)
}

// knows reports whether the classifier was trained with an embedding; it warns if it was trained with
// another.
func (f *Filter) knows(embedding classes.Embedding) bool {
	card := f.classifier.Card
	if embedding.Sum != "" && embedding.Sum == card.Embedding.Sum && embedding.Dim == card.Embedding.Dim {
		return true
	}
	if card.Embedding.Dim > 0 {
		f.log(message.Warning,
			fmt.Sprintf("classes %s were trained with the embedding of model %s (%s), not this one; "+
				"they are computed without it", card.Name, card.Embedding.Model, card.Embedding.Sum))
	}
	return false
}

// classifyPoints assigns a class to each point of a view, whose superpoints are in a cloud of them.
func (f *Filter) classifyPoints(run parallel.Run, view *cloud.View, in *land.Input, s *Segmentation) (
	err error) {
	if in.Attributes, err = view.Gather(run, in.Cloud.Order, view.ClassInputs()); err != nil {
		return err
	}
	in.Before = view.Dimensions[f.options.ClassDimension]
	withheld := view.Withheld()
	in.Withheld = make([]bool, in.Cloud.Len())
	for i, from := range in.Cloud.Order {
		in.Withheld[i] = withheld(from)
	}
	r, err := land.Classify(run, f.land, in)
	if err != nil {
		return err
	}
	for _, note := range r.Notes(placeIn(in.Cloud, view.Reference)) {
		f.log(message.Warning, note)
	}
	f.record.classes.Add(r.Counts)
	c := &pointClasses{class: r.Class, confidence: r.Confidence, probabilities: r.Each}
	if before := view.Dimensions[option.ConfidenceDimension]; before != nil {
		c.before = slices.Clone(before)
		for i, kept := range r.Kept {
			if kept {
				c.confidence[i] = float32(before[in.Cloud.Order[i]])
			}
		}
	}
	s.classes = c
	return nil
}

// placeIn returns a function that writes the place of a point in the units of a reference. Where lengths
// depend on the place, for degrees and in Mercator projections, the place is in metres, and its text says
// so. The coordinates of the view may have been released.
func placeIn(c *neighbor.Cloud, r georef.Reference) func(point int) string {
	units := [3]float64{1, 1, 1}
	unit := " m"
	if scale, err := r.Scale(nil); err == nil && scale(0) == scale(1e6) {
		units = scale(0)
		unit = ""
	}
	return func(point int) string {
		at := c.Position(uint32(point)).Add(c.Origin)
		return message.Place([3]float64{at.X / units[0], at.Y / units[1], at.Z / units[2]}) + unit
	}
}

// Classes returns the counts of the classes of all views so far; nil without the option classes.
func (f *Filter) Classes() *land.Summary {
	if f.classifier == nil {
		return nil
	}
	return f.record.classes.Summary(f.classifier.Card, f.land.Codes.Name)
}
