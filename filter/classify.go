// SPDX-License-Identifier: BSD-3-Clause

package filter

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"superpoint/embed/classes"
	"superpoint/filter/lasformat"
	"superpoint/filter/models"
	"superpoint/partition/base/arrays"
	"superpoint/partition/base/parallel"
)

// Dimensions in which PDAL has the withheld flag of LAS: its own, or a bit of the flags.
const (
	withheldDimension = "Withheld"
	flagsDimension    = "ClassFlags"
	withheldFlag      = 4
)

// confidenceDimension is where the confidence of classes is written.
const confidenceDimension = "ClassConfidence"

// ClassInputs returns the dimensions that a classifier reads if the points have them.
func ClassInputs() []string { return append(classes.Dimensions(), withheldDimension, flagsDimension) }

// classInputs returns the dimensions that the option classes reads, also those of classes and confidences to keep.
func (o *Options) classInputs() []string {
	if o.Classes == "" {
		return nil
	}
	return append(ClassInputs(), o.ClassDimension, confidenceDimension)
}

// classInputs returns the dimensions of the view that a classifier reads.
func (v *View) classInputs() []string {
	return slices.DeleteFunc(classes.Dimensions(), func(name string) bool { return v.Dimensions[name] == nil })
}

// withheld returns a function that reports whether a point of the view is marked as withheld.
func (v *View) withheld() func(i uint32) bool {
	mark, flags := v.Dimensions[withheldDimension], v.Dimensions[flagsDimension]
	switch {
	case mark != nil:
		return func(i uint32) bool { return mark[i] != 0 }
	case flags != nil:
		return func(i uint32) bool { return uint8(flags[i])&withheldFlag != 0 }
	}
	return func(uint32) bool { return false }
}

// allClasses is the value of class_change for all classes.
const allClasses = "all"

// ClassCodes parses a list of class codes, "0,1"; nil for "all".
func ClassCodes(option, text string) ([]uint8, error) {
	if text == allClasses {
		return nil, nil
	}
	var codes []uint8
	for part := range strings.SplitSeq(text, ",") {
		code, err := strconv.ParseUint(strings.TrimSpace(part), 10, 8)
		if err != nil {
			return nil, fmt.Errorf("option %s: %q is not a class; give codes from 0 to 255, comma separated, for example "+
				"0,1, or all", option, part)
		}
		codes = append(codes, uint8(code))
	}
	return codes, nil
}

// checkClasses checks the options of classes and loads the classifier.
func (f *Filter) checkClasses() (err error) {
	o := f.options
	if o.Classes == "" {
		return nil
	}
	if err = checkClassDimension(o.ClassDimension); err != nil {
		return err
	}
	if f.classChange, err = ClassCodes("class_change", cmp.Or(o.ClassChange, "0,1")); err != nil {
		return err
	}
	if f.vegetation, err = vegetationHeights(cmp.Or(o.VegetationHeights, "0.5,2")); err != nil {
		return err
	}
	if f.classifier, err = models.Classes("classes", o.Classes); err != nil {
		return err
	}
	f.table, err = ParseClassCodes(f.classifier, o.ClassCodes)
	return err
}

// vegetationHeights parses the option vegetation_heights.
func vegetationHeights(text string) (heights [2]float64, err error) {
	medium, high, two := strings.Cut(text, ",")
	for k, part := range []string{medium, high} {
		h, bad := strconv.ParseFloat(strings.TrimSpace(part), 64)
		if heights[k] = h; bad != nil || !two || !(h >= 0 && h <= math.MaxFloat32) || h < heights[0] {
			return heights, fmt.Errorf("option vegetation_heights: %q is not two heights; give the least heights of medium and "+
				"high vegetation in metres, the lower one first, for example 0.5,2", text)
		}
	}
	return heights, nil
}

// CheckFormat fails if a LAS point format cannot hold the classes.
func (f *Filter) CheckFormat(format int) error {
	most := lasformat.MaxClass(format)
	if f.classifier == nil || f.options.ClassDimension != defaultClassDimension {
		return nil
	}
	if code := f.maxCode(); code > most {
		return fmt.Errorf("option classes: %q gives class %d, and LAS point format %d holds 0 to %d; convert the file to "+
			"point format 6 or above, or set class_dimension, for example class_dimension=UserData", f.options.Classes, code,
			format, most)
	}
	if len(f.classChange) > 0 && int(slices.Max(f.classChange)) > most {
		return fmt.Errorf("option class_change: %q has class %d, and LAS point format %d holds 0 to %d; leave it out",
			f.options.ClassChange, slices.Max(f.classChange), format, most)
	}
	return nil
}

// maxCode returns the greatest class code that is written.
func (f *Filter) maxCode() (most int) {
	for _, c := range givenClasses(f.classifier) {
		most = max(most, f.table.Of(c.codes[0]))
	}
	return most
}

// classify assigns a class to each point of the view.
func (p *partitioned) classify(run parallel.Run, s *Segmentation) error {
	if p.connected != nil {
		p.graph = nil // the outputs that read it come before
	}
	arrays.Collect()
	attributes, err := p.view.gather(run, p.cloud.Order, p.view.classInputs())
	if err != nil {
		return err
	}
	sp := &classes.Superpoints{Cloud: p.cloud, Neighbors: p.lists, Component: p.Component, Count: p.Count,
		Attributes: attributes}
	card := p.classifier.Card
	if known := p.Embedding(); known.Sum != "" && known.Sum == card.Embedding.Sum && p.dim == card.Embedding.Dim {
		sp.Dim, sp.Embedding = p.dim, p.values
	} else if card.Embedding.Dim > 0 {
		p.log(LogWarning, fmt.Sprintf("classes %s were trained with the embedding of model %s (%s), not this one; "+
			"they are computed without it", card.Name, card.Embedding.Model, card.Embedding.Sum))
	}
	before, withheld := p.view.Dimensions[p.options.ClassDimension], p.view.withheld()
	sp.Noise = make([]bool, p.cloud.Len())
	for i, from := range p.cloud.Order {
		sp.Noise[i] = before != nil && isNoise(before[from]) || withheld(from)
	}
	if err := sp.FindOutliers(run); err != nil {
		return err
	}
	c, err := p.classifier.Classify(run, sp, p.options.ClassProbabilities)
	if err != nil {
		return err
	}
	if c.Warning != "" {
		p.log(LogWarning, c.Warning)
	}
	p.record.classes.unsure = max(p.record.classes.unsure, 1-c.Mean)
	s.class, s.confidence, s.probabilities = make([]float64, len(s.ID)), c.Confidence, c.Each
	s.before = slices.Clone(p.view.Dimensions[confidenceDimension])
	for i, to := range s.order {
		was := 0.0
		if before != nil {
			was = before[to]
		}
		if withheld(to) || before != nil && (isNoise(was) || !mayChange(p.classChange, was)) {
			s.class[to], s.confidence[i] = was, 1
			if s.before != nil {
				s.confidence[i] = float32(s.before[to])
			}
			p.record.classes.count(was, true, 1)
			continue
		}
		code := int(c.Vegetation(i, p.vegetation))
		least := p.options.MinConfidence
		if least != nil && c.Confidence[i] > 0 && float64(c.Confidence[i]) < *least {
			code = classes.Unclassified
			p.record.classes.unclassified++
		}
		s.class[to] = float64(p.table.Of(code))
		p.record.classes.count(s.class[to], false, c.Confidence[i])
	}
	return nil
}

// Embedding identifies the embedding that the filter computes by the hash of its
// weights, because a card may change. It is empty without a learned model, and before the
// model is loaded.
func (f *Filter) Embedding() classes.Embedding {
	if f.model == nil || f.model.Card == nil {
		return classes.Embedding{}
	}
	weights := f.model.Card.Weights
	return classes.Embedding{Model: f.model.Name, Sum: weights[:min(16, len(weights))], Dim: f.model.Embedder.Dim()}
}

// isNoise reports whether a class is low or high noise in LAS.
func isNoise(class float64) bool { return class == classes.Noise || class == classes.HighNoise }

// mayChange reports whether a class is in codes; nil means all classes.
func mayChange(codes []uint8, class float64) bool {
	return codes == nil || slices.ContainsFunc(codes, func(c uint8) bool { return float64(c) == class })
}
