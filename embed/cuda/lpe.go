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
	"superpoint/partition/neighbor"
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
	block       = 1 << 22 // points a launch when lists are uploaded for it
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
}

// New prepares a model. It fails if the kernel cannot hold its layers.
func New(machine device.Machine, m *embed.Model) (*Embedder, error) {
	cpu, err := lpe.New(m)
	if err != nil {
		return nil, err
	}
	plan, weights := cpu.Folded()
	e := &Embedder{machine: machine, cpu: cpu, model: m, plan: plan, weights: weights, kernel: "lpe_embed"}
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
				return fmt.Errorf("model %q has a layer of %d outputs, too wide for the GPU's kernel (%d, %d in a first convolution); use device=cpu",
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
// the machine; nil takes that back.
func (e *Embedder) Use(c *device.Cloud) { e.cloud = c }

// Dim returns the length of an embedding.
func (e *Embedder) Dim() int { return e.cpu.Dim() }

// Kernel names what the embedder runs on.
func (e *Embedder) Kernel() string { return "cuda" }

// Embed implements embed.Embedder. Machine memory: 12 bytes a point and 4 a
// column, and 4·k + 4·m for 4 M points at a time if the lists are not there yet.
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
	t := &device.Task{Machine: e.machine}
	e.embed(t, run, inputs, in.Neighbors, in.Cloud, out)
	return out, t.End()
}

func (e *Embedder) embed(t *device.Task, run parallel.Run, inputs *embed.Inputs, lists *neighbor.Lists, cloud *neighbor.Cloud, out []float32) {
	n, k, dim := inputs.Len(), lists.K, e.Dim()
	gather, table := inputs.Table()
	var xyz, index device.Pointer
	if e.cloud != nil && e.cloud.Host == cloud {
		xyz, index = e.cloud.XYZ, e.cloud.Index(lists)
	} else {
		xyz = t.Upload(device.Bytes(cloud.XYZ))
	}
	columns, channels := t.Upload(device.Bytes(table)), t.Upload(device.Bytes(gather))
	plan, weights := t.Upload(device.Bytes(e.plan)), t.Upload(device.Bytes(e.weights))
	size := min(n, block)
	rows := index
	if index == 0 {
		rows = t.Alloc(4 * size * k)
	}
	result := t.Alloc(4 * size * dim)
	for lo := 0; lo < n && t.Err == nil; lo += size {
		m := min(size, n-lo)
		if index == 0 {
			t.Copy(rows, device.Bytes(lists.Index[lo*k:(lo+m)*k]))
		} else {
			rows = index + device.Pointer(4*k*lo)
		}
		t.Launch(e.kernel, m, threads, e.shared, uint64(xyz), device.Float(float32(cloud.Unit)), uint64(rows), uint64(columns),
			uint64(channels), uint64(plan), uint64(weights), uint64(lo), uint64(m), uint64(e.shared/4), uint64(result))
		t.Download(device.Bytes(out[lo*dim:(lo+m)*dim]), result)
		if run.Report != nil {
			run.Report(float64(lo+m) / float64(n))
		}
		if t.Err == nil {
			t.Err = run.Err()
		}
	}
}
