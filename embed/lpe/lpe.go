// Package lpe runs the Local Point Embedder (Landrieu and Boussaha 2019,
// appendix "3D Point Embedding", equations of the spatial transform and of the
// embedder; doi:10.1109/CVPR.2019.00762) on the CPU:
//
//	Ω   = I + FC_st(max_j conv_st(xy_j))            spatial transform, 2 × 2
//	e_i = L2(FC_lpe([max_j conv_lpe([xy_j·Ω, z_j, …]), x_i]))
//
// with j over the k nearest neighbours, offsets divided by their radius. Layers are
// those of the model's integer network (embed.Integer). Equal points get bit-equal
// embeddings for any number of threads, any batch and any kernel: sums of integers have
// no order, and what is measured of a neighbourhood follows the rules of package
// arithmetic.
package lpe

import (
	"fmt"
	"slices"

	"superpoint/embed"
	"superpoint/partition/arithmetic"
	"superpoint/partition/parallel"
)

// Embedder computes the embeddings of a model by its integer network.
type Embedder struct {
	model  *embed.Model
	net    *network
	name   string
	kernel kernel
}

// New returns an embedder with the fastest kernel the processor has, or with
// that which the environment asks for (arithmetic.Kernel).
func New(m *embed.Model) (*Embedder, error) {
	if name := arithmetic.Kernel(); name != "" {
		return NewKernel(m, name)
	}
	return NewKernel(m, Kernels()[0])
}

// NewKernel returns an embedder with a kernel of the given name, one of
// Kernels.
func NewKernel(m *embed.Model, name string) (*Embedder, error) {
	if !slices.Contains(Kernels(), name) {
		return nil, fmt.Errorf("no kernel %q on this processor; there are %v", name, Kernels())
	}
	if m.Card.Integer == nil {
		return nil, fmt.Errorf("model %q has no integer network; make it by superpoint train --quantize --base MODEL",
			m.Card.Name)
	}
	net, err := newNetwork(m)
	return &Embedder{m, net, name, kernelNamed(name)}, err
}

// Kernels returns the names of the kernels this processor runs, fastest first;
// the last is "go", the plain twin.
func Kernels() []string { return append(fastKernels(), arithmetic.PlainKernel) }

func kernelNamed(name string) kernel {
	if name == arithmetic.PlainKernel {
		return plain
	}
	return fastKernel(name)
}

// Dim returns the length of an embedding.
func (e *Embedder) Dim() int { return e.model.Card.Dim() }

// Kernel returns the name of the kernel in use.
func (e *Embedder) Kernel() string { return e.name }

// Model returns the model.
func (e *Embedder) Model() *embed.Model { return e.model }

// Embed computes the inputs the model reads and embeds every point. The result
// has number of points × Dim values, rows of length 1 ± 1e-5.
func (e *Embedder) Embed(run parallel.Run, in *embed.Input) ([]float32, error) {
	inputs, err := embed.Prepare(run.Quiet(), e.model.Card, in)
	if err != nil {
		return nil, err
	}
	return e.net.embed(run, e.kernel, inputs)
}
