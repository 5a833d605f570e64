//go:build cgo && (amd64 || arm64)

package embed

// #cgo CFLAGS: -O3 -std=c11
// #cgo LDFLAGS: -lm
// #include "gather.h"
import "C"

import (
	"unsafe"

	"superpoint/embed/layout"
	"superpoint/partition/arithmetic"
)

// GatherRange gathers the points lo to hi−1. Each set is rows ≥ Neighbors rows
// long; the rows beyond Neighbors repeat its first.
func (s *Inputs) GatherRange(lo, hi, rows int, set, point []float32) {
	k := len(s.neighborsOf(0))
	if k == 0 || lo >= hi || arithmetic.Plain() {
		s.gatherRange(lo, hi, rows, set, point)
		return
	}
	_, _ = set[:(hi-lo)*rows*s.NeighborChannels], point[:(hi-lo)*s.PointChannels]
	C.embed_gather((*C.struct_inputs)(unsafe.Pointer(s.layout(k, rows))), C.float(s.cloud.Unit),
		(*C.int32_t)(unsafe.Pointer(&s.cloud.XYZ[0])),
		C.int64_t(s.cloud.Len()), (*C.uint32_t)(unsafe.Pointer(&s.lists.Index[0])), floats(s.table),
		C.int64_t(lo), C.int64_t(hi), floats(set), floats(point))
}

// Gathering holds what the kernel in C is called with, for C code of another
// package that gathers batch by batch without returning to Go in between: on
// every return Go's scheduler looks for other work, on a core that has none to
// spare.
type Gathering struct {
	Function unsafe.Pointer // embed_gather in gather.h
	Inputs   *layout.Inputs
	Unit     float32
	XYZ      [][3]int32
	Index    []uint32
	Table    []float32
}

// Gathering returns false if points have no neighbours.
func (s *Inputs) Gathering(rows int) (g Gathering, ok bool) {
	k := len(s.neighborsOf(0))
	if k == 0 {
		return g, false
	}
	return Gathering{unsafe.Pointer(C.embed_gather), s.layout(k, rows), float32(s.cloud.Unit), s.cloud.XYZ,
		s.lists.Index, s.table}, true
}

func floats(x []float32) *C.float { return (*C.float)(unsafe.Pointer(unsafe.SliceData(x))) }
