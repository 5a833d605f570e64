//go:build cgo && amd64

// SPDX-License-Identifier: BSD-3-Clause

package embed

// #include "shapes.h"
import "C"

import (
	"unsafe"

	"superpoint/embed/layout"
	"superpoint/partition/base/arithmetic"
)

// shapes fills in the shape columns of the points lo to hi−1.
func (s *Inputs) shapes(places *layout.Shapes, lo, hi int, rows []float32, stride int) {
	near := len(s.NeighborsOf(lo))
	if near == 0 || !arithmetic.Wide() || C.embed_shapes_runs() == 0 {
		s.plainShapes(places, lo, hi, rows, stride)
		return
	}
	left := make([]uint32, hi-lo)
	count := C.embed_shapes((*C.struct_shapes)(unsafe.Pointer(places)), C.double(s.cloud.Unit),
		(*C.int32_t)(unsafe.Pointer(&s.cloud.XYZ[0])),
		(*C.uint32_t)(unsafe.Pointer(&s.lists.Index[0])), C.int64_t(s.lists.K), C.int(near), C.int64_t(lo), C.int64_t(hi),
		floats(rows), C.int64_t(stride), (*C.uint32_t)(unsafe.Pointer(&left[0])))
	for _, i := range left[:count] {
		s.plainShapes(places, int(i), int(i)+1, rows[(int(i)-lo)*stride:], stride)
	}
}
