//go:build !(amd64 && cgo)

package backprop

// fastKernels returns nil: only amd64 has faster kernels.
func fastKernels(units ...*setShape) kernels[float32] { return nil }
