// SPDX-License-Identifier: BSD-3-Clause

package train

import (
	"slices"

	"superpoint/embed"
	"superpoint/partition/base/arrays"
	"superpoint/partition/base/parallel"
	"superpoint/partition/metrics"
	"superpoint/partition/neighbor"
)

// labelled is a labelled cloud, ready to be sampled. All arrays are in the cloud's
// order.
type labelled struct {
	name     string
	group    int // in Recipe.Groups, −1 for none
	cloud    *neighbor.Cloud
	lists    *neighbor.Lists
	graph    *neighbor.Graph // of the loss
	rows     *neighbor.Graph // both directions of its edges; nil if it has only edges to neighbours
	class    []int32         // −1 is ignored
	object   []uint32        // arrays.None is no object
	instance bool            // objects are annotated, not components of classes
	input    *embed.Input
	channels *embed.Inputs
}

// join makes the graph of the loss.
func (t *labelled) join(how neighbor.GraphOptions, run parallel.Run) error {
	graph, across, err := neighbor.NewGraph(t.cloud, t.lists, how, run)
	if err != nil {
		return err
	}
	t.graph = graph
	if across > 0 || how.Longest > 0 {
		t.rows = graph.Symmetric()
	}
	return nil
}

// next returns the points that a subgraph grows to from a point: its first k
// neighbours, or all that the graph joins it with if that has other edges, too.
func (t *labelled) next(i uint32, k int) []uint32 {
	if t.rows != nil {
		return t.rows.Of(int(i))
	}
	return t.lists.Of(int(i))[:min(k, t.lists.K)]
}

func reorder(x []float64, order []uint32) []float32 {
	y := make([]float32, len(x))
	for i, o := range order {
		y[i] = float32(x[o])
	}
	return y
}

// classes maps raw class codes to dense labels: merged classes share one,
// ignored ones are −1. It fails for a code that is no label and is not ignored.
func (t Truth) classes(dimension string, raw []float64) ([]int32, error) {
	merged := map[float64]int{}
	for _, codes := range t.Merge {
		for _, c := range codes {
			merged[float64(c)] = slices.Min(codes)
		}
	}
	ignored := map[float64]bool{}
	for _, c := range t.Ignore {
		ignored[float64(c)] = true
	}
	code := make([]float64, len(raw))
	for i, v := range raw {
		code[i] = v
		if m, ok := merged[v]; ok {
			code[i] = float64(m)
		}
		if ignored[v] {
			code[i] = metrics.None
		}
	}
	return labels(dimension, code)
}

// labels returns the labels of a dimension.
func labels(dimension string, raw []float64) ([]int32, error) {
	if err := metrics.CheckLabels(dimension, raw); err != nil {
		return nil, err
	}
	label := make([]int32, len(raw))
	for i, v := range raw {
		label[i], _ = metrics.Label(v)
	}
	return label, nil
}

// objects returns the objects of the loss: the instances, or the connected
// components of the classes on the graph.
func objects(g *neighbor.Graph, class []int32, instance bool) []uint32 {
	label := class
	if !instance {
		label = metrics.Objects(g, class)
	}
	object := make([]uint32, len(label))
	for i, l := range label {
		object[i] = arrays.None
		if l >= 0 {
			object[i] = uint32(l)
		}
	}
	return object
}
