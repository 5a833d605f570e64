//go:build cgo && amd64

package partition

// #cgo CFLAGS: -O3 -std=c11
// #include "contrast.h"
import "C"

import (
	"unsafe"

	"superpoint/partition/arithmetic"
	"superpoint/partition/neighbor"
)

// contrasts writes the contrasts of the edges of the vertices from lo to hi−1.
func contrasts(contrast []float32, g *neighbor.Graph, embedding []float32, dim int, sigma float64, lo, hi int) {
	if g.Start[lo] == g.Start[hi] || dim == 0 || !arithmetic.Wide() || C.partition_contrast_runs() == 0 {
		plainContrasts(contrast, g, embedding, dim, sigma, lo, hi)
		return
	}
	C.partition_contrast((*C.uint32_t)(unsafe.Pointer(&g.Start[0])), (*C.uint32_t)(unsafe.Pointer(&g.Head[0])),
		(*C.float)(unsafe.Pointer(&embedding[0])), C.int64_t(dim), C.double(sigma), C.int64_t(lo), C.int64_t(hi),
		(*C.float)(unsafe.Pointer(&contrast[0])))
}
