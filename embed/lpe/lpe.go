// Package lpe runs the Local Point Embedder (Landrieu and Boussaha 2019,
// appendix "3D Point Embedding", equations of the spatial transform and of the
// embedder; doi:10.1109/CVPR.2019.00762) on the CPU:
//
//	Ω   = I + FC_st(max_j conv_st(xy_j))            spatial transform, 2 × 2
//	e_i = L2(FC_lpe([max_j conv_lpe([xy_j·Ω, z_j, …]), x_i]))
//
// with j over the k nearest neighbours, offsets divided by their radius. Batch
// normalisation is folded into the linear layers. Equal points get bit-equal
// embeddings for any number of threads, any batch and any kernel, by the rules of
// package arithmetic.
package lpe

import (
	"fmt"
	"slices"

	"superpoint/embed"
	"superpoint/embed/layout"
	"superpoint/partition/arithmetic"
	"superpoint/partition/parallel"
)

// blocks is the number of batches a worker takes at a time, one call of C.
const blocks = 32

// Embedder computes the embeddings of a model: in integers if the model has an integer
// network, else in floats.
type Embedder struct {
	model    *embed.Model
	net      *network  // the float network, or nil
	integers *integers // the integer network, or nil
	name     string
	kernel   kernel
	whole    integerKernel
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
	e := &Embedder{model: m, name: name}
	var err error
	if m.Card.Integer != nil {
		e.integers, err = newIntegers(m)
		e.whole = integerKernelNamed(name)
	} else {
		e.net, err = fold(m)
		e.kernel = kernelNamed(name)
	}
	if err != nil {
		return nil, err
	}
	return e, nil
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

func integerKernelNamed(name string) integerKernel {
	if name == arithmetic.PlainKernel {
		return plainIntegers
	}
	return fastIntegers(name)
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
	inputs, err := embed.NewInputs(parallel.Run{Context: run.Context, Threads: run.Threads}, e.model.Card, in)
	if err != nil {
		return nil, err
	}
	if e.integers != nil {
		return e.integers.embed(run, e.whole, inputs)
	}
	out := make([]float32, inputs.Len()*e.net.dim)
	scratch := make([][]float32, run.Workers())
	err = run.ForWorker(inputs.Len(), blocks*batch, func(worker, lo, hi int) {
		if scratch[worker] == nil {
			scratch[worker] = aligned(e.net.scratch())
		}
		e.kernel(e.net, inputs, lo, hi, out[lo*e.net.dim:hi*e.net.dim], scratch[worker])
	})
	if err != nil {
		return nil, err
	}
	return out, nil
}

// Folded returns the network as the kernels read it, with normalisation folded
// in: how it lies, and all layers' weights and biases.
func (e *Embedder) Folded() (net *layout.Network, weights []float32) {
	return &e.net.layout, e.net.weights
}
