// SPDX-License-Identifier: BSD-3-Clause

package land

import (
	"fmt"

	"superpoint/partition/base/arrays"
	"superpoint/partition/neighbor"
)

// Known are the superpoints of a view that are known already, in its order.
type Known struct {
	ID        []uint32  // of each point; 0 for none
	Dim       int       // length of an embedding
	Embedding []float32 // of the filter's model, number of points × Dim
}

// Input returns the superpoints in the order of a cloud, and the id of each.
func (known Known) Input(cloud *neighbor.Cloud, lists *neighbor.Lists) (*Input, []uint32, error) {
	n := cloud.Len()
	dim := known.Dim
	if len(known.ID) != n || len(known.Embedding) != n*dim {
		return nil, nil, fmt.Errorf("%d ids and %d values of embeddings of length %d for %d points",
			len(known.ID), len(known.Embedding), dim, n)
	}
	ids := arrays.Values(known.ID, func(v uint32) bool { return v == 0 })
	in := &Input{Cloud: cloud, Neighbors: lists, Component: make([]uint32, n), Count: len(ids),
		Dim: dim, Embedding: make([]float32, n*dim)}
	for i, from := range cloud.Order {
		in.Component[i] = arrays.Rank(ids, known.ID[from])
		copy(in.Embedding[i*dim:(i+1)*dim], known.Embedding[int(from)*dim:])
	}
	return in, ids, nil
}

// Input is what Classify reads. All arrays of points are in the order of the cloud.
type Input struct {
	Cloud      *neighbor.Cloud
	Neighbors  *neighbor.Lists // at least classes.ShapeNeighbors, if the cloud has them
	Component  []uint32        // superpoint of each point, or classes.None
	Count      int             // superpoints
	Dim        int             // length of an embedding; 0 without one
	Embedding  []float32       // number of points × Dim
	Attributes map[string][]float32
	Before     []float64 // class of each point, in the order of the input (Cloud.Order); nil without any
	Withheld   []bool    // points that keep their class and take no part; nil for none
}

// takesNoPart reports whether a point is withheld, or was noise before.
func (in *Input) takesNoPart(i int) bool {
	return in.Withheld != nil && in.Withheld[i] || isNoise(in.before(i))
}

// before returns the class of a point before, 0 without any.
func (in *Input) before(i int) float64 {
	if in.Before == nil {
		return 0
	}
	return in.Before[in.Cloud.Order[i]]
}
