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
func contrasts(contrast []float32, g *neighbor.Graph, t *Terms, lo, hi int) {
	if g.Start[lo] == g.Start[hi] || t.Dim == 0 || !arithmetic.Wide() || C.partition_contrast_runs() == 0 {
		plainContrasts(contrast, g, t, lo, hi)
		return
	}
	C.partition_contrast((*C.uint32_t)(unsafe.Pointer(&g.Start[0])), (*C.uint32_t)(unsafe.Pointer(&g.Head[0])),
		(*C.float)(unsafe.Pointer(&t.Embedding[0])), C.int64_t(t.Dim), (*C.float)(unsafe.Pointer(unsafe.SliceData(t.Placed))),
		C.double(t.EdgeDecay), C.int64_t(lo), C.int64_t(hi), (*C.float)(unsafe.Pointer(&contrast[0])))
}
