//go:build cgo && amd64

package reduced

// #cgo CFLAGS: -O3 -std=c11
// #include "gains.h"
import "C"

import (
	"unsafe"

	"superpoint/partition/arithmetic"
	"superpoint/partition/arrays"
)

// gains returns the gains of merging along the edges of the vertices from lo to hi−1, row
// by row, in the memory of out, see plainGains.
func (g *Graph) gains(lo, hi int, even bool, out []float32) []float32 {
	if g.Dim != 7 || g.Sphere > 0 || !arithmetic.Wide() || C.reduced_gains_runs() == 0 {
		return g.plainGains(lo, hi, even, out)
	}
	const spare = 3 // numbers written after the end
	edges := 0
	for u, end := range g.End[lo:hi] {
		edges += int(end - g.Start[lo+u])
	}
	out = arrays.Resized(out, edges+spare)
	floats := func(x []float32) *C.float { return (*C.float)(unsafe.Pointer(unsafe.SliceData(x))) }
	words := func(x []uint32) *C.uint32_t { return (*C.uint32_t)(unsafe.Pointer(unsafe.SliceData(x))) }
	way := C.int(0)
	if even {
		way = 1
	}
	C.reduced_gains(C.struct_reduced_graph{mean: floats(g.Mean), size: floats(g.Size), weight: floats(g.Weight),
		start: words(g.Start), end: words(g.End), head: words(g.Head), scale: C.float(g.Scale)},
		C.uint32_t(lo), C.uint32_t(hi), way, floats(out))
	return out[:edges]
}
