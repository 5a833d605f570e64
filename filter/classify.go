package filter

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"superpoint/embed/classes"
	"superpoint/filter/models"
	"superpoint/filter/records"
	"superpoint/partition/parallel"
)

// Dimensions by which LAS marks points as withheld: one of their own, or a bit of the flags.
const (
	withheldDimension = "Withheld"
	flagsDimension    = "ClassFlags"
	withheldFlag      = 4
)

// ClassInputs returns the dimensions that classes are made from, if they are there.
func ClassInputs() []string { return append(classes.Dimensions(), withheldDimension, flagsDimension) }

// withheld reports whether a point of the view is marked as withheld.
func (v *View) withheld(i int) bool {
	if mark := v.Dimensions[withheldDimension]; mark != nil {
		return mark[i] != 0
	}
	flags := v.Dimensions[flagsDimension]
	return flags != nil && uint8(flags[i])&withheldFlag != 0
}

// allClasses is the value of class_change for any class.
const allClasses = "all"

// ClassCodes reads a list of class codes, "0,1"; "all" is nil.
func ClassCodes(option, text string) ([]uint8, error) {
	if text == allClasses {
		return nil, nil
	}
	var codes []uint8
	for part := range strings.SplitSeq(text, ",") {
		code, err := strconv.ParseUint(strings.TrimSpace(part), 10, 8)
		if err != nil {
			return nil, fmt.Errorf("option %s: %q is no class; give codes from 0 to 255 with commas between, for example "+
				"0,1, or all", option, part)
		}
		codes = append(codes, uint8(code))
	}
	return codes, nil
}

// checkClasses refuses what does not go with classes, and loads the classifier.
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
	f.classifier, err = models.Classes("classes", o.Classes)
	return err
}

// CheckFormat refuses classes that records of a LAS point format cannot hold.
func (f *Filter) CheckFormat(format int) error {
	most := records.MaxClass(format)
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

// maxCode returns the greatest code that the classifier may give.
func (f *Filter) maxCode() (most int) {
	for _, c := range f.classifier.Card.Classes {
		most = max(most, c.Code)
	}
	return most
}

// classify gives the view's points classes.
func (j *job) classify(run parallel.Run, s *Segmentation) error {
	wanted := slices.DeleteFunc(classes.Dimensions(), func(name string) bool { return j.view.Dimensions[name] == nil })
	if err := j.gather(run, wanted); err != nil {
		return err
	}
	sp := &classes.Superpoints{Cloud: j.cloud, Neighbors: j.lists, Component: j.Component, Count: j.Count,
		Attributes: j.attributes}
	card := j.classifier.Card
	if known := j.Embedding(); known.Sum != "" && known.Sum == card.Embedding.Sum && j.dim == card.Embedding.Dim {
		sp.Dim, sp.Embedding = j.dim, j.embedding
	} else if card.Embedding.Dim > 0 {
		j.log(LogWarning, fmt.Sprintf("classes %s know the embedding of model %s (%s), not this one; they do without",
			card.Name, card.Embedding.Model, card.Embedding.Sum))
	}
	before := j.view.Dimensions[j.options.ClassDimension]
	sp.Noise = make([]bool, j.cloud.Len())
	for i, from := range j.cloud.Order {
		sp.Noise[i] = before != nil && isNoise(before[from]) || j.view.withheld(int(from))
	}
	if err := sp.SetApart(run); err != nil {
		return err
	}
	c, err := j.classifier.Classify(run, sp)
	j.attributes = nil
	if err != nil {
		return err
	}
	if c.Warning != "" {
		j.log(LogWarning, c.Warning)
	}
	j.classes.unlike = max(j.classes.unlike, c.Unlike)
	s.class, s.confidence = make([]float64, len(s.ID)), c.Confidence
	for i, to := range s.order {
		was := 0.0
		if before != nil {
			was = before[to]
		}
		if j.view.withheld(int(to)) || before != nil && (isNoise(was) || !mayChange(j.classChange, was)) {
			s.class[to], s.confidence[i] = was, 1
			j.classes.count(was, true, 1)
			continue
		}
		s.class[to] = float64(c.Class[i])
		if least := j.options.MinConfidence; least != nil && c.Class[i] != classes.Noise &&
			float64(c.Confidence[i]) < *least {
			s.class[to] = unclassified
			j.classes.unsure++
		}
		j.classes.count(s.class[to], false, c.Confidence[i])
	}
	return nil
}

// Embedding says which embedding the filter computes; a card may change, so its
// weights name it. It is empty for features that were not learned, and before the
// model is known.
func (f *Filter) Embedding() classes.Embedding {
	if f.model == nil || f.model.Card == nil {
		return classes.Embedding{}
	}
	weights := f.model.Card.Weights
	return classes.Embedding{Model: f.model.Name, Sum: weights[:min(16, len(weights))], Dim: f.model.Embedder.Dim()}
}

// unclassified is LAS's class of points that nobody could tell.
const unclassified = 1

// isNoise reports whether a class is one of LAS's classes of noise, low and high.
func isNoise(class float64) bool { return class == classes.Noise || class == 18 }

// mayChange reports whether a class is among those that may; nil is all.
func mayChange(codes []uint8, class float64) bool {
	return codes == nil || slices.ContainsFunc(codes, func(c uint8) bool { return float64(c) == class })
}
