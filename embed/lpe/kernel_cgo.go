//go:build cgo && (amd64 || arm64)

package lpe

// #cgo CFLAGS: -O3 -std=c11
// #cgo LDFLAGS: -lm
// #include "integer_kernels.h"
// #include "lpe.h"
import "C"

import (
	"unsafe"

	"superpoint/embed"
)

// fastKernels returns the names of the kernels in C that this processor runs, fastest
// first; none on x86 without AVX2 and FMA, from before 2013.
func fastKernels() (names []string) {
	for k := range kernelNames {
		if C.lpe_integer_runs(C.int(k)) != 0 {
			names = append([]string{kernelNames[k]}, names...)
		}
	}
	return names
}

// kernelNames are those of the kernels of this kind of processor, the plainest first.
// They differ in the integer network; the float network has one kernel.
var kernelNames = func() (names []string) {
	for {
		name := C.lpe_integer_name(C.int(len(names)))
		if name == nil {
			return names
		}
		names = append(names, C.GoString(name))
	}
}()

func fastKernel(string) kernel {
	return func(net *network, inputs *embed.Inputs, lo, hi int, out, scratch []float32) {
		g, ok := inputs.Gathering(net.rows)
		if !ok {
			plain(net, inputs, lo, hi, out, scratch)
			return
		}
		set, point, scratch := net.split(scratch)
		C.lpe_forward((*C.struct_network)(unsafe.Pointer(&net.layout)), floats(net.weights),
			(*C.lpe_gather)(g.Function), (*C.struct_inputs)(unsafe.Pointer(g.Inputs)), C.float(g.Unit),
			(*C.int32_t)(unsafe.Pointer(&g.XYZ[0])), C.int64_t(len(g.XYZ)), (*C.uint32_t)(unsafe.Pointer(&g.Index[0])),
			floats(g.Table), C.int64_t(lo), C.int64_t(hi), batch, floats(set), floats(point), floats(out),
			floats(scratch[misaligned(scratch):]), C.long(net.widest()))
	}
}

// misaligned returns how many floats to skip to a multiple of 64 bytes.
func misaligned(x []float32) int { return int(-uintptr(unsafe.Pointer(&x[0])) % 64 / 4) }

func floats(x []float32) *C.float { return (*C.float)(unsafe.Pointer(unsafe.SliceData(x))) }
