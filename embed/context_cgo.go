//go:build cgo && (amd64 || arm64)

// SPDX-License-Identifier: BSD-3-Clause

package embed

// #cgo CFLAGS: -O3 -std=c11
// #cgo LDFLAGS: -lm
// #include "context.h"
import "C"

import (
	"unsafe"

	"superpoint/partition/base/arithmetic"
)

// interpolate writes the context of points to a table, see plain.
func (s *scale) interpolate(sites []site, cubes []cubePosition, points []uint32, table []float32, width int,
	scattered []float32) {
	if arithmetic.Plain() || C.embed_context_runs() == 0 || len(s.start) == 0 {
		s.plain(sites, cubes, points, table, width, scattered)
		return
	}
	_ = table[(len(points)-1)*width]
	C.embed_context((*C.struct_site)(unsafe.Pointer(&sites[0])), (*C.struct_cube_position)(unsafe.Pointer(&cubes[0])),
		(*C.uint32_t)(unsafe.Pointer(&points[0])), C.int64_t(len(points)), (*[8]C.uint32_t)(unsafe.Pointer(&s.start[0])),
		(*[8]C.float)(unsafe.Pointer(&s.rows[0])), C.float(1/float32(s.edge)), (*C.int32_t)(unsafe.Pointer(&s.places[0])),
		floats(table), C.int64_t(width), floats(scattered))
}

func floats(x []float32) *C.float { return (*C.float)(unsafe.Pointer(unsafe.SliceData(x))) }
