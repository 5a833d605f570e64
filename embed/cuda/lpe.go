// Package cuda runs the Local Point Embedder on an NVIDIA GPU. The kernel
// (kernels/lpe.cu) gathers, transforms, convolves, takes the maximum and
// normalises without writing a neighbourhood to memory; it agrees with embed/lpe
// within 1e-5. The columns of a point that channels read (elevation, planarity,
// colour, …) are computed by the CPU and uploaded, 4 bytes each. Which GPU there
// is and why one is not used is said by Find; the part that talks to the driver
// (gorgonia.org/cu) is compiled with the build tag nvidia. Lengths in metres.
package cuda

import (
	"fmt"

	"superpoint/embed"
	"superpoint/embed/lpe"
	device "superpoint/partition/cuda"
	"superpoint/partition/parallel"
)

// Limits of the kernel, as in lpe.cu.
const (
	threads     = 128
	narrow      = 16  // width of a unit's first convolution in the faster of two kernels
	mostHidden  = 32  // and in the other
	mostWide    = 128 // width of a layer
	mostPoints  = 64  // point channels
	mostShared  = 48 << 10
	mostBlock   = 1 << 20 // points a launch
	planLayers  = 12      // where the layers begin in a plan
	layerFields = 4
)

// Embedder embeds on a machine what embed/lpe embeds on the CPU.
type Embedder struct {
	machine device.Machine
	cpu     *lpe.Embedder
	model   *embed.Model
	plan    []int32
	weights []float32
	kernel  string        // in lpe.cu
	shared  int           // bytes a block
	cloud   *device.Cloud // whose positions and lists are on the machine, or nil
	block   int           // points a launch
}

// New prepares a model. It fails if the kernel cannot hold its layers.
func New(machine device.Machine, m *embed.Model) (*Embedder, error) {
	cpu, err := lpe.New(m)
	if err != nil {
		return nil, err
	}
	plan, weights := cpu.Folded()
	e := &Embedder{machine: machine, cpu: cpu, model: m, plan: plan, weights: weights, kernel: "lpe_embed",
		block: mostBlock}
	return e, e.fit()
}

// fit checks the widths and finds how much shared memory a block needs.
func (e *Embedder) fit() error {
	name := e.model.Card.Name
	if p := e.plan[2]; p > mostPoints {
		return fmt.Errorf("model %q has %d point channels, the GPU's kernel at most %d; use device=cpu", name, p, mostPoints)
	}
	floats, at := 0, planLayers
	for part, count := range e.plan[8:12] {
		if part%2 == 0 && count != 2 && !(part == 0 && count == 0) {
			return fmt.Errorf("model %q has %d convolutions in a unit, the GPU's kernel 2; use device=cpu", name, count)
		}
		for i := range int(count) {
			l := e.plan[at : at+layerFields]
			at += layerFields
			in, wide := int(l[0]), int(l[1])
			if wide > mostWide || part%2 == 0 && i == 0 && wide > mostHidden {
				return fmt.Errorf("model %q has a layer of %d outputs, too wide for the GPU's kernel (%d, %d in a first "+
					"convolution); use device=cpu",
					name, wide, mostWide, mostHidden)
			}
			if part%2 == 0 && i == 0 && wide > narrow {
				e.kernel = "lpe_embed_wide"
			}
			if part%2 == 0 { // both convolutions at once
				if i == 0 {
					floats = max(floats, (in+1)*wide+(wide+1)*int(e.plan[at+1]))
				}
				continue
			}
			columns := min(wide, mostShared/4/(in+1)/16*16)
			floats = max(floats, (in+1)*columns)
		}
	}
	e.shared = 4 * floats
	return nil
}

// Use tells the embedder that a cloud's positions, and perhaps its lists, are on
// the machine; nil takes that back. Where memory is short the embedder closes it.
func (e *Embedder) Use(c *device.Cloud) { e.cloud = c }

// Dim returns the length of an embedding.
func (e *Embedder) Dim() int { return e.cpu.Dim() }

// Kernel names what the embedder runs on.
func (e *Embedder) Kernel() string { return "cuda" }

// Embed implements embed.Embedder. Machine memory: 12 bytes a point and 4 a
// column, 8·m for 1 M points, and 4·k for as many if the lists are not there yet.
// With less the points come in blocks, each with the neighbours of its points.
func (e *Embedder) Embed(run parallel.Run, in *embed.Input) ([]float32, error) {
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

func (e *Embedder) embed(run parallel.Run, inputs *embed.Inputs, in *embed.Input, out []float32) error {
	if e.cloud != nil && e.cloud.Host != in.Cloud {
		e.cloud = nil
	}
	w := &work{Task: device.Task{Machine: e.machine}, e: e, run: run, lists: in.Neighbors, host: inputs.Cloud(), out: out}
	w.channel, w.table = inputs.Table()
	w.all()
	return w.End()
}
