// SPDX-License-Identifier: BSD-3-Clause

package filter

import (
	"cmp"
	"fmt"
	"slices"

	"superpoint/embed/classes"
	"superpoint/filter/land"
	"superpoint/filter/lasformat"
	"superpoint/filter/memory"
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

// checkClasses checks the options of classes and loads the classifier.
func (f *Filter) checkClasses() (err error) {
	o := f.options
	if o.Classes == "" {
		return nil
	}
	if err = checkClassDimension(o.ClassDimension); err != nil {
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
	if f.classifier == nil || f.options.ClassDimension != defaultClassDimension {
		return nil
	}
	if code := f.maxCode(); code > most {
		return fmt.Errorf("option classes: %q gives class %d, and LAS point format %d holds 0 to %d; convert the file to "+
			"point format 6 or above, or set class_dimension, for example class_dimension=UserData", f.options.Classes, code,
			format, most)
	}
	if change := f.land.Change; len(change) > 0 && int(slices.Max(change)) > most {
		return fmt.Errorf("option class_change: %q has class %d, and LAS point format %d holds 0 to %d; leave it out",
			f.options.ClassChange, slices.Max(change), format, most)
	}
	return nil
}

// maxCode returns the greatest class code that is written.
func (f *Filter) maxCode() int { return f.land.Codes.Most(f.classifier) }

// classify assigns a class to each point of the view.
func (p *partitioned) classify(run parallel.Run, s *Segmentation) error {
	if p.connected != nil {
		p.graph = nil // the outputs that read it come before
	}
	arrays.Collect()
	in := &land.Input{Cloud: p.cloud, Neighbors: p.lists, Component: p.Component, Count: p.Count}
	if p.knows(p.Filter.Embedding()) {
		in.Dim, in.Embedding = p.dim, p.values
	}
	return p.classifyPoints(run, p.view, in, s)
}

// knows reports whether the classifier was trained with an embedding; it warns if it was with another.
func (f *Filter) knows(embedding classes.Embedding) bool {
	card := f.classifier.Card
	if embedding.Sum != "" && embedding.Sum == card.Embedding.Sum && embedding.Dim == card.Embedding.Dim {
		return true
	}
	if card.Embedding.Dim > 0 {
		f.log(LogWarning, fmt.Sprintf("classes %s were trained with the embedding of model %s (%s), not this one; "+
			"they are computed without it", card.Name, card.Embedding.Model, card.Embedding.Sum))
	}
	return false
}

// classifyPoints assigns a class to each point of a view, whose superpoints are in a cloud of them.
func (f *Filter) classifyPoints(run parallel.Run, view *View, in *land.Input, s *Segmentation) (err error) {
	if in.Attributes, err = view.gather(run, in.Cloud.Order, view.classInputs()); err != nil {
		return err
	}
	in.Before = view.Dimensions[f.options.ClassDimension]
	withheld := view.withheld()
	in.Withheld = make([]bool, in.Cloud.Len())
	for i, from := range in.Cloud.Order {
		in.Withheld[i] = withheld(from)
	}
	r, err := land.Classify(run, f.land, in)
	if err != nil {
		return err
	}
	for _, note := range r.Notes() {
		f.log(LogWarning, note)
	}
	f.record.classes.Add(r.Counts)
	s.class, s.confidence, s.probabilities = r.Class, r.Confidence, r.Each
	if before := view.Dimensions[confidenceDimension]; before != nil {
		s.before = slices.Clone(before)
		for i, kept := range r.Kept {
			if kept {
				s.confidence[i] = float32(before[in.Cloud.Order[i]])
			}
		}
	}
	return nil
}

// Known are the superpoints of a view that are known already, in its order.
type Known struct {
	ID        []uint32  // of each point; 0 for none
	Dim       int       // length of an embedding
	Embedding []float32 // of the filter's model, number of points × Dim
}

// ClassOutputs returns the names of the dimensions that Classify computes; nil without the option classes.
func (f *Filter) ClassOutputs() (names []string) {
	for _, w := range classOutputs() {
		names = append(names, w.names(f)...)
	}
	return names
}

// Classify assigns a class to each point of a view whose superpoints are known. Call Describe first. The result has
// the outputs of ClassOutputs, which equal those of Segment.
func (f *Filter) Classify(run Run, view *View, known Known) (*Segmentation, error) {
	s, err := f.settings(view)
	if err != nil {
		return nil, err
	}
	done, err := f.reserve(view, &s)
	if err != nil {
		return nil, err
	}
	defer done()
	defer f.device.Release()
	defer memory.Release(view.Len())
	c := newClock(run, f.options.Threads, view.Len())
	at, err := step(c, stepNeighbors, func(run parallel.Run) (*located, error) {
		positions, err := view.metres(run.Quiet(), f.log.Warn)
		if err != nil {
			return nil, err
		}
		return f.locate(run, view, positions, classes.ShapeNeighbors, view.Len())
	})
	if err != nil {
		return nil, err
	}
	return step(c, stepOutput, func(run parallel.Run) (*Segmentation, error) {
		if !f.knows(f.Embedding()) {
			known.Dim, known.Embedding = 0, nil
		}
		in, _, err := landInput(at, known)
		if err != nil {
			return nil, err
		}
		out := &Segmentation{ID: known.ID, order: in.Cloud.Order}
		if err := f.classifyPoints(run, view, in, out); err != nil {
			return nil, err
		}
		out.add(f, classOutputs())
		return out, nil
	})
}

// Classes returns the counts of the classes of all views so far; nil without the option classes.
func (f *Filter) Classes() *land.Summary {
	if f.classifier == nil {
		return nil
	}
	return f.record.classes.Summary(f.classifier.Card, f.land.Codes.Name)
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

// landInput returns known superpoints in the order of a cloud, and the id of each.
func landInput(at *located, known Known) (*land.Input, []uint32, error) {
	n, dim := at.cloud.Len(), known.Dim
	if len(known.ID) != n || len(known.Embedding) != n*dim {
		return nil, nil, fmt.Errorf("%d ids and %d values of embeddings of length %d for %d points", len(known.ID),
			len(known.Embedding), dim, n)
	}
	ids := arrays.Values(known.ID, func(v uint32) bool { return v == 0 })
	in := &land.Input{Cloud: at.cloud, Neighbors: at.lists, Component: make([]uint32, n), Count: len(ids),
		Dim: dim, Embedding: make([]float32, n*dim)}
	for i, from := range at.cloud.Order {
		in.Component[i] = arrays.Rank(ids, known.ID[from])
		copy(in.Embedding[i*dim:(i+1)*dim], known.Embedding[int(from)*dim:])
	}
	return in, ids, nil
}

// ClassInput returns the superpoints of a workspace's view as the input of a classifier, and the id of each. id and
// embedding (number of points × dim) are in the order of the view; points of id 0 have no superpoint.
func (w *Workspace) ClassInput(id []uint32, dim int, embedding []float32) (*classes.Superpoints, []uint32, error) {
	in, ids, err := landInput(w.located, Known{id, dim, embedding})
	if err != nil {
		return nil, nil, err
	}
	attributes, err := w.View.gather(parallel.Run{}, w.cloud.Order, w.View.classInputs())
	if err != nil {
		return nil, nil, err
	}
	s := &classes.Superpoints{Cloud: in.Cloud, Neighbors: in.Neighbors, Component: in.Component, Count: in.Count,
		Dim: dim, Embedding: in.Embedding, Attributes: attributes, Noise: make([]bool, w.cloud.Len())}
	withheld := w.View.withheld()
	for i, from := range w.cloud.Order {
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
