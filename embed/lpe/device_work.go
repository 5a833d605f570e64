package lpe

import (
	"slices"
	"unsafe"

	"superpoint/embed/layout"
	"superpoint/partition/base/parallel"
	"superpoint/partition/gpu"
	"superpoint/partition/neighbor"
)

// work is one embedding of a cloud.
type work struct {
	gpu.Task
	e      *GPU
	run    parallel.Run
	lists  *neighbor.Lists
	host   *neighbor.Cloud
	table  []float32 // columns of all points
	inputs *layout.Inputs
	out    []float32
	// Embed in blocks, because embedding all points at once ran out of memory.
	blocks bool
	// On the backend: inputs, the network and its weights.
	channels, network, numbers gpu.Pointer
}

// margin adds to a number of bytes what rounding of allocations may take.
func margin(bytes int) int { return bytes + bytes/16 + 1<<12 }

// bytesForAll returns the memory that embedAll needs.
func (w *work) bytesForAll() int {
	n, rows := w.host.Len(), min(w.host.Len(), w.e.block)
	net := w.e.cpu.net
	bytes := len(object(w.inputs)) + len(object(&net.layout)) + len(net.packed) + 2*4*rows*w.e.Dim()
	bytes += 4*len(w.table) + 2*int(net.layout.Stride)*n
	if w.e.cloud == nil {
		bytes += 12 * n
	}
	if w.e.cloud == nil || w.e.cloud.Index(w.lists) == 0 {
		bytes += 4 * rows * w.lists.K
	}
	return margin(bytes)
}

// object returns a copy of the bytes of one value: cgo does not allow passing a pointer into
// memory that also contains Go pointers.
func object[T any](v *T) []byte { return slices.Clone(gpu.Bytes(unsafe.Slice(v, 1))) }

// all embeds all points at once, or in blocks if memory does not suffice.
func (w *work) all() {
	if w.e.cloud != nil && (w.blocks || w.bytesForAll() > w.Backend.Memory()) {
		w.e.cloud.Close()
		w.e.cloud = nil
	}
	fits := !w.blocks && w.bytesForAll() <= w.Backend.Memory()
	net := w.e.cpu.net
	w.channels, w.network, w.numbers = w.Upload(object(w.inputs)), w.Upload(object(&net.layout)), w.Upload(net.packed)
	if fits {
		w.embedAll()
	} else {
		w.embedBlocks()
	}
}

// embedAll uploads all inputs that are not on the backend yet. Embeddings of one block are
// downloaded while the next is computed.
func (w *work) embedAll() {
	n, k, dim := w.host.Len(), w.lists.K, w.e.Dim()
	var xyz, index gpu.Pointer
	if c := w.e.cloud; c != nil {
		xyz, index = c.XYZ, c.Index(w.lists)
	} else {
		xyz = w.Upload(gpu.Bytes(w.host.XYZ))
	}
	points, size := w.rows(&w.Task, w.table, n), min(n, w.e.block)
	rows := index
	if index == 0 {
		rows = w.Alloc(4 * size * k)
	}
	result := [2]gpu.Pointer{w.Alloc(4 * size * dim)}
	if n > size {
		result[1] = w.Alloc(4 * size * dim)
	}
	wait := func() {}
	for lo := 0; lo < n && w.Err == nil; lo += size {
		m := min(size, n-lo)
		if index == 0 {
			w.Copy(rows, gpu.Bytes(w.lists.Index[lo*k:(lo+m)*k]))
		} else {
			rows = index + gpu.Pointer(4*k*lo)
		}
		to := result[lo/size%2]
		w.launch(xyz, rows, points, lo, m, to)
		wait() // for the download of the last block, whose memory the next one uses
		wait = w.Later(gpu.Bytes(w.out[lo*dim:(lo+m)*dim]), to)
		w.report(lo + m)
	}
}

// embedBlocks embeds block by block, with only the block's points and their neighbours on
// the backend. The results have the same bits.
func (w *work) embedBlocks() {
	n, k, dim := w.host.Len(), w.lists.K, w.e.Dim()
	room, own := w.Backend.Memory()/16*15, 12+4*len(w.table)/n+2*int(w.e.cpu.net.layout.Stride)
	if w.blocks {
		room /= 2
	}
	h := newHalo(n)
	size := min(n, w.e.block, max(room/(2*own+4*k+4*dim), 1)) // a halo as large as its block
	for lo := 0; lo < n && w.Err == nil; {
		m := min(size, n-lo)
		if m > 1 && !h.take(w.lists, lo, lo+m, (room-margin(m*(4*k+4*dim)))/own) {
			size = m / 2
			continue
		} else if m == 1 {
			h.take(w.lists, lo, lo+1, n)
		}
		if err := h.gather(parallel.Run{Context: w.run.Context, Threads: w.run.Threads}, w.host, w.table); err != nil {
			w.Err = err
			return
		}
		t := gpu.Task{Backend: w.Backend, Err: w.Err}
		xyz, rows, to := t.Upload(gpu.Bytes(h.xyz)), t.Upload(gpu.Bytes(h.rows)), t.Alloc(4*m*dim)
		points := w.rows(&t, h.table, len(h.points))
		w.Err = t.Err
		w.launch(xyz, rows, points, 0, m, to)
		w.Download(gpu.Bytes(w.out[lo*dim:(lo+m)*dim]), to)
		if err := t.End(); w.Err == nil {
			w.Err = err
		}
		lo += m
		w.report(lo)
	}
}

// rows uploads the columns of n points and computes their rows (layout.Network).
func (w *work) rows(t *gpu.Task, table []float32, n int) gpu.Pointer {
	columns, rows := t.Upload(gpu.Bytes(table)), t.Alloc(2*int(w.e.cpu.net.layout.Stride)*n)
	t.Launch(kernels.Kernel("lpe_rows"), n, threads, 0, columns, int(w.inputs.Width), w.network, w.numbers, n, rows)
	return rows
}

// launch embeds m points from first on, whose lists begin at rows.
func (w *work) launch(xyz, lists, rows gpu.Pointer, first, m int, to gpu.Pointer) {
	size := len(w.e.cpu.net.packed)
	w.Launch(kernels.Kernel("lpe_embed"), m, threads, size, xyz, float32(w.host.Unit), lists, rows, w.channels, w.network,
		w.numbers, first, m, size, to)
}

func (w *work) report(done int) {
	w.run.Progress(float64(done) / float64(w.host.Len()))
	if w.Err == nil {
		w.Err = w.run.Err()
	}
}
