//go:build cgo && (amd64 || arm64)

package lpe

// #cgo CFLAGS: -O3 -std=c11
// #cgo LDFLAGS: -lm
// #include "lpe.h"
import "C"

import (
	"runtime"
	"slices"
	"unsafe"

	"superpoint/embed"
)

const arm = runtime.GOARCH == "arm64"

// fastKernels returns the names of the kernels in C that this processor runs,
// fastest first; none on x86 without AVX2 and FMA, from before 2013.
func fastKernels() []string {
	if arm {
		return []string{"neon"}
	}
	names := []string{"avx2", "avx512"}[:C.lpe_best()]
	slices.Reverse(names)
	return names
}

func fastKernel(name string) kernel {
	level := C.int(1)
	if name == "avx512" {
		level = 2
	}
	return func(net *network, inputs *embed.Inputs, lo, hi int, out, scratch []float32) {
		g, ok := inputs.Gathering(net.rows)
		if !ok {
			plain(net, inputs, lo, hi, out, scratch)
			return
		}
		set, point, scratch := net.split(scratch)
		C.lpe_forward(level, (*C.struct_network)(unsafe.Pointer(&net.layout)), floats(net.weights),
			(*C.lpe_gather)(g.Function), (*C.struct_inputs)(unsafe.Pointer(g.Inputs)), C.float(g.Unit),
			(*C.int32_t)(unsafe.Pointer(&g.XYZ[0])), C.int64_t(len(g.XYZ)), (*C.uint32_t)(unsafe.Pointer(&g.Index[0])),
			floats(g.Table), C.int64_t(lo), C.int64_t(hi), batch, floats(set), floats(point), floats(out),
			floats(scratch[misaligned(scratch):]), C.long(net.widest()))
	}
}

// misaligned returns how many floats to skip to a multiple of 64 bytes.
func misaligned(x []float32) int { return int(-uintptr(unsafe.Pointer(&x[0])) % 64 / 4) }

func floats(x []float32) *C.float { return (*C.float)(unsafe.Pointer(unsafe.SliceData(x))) }
