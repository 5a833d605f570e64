// Package arithmetic is the arithmetic that every machine shares: plain Go, C
// for AVX2, its successors and NEON, and CUDA compute columns, embeddings,
// contrasts and gains to the same bits. The rules, which each kernel follows:
//
//   - Every sum has one order. A lane sums one output over its inputs, first to
//     last; nothing is added across lanes, and nothing by atomics on floats.
//   - A product and a sum are fused where the source says FMA, nowhere else. C is
//     compiled as ISO C (-std=c11), which forbids gcc to fuse; CUDA with
//     -fmad=false; Go, which fuses on some processors, with the flag that
//     CMakeLists.txt names (a test here tells whether it is missing).
//   - Square root and division are IEEE 754's. Exponential and logarithm are
//     those of this package, polynomials of fused operations.
//   - A maximum keeps the first of equals and passes over what is not a number:
//     y > x ? y : x. Subnormal numbers are kept.
//
// Which machines compute a step by code of their own, and so are compared; the
// rest has one source, in Go:
//
//	step                      plain Go  AVX-512  AVX-VNNI  AVX2  NEON  CUDA
//	neighbours                   ×                          ×           ×
//	edges across scan lines      ×                          ×
//	spacing, elevation           ×
//	form of neighbourhoods       ×                          ×
//	channels (gather)            ×                          ×     ×     ×
//	network in floats            ×                          ×     ×     ×
//	network in integers          ×         ×        ×       ×     ×
//
// Tests compare bytes. embed/lpe/testdata/steps.txt holds the hash of each step
// for all machines, and filter compares the ids of a village by every kernel.
// `make parity` runs both on every kind of machine that a system can be.
package arithmetic

import (
	"math"
	"os"
	"strings"
)

// FMA returns a·b + c, rounded once.
func FMA(a, b, c float32) float32 {
	p := float64(a) * float64(b)
	s := p + float64(c)
	if Unsure(s) {
		return Odd(p, float64(c))
	}
	return float32(s)
}

// Unsure tells whether the sum s of two float64, the product of two float32 and
// a float32, may become another float32 than the exact sum: the sum has lost
// bits, perhaps, and to round it again is wrong only if it lies half-way between
// two float32, or is so small that they lie less densely. The product is exact.
func Unsure(s float64) bool {
	b := math.Float64bits(s)
	return b&(1<<29-1) == 1<<28 || b<<1-1 < leastNormal
}

// leastNormal is 2⁻¹²⁶ without its sign, less 1.
const leastNormal = (1023-126)<<53 - 1

// Odd returns p + c, rounded to odd before it is rounded to float32: the last bit is set if
// any bit was lost, so that no half-way case arises that was none (Boldo and
// Melquiond 2008, doi:10.1109/TC.2007.70819).
func Odd(p, c float64) float32 {
	s := p + c
	back := s - p
	lost := (p - (s - back)) + (c - back)
	if b := math.Float64bits(s); b&1 == 0 && (lost > 0 || lost < 0) {
		if (lost > 0) == (s > 0) {
			s = math.Float64frombits(b + 1)
		} else {
			s = math.Float64frombits(b - 1)
		}
	}
	return float32(s)
}

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

// Plain tells whether kernels in C are ruled out.
func Plain() bool { return Kernel() == PlainKernel }

// Wide tells whether kernels for AVX2 may be taken.
func Wide() bool { return Kernel() == "" || strings.HasPrefix(Kernel(), "avx") }
