package train

import (
	"slices"

	"superpoint/embed/train/contrastive"
	"superpoint/partition/metrics"
	"superpoint/partition/neighbor"
)

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
		object[i] = contrastive.None
		if l >= 0 {
			object[i] = uint32(l)
		}
	}
	return object
}
