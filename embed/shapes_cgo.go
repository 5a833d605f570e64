//go:build cgo && amd64

// SPDX-License-Identifier: BSD-3-Clause

package embed

// #cgo CFLAGS: -O3 -std=c11
// #cgo LDFLAGS: -lm
// #include "shapes.h"
import "C"

import (
	"unsafe"

	"superpoint/embed/layout"
	"superpoint/partition/base/arithmetic"
)

// shapes fills in the shape columns of points.
//
// points must not be empty. C reads positions and lists in place and keeps no pointer.
func (s *Inputs) shapes(places *layout.Shapes, points []uint32, rows []float32, stride int) {
	// the same for every point
	near := len(s.NeighborsOf(0))
	if near == 0 || !arithmetic.Wide() || C.embed_shapes_runs() == 0 {
		s.plainShapes(places, points, rows, stride)
		return
	}
	// indices in points that the kernel leaves to Go
	left := make([]uint32, len(points))
	count := C.embed_shapes(
		(*C.struct_shapes)(unsafe.Pointer(places)),
		C.double(s.cloud.Unit),
		(*C.int32_t)(unsafe.Pointer(&s.cloud.XYZ[0])),
		(*C.uint32_t)(unsafe.Pointer(&s.lists.Index[0])),
		C.int64_t(s.lists.K),
		C.int(near),
		(*C.uint32_t)(unsafe.Pointer(&points[0])),
		C.int64_t(len(points)),
		(*C.float)(unsafe.Pointer(&rows[0])),
		C.int64_t(stride),
		(*C.uint32_t)(unsafe.Pointer(&left[0])))
	// The kernel has no code for some covariances, for example with nearly equal eigenvalues. Go overwrites
	// the rows of these points; in all other rows the kernel has computed the same bits as Go.
	for _, k := range left[:count] {
		s.plainShapes(places, points[k:k+1], rows[int(k)*stride:], stride)
	}
}
