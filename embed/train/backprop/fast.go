//go:build amd64 && cgo

// SPDX-License-Identifier: BSD-3-Clause

package backprop

// #cgo CFLAGS: -O3 -std=gnu11
// #include "kernels.h"
import "C"

import "unsafe"

// fastest returns the fastest gemm of this CPU.
func fastest() gemm[float32] {
	if C.sb_supported() == 0 {
		return plain
	}
	return fast
}

func ptr(x []float32) *C.float {
	return (*C.float)(unsafe.Pointer(unsafe.SliceData(x)))
}

func fast(n, m, k int, a []float32, ar, ak int, b []float32, ldb int, c []float32, ldc int, accumulate bool) {
	var add C.int
	if accumulate {
		add = 1
	}
	C.sb_gemm(C.int(n), C.int(m), C.int(k), ptr(a), C.int(ar), C.int(ak), ptr(b), C.int(ldb), ptr(c), C.int(ldc), add)
}
