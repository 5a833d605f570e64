package backprop

import (
	"fmt"

	"superpoint/embed"
	"superpoint/partition/arrays"
	"superpoint/partition/device"
	"superpoint/partition/parallel"
)

// Device is the network of a card on a machine, which is a GPU or its emulator.
// What concerns points runs there (dense.cu, set.cu); what
// concerns channels only, the statistics of the batch, the normalisation and its
// gradient, is computed here in float64 by the code that the CPU's network uses.
// Its sums are taken in one order: gradients are the same from run to run, and
// differ from the CPU's by the rounding of float32.
//
// Machine memory: 4·(k·s + widths) bytes a point, 1.6 kB for the paper's network.
type Device struct {
	*Net[float32]
	task    device.Task
	owned   []*buffer
	st, lpe *deviceSet
	stFC, f *deviceDense
	points  int
	width   int // of the last chain's input: the maximum, then the point channels

	params, set, point, omega, places, input  buffer
	length, out, direction, g, turned, gOmega buffer
	partial, total                            buffer
}

// buffer is memory of a machine that grows with the batches.
type buffer struct {
	device.Pointer
	bytes int
}

// from returns the address of a number of the buffer.
func (b *buffer) from(number int) uint64 { return uint64(b.Pointer) + 4*uint64(number) }

// NewDevice prepares the network of a card. It fails if the kernels cannot hold
// its layers. Close it afterwards.
func NewDevice(m device.Machine, card *embed.Card) (*Device, error) {
	n, err := build[float32](card, plain[float32]{})
	if err != nil {
		return nil, err
	}
	d := &Device{Net: n, task: device.Task{Machine: m}, width: n.lpe.shape.c2 + len(card.Inputs.Point)}
	if d.lpe, err = newDeviceSet(n.lpe, n.lpe.shape.s); err != nil {
		return nil, err
	}
	if d.f, err = newDeviceDense(n.fc); err != nil {
		return nil, err
	}
	if n.st == nil {
		return d, nil
	}
	if d.st, err = newDeviceSet(n.st, n.lpe.shape.s); err != nil {
		return nil, err
	}
	d.stFC, err = newDeviceDense(n.stFC)
	return d, err
}

// Close frees the machine's memory.
func (d *Device) Close() {
	for _, b := range d.owned {
		d.task.Machine.Free(b.Pointer)
		*b = buffer{}
	}
	d.owned = nil
}

// room makes a buffer hold so many bytes; its content is lost if it grows.
func (d *Device) room(b *buffer, bytes int) uint64 {
	bytes = max(bytes, 16)
	if b.bytes >= bytes || d.task.Err != nil {
		return uint64(b.Pointer)
	}
	if b.bytes == 0 {
		d.owned = append(d.owned, b)
	}
	d.task.Machine.Free(b.Pointer)
	*b = buffer{}
	var p device.Pointer
	if p, d.task.Err = d.task.Machine.Alloc(bytes); d.task.Err == nil {
		*b = buffer{p, bytes}
	}
	return uint64(b.Pointer)
}

// put32 copies values into a buffer.
func put32[T float32 | int32](d *Device, b *buffer, values []T) uint64 {
	return d.put(b, device.Bytes(values))
}

func (d *Device) put(b *buffer, bytes []byte) uint64 {
	p := d.room(b, len(bytes))
	d.task.Copy(device.Pointer(p), bytes)
	return p
}

// sum adds the partial sums of so many blocks.
func (d *Device) sum(blocks, each int) []float64 {
	const threads, entries = 256, 32 // a block's, as in dense.cu
	total := d.room(&d.total, 8*each)
	d.task.Launch(denseKernels.Kernel("sum_blocks"), (each+entries-1)/entries*threads, threads, 8*threads,
		uint64(d.partial.Pointer),
		uint64(blocks), uint64(each), total)
	return d.totals(each)
}

// totals fetches so many sums.
func (d *Device) totals(count int) []float64 {
	values := make([]float64, count)
	d.task.Download(device.Bytes(values), d.total.Pointer)
	return values
}

// each runs a kernel with one thread an item.
func (d *Device) each(kernel device.Kernel, items int, arguments ...any) {
	d.task.Launch(kernel, items, 128, 0, arguments...)
}

// Forward is Net.Forward on the machine.
func (d *Device) Forward(run parallel.Run, params []float32, b *Batch[float32]) ([]float32, error) {
	if err := run.Err(); err != nil {
		return nil, err
	}
	n, c2, channels := d.Net, d.Net.lpe.shape.c2, len(d.card.Inputs.Point)
	d.points = b.Points
	put32(d, &d.params, params)
	set, point := put32(d, &d.set, b.Set), put32(d, &d.point, b.Point)
	omega, places := uint64(0), uint64(0)
	if n.st != nil {
		at := make([]int32, 4)
		for e := range at {
			at[e] = int32(n.card.OmegaAt(e))
		}
		places = put32(d, &d.places, at)
		hidden := d.room(&d.st.result, 4*b.Points*n.st.shape.c2)
		d.st.forward(d, params, set, 0, hidden, n.st.shape.c2)
		omega = d.room(&d.omega, 16*b.Points)
		d.each(denseKernels.Kernel("omega_of"), 4*b.Points, d.stFC.forward(d, params, hidden),
			uint64(4*b.Points), omega)
	}
	input := d.room(&d.input, 4*b.Points*d.width)
	d.lpe.forward(d, params, set, omega, input, d.width)
	d.each(denseKernels.Kernel("join_channels"), b.Points*channels, point, uint64(channels), omega, places, uint64(c2),
		uint64(b.Points*channels), input)
	m := n.Dim()
	out := d.room(&d.out, 4*b.Points*m)
	d.each(denseKernels.Kernel("unit_length"), b.Points, d.f.forward(d, params, input), uint64(b.Points),
		uint64(m), out,
		d.room(&d.length, 4*b.Points))
	n.out = arrays.Resized(n.out, b.Points*m)
	d.task.Download(device.Bytes(n.out), device.Pointer(out))
	return n.out, d.task.Err
}

// Backward is Net.Backward on the machine.
func (d *Device) Backward(run parallel.Run, params, embedding, grad []float32) error {
	if err := run.Err(); err != nil {
		return err
	}
	clear(grad)
	n, m, c2 := d.Net, d.Dim(), d.lpe.shape.c2
	g := d.room(&d.g, 4*d.points*m)
	d.each(denseKernels.Kernel("unit_back"), d.points, put32(d, &d.direction, embedding), uint64(d.out.Pointer),
		uint64(d.length.Pointer),
		uint64(d.points), uint64(m), g)
	back := d.f.backward(d, params, grad, g)
	d.lpe.backward(d, params, grad, back, d.width)
	if n.st == nil {
		return d.task.Err
	}
	own := d.room(&d.gOmega, 16*d.points)
	d.each(denseKernels.Kernel("omega_gradient"), 4*d.points, uint64(d.turned.Pointer), back, uint64(d.width),
		uint64(c2),
		uint64(d.places.Pointer), uint64(4*d.points), own)
	d.st.backward(d, params, grad, d.stFC.backward(d, params, grad, own), n.st.shape.c2)
	return d.task.Err
}

// unfit is the error for a network that the kernels cannot hold.
func unfit(what string, values ...any) error {
	return fmt.Errorf("the GPU's training kernels cannot hold "+what+"; use --device cpu", values...)
}
