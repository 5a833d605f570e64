package lpe

import "superpoint/embed/layout"

// Folded returns the network as the kernels read it, with normalisation folded
// in: how it lies, and all layers' weights and biases.
func (e *Embedder) Folded() (net *layout.Network, weights []float32) {
	return &e.net.layout, e.net.weights
}
