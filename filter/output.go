package filter

import (
	"fmt"
	"math"

	"superpoint/filter/paint"
	"superpoint/partition/parallel"
)

// output is one dimension to write; fill gives the values in the order of the
// view.
type output struct {
	name string
	fill func(values []float64)
}

// Output fills values with one of the dimensions that Describe lists as
// outputs, in the order of the view. It fails for any other name, or if values
// does not have the view's length.
func (s *Segmentation) Output(name string, values []float64) error {
	if len(values) != len(s.ID) {
		return fmt.Errorf("output %s: %d values for %d points", name, len(values), len(s.ID))
	}
	if len(values) == 0 {
		return nil
	}
	for _, o := range s.outputs {
		if o.name == name {
			o.fill(values)
			return nil
		}
	}
	return fmt.Errorf("output %q is not written by these options", name)
}

// Embedding returns the embedding in the order of the view: number of points ×
// Dim, row major; nil when there is none.
func (s *Segmentation) Embedding() []float32 {
	if s.Dim == 0 {
		return nil
	}
	rows := make([]float32, len(s.embedding))
	for i, to := range s.order {
		copy(rows[int(to)*s.Dim:(int(to)+1)*s.Dim], s.embedding[i*s.Dim:(i+1)*s.Dim])
	}
	return rows
}

// prepare computes the outputs that the options ask for.
func (s *Segmentation) prepare(j *job, run parallel.Run) error {
	for _, w := range Outputs() {
		names := w.names(j.options, j.columns())
		if names == nil {
			continue
		}
		if w.prepare != nil {
			if err := w.prepare(j, run, s); err != nil {
				return err
			}
		}
		for k, name := range names {
			s.outputs = append(s.outputs, output{name, func(values []float64) { w.fill(s, k, values) }})
		}
	}
	return nil
}

func (j *job) keepEmbedding(_ parallel.Run, s *Segmentation) error {
	s.Dim, s.embedding = j.dim, j.embedding
	return nil
}

func (j *job) countVotes(run parallel.Run, s *Segmentation) error {
	labels, err := j.labels(run, "vote", j.options.Vote)
	if err == nil {
		s.component, s.vote = j.Component, paint.Majority(labels, j.Component, j.Count)
	}
	return err
}

// fillEmbeddingColor maps one of the first three embedding columns from
// [−1, 1], the range of a unit vector, to [0, 65535]; a missing column is 0.
func (s *Segmentation) fillEmbeddingColor(k int, values []float64) {
	for i, to := range s.order {
		v := 0.0
		if k < s.Dim {
			v = math.Round((float64(s.embedding[i*s.Dim+k]) + 1) / 2 * math.MaxUint16)
		}
		values[to] = min(max(v, 0), math.MaxUint16)
	}
}
