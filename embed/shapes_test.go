// SPDX-License-Identifier: BSD-3-Clause

package embed

import (
	"math"
	"slices"
	"testing"

	"superpoint/partition/base/parallel"
	"superpoint/testdata/must"
)

// TestShapesKernelEqualsGo: the kernel in C computes the same bits as plain Go.
func TestShapesKernelEqualsGo(t *testing.T) {
	for _, n := range []int{2, 3, 7, 26, 4001} {
		in := cloud(t, n, [3]float64{})
		s := must.Get(NewInputs(parallel.Run{Threads: 2}, everything(), in))(t)
		places := s.shapePlaces()
		fast := slices.Clone(s.table)
		s.plainShapes(&places, Consecutive(nil, 0, n), s.table, s.width)
		for at, x := range s.table {
			must.Need(t, math.Float32bits(x) == math.Float32bits(fast[at]),
				"%d points, point %d, column %d: %g, plain %g", n, at/s.width, at%s.width, fast[at], x)
		}
	}
}
