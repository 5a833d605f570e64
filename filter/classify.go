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
	"superpoint/filter/message"
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
	if known := p.Filter.Embedding(); known.Sum != "" && known.Sum == card.Embedding.Sum && p.dim == card.Embedding.Dim {
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

// classCounts counts the classes of the points of all views so far.
type classCounts struct {
	points       [math.MaxUint8 + 1]int // by code, protected points included
	protected    int                    // points that kept their class
	confidence   float64                // sum over the points that got a class
	isolated     int                    // points that are not protected, and have no confidence
	unclassified int                    // points below min_confidence
	unsure       float64                // 1 − mean confidence, the largest of the views
}

// count adds a point. A class outside 0 to 255, which a protected point may have in
// other dimensions than Classification, is not counted in points.
func (c *classCounts) count(class float64, protected bool, confidence float32) {
	if class >= 0 && class <= math.MaxUint8 {
		c.points[uint8(class)]++
	}
	switch {
	case protected:
		c.protected++
	case confidence == 0:
		c.isolated++
	default:
		c.confidence += float64(confidence)
	}
}

// Classified is the result of the option classes, in the metadata.
type Classified struct {
	Points       []ClassCount `json:"points"`              // by code
	Confidence   float64      `json:"mean_confidence"`     // of the points that are not protected or isolated
	Protected    int          `json:"protected"`           // points that kept their class (class_change)
	Unclassified int          `json:"unclassified"`        // points below min_confidence
	Uncertain    string       `json:"uncertain,omitempty"` // says that the mean confidence of a view is low
	Limits       []string     `json:"limits,omitempty"`    // from the card: what the classifier is known to miss
}

// ClassCount is the number of points of a class.
type ClassCount struct {
	Code  int    `json:"code"`
	Name  string `json:"name"`
	Count int    `json:"count"`
}

// summary returns the counts of points points, with the names of their codes and the limits of a card.
func (c *classCounts) summary(card *classes.Card, points int, name func(code int) string) *Classified {
	s := &Classified{Points: []ClassCount{}, Protected: c.protected, Unclassified: c.unclassified,
		Limits: card.Training.Limits, Uncertain: classes.UncertainText(1 - c.unsure)}
	for code, n := range c.points {
		if n == 0 {
			continue
		}
		s.Points = append(s.Points, ClassCount{Code: code, Name: name(code), Count: n})
	}
	if given := points - c.protected - c.isolated; given > 0 {
		s.Confidence = math.Round(1e4*c.confidence/float64(given)) / 1e4
	}
	return s
}

// String returns the result as one line of text, with the largest classes.
func (s *Classified) String() string {
	const most = 12
	total, all := 0, slices.Clone(s.Points)
	slices.SortStableFunc(all, func(a, b ClassCount) int { return cmp.Compare(b.Count, a.Count) })
	more := ClassCount{Name: message.Count(len(all)-most, "further class")}
	for k, p := range all {
		if total += p.Count; k >= most {
			more.Count += p.Count
		}
	}
	all = all[:min(most, len(all))]
	slices.SortFunc(all, func(a, b ClassCount) int { return cmp.Compare(a.Code, b.Code) })
	if more.Count > 0 {
		all = append(all, more)
	}
	var parts []string
	for _, p := range all {
		parts = append(parts, fmt.Sprintf("%s %.1f %%", p.Name, 100*float64(p.Count)/float64(total)))
	}
	text := strings.Join(parts, ", ")
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
	return text
}

// ClassInput returns the superpoints of a workspace's view as the input of a
// classifier, and the id of each. id and embedding (number of points × dim) are in the
// order of the view; points of id 0 have no superpoint.
func (w *Workspace) ClassInput(id []uint32, dim int, embedding []float32) (*classes.Superpoints, []uint32, error) {
	n := w.cloud.Len()
	if len(id) != n || len(embedding) != n*dim {
		return nil, nil, fmt.Errorf("%d ids and %d values of embeddings of length %d for %d points", len(id), len(embedding),
			dim, n)
	}
	ids := arrays.Values(id, func(v uint32) bool { return v == 0 })
	attributes, err := w.View.gather(parallel.Run{}, w.cloud.Order, w.View.classInputs())
	if err != nil {
		return nil, nil, err
	}
	s := &classes.Superpoints{
		Cloud: w.cloud, Neighbors: w.lists, Component: make([]uint32, n), Count: len(ids),
		Dim: dim, Embedding: make([]float32, n*dim), Attributes: attributes, Noise: make([]bool, n),
	}
	withheld := w.View.withheld()
	for i, from := range w.cloud.Order {
		s.Component[i] = arrays.Rank(ids, id[from])
		copy(s.Embedding[i*dim:(i+1)*dim], embedding[int(from)*dim:])
		s.Noise[i] = withheld(from)
	}
	return s, ids, s.FindOutliers(parallel.Run{})
}

// Order returns the index in the view of each point of the workspace's cloud.
func (w *Workspace) Order() []uint32 { return w.cloud.Order }

// Parallel returns a run for loops, with the threads of the workspace.
func (w *Workspace) Parallel(run Run) parallel.Run {
	return run.parallel(stepOutput, w.threads).Quiet()
}
