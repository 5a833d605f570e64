package filter

import (
	"fmt"

	"superpoint/embed/classes"
	"superpoint/partition/arrays"
	"superpoint/partition/parallel"
)

// ClassInput returns the superpoints of a workspace's view as a classifier takes
// them, and the id of each. Ids and embedding (number of points × dim) are in the
// order of the view; points of id 0 have no superpoint.
func (w *Workspace) ClassInput(id []uint32, dim int, embedding []float32) (*classes.Superpoints, []uint32, error) {
	n := w.cloud.Len()
	if len(id) != n || len(embedding) != n*dim {
		return nil, nil, fmt.Errorf("%d ids and %d values of embeddings of length %d for %d points", len(id), len(embedding),
			dim, n)
	}
	ids := arrays.Values(id, func(v uint32) bool { return v == 0 })
	s := &classes.Superpoints{
		Cloud: w.cloud, Neighbors: w.lists, Component: make([]uint32, n), Count: len(ids),
		Dim: dim, Embedding: make([]float32, n*dim), Attributes: map[string][]float32{},
	}
	for i, from := range w.cloud.Order {
		s.Component[i] = arrays.Rank(ids, id[from])
		copy(s.Embedding[i*dim:(i+1)*dim], embedding[int(from)*dim:])
	}
	for _, name := range classes.Dimensions() {
		values := w.View.Dimensions[name]
		if values == nil {
			continue
		}
		s.Attributes[name] = make([]float32, n)
		err := parallel.Run{}.For(n, grain, func(lo, hi int) {
			for i := lo; i < hi; i++ {
				s.Attributes[name][i] = float32(values[w.cloud.Order[i]])
			}
		})
		if err != nil {
			return nil, nil, err
		}
	}
	return s, ids, s.SetApart(parallel.Run{})
}

// Order returns where in the view each point of the workspace's cloud comes from.
func (w *Workspace) Order() []uint32 { return w.cloud.Order }

// Parallel is a run's way through loops, with the threads of the workspace.
func (w *Workspace) Parallel(run Run) parallel.Run {
	return run.parallel(stepOutput, w.threads).Quiet()
}
