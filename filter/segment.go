package filter

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"superpoint/embed"
	"superpoint/filter/memory"
	"superpoint/filter/method"
	"superpoint/partition/metrics"
	"superpoint/partition/parallel"
)

// Segment computes the superpoints of one view. For an empty view it logs a warning
// and returns an empty segmentation. It fails if a dimension is missing, a coordinate
// is not finite, or the run is cancelled; the filter can then segment other views.
func (f *Filter) Segment(run Run, view *View) (*Segmentation, error) {
	return f.segment(run, view, nil)
}

func (f *Filter) segment(run Run, view *View, w *Workspace) (*Segmentation, error) {
	if view.Len() == 0 {
		f.log(LogWarning, "the view has no points; nothing to segment")
		return &Segmentation{First: f.next}, nil
	}
	j, err := f.newJob(run, view)
	if err != nil {
		return nil, err
	}
	j.workspace = w
	if err := j.checkLabels(); err != nil {
		return nil, err
	}
	done, err := j.reserve()
	if err != nil {
		return nil, err
	}
	defer done()
	defer j.device.Release()
	defer memory.Release(view.Len())
	if err := j.partitionView(); err != nil {
		return nil, reportBug(err)
	}
	var s *Segmentation
	err = j.step(stepOutput, func(run parallel.Run) (err error) {
		s, err = j.output(run)
		return err
	})
	if err != nil {
		return nil, reportBug(err)
	}
	j.recordView()
	return s, nil
}

// checkLabels fails early for labels that are missing or invalid.
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

// release releases those dimensions that no later step reads.
func (j *job) release(names ...string) {
	var later []string
	if !j.read && j.model != nil {
		later = j.model.Reads(j.view.names())
	}
	for _, l := range j.options.labels() {
		later = append(later, l.name)
	}
	if j.classifier != nil {
		later = append(append(later, ClassInputs()...), j.options.ClassDimension)
	}
	j.view.release(slices.DeleteFunc(names, func(name string) bool { return slices.Contains(later, name) }))
}

// reserve reserves the memory for the view, until done.
func (j *job) reserve() (done func(), err error) {
	points := j.view.Len()
	return memory.Reserve("the view", points, j.work(j.settings).Need(points))
}

// partitionView runs all steps but the output.
func (j *job) partitionView() error {
	by := method.Named(j.options.Method)
	if by.Name == "" {
		return fmt.Errorf("option method: %q is not part of this build", j.options.Method)
	}
	if err := j.step(stepNeighbors, func(run parallel.Run) error {
		if err := j.measure(run.Quiet()); err != nil {
			return err
		}
		return j.findNeighbors(run)
	}); err != nil {
		return err
	}
	j.release("X", "Y", "Z")
	if by.Embeds {
		if err := j.step(stepEmbedding, j.embed); err != nil {
			return err
		}
	}
	if err := j.step(stepGraph, func(run parallel.Run) error {
		return j.buildGraph(run, by.Lists || j.classifier != nil)
	}); err != nil {
		return err
	}
	if j.classifier == nil {
		defer func() { j.lists = nil }()
	}
	return j.step(stepPartition, func(run parallel.Run) error { return j.solve(run, &by) })
}

// embed computes the embedding of every point.
func (j *job) embed(run parallel.Run) error {
	start := time.Now()
	key := fmt.Sprint(j.model.Name, " ", j.model.Sum, " ", j.model.Neighbors, " ", j.settings.spacing)
	if j.workspace != nil {
		if e := j.workspace.embeddings[key]; e != nil {
			j.dim, j.embedding, j.placed, j.isolated = e.dim, e.values, e.placed, e.isolated
			j.seconds[stepEmbedding] += e.seconds
			return nil
		}
	}
	reads := j.model.Reads(j.view.names())
	if err := j.gather(run.Quiet(), reads); err != nil {
		return err
	}
	j.read = true
	j.release(reads...)
	j.isolated = make([]bool, j.cloud.Len())
	in := &embed.Input{Cloud: j.cloud, Neighbors: j.lists, Attributes: j.attributes, Around: j.surroundings,
		Origin: j.origin, Isolated: j.isolated}
	if j.model.Spaced() {
		in.Spacing = j.spacing()
	}
	if j.model.Settings.Volume != nil {
		j.placed = make([]float32, embed.PlacementWidth*j.cloud.Len())
		in.Placed = j.placed
	}
	var err error
	j.dim = j.model.Embedder.Dim()
	if j.embedding, err = j.device.Embed(run, j.model.Embedder, in); err != nil {
		return err
	}
	j.attributes = nil
	if j.workspace != nil {
		j.workspace.embeddings[key] = &embedding{j.dim, j.embedding, j.placed, j.isolated, time.Since(start).Seconds()}
	}
	return nil
}

// solve computes the partition by the method.
func (j *job) solve(run parallel.Run, by *method.Method) (err error) {
	in := &method.Input{
		Settings: j.settings.Settings, Cloud: j.cloud, Lists: j.lists, Graph: j.graph,
		Embedding: j.embedding, Dim: j.dim, Placed: j.placed, Isolated: j.isolated, Border: j.sampleBorder,
		Log: j.log,
	}
	if by.GMPP {
		in.Spacing = j.spacing()
	}
	if j.options.Sphere && (j.model.Card == nil || !j.model.Card.Network.OnSphere()) {
		return fmt.Errorf("option sphere: values of model %s are not on the unit sphere; leave it out, or use another "+
			"learned model", j.model.Name)
	}
	if need := by.Reads(&in.Settings); need.Names != nil {
		for _, name := range need.Names {
			if j.view.Dimensions[name] == nil {
				return missingFor(need, name, j.view.names())
			}
		}
		if err := j.gather(run.Quiet(), need.Names); err != nil {
			return err
		}
		in.Attributes, j.attributes = j.attributes, nil
	}
	j.embedding, j.placed = nil, nil // so that Solve can release those of in
	j.Result, err = by.Solve(run, in)
	if j.embedding = in.Embedding; err != nil && !by.GMPP {
		return fmt.Errorf("method %s: %w", by.Name, err)
	}
	return err
}

// reportBug adds a remedy to an error that is a panic of a goroutine.
func reportBug(err error) error {
	var broken *parallel.PanicError
	if errors.As(err, &broken) {
		return fmt.Errorf("%w; this is a bug, please report it with the options and the file", err)
	}
	return err
}

// output assigns ids and computes metrics and outputs.
func (j *job) output(run parallel.Run) (*Segmentation, error) {
	n := j.cloud.Len()
	if uint64(j.next)+uint64(j.Count) > math.MaxUint32 {
		return nil, fmt.Errorf("ids would go beyond %d; run the views in several pipelines", uint32(math.MaxUint32))
	}
	s := &Segmentation{ID: make([]uint32, n), First: j.next, Count: j.Count, order: j.cloud.Order}
	err := run.For(n, grain, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			s.ID[j.cloud.Order[i]] = j.next + j.Component[i]
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
	j.next += uint32(j.Count)
	return s, nil
}
