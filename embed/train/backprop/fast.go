//go:build amd64 && cgo

// SPDX-License-Identifier: BSD-3-Clause

package backprop

// #cgo CFLAGS: -O3 -std=gnu11
// #include "kernels.h"
import "C"

import "unsafe"

// Largest sizes that the fixed buffers of kernels.c hold.
const (
	fastHidden    = 64
	fastNeighbors = 64
	fastChannels  = 64
)

// fast holds the kernels of kernels.c, which take most of the time, and the plain ones.
type fast struct{ plain[float32] }

// fastKernels returns the AVX2 kernels, or nil if the CPU or the sizes of a
// setLayers do not fit them.
func fastKernels(units ...*setShape) kernels[float32] {
	if C.sb_supported() == 0 {
		return nil
	}
	for _, u := range units {
		if u.c1%8 != 0 || u.c1 > fastHidden || u.c2%16 != 0 || u.k > fastNeighbors || u.s > fastChannels {
			return nil
		}
	}
	return fast{}
}

func ptr(x []float32) *C.float {
	return (*C.float)(unsafe.Pointer(unsafe.SliceData(x)))
}

func bytesOf(x []uint8) *C.uint8_t { return (*C.uint8_t)(unsafe.Pointer(unsafe.SliceData(x))) }

func (fast) gemm(n, m, k int, a []float32, ar, ak int, b []float32, ldb int, c []float32, ldc int, accumulate bool) {
	var add C.int
	if accumulate {
		add = 1
	}
	C.sb_gemm(C.int(n), C.int(m), C.int(k), ptr(a), C.int(ar), C.int(ak), ptr(b), C.int(ldb), ptr(c), C.int(ldc), add)
}

func (fast) setMoments(rows, s, c1 int, x, w1, t1, sum, square []float32) {
	C.sb_set_moments(C.int(rows), C.int(s), C.int(c1), ptr(x), ptr(w1), ptr(t1), ptr(sum), ptr(square))
}

func (fast) setMax(n int, u *setShape, x, w1, t1, w2, t2, out []float32, arg []uint8) {
	C.sb_set_max(C.int(n), C.int(u.k), C.int(u.s), C.int(u.c1), C.int(u.c2), ptr(x), ptr(w1), ptr(t1), ptr(w2), ptr(t2),
		ptr(out), bytesOf(arg))
}

func (fast) setSparse(n int, u *setShape, x, w1, t1, g []float32, arg []uint8, gsum, gouter []float32) {
	C.sb_set_sparse(C.int(n), C.int(u.k), C.int(u.s), C.int(u.c1), C.int(u.c2), ptr(x), ptr(w1), ptr(t1), ptr(g),
		bytesOf(arg), ptr(gsum), ptr(gouter))
}

func (fast) setBack(n int, u *setShape, x, w1, t1, w2t, g []float32, arg []uint8, offset, q, p []float32, sp int, ysum,
	youter, pouter []float32) {
	C.sb_set_back(C.int(n), C.int(u.k), C.int(u.s), C.int(u.c1), C.int(u.c2), ptr(x), ptr(w1), ptr(t1), ptr(w2t), ptr(g),
		bytesOf(arg),
		ptr(offset), ptr(q), ptr(p), C.int(sp), ptr(ysum), ptr(youter), ptr(pouter))
}
