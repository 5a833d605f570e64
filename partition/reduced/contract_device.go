package reduced

import "superpoint/partition/device"

// threads is the number of threads of a block of the kernels.
const threads = 128

// DeviceEdges are the edges of a graph on a machine, an unordered list, each once
// (A, B, Weight in multiples of 2⁻³²).
type DeviceEdges struct {
	*device.Task
	A, B, Weight    device.Pointer
	Count           int
	key, sum, count device.Pointer // of the table
}

// DeviceEdgesBytes returns the memory that DeviceEdges take on the machine, in bytes.
func DeviceEdgesBytes(edges int) int { return 16*edges + 16*table(edges) }

// table returns the number of entries of a hash table for a number of edges.
func table(edges int) int { return device.PowerOfTwo(edges + edges/2 + 1) }

// NewDeviceEdges lists the edges of rows that are in the memory of t's machine.
func NewDeviceEdges(t *device.Task, vertices, count int, start, head, weight device.Pointer) *DeviceEdges {
	e := &DeviceEdges{Task: t, Count: count}
	e.A, e.B, e.Weight = t.Alloc(4*count), t.Alloc(4*count), t.Alloc(8*count)
	t.Launch(kernels.Kernel("contract_edges"), vertices, threads, 0, start, head, weight, vertices, e.A, e.B, e.Weight)
	places := table(count)
	e.key, e.sum, e.count = t.Alloc(8*places), t.Alloc(8*places), t.Alloc(4)
	return e
}

// Contract replaces the ends of all edges by their labels, and sums parallel edges, so that
// one edge remains for each pair of adjacent components.
func (e *DeviceEdges) Contract(label device.Pointer) {
	places := table(e.Count)
	e.Fill(e.key, 0xff, 8*places)
	e.Fill(e.sum, 0, 8*places)
	e.Launch(kernels.Kernel("contract_gather"), e.Count, threads, 0, e.A, e.B, e.Weight, e.Count, label, e.key, e.sum,
		places-1)
	e.Fill(e.count, 0, 4)
	e.Launch(kernels.Kernel("contract_compact"), places, threads, 0, e.key, e.sum, places, e.A, e.B, e.Weight, e.count)
	var left [1]uint32
	e.Download(device.Bytes(left[:]), e.count)
	if e.Err == nil {
		e.Count = int(left[0])
	}
}

// Rename replaces each of count indices by its label.
func (e *DeviceEdges) Rename(number device.Pointer, count int, label device.Pointer) {
	e.Launch(kernels.Kernel("contract_rename"), count, threads, 0, number, label, count)
}
