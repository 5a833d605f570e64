//go:build cgo && amd64

// SPDX-License-Identifier: BSD-3-Clause

package neighbor

// #cgo CFLAGS: -std=c11
// #cgo noescape neighbor_in_cone
// #cgo nocallback neighbor_in_cone
// #cgo noescape neighbor_gap_behind
// #cgo nocallback neighbor_gap_behind
// #include "border_avx2.h"
import "C"

import (
	"unsafe"

	"superpoint/partition/base/arithmetic"
)

// aroundAll is borderSearch.around for the points from lo to hi−1, in C; in Go for points
// with neighbours farther than 2²⁴ units.
func (w *candidates) aroundAll(s *borderSearch, lo, hi int) {
	if !borderFast() {
		w.aroundGo(s, lo, hi)
		return
	}
	left := make([]uint32, hi-lo)
	count := C.neighbor_around(w.inC(), C.uint32_t(lo), C.uint32_t(hi), inC(w.which),
		(*C.uint8_t)(unsafe.Pointer(&w.border[0])),
		(*C.int8_t)(unsafe.Pointer(&w.side[0])), inC(left))
	for _, i := range left[:count] {
		w.aroundGo(s, int(i), int(i)+1)
	}
}

// Both must agree: the kernels chosen for this process (SUPERPOINT_KERNEL) and the instructions of the
// processor.
func borderFast() bool { return arithmetic.Wide() && C.neighbor_border_runs() != 0 }

func (w *candidates) inC() C.struct_neighbor_lists {
	return C.struct_neighbor_lists{xyz: w.cloud.positionsInC(), index: inC(w.lists.Index),
		k: C.uint32_t(w.lists.K), joined: C.int(w.k), around: C.int(w.around)}
}

// C keeps no pointer after the call, as cgo demands.
func inC(x []uint32) *C.uint32_t { return (*C.uint32_t)(unsafe.Pointer(unsafe.SliceData(x))) }

// inConeC is inCone for a squared distance below exactBelow.
func (s *borderSearch) inConeC(axis *offset, limit float64) uint32 {
	return uint32(C.neighbor_in_cone(s.cloud.nodesInC(), s.cloud.positionsInC(), C.uint32_t(s.own),
		(*C.double)(&axis[0]), C.double(limit)))
}

// The kernel reads tubes as C structs.
var _ [unsafe.Sizeof(tube{})]struct{} = [unsafe.Sizeof(C.struct_neighbor_tube{})]struct{}{}

// gapInC is isGap in C.
func (s *borderSearch) gapInC(t *tube) bool {
	return C.neighbor_gap_behind(s.cloud.nodesInC(), s.cloud.positionsInC(), C.uint32_t(s.own),
		(*C.struct_neighbor_tube)(unsafe.Pointer(t))) != 0
}

func (c *Cloud) nodesInC() *C.struct_neighbor_node {
	return (*C.struct_neighbor_node)(unsafe.Pointer(unsafe.SliceData(c.tree.nodes)))
}

// XYZ has room for one position more than the cloud has (newCloud): C reads 16 bytes at a position of 12.
func (c *Cloud) positionsInC() *C.int32_t {
	return (*C.int32_t)(unsafe.Pointer(unsafe.SliceData(c.XYZ)))
}
