package train

import (
	"slices"

	"superpoint/embed/train/contrastive"
	"superpoint/partition/metrics"
	"superpoint/partition/neighbor"
)

// classes maps raw class codes to dense labels: merged classes share one,
// ignored ones are −1.
func (t Truth) classes(raw []float64) []int32 {
	merged := map[int]int{}
	for _, codes := range t.Merge {
		for _, c := range codes {
			merged[c] = slices.Min(codes)
		}
	}
	ignored := map[int]bool{}
	for _, c := range t.Ignore {
		ignored[c] = true
	}
	label := make([]int32, len(raw))
	for i, v := range raw {
		c := int(v)
		if m, ok := merged[c]; ok {
			c = m
		}
		label[i] = int32(c)
		if ignored[int(v)] {
			label[i] = -1
		}
	}
	return label
}

// instances numbers the objects that a dimension names.
func instances(raw []float64) []int32 {
	label := make([]int32, len(raw))
	for i, v := range raw {
		label[i] = int32(v)
	}
	return label
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
