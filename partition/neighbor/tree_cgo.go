//go:build cgo && amd64

package neighbor

// #cgo CFLAGS: -std=c11
// #include "tree_avx2.h"
import "C"

import (
	"unsafe"

	"superpoint/partition/arithmetic"
)

func newSplitter(items []item) *splitter {
	s := &splitter{items: items}
	if arithmetic.Wide() && C.neighbor_split_runs() != 0 {
		s.spare = make([]item, len(items))
	}
	return s
}

// fastSplit is split in C. clean is false if there are exact duplicates on both sides of the
// cut; smaller items are before it in any case.
func (s *splitter) fastSplit(lo, hi, cut, axis int, box *node) (boxes [2]node, clean bool) {
	in := func(x []item) *[4]C.int32_t { return (*[4]C.int32_t)(unsafe.Pointer(&x[lo])) }
	var bounds [4]item
	clean = C.neighbor_split(in(s.items), in(s.spare), C.uint32_t(hi-lo), C.uint32_t(cut), C.int(axis),
		C.int32_t(box.lo[axis]), C.int32_t(box.hi[axis]), (*[4]C.int32_t)(unsafe.Pointer(&bounds[0]))) != 0
	for i := range boxes {
		boxes[i].lo, boxes[i].hi = [3]int32(bounds[2*i][:3]), [3]int32(bounds[2*i+1][:3])
	}
	return boxes, clean
}
