// SPDX-License-Identifier: BSD-3-Clause

package filter

import (
	"fmt"

	"superpoint/embed/classes"
	"superpoint/filter/land"
	"superpoint/filter/memory"
	"superpoint/partition/base/arrays"
	"superpoint/partition/base/parallel"
)

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

// Classify assigns a class to each point of a view whose superpoints are known. Call Describe first. The
// result has the outputs of ClassOutputs, which equal those of Segment.
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

// landInput returns known superpoints in the order of a cloud, and the id of each.
func landInput(at *located, known Known) (*land.Input, []uint32, error) {
	n := at.cloud.Len()
	dim := known.Dim
	if len(known.ID) != n || len(known.Embedding) != n*dim {
		return nil, nil, fmt.Errorf("%d ids and %d values of embeddings of length %d for %d points",
			len(known.ID),
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

// ClassInput returns the superpoints of a workspace's view as the input of a classifier, and the id of each.
// id and embedding (number of points × dim) are in the order of the view; points of id 0 have no superpoint.
func (w *Workspace) ClassInput(id []uint32, dim int, embedding []float32) (*classes.Superpoints,
	[]uint32, error) {
	in, ids, err := landInput(w.located, Known{id, dim, embedding})
	if err != nil {
		return nil, nil, err
	}
	attributes, err := w.View.gather(parallel.Run{}, w.cloud.Order, w.View.classInputs())
	if err != nil {
		return nil, nil, err
	}
	s := &classes.Superpoints{Cloud: in.Cloud, Neighbors: in.Neighbors, Component: in.Component,
		Count: in.Count,
		Dim:   dim, Embedding: in.Embedding, Attributes: attributes, Noise: make([]bool, w.cloud.Len())}
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
