package lpe

// Folded returns the network as the kernels read it, with normalisation folded
// in: its plan, described in kernel.h, and all layers' weights and biases.
func (e *Embedder) Folded() (plan []int32, weights []float32) { return e.net.plan, e.net.weights }
