// SPDX-License-Identifier: BSD-3-Clause

package embed

import (
	"superpoint/embed/modelfile"
)

// tensors returns every tensor of the model in storage order: the float network's, then
// the integer network's if there is one.
//
// The file has them in the same order, and weights_sha256 hashes them in it.
func (c *Card) tensors() []modelfile.Tensor {
	ts := c.floats()
	if c.Integer != nil {
		for _, w := range c.IntegerLayers() {
			ts = append(ts, w.tensors()...)
		}
	}
	return ts
}

// floats returns the float network's tensors.
//
// Shapes: weight Out × In, row major; all others Out.
func (c *Card) floats() []modelfile.Tensor {
	var ts []modelfile.Tensor
	// Batch normalisation has four tensors; group normalisation two, as its mean and variance are computed at
	// each point.
	for _, l := range c.Layers().All() {
		ts = append(ts, modelfile.Tensor{Name: l.Name + ".weight", Shape: []int{l.Out, l.In}},
			modelfile.Tensor{Name: l.Name + ".bias", Shape: []int{l.Out}})
		parts := []string{".gamma", ".beta", ".mean", ".variance"}
		switch {
		case !l.Norm:
			continue
		case !l.Batch():
			parts = parts[:2]
		}
		for _, part := range parts {
			ts = append(ts, modelfile.Tensor{Name: l.Name + part, Shape: []int{l.Out}})
		}
	}
	return ts
}

// tensors returns the layer's tensors in storage order.
//
// Types: weights are I8 or, in wide layers, I16; biases I32; shifts, which are 0 to 30, U8.
func (w *IntegerWeights) tensors() []modelfile.Tensor {
	name := "integer." + w.Name
	weight := modelfile.Tensor{Name: name + ".weight", Shape: []int{w.Out, w.In}, Type: "I8"}
	if w.Wide {
		weight.Type = "I16"
	}
	return []modelfile.Tensor{weight, {Name: name + ".bias", Shape: []int{w.Out}, Type: "I32"},
		{Name: name + ".shift", Shape: []int{w.Out}, Type: "U8"}}
}
