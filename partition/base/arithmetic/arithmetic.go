// SPDX-License-Identifier: BSD-3-Clause

// Package arithmetic has the rules and functions by which results have the same bits on
// every machine: plain Go, C for AVX2, its successors and NEON, and CUDA compute the same
// neighbors, columns and embeddings. Every kernel follows these rules:
//
//   - The network is computed in integers (embed.Integer), whose sums are exact in any
//     order.
//   - Every other sum has a fixed order: no sums across lanes, no atomics on floats.
//   - A product and a sum are fused only where the source has an explicit FMA. C is
//     compiled as ISO C (-std=c11), in which gcc does not fuse; CUDA with
//     -fmad=false; Go, which fuses on some processors, with the flag in
//     CMakeLists.txt (a test here fails without it).
//   - Square root and division follow IEEE 754. Exponential and logarithm are computed
//     by this package, as polynomials of fused operations.
//   - A maximum is y > x ? y : x: it keeps the first of equals and ignores a NaN in y.
//     Subnormal numbers are not flushed.
//
// The table shows which machines have their own code for a step; it is compared with
// plain Go by tests. All other code is Go only:
//
//	step                      plain Go  AVX-512  AVX2  NEON  CUDA
//	neighbours                   ×                ×           ×
//	edges across scan lines      ×                ×
//	spacing, elevation           ×
//	shape of neighbourhoods      ×                ×
//	network                      ×         ×      ×     ×     ×
//
// Tests compare bytes. embed/lpe/testdata/steps.txt has the hash of each step for all
// machines, and filter compares the ids of a simulated village by every kernel. `make
// parity` runs both for every kind of machine that a system can run or emulate.
package arithmetic

import (
	"os"
	"strings"
)

// SquaredDistance returns ‖x − y‖², in y's precision and summed in order. y is at
// least as long as x.
func SquaredDistance[X, Y ~float32 | ~float64](x []X, y []Y) (s Y) {
	y = y[:len(x)]
	for k, v := range x {
		d := Y(v) - y[k]
		s += d * d
	}
	return s
}

// SquaredDistances returns SquaredDistance of x from y and from z. It takes less than two calls, since an
// addition waits for the one before in its sum, but not for the other sum.
func SquaredDistances[X, Y ~float32 | ~float64](x []X, y, z []Y) (s, t Y) {
	y, z = y[:len(x)], z[:len(x)]
	for k, v := range x {
		d := Y(v) - y[k]
		e := Y(v) - z[k]
		s += d * d
		t += e * e
	}
	return s, t
}

// FloorDiv returns a/b rounded down; b is positive.
func FloorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

// KernelVariable is the environment variable that selects the kernels: go, avx2,
// avx512 (with VNNI), neon or dotprod. Without it the fastest are used. It is for tests and
// debugging; results are the same.
const KernelVariable = "SUPERPOINT_KERNEL"

// PlainKernel is the value of KernelVariable that excludes kernels in C.
const PlainKernel = "go"

// Kernel returns the value of KernelVariable, or "" for the fastest kernels.
func Kernel() string { return os.Getenv(KernelVariable) }

// Wide reports whether kernels for AVX2 may be used.
func Wide() bool { return Kernel() == "" || strings.HasPrefix(Kernel(), "avx") }
