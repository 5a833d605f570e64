package lpe

import (
	"errors"
	"fmt"

	"superpoint/embed"
	"superpoint/partition/device"
	"superpoint/partition/neighbor"
	"superpoint/partition/parallel"
)

// Limits of the kernel, as in lpe.cu.
const (
	threads    = 128
	mostHidden = 32  // width of a unit's first convolution
	mostPacked = 320 // words of four of its outputs at all neighbours
	mostWide   = 128 // width of a layer
	mostShared = 48 << 10
	mostBlock  = 1 << 20 // points a launch
)

// Device embeds on a machine what Embedder embeds on the CPU, bit by bit. The kernel
// (lpe.cu) gathers, transforms, convolves, takes the maximum and normalises without
// writing a neighbourhood to memory. The columns of a point that channels read
// (elevation, planarity, colour, …) are computed by the CPU and uploaded, 4 bytes
// each; the machine brings them to fixed point.
type Device struct {
	machine device.Machine
	cpu     *Embedder
	cloud   *neighbor.Resident // whose positions and lists are on the machine, or nil
	block   int                // points a launch
}

// NewDevice prepares a model. It fails if the kernel cannot hold its layers.
func NewDevice(machine device.Machine, m *embed.Model) (*Device, error) {
	cpu, err := New(m)
	if err != nil {
		return nil, err
	}
	e := &Device{machine: machine, cpu: cpu, block: mostBlock}
	return e, e.fit()
}

// fit checks the widths, and that the numbers have room in shared memory.
func (e *Device) fit() error {
	n, k := e.cpu.net, e.cpu.model.Card.Inputs.Neighbors
	for _, conv := range [][]layer{n.st.conv, n.lpe.conv} {
		switch {
		case len(conv) == 0: // no spatial transform
		case len(conv) != 2:
			return e.unfit("%d convolutions in a unit, the GPU's kernel 2", len(conv))
		case conv[0].wide > mostHidden || conv[1].wide > mostWide:
			return e.unfit("a convolution of %d outputs, too wide for the GPU's kernel (%d, then %d)",
				max(conv[0].wide, conv[1].wide), mostHidden, mostWide)
		case conv[0].wide/4*k > mostPacked:
			return e.unfit("%d neighbours, more than the GPU's kernel has room for (%d)", k, mostPacked*4/conv[0].wide)
		}
	}
	for _, fc := range [][]layer{n.st.fc, n.lpe.fc} {
		for _, l := range fc {
			if l.wide > mostWide {
				return e.unfit("a layer of %d outputs, too wide for the GPU's kernel (%d)", l.wide, mostWide)
			}
		}
	}
	if len(n.packed) > mostShared {
		return e.unfit("%d bytes of weights, more than the GPU's kernel holds (%d)", len(n.packed), mostShared)
	}
	return nil
}

func (e *Device) unfit(what string, numbers ...any) error {
	return fmt.Errorf("model %q has "+what+"; use device=cpu", append([]any{e.cpu.model.Card.Name}, numbers...)...)
}

// Use informs the embedder that a cloud's positions, and perhaps its lists, are on
// the machine; nil takes that back. Where memory is short the embedder closes it.
func (e *Device) Use(c *neighbor.Resident) { e.cloud = c }

// Dim returns the length of an embedding.
func (e *Device) Dim() int { return e.cpu.Dim() }

// Kernel names what the embedder runs on.
func (e *Device) Kernel() string { return "cuda" }

// Embed implements embed.Embedder. Machine memory: 12 bytes a point, 4 and 2 a
// column and 2 a hidden sum, 8·m for 1 M points, and 4·k for as many if the lists are not there yet.
// With less the points come in blocks, each with the neighbours of its points.
func (e *Device) Embed(run parallel.Run, in *embed.Input) ([]float32, error) {
	inputs, err := embed.NewInputs(run.Quiet(), e.cpu.model.Card, in)
	if err != nil {
		return nil, err
	}
	n := inputs.Len()
	out := make([]float32, n*e.Dim())
	if n == 0 {
		return out, run.Err()
	}
	if in.Neighbors.K == 0 { // one point
		return e.cpu.Embed(run, in)
	}
	return out, e.embed(run, inputs, in, out)
}

// embed does it at once, or in blocks if memory ends all the same: what a driver keeps
// for the threads of a kernel is not known before one is launched.
func (e *Device) embed(run parallel.Run, inputs *embed.Inputs, in *embed.Input, out []float32) error {
	if e.cloud != nil && e.cloud.Host != in.Cloud {
		e.cloud = nil
	}
	err := e.attempt(run, inputs, in, out, false)
	if errors.Is(err, device.ErrMemory) {
		err = e.attempt(run, inputs, in, out, true)
	}
	return err
}

func (e *Device) attempt(run parallel.Run, inputs *embed.Inputs, in *embed.Input, out []float32, sparing bool) error {
	w := &work{Task: device.Task{Machine: e.machine}, e: e, run: run, lists: in.Neighbors, host: inputs.Cloud(), out: out,
		sparing: sparing}
	w.inputs, w.table = inputs.Layout(), inputs.Table()
	w.all()
	return w.End()
}
