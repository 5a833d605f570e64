// SPDX-License-Identifier: BSD-3-Clause

package filter

import (
	"slices"

	"superpoint/filter/method"
	"superpoint/partition/base/parallel"
)

// embed computes the embedding of the points of a view. The dimensions that no later step reads are released.
func (f *Filter) embed(run parallel.Run, v *View, at *located, spacing float64, corner *[2]float64) (
	*embedded, error) {
	attributes, err := v.gather(run.Quiet(), at.cloud.Order, f.model.Needs)
	if err != nil {
		return nil, err
	}
	f.release(v, false, f.model.Needs...)
	return embedPoints(run, f.device, f.model, at, attributes, spacing, corner)
}

// release releases those dimensions of a view that no later step reads. embeds reports whether the
// embedding is still to be computed.
func (f *Filter) release(v *View, embeds bool, names ...string) {
	var later []string
	if embeds && f.model != nil {
		later = slices.Clone(f.model.Needs)
	}
	later = append(append(later, f.options.Vote), f.options.classInputs()...)
	v.release(slices.DeleteFunc(slices.Clone(names),
		func(name string) bool { return slices.Contains(later, name) }))
}

// points runs the steps before the partition. It returns their results, and the settings with what was
// measured.
func (f *Filter) points(c *clock, v *View, w *Workspace, s settings) (*points, settings, error) {
	at, s, err := f.locateView(c, v, w, s)
	if err != nil {
		return nil, s, err
	}
	var kept results
	if w != nil {
		kept = w.results
	}
	by := method.Named(f.options.Method)
	e := new(embedded) // empty for a method without a model
	if by.Embeds {
		e, err = step(c, stepEmbedding, func(run parallel.Run) (*embedded, error) {
			e, saved, err := cached(kept.embeddings, f.embeddingKey(s.spacing), func() (*embedded, error) {
				return f.embed(run, v, at, s.spacing, nil)
			})
			c.seconds[stepEmbedding] += saved
			return e, err
		})
		if err != nil {
			return nil, s, err
		}
	}
	g, err := step(c, stepGraph, func(run parallel.Run) (*connected, error) {
		g, saved, err := kept.connect(run, at, s.graph)
		if err != nil {
			return nil, err
		}
		c.seconds[stepGraph] += saved
		if w != nil {
			g = g.clone() // that of the workspace is used again
		}
		return g, g.isolate(run, at, e.isolated, s.graph.Nearest)
	})
	if err != nil {
		return nil, s, err
	}
	if !by.Lists && f.classifier == nil {
		at.lists = nil
	}
	return &points{at, e, g}, s, nil
}

// locateView measures a large view, and finds the neighbors of its points or takes those of its workspace.
func (f *Filter) locateView(c *clock, v *View, w *Workspace, s settings) (*located, settings, error) {
	quiet := c.run.parallel(stepNeighbors, c.threads).Quiet()
	var at positions
	var err error
	if sampled := f.isSampled(v); w == nil || sampled {
		at, err = timed(c, stepNeighbors, func() (positions, error) { return v.metres(quiet, f.log.Warn) })
		if err == nil && sampled {
			s, err = timed(c, stepNeighbors,
				func() (settings, error) { return f.measureSample(quiet, v, at, s) })
		}
	}
	if err != nil {
		return nil, s, err
	}
	l, err := step(c, stepNeighbors, func(run parallel.Run) (*located, error) {
		if w != nil {
			return w.locate(s.knn)
		}
		return f.locate(run, v, at, s.knn, v.Len())
	})
	if err != nil {
		return nil, s, err
	}
	if w != nil {
		c.seconds[stepNeighbors] = w.seconds
	}
	f.release(v, true, "X", "Y", "Z")
	return l, s.completed(l.cloud, l.lists), nil
}

// locate builds the cloud of a view, or of a tile of a cloud of points points, and finds the neighbors of its
// points.
func (f *Filter) locate(run parallel.Run, v *View, at positions, knn, points int) (*located, error) {
	cloud, err := newCloud(run, v, at, f.log.Warn)
	if err != nil {
		return nil, err
	}
	warnOfPositions(run.Quiet(), v, cloud, f.log)
	return locate(run, f.device, cloud, knn, points)
}

func (f *Filter) embeddingKey(spacing float64) embeddingKey {
	return embeddingKey{f.model.Name, f.model.Sum, f.model.Neighbors, spacing}
}
