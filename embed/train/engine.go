package train

import (
	"fmt"
	"strings"

	"superpoint/embed/train/backprop"
	"superpoint/embed/train/contrastive"
	"superpoint/partition"
	"superpoint/partition/device"
	"superpoint/partition/merge"
	"superpoint/partition/neighbor"
	"superpoint/partition/parallel"
)

// engine does the arithmetic of a step: the network forward and backward, the
// partition of the embedding, and the loss.
type engine interface {
	Dim() int
	Forward(run parallel.Run, params []float32, b *backprop.Batch[float32]) ([]float32, error)
	Backward(run parallel.Run, params, embedding, grad []float32) error
	contrast(run parallel.Run, g *neighbor.Graph, e []float32, sigma float64) ([]float32, error)
	solver() partition.Solver
	value(l contrastive.Loss, g *neighbor.Graph, edges *contrastive.Edges, e, gradient []float32) (float64, error)
}

// onCPU is the engine that every machine has.
type onCPU struct{ *backprop.Net[float32] }

func (c onCPU) contrast(run parallel.Run, g *neighbor.Graph, e []float32, sigma float64) ([]float32, error) {
	return partition.Contrast(g, e, c.Dim(), sigma, run)
}

func (onCPU) solver() partition.Solver { return merge.Solver{} }

func (c onCPU) value(l contrastive.Loss, g *neighbor.Graph, edges *contrastive.Edges, e, gradient []float32) (float64,
	error) {
	return contrastive.Value(l, g, edges, e, c.Dim(), gradient), nil
}

// onDevice is the engine on a GPU. Batches are made, edges weighed and the
// parameters moved by the CPU; the rest runs there. Its merge joins only pairs
// that chose each other, so components, and with them the weights of the edges,
// are a little different from the CPU's.
type onDevice struct {
	*backprop.Device
	machine device.Machine
}

func (d onDevice) contrast(_ parallel.Run, g *neighbor.Graph, e []float32, sigma float64) ([]float32, error) {
	return partition.ContrastOn(d.machine, g, e, d.Dim(), sigma)
}

func (d onDevice) solver() partition.Solver { return merge.Device{Machine: d.machine} }

func (d onDevice) value(l contrastive.Loss, g *neighbor.Graph, edges *contrastive.Edges, e,
	gradient []float32) (float64, error) {
	return contrastive.ValueOn(d.machine, l, g, edges, e, d.Dim(), gradient)
}

// checkDevice returns an error unless it names a device.
func checkDevice(name string) error {
	switch number, ok := strings.CutPrefix(name, "cuda:"); {
	case name == "", name == "auto", name == "cpu", name == "cuda", ok && number != "" &&
		strings.Trim(number, "0123456789") == "":
		return nil
	}
	return fmt.Errorf("train: --device is %q; choose auto, cpu, cuda or cuda:N", name)
}

// open finds the device that the options name and sets the trainer's network and
// engine. auto is the CPU until training has been measured on a GPU. What it
// returns gives the device back.
func (t *trainer) open() (done func(), err error) {
	machine, done := t.o.machine, func() {}
	if machine == nil && strings.HasPrefix(t.o.Device, "cuda") {
		gpu, err := device.Open(t.o.Device)
		if err != nil {
			return done, fmt.Errorf("train: --device %s is not available: %w; or use --device cpu", t.o.Device, err)
		}
		t.host.Log(fmt.Sprintf("device: cuda:%d, %s", gpu.Number(), gpu.Name()))
		machine, done = gpu, gpu.Close
	}
	if machine == nil {
		t.net, err = backprop.New(t.card)
		t.engine = onCPU{t.net}
		return done, err
	}
	device, err := backprop.NewDevice(machine, t.card)
	if err != nil {
		done()
		return func() {}, fmt.Errorf("train: %w", err)
	}
	t.net, t.engine = device.Net, onDevice{device, machine}
	closeGPU := done
	return func() { device.Close(); closeGPU() }, nil
}
