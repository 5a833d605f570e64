package filter

import (
	"fmt"

	"superpoint/partition/parallel"
)

// output is one dimension to write; fill gives the values in the order of the
// view.
type output struct {
	name string
	fill func(values []float64)
}

// Segmentation is the result for one view.
type Segmentation struct {
	ID    []uint32 // superpoint of each point of the view, First to First+Count−1
	First uint32   // smallest id of this view
	Count int      // number of superpoints in this view
	Dim   int      // columns of the embedding; 0 when there is none or it was not asked for

	order      []uint32  // index in the view of each point of the cloud's order, which all below have
	embedding  []float32 // number of points × Dim
	component  []uint32  // only with color or vote
	color      []uint8   // of each superpoint: 0–31, superpoints that touch differ
	class      []float64 // of each point of the view; only with classes
	confidence []float32
	vote       []int32 // of each superpoint: majority of the vote dimension, −1 = no vote
	outputs    []output
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
