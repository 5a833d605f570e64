package filter

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"time"

	"superpoint/embed"
	"superpoint/filter/memory"
	"superpoint/partition/metrics"
	"superpoint/partition/parallel"
)

// names returns the names of the view's dimensions, sorted.
func (v *View) names() []string { return slices.Sorted(maps.Keys(v.Dimensions)) }

// Segment finds the superpoints of one view. An empty view gives an empty
// segmentation and a warning. It fails, and the filter can go on with the next
// view, when a dimension is missing, a coordinate is not finite, or the run is
// cancelled.
func (f *Filter) Segment(run Run, view *View) (*Segmentation, error) {
	return f.segment(run, view, nil)
}

func (f *Filter) segment(run Run, view *View, w *Workspace) (*Segmentation, error) {
	if view.Len() == 0 {
		f.log(LogWarning, "the view has no points; nothing to segment")
		return &Segmentation{First: f.next}, nil
	}
	if err := f.choose(view.names()); err != nil {
		return nil, err
	}
	j := &job{Filter: f, run: run, view: view, workspace: w, seconds: map[string]float64{}}
	var err error
	if j.settings, err = f.options.resolve(f.model); err != nil {
		return nil, err
	}
	if err := j.checkLabels(); err != nil {
		return nil, err
	}
	if err := j.checkMemory(); err != nil {
		return nil, err
	}
	defer j.leaveGPU()
	if err := j.partitionView(); err != nil {
		return nil, friendly(err)
	}
	var s *Segmentation
	err = j.step(stepOutput, func(run parallel.Run) (err error) {
		s, err = j.output(run)
		return err
	})
	if err != nil {
		return nil, friendly(err)
	}
	f.record.add(j)
	return s, nil
}

// checkLabels looks at the labels that options name before the work begins.
func (j *job) checkLabels() error {
	for _, l := range j.options.labels() {
		values, err := j.column(l.name)
		if err == nil {
			err = metrics.CheckLabels(l.name, values)
		}
		if err != nil {
			return fmt.Errorf("option %s: %w", l.option, err)
		}
	}
	return nil
}

// checkMemory refuses a view that does not fit.
func (j *job) checkMemory() error {
	points := j.view.Len()
	return memory.Check("the view", points, j.work(j.settings).Need(points))
}

// partitionView runs the steps up to the components.
func (j *job) partitionView() error {
	method := methods()[j.options.Method]
	if method.solve == nil {
		return fmt.Errorf("option method: %q is not part of this build", j.options.Method)
	}
	if err := j.step(stepNeighbors, j.findNeighbors); err != nil {
		return err
	}
	if method.embeds {
		if err := j.step(stepEmbedding, j.embed); err != nil {
			return err
		}
	}
	if err := j.step(stepGraph, func(run parallel.Run) error { return j.buildGraph(run, method.lists) }); err != nil {
		return err
	}
	defer func() { j.lists = nil }()
	return j.step(stepPartition, func(run parallel.Run) error {
		return memory.Lean(j.view.Len(), func() error { return method.solve(j, run) })
	})
}

// embed computes the embedding of every point.
func (j *job) embed(run parallel.Run) error {
	start := time.Now()
	key := fmt.Sprint(j.model.Name, " ", j.model.Sum, " ", j.model.Neighbors, " ", j.settings.spacing)
	if j.workspace != nil {
		if e := j.workspace.embeddings[key]; e != nil {
			j.dim, j.embedding = e.dim, e.values
			j.seconds[stepEmbedding] += e.seconds
			return nil
		}
	}
	if err := j.gather(j.quiet(run), j.model.Needs); err != nil {
		return err
	}
	in := &embed.Input{Cloud: j.cloud, Neighbors: j.lists, Attributes: j.attributes}
	if j.model.Spaced() {
		in.Spacing = j.spacing()
	}
	var err error
	j.dim = j.model.Embedder.Dim()
	if j.embedding, err = j.embedAll(run, in); err != nil {
		return err
	}
	j.attributes = nil
	if j.workspace != nil {
		j.workspace.embeddings[key] = &embedding{j.dim, j.embedding, time.Since(start).Seconds()}
	}
	return nil
}

// friendly adds the remedy to errors of the packages below.
func friendly(err error) error {
	var broken *parallel.PanicError
	if errors.As(err, &broken) {
		return fmt.Errorf("%w; this is a bug, please report it with the options and the file", err)
	}
	return err
}

// output numbers the superpoints and makes what the options ask for.
func (j *job) output(run parallel.Run) (*Segmentation, error) {
	n := j.cloud.Len()
	if uint64(j.next)+uint64(j.count) > math.MaxUint32 {
		return nil, fmt.Errorf("ids would go beyond %d; run the views in several pipelines", uint32(math.MaxUint32))
	}
	s := &Segmentation{ID: make([]uint32, n), First: j.next, Count: j.count, order: j.cloud.Order}
	err := run.For(n, grain, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			s.ID[j.cloud.Order[i]] = j.next + j.component[i]
		}
	})
	if err != nil {
		return nil, err
	}
	if err := j.compareWithTruth(run); err != nil {
		return nil, err
	}
	if err := s.prepare(j, run); err != nil {
		return nil, err
	}
	j.next += uint32(j.count)
	return s, nil
}
