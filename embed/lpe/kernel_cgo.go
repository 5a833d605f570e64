//go:build cgo && (amd64 || arm64)

// SPDX-License-Identifier: BSD-3-Clause

package lpe

// #cgo CFLAGS: -O3 -std=c11
// #cgo LDFLAGS: -lm
// #include "lpe.h"
import "C"

import (
	"slices"
	"unsafe"

	"superpoint/embed"
)

// fastKernels returns the names of the kernels in C that this processor can run, fastest
// first; none on x86 without AVX2 (before 2013).
//
// kernelNames ascends in speed; each name that can run is put before those found so far.
func fastKernels() (names []string) {
	for k := range kernelNames {
		if C.lpe_runs(C.int(k)) != 0 {
			names = append([]string{kernelNames[k]}, names...)
		}
	}
	return names
}

// kernelNames are the names of all kernels in C for this architecture, slowest first.
var kernelNames = func() (names []string) {
	for {
		name := C.lpe_kernel_name(C.int(len(names)))
		if name == nil {
			return names
		}
		names = append(names, C.GoString(name))
	}
}()

// fastKernel returns the kernel in C of that name.
func fastKernel(name string) kernel {
	k := fast(slices.Index(kernelNames, name))
	return kernel{rows: k.rows, scratch: k.scratch, embed: k.embed}
}

// fast is the index by which C chooses a kernel. C keeps no pointer after a call, and allocates nothing:
// scratch is memory of Go.
type fast C.int

// rows computes the rows of points, see kernel.
func (k fast) rows(n *network, columns []float32, count int, rows []int16) {
	C.lpe_fill_rows(
		C.int(k),
		n.c(),
		n.numbers(),
		floats(columns),
		C.int(n.kept),
		C.int64_t(count),
		C.int64_t(n.stride),
		(*C.int16_t)(&rows[0]))
}

// scratch returns the number of bytes that embed needs.
func (fast) scratch(n *network) int { return int(C.lpe_scratch(n.c(), C.long(n.widest()))) }

// embed computes the embeddings of points lo to hi − 1, see kernel.
func (k fast) embed(n *network, inputs *embed.Inputs, s *chunk, w *worker, lo, hi int, out []float32) {
	in := inputs.Layout()
	// Kernels in C have at least one neighbor. The reference in Go takes over, with the same bits.
	if in.Near == 0 { // one point
		plainEmbed(n, inputs, s, w, lo, hi, out)
		return
	}
	lists := &inputs.Lists().Index[s.lo*int(in.Listed)]
	// around may be empty, and has no first element then: SliceData, where indexing would panic.
	around := s.around()
	C.lpe_forward(
		C.int(k),
		n.c(),
		n.numbers(),
		(*C.struct_inputs)(unsafe.Pointer(in)),
		C.float(inputs.Cloud().Unit),
		(*C.uint32_t)(unsafe.Pointer(lists)),
		(*C.int16_t)(&s.rows[0]),
		C.int64_t(n.stride),
		C.int(n.kept),
		C.uint32_t(s.lo),
		C.uint32_t(s.len()),
		(*C.uint32_t)(unsafe.Pointer(unsafe.SliceData(around))),
		C.int64_t(len(around)),
		floats(w.context),
		C.int64_t(lo-s.lo),
		C.int64_t(hi-s.lo),
		floats(out),
		(*C.uint8_t)(unsafe.Pointer(&w.scratch[0])),
		C.long(n.widest()))
}

// C reads the layout in place: struct network in layout.h has its fields in the same order (a test compares
// them).
func (n *network) c() *C.struct_network { return (*C.struct_network)(unsafe.Pointer(&n.layout)) }

func (n *network) numbers() *C.uint8_t { return (*C.uint8_t)(&n.packed[0]) }

func floats(x []float32) *C.float { return (*C.float)(unsafe.Pointer(unsafe.SliceData(x))) }
