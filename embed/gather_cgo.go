//go:build cgo && (amd64 || arm64)

package embed

// #cgo CFLAGS: -O3 -std=gnu11
// #cgo LDFLAGS: -lm
// #include "gather.h"
import "C"

import "unsafe"

// GatherRange gathers the points lo to hi−1. Each set is rows ≥ Neighbors rows
// long; the rows beyond Neighbors repeat its first.
func (s *Inputs) GatherRange(lo, hi, rows int, set, point []float32) {
	k := len(s.neighborsOf(0))
	if k == 0 || lo >= hi {
		s.gatherRange(lo, hi, rows, set, point)
		return
	}
	plan := s.plan(k, rows)
	_, _ = set[:(hi-lo)*rows*s.NeighborChannels], point[:(hi-lo)*s.PointChannels]
	C.embed_gather((*C.int32_t)(unsafe.Pointer(&plan[0])), C.float(s.cloud.Unit), (*C.int32_t)(unsafe.Pointer(&s.cloud.XYZ[0])),
		C.int64_t(s.cloud.Len()), (*C.uint32_t)(unsafe.Pointer(&s.lists.Index[0])), floats(s.table),
		C.int64_t(lo), C.int64_t(hi), floats(set), floats(point))
}

func floats(x []float32) *C.float { return (*C.float)(unsafe.Pointer(unsafe.SliceData(x))) }
