// SPDX-License-Identifier: BSD-3-Clause

package lpe

import (
	"fmt"
	"slices"
	"unsafe"

	"superpoint/embed"
	"superpoint/partition/base/parallel"
	"superpoint/partition/gpu"
	"superpoint/partition/neighbor"
)

// Limits of the kernel, as in lpe.cu.
const (
	// fit compares models with them (TestDeviceRefusesNetworks).
	threads    = 128
	mostHidden = 32       // width of the first convolution of a PointNet
	mostPacked = 320      // words, of four outputs each, of the first convolution at all neighbours
	mostWide   = 128      // width of a layer
	mostShared = 48 << 10 // bytes of shared memory
	mostBlock  = 1 << 20  // points per launch
)

// GPU computes embeddings on a GPU or the emulator, with the same bits as Embedder on
// the CPU. The kernel (lpe.cu) gathers, transforms, convolves, takes the maximum and
// normalises without writing a neighbourhood to memory. The columns that channels read
// (elevation, planarity, colour, …) are computed by the CPU and uploaded, 4 bytes each;
// the backend converts them to fixed point.
//
// The equality of bits is by integers: sums of products in any order, and measures of a neighborhood by the
// rules of package arithmetic, which the kernel shares with C (layout.h).
type GPU struct {
	backend gpu.Backend
	cpu     *Embedder
	cloud   *neighbor.Resident // cloud whose positions and lists are on the backend, or nil
	block   int                // points per launch
}

// NewGPU returns an embedder of a model. It returns an error if the model has no integer
// network, or layers that exceed the limits of the kernel.
func NewGPU(backend gpu.Backend, m *embed.Model) (*GPU, error) {
	cpu, err := New(m)
	if err != nil {
		return nil, err
	}
	e := &GPU{backend: backend, cpu: cpu, block: mostBlock}
	return e, e.fit()
}

// fit returns an error if the layers exceed the limits of the kernel.
//
// The kernel has arrays of fixed size in registers and shared memory. A model that does not fit is refused
// here, with what does not fit, and not when a launch fails.
func (e *GPU) fit() error {
	n, k := e.cpu.net, e.cpu.model.Card.Inputs.Neighbors
	if n == nil {
		return e.unsupported("layers that are computed in floats")
	}
	for _, conv := range [][]layer{n.st.conv, n.lpe.conv} {
		switch {
		case len(conv) == 0: // no spatial transform
		case len(conv) != 2:
			return e.unsupported("%d convolutions in a unit, the GPU's kernel 2", len(conv))
		case conv[0].wide > mostHidden || conv[1].wide > mostWide:
			return e.unsupported("a convolution of %d outputs, too wide for the GPU's kernel (%d, then %d)",
				max(conv[0].wide, conv[1].wide), mostHidden, mostWide)
		case conv[0].wide/4*k > mostPacked:
			return e.unsupported("%d neighbours, more than the GPU's kernel has room for (%d)", k,
				mostPacked*4/conv[0].wide)
		}
	}
	for _, fc := range [][]layer{n.st.fc, n.lpe.fc} {
		for _, l := range fc {
			if l.wide > mostWide {
				return e.unsupported("a layer of %d outputs, too wide for the GPU's kernel (%d)",
					l.wide, mostWide)
			}
		}
	}
	if len(n.packed) > mostShared {
		return e.unsupported("%d bytes of weights, more than the GPU's kernel holds (%d)",
			len(n.packed), mostShared)
	}
	return nil
}

func (e *GPU) unsupported(what string, numbers ...any) error {
	return fmt.Errorf("model %q has "+what+"; use device=cpu", append([]any{e.cpu.model.Card.Name},
		numbers...)...)
}

// Use sets a cloud whose positions, and perhaps lists, are on the backend, or nil for none.
//
// Embed compares the cloud with the cloud of its input, and uploads positions if the two differ.
func (e *GPU) Use(c *neighbor.Resident) { e.cloud = c }

// Dim returns the length of an embedding.
func (e *GPU) Dim() int { return e.cpu.Dim() }

// Embed implements embed.Embedder. Memory of the backend in bytes per point: 12, 6 per
// column and 2 per hidden sum; and for at most 1 M points 4·m, and 4·k if the lists are not
// on the backend yet. With less memory it returns gpu.ErrMemory.
//
// The CPU computes the columns and the GPU the network. Without points there is nothing to launch; a single
// point has no list of neighbors, and the CPU embeds it.
func (e *GPU) Embed(run parallel.Run, in *embed.Input) ([]float32, error) {
	inputs, err := embed.NewInputs(run.Quiet(), e.cpu.model.Card, in)
	if err != nil {
		return nil, err
	}
	out := gpu.Touched[float32](run, inputs.Len()*e.Dim())
	switch {
	case len(out) == 0:
		return out, run.Err()
	case in.Neighbors.K == 0: // one point
		return e.cpu.Embed(run, in)
	}
	return out, e.embed(run, inputs, in, out)
}

// object returns a copy of the bytes of one value: cgo does not allow passing a pointer into
// memory that also contains Go pointers.
//
// The copy is small: a description of channels, or of the network.
func object[T any](v *T) []byte { return slices.Clone(gpu.Bytes(unsafe.Slice(v, 1))) }

// embed uploads all inputs that are not on the backend yet, computes the rows of all points
// (layout.Network), and embeds block by block.
//
// Claim: the bits do not depend on the number of points of a launch. Reason: a thread block embeds its points
// from rows and lists that are complete, and writes their results only (TestDeviceEmbeddingInBlocks).
func (e *GPU) embed(run parallel.Run, inputs *embed.Inputs, in *embed.Input, out []float32) error {
	t := gpu.Task{Backend: e.backend}
	net := e.cpu.net
	described := inputs.Layout()
	n := inputs.Len()
	k := in.Neighbors.K
	dim := e.Dim()
	// Shapes: points is n × Stride of int16, lists m × k of uint32, result m × dim of float32, m the points
	// of a launch.
	channels := t.Upload(object(described))
	network := t.Upload(object(&net.layout))
	numbers := t.Upload(net.packed)
	var xyz, index gpu.Pointer
	// index may be 0 here: positions are there, but other lists.
	if c := e.cloud; c != nil && c.Host == in.Cloud {
		xyz = c.XYZ
		index = c.Index(in.Neighbors)
	} else {
		xyz = t.Upload(gpu.Bytes(inputs.Cloud().XYZ))
	}
	points := t.Alloc(2 * int(net.layout.Stride) * n)
	// The rows of all points come first, because a point reads the rows of its neighbors, anywhere in the
	// cloud.
	t.Launch(kernels.Kernel("lpe_rows"), n, threads, 0, t.Upload(gpu.Bytes(inputs.Table())),
		int(described.Width), network,
		numbers, n, points)
	size, lists := min(n, e.block), index
	if index == 0 {
		lists = t.Alloc(4 * size * k)
	}
	// One launch after the other uses the same memory for lists and result.
	result := t.Alloc(4 * size * dim)
	for lo := 0; lo < n && t.Err == nil; lo += size {
		m := min(size, n-lo)
		// Lists of one launch at a time are copied to the same place, or the launch reads its part of lists
		// that are there.
		if index == 0 { // the lists are not on the backend
			t.Copy(lists, gpu.Bytes(in.Neighbors.Index[lo*k:(lo+m)*k]))
		} else {
			lists = index + gpu.Pointer(4*k*lo)
		}
		t.Launch(kernels.Kernel("lpe_embed"), m, threads, len(net.packed), xyz, float32(inputs.Cloud().Unit),
			lists, points,
			channels, network, numbers, lo, m, len(net.packed), result)
		t.Download(gpu.Bytes(out[lo*dim:(lo+m)*dim]), result)
		run.Progress(float64(lo+m) / float64(n))
		if t.Err == nil {
			t.Err = run.Err()
		}
	}
	return t.End()
}
