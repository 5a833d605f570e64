// Package arithmetic is the arithmetic that every machine shares: plain Go, C
// for AVX2, its successors and NEON, and CUDA compute columns, embeddings,
// contrasts and gains to the same bits. The rules, which each kernel follows:
//
//   - The network is computed in integers (embed.Integer), whose sums have no order.
//   - Every other sum has one order; nothing is added across lanes, and nothing by
//     atomics on floats.
//   - A product and a sum are fused where the source says FMA, nowhere else. C is
//     compiled as ISO C (-std=c11), which forbids gcc to fuse; CUDA with
//     -fmad=false; Go, which fuses on some processors, with the flag that
//     CMakeLists.txt names (a test here reports whether it is missing).
//   - Square root and division are IEEE 754's. Exponential and logarithm are
//     those of this package, polynomials of fused operations.
//   - A maximum keeps the first of equals and passes over what is not a number:
//     y > x ? y : x. Subnormal numbers are kept.
//
// Which machines compute a step by code of their own, and so are compared; the
// rest has one source, in Go:
//
//	step                      plain Go  AVX-512  AVX-VNNI  AVX2  NEON  CUDA
//	tree of points               ×                          ×
//	neighbours                   ×                          ×           ×
//	edges across scan lines      ×                          ×
//	spacing, elevation           ×
//	contrasts                    ×                          ×
//	gains of merges              ×                          ×           ×
//	form of neighbourhoods       ×                          ×
//	network                      ×         ×        ×       ×     ×     ×
//
// Tests compare bytes. embed/lpe/testdata/steps.txt holds the hash of each step
// for all machines, and filter compares the ids of a village by every kernel.
// `make parity` runs both on every kind of machine that a system can be.
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

// FloorDiv returns a/b rounded down; b is positive.
func FloorDiv(a, b int64) int64 {
	q := a / b
	if a%b < 0 {
		q--
	}
	return q
}

// KernelVariable names the environment variable that chooses the kernels: go,
// avx2, avxvnni, avx512 (with VNNI), neon or dotprod. Without it the fastest are taken.
// It is for tests and for the search of faults; results are the same.
const KernelVariable = "SUPERPOINT_KERNEL"

// PlainKernel is the value of KernelVariable for no kernels in C.
const PlainKernel = "go"

// Kernel returns the kernels that are asked for, or "" for the fastest.
func Kernel() string { return os.Getenv(KernelVariable) }

// Plain reports whether kernels in C are ruled out.
func Plain() bool { return Kernel() == PlainKernel }

// Wide reports whether kernels for AVX2 may be taken.
func Wide() bool { return Kernel() == "" || strings.HasPrefix(Kernel(), "avx") }
