package lpe

import (
	"errors"
	"fmt"

	"superpoint/embed"
	"superpoint/embed/layout"
	"superpoint/partition/device"
	"superpoint/partition/neighbor"
	"superpoint/partition/parallel"
)

// Limits of the kernel, as in lpe.cu.
const (
	threads    = 128
	narrow     = 16  // width of a unit's first convolution in the faster of two kernels
	mostHidden = 32  // and in the other
	mostWide   = 128 // width of a layer
	mostShared = 48 << 10
	mostBlock  = 1 << 20 // points a launch
)

// Device embeds on a machine what Embedder embeds on the CPU, bit by bit. The kernel
// (lpe.cu) gathers, transforms, convolves, takes the maximum and normalises without
// writing a neighbourhood to memory. The columns of a point that channels read
// (elevation, planarity, colour, …) are computed by the CPU and uploaded, 4 bytes
// each.
type Device struct {
	machine device.Machine
	cpu     *Embedder
	model   *embed.Model
	network *layout.Network
	weights []float32
	kernel  string             // in lpe.cu
	shared  int                // bytes a block
	cloud   *neighbor.Resident // whose positions and lists are on the machine, or nil
	block   int                // points a launch
}

// NewDevice prepares a model. It fails if the kernel cannot hold its layers.
func NewDevice(machine device.Machine, m *embed.Model) (*Device, error) {
	cpu, err := New(m)
	if err != nil {
		return nil, err
	}
	if cpu.integers != nil {
		return nil, fmt.Errorf("model %q is computed in integers, which the GPU's kernel does not do; use device=cpu",
			m.Card.Name)
	}
	network, weights := cpu.Folded()
	e := &Device{machine: machine, cpu: cpu, model: m, network: network, weights: weights,
		kernel: "lpe_embed", block: mostBlock}
	return e, e.fit()
}

// fit checks the widths and finds how much shared memory a block needs.
func (e *Device) fit() error {
	floats := 0
	for _, conv := range []*layout.Part{&e.network.STConv, &e.network.LPEConv} {
		n, err := e.fitConvolutions(conv.Layers())
		if err != nil {
			return err
		}
		floats = max(floats, n)
	}
	for _, fc := range []*layout.Part{&e.network.STFC, &e.network.LPEFC} {
		for _, l := range fc.Layers() {
			if l.Wide > mostWide {
				return e.tooWide(l.Wide)
			}
			columns := min(l.Wide, mostShared/4/(l.In+1)/16*16)
			floats = max(floats, int((l.In+1)*columns))
		}
	}
	e.shared = 4 * floats
	return nil
}

// fitConvolutions returns the floats of a unit's convolutions, which are in shared
// memory at once.
func (e *Device) fitConvolutions(conv []layout.Layer) (floats int, err error) {
	if len(conv) == 0 { // no spatial transform
		return 0, nil
	}
	if len(conv) != 2 {
		return 0, fmt.Errorf("model %q has %d convolutions in a unit, the GPU's kernel 2; use device=cpu", e.model.Card.Name,
			len(conv))
	}
	first, second := conv[0], conv[1]
	if wide := max(first.Wide, second.Wide); first.Wide > mostHidden || wide > mostWide {
		return 0, e.tooWide(wide)
	}
	if first.Wide > narrow {
		e.kernel = "lpe_embed_wide"
	}
	return int((first.In+1)*first.Wide + (first.Wide+1)*second.Wide), nil
}

func (e *Device) tooWide(wide int32) error {
	return fmt.Errorf("model %q has a layer of %d outputs, too wide for the GPU's kernel (%d, %d in a first "+
		"convolution); use device=cpu", e.model.Card.Name, wide, mostWide, mostHidden)
}

// Use tells the embedder that a cloud's positions, and perhaps its lists, are on
// the machine; nil takes that back. Where memory is short the embedder closes it.
func (e *Device) Use(c *neighbor.Resident) { e.cloud = c }

// Dim returns the length of an embedding.
func (e *Device) Dim() int { return e.cpu.Dim() }

// Kernel names what the embedder runs on.
func (e *Device) Kernel() string { return "cuda" }

// Embed implements embed.Embedder. Machine memory: 12 bytes a point and 4 a
// column, 8·m for 1 M points, and 4·k for as many if the lists are not there yet.
// With less the points come in blocks, each with the neighbours of its points.
func (e *Device) Embed(run parallel.Run, in *embed.Input) ([]float32, error) {
	inputs, err := embed.NewInputs(parallel.Run{Context: run.Context, Threads: run.Threads}, e.model.Card, in)
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
	w.inputs, w.table = inputs.Table()
	w.all()
	return w.End()
}
