// SPDX-License-Identifier: BSD-3-Clause

// Package lpe runs the Local Point Embedder (Landrieu and Boussaha 2019,
// appendix "3D Point Embedding", equations of the spatial transform and of the
// embedder; doi:10.1109/CVPR.2019.00762) on the CPU:
//
//	Ω   = I + FC_st(max_j conv_st(xy_j))            spatial transform, 2 × 2
//	e_i = L2(FC_lpe([max_j conv_lpe([xy_j·Ω, z_j, …]), x_i]))
//
// with j over the k nearest neighbours, offsets divided by their radius. Layers belong to the
// model's integer network (embed.Integer); models with norm: group or sphere: false have no integer
// network and are computed by package reference. The bits of an embedding do not depend on the
// number of threads, the batch or the kernel: sums of integers are exact in any order, and the
// measures of a neighbourhood, in floats, follow the rules of package arithmetic.
package lpe

import (
	"fmt"
	"slices"

	"superpoint/embed"
	"superpoint/embed/lpe/reference"
	"superpoint/partition/base/arithmetic"
	"superpoint/partition/base/arrays"
	"superpoint/partition/base/parallel"
)

// Embedder computes the embeddings of a model by its integer network, or in floats.
//
// It has no state that Embed changes, so that several clouds may be embedded at the same time.
type Embedder struct {
	model  *embed.Model
	net    *network // nil: in floats
	name   string
	kernel kernel
}

// New returns an embedder with the fastest kernel of this processor, or the one that the
// environment selects (arithmetic.Kernel). It returns the errors of NewKernel.
//
// It may be forced to a slower kernel to compare bits, or to find out whether a kernel is the cause of a
// fault.
func New(m *embed.Model) (*Embedder, error) {
	if name := arithmetic.Kernel(); name != "" {
		return NewKernel(m, name)
	}
	return NewKernel(m, Kernels()[0])
}

// NewKernel returns an embedder with a kernel of the given name. It returns an error if the
// name is not one of Kernels, or if the model has no integer network and is not computed in
// floats.
//
// A model in floats has no kernel: its name is then "floats", whatever was asked for, so that reports are
// right.
func NewKernel(m *embed.Model, name string) (*Embedder, error) {
	if !slices.Contains(Kernels(), name) {
		return nil, fmt.Errorf("no kernel %q on this processor; use one of %v", name, Kernels())
	}
	if m.Card.Network.InFloats() {
		return &Embedder{model: m, name: "floats"}, m.Card.Validate()
	}
	if m.Card.Integer == nil {
		return nil, fmt.Errorf("model %q has no integer network; train it again", m.Card.Name)
	}
	net, err := newNetwork(m)
	return &Embedder{m, net, name, kernelNamed(name)}, err
}

// Kernels returns the names of the kernels that this processor can run, fastest first;
// the last is "go", plain Go.
//
// "go" is always there, so that every processor has a kernel.
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
// has number of points × Dim values, rows of length 1 ± 1e-5 unless the model has sphere: false.
func (e *Embedder) Embed(run parallel.Run, in *embed.Input) ([]float32, error) {
	if e.net == nil {
		return e.floats(run, in)
	}
	// Prepare computes what all points need; columns of a point are computed chunk by chunk (chunk.take), so
	// that no table of all points is in memory.
	inputs, err := embed.Prepare(run.Quiet(), e.model.Card, in)
	if err != nil {
		return nil, err
	}
	arrays.Collect()
	return e.net.embed(run, e.kernel, inputs)
}

// floats computes embeddings by the float network.
//
// It is slow: package reference embeds one point at a time. The bits do not depend on threads, since a point
// is computed by one worker in one order.
func (e *Embedder) floats(run parallel.Run, in *embed.Input) ([]float32, error) {
	inputs, err := embed.NewInputs(run.Quiet(), e.model.Card, in)
	if err != nil {
		return nil, err
	}
	dim := e.Dim()
	out := make([]float32, inputs.Len()*dim)
	const some = 256
	err = run.For(inputs.Len(), some, func(lo, hi int) {
		set := make([]float32, inputs.Neighbors*inputs.NeighborChannels)
		point := make([]float32, inputs.PointChannels)
		for i := lo; i < hi; i++ {
			// set and point belong to the block and are overwritten for each point.
			inputs.Gather(i, set, point)
			for d, v := range reference.Embed(e.model, set, point) {
				out[i*dim+d] = float32(v)
			}
		}
	})
	for i, v := range out {
		// true for NaN and infinities
		if v-v != 0 {
			return nil, fmt.Errorf("model %q has no finite embedding of point %d; train it again",
				e.model.Card.Name, in.Cloud.Order[i/dim])
		}
	}
	return out, err
}
