//go:build cgo && amd64

// SPDX-License-Identifier: BSD-3-Clause

package neighbor

// #cgo LDFLAGS: -lm
// #include "nearest_avx2.h"
import "C"

import (
	"errors"
	"sync/atomic"
	"unsafe"

	"superpoint/partition/base/arithmetic"
	"superpoint/partition/base/parallel"
)

// mostFast is the greatest k for which the vector kernel has buffers.
const mostFast = 100

// leavesPerCall is the number of leaves of one call of C, some 3,000 points.
const leavesPerCall = 256

// The kernel reads nodes as C structs.
var _ [unsafe.Sizeof(node{})]struct{} = [unsafe.Sizeof(C.struct_neighbor_node{})]struct{}{}

// nearest fills the lists by the vector kernel, and by the search of nearestGo for leaves
// where distances exceed the kernel's 80 m (at a unit of 1e-5 m) or hundreds of points are
// equally near.
func (c *Cloud) nearest(l *Lists, run parallel.Run) error {
	if l.K > mostFast || !arithmetic.Wide() || C.neighbor_avx2_runs() == 0 {
		return c.nearestGo(l, run)
	}
	// A leaf is the unit of work: its points have nearly the same neighborhood, which the kernel gathers once
	// for all of them.
	leaves := c.tree.leaves()
	skipped := make([]uint8, len(leaves))
	searches := make([]*search, run.Workers())
	var starved atomic.Bool
	// The kernel writes the rows of the leaf's points only, so that workers never write to the same row.
	err := run.ForWorker(len(leaves), leavesPerCall, func(worker, lo, hi int) {
		part := leaves[lo:hi]
		done := C.neighbor_avx2((*C.struct_neighbor_node)(unsafe.Pointer(&c.tree.nodes[0])),
			(*C.int32_t)(unsafe.Pointer(&c.XYZ[0])),
			(*C.uint32_t)(unsafe.Pointer(&part[0])), C.uint32_t(len(part)),
			C.uint32_t(l.K), (*C.uint32_t)(unsafe.Pointer(&l.Index[0])),
			(*C.uint8_t)(unsafe.Pointer(&skipped[lo])))
		// The rows of this part are not written; the error below says so for the whole search.
		if done == 0 {
			starved.Store(true)
			return
		}
		if searches[worker] == nil {
			searches[worker] = newSearch(c, l.K)
		}
		// Claim: the lists equal nearestGo's, whichever leaves are skipped. Reason: both find the first
		// k points of one total order (Nearest). The kernel skips leaves with distances or ties that it
		// cannot decide.
		for i, skip := range skipped[lo:hi] {
			if skip != 0 {
				searches[worker].findLeaf(&c.tree.nodes[part[i]], l)
			}
		}
	})
	if starved.Load() {
		return errors.New("neighbor: no memory for the search buffers")
	}
	return err
}
