//go:build amd64 && cgo

// SPDX-License-Identifier: BSD-3-Clause

package backprop

// #cgo CFLAGS: -O3 -std=gnu11
// #include "kernels.h"
import "C"

import "unsafe"

// fastNeighbors is the least number of neighbours for sb_set_max.
const fastNeighbors = 5

// fast holds the kernels of kernels.c.
type fast struct{}

// fastKernels returns the AVX2 kernels, or nil if the CPU or the sizes of a
// setLayers do not fit them.
func fastKernels(units ...*setShape) kernels[float32] {
	if C.sb_supported() == 0 {
		return nil
	}
	for _, u := range units {
		if u.c2%16 != 0 || u.k < fastNeighbors {
			return nil
		}
	}
	return fast{}
}

func ptr(x []float32) *C.float {
	return (*C.float)(unsafe.Pointer(unsafe.SliceData(x)))
}

func bytesOf(x []uint8) *C.uint8_t { return (*C.uint8_t)(unsafe.Pointer(unsafe.SliceData(x))) }

func (fast) gemm(n, m, k int, a []float32, ar, ak int, b []float32, ldb int, c []float32, ldc int,
	accumulate bool) {
	var add C.int
	if accumulate {
		add = 1
	}
	C.sb_gemm(C.int(n), C.int(m), C.int(k), ptr(a), C.int(ar), C.int(ak), ptr(b), C.int(ldb), ptr(c),
		C.int(ldc), add)
}

func (fast) setMax(n int, u *setShape, a, w2, t2, out []float32, arg []uint8) {
	C.sb_set_max(C.int(n), C.int(u.k), C.int(u.c1), C.int(u.c2), ptr(a), ptr(w2), ptr(t2), ptr(out),
		bytesOf(arg))
}
