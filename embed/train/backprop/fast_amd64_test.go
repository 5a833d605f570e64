// SPDX-License-Identifier: BSD-3-Clause

package backprop

import (
	"testing"

	"superpoint/testdata/must"
)

// TestSizesOfFastKernels: the kernels of kernels.c are used if the sizes of all setLayers fit them, whichever
// comes first.
func TestSizesOfFastKernels(t *testing.T) {
	good := &setShape{k: 5, s: 6, c1: 32, c2: 16}
	if fastKernels(good) == nil {
		t.Skip("this machine has no faster kernels than the plain ones")
	}
	odd := &setShape{k: 5, s: 6, c1: 32, c2: 24}
	few := &setShape{k: 4, s: 6, c1: 32, c2: 16}
	for name, c := range map[string]struct {
		shapes []*setShape
		want   bool
	}{
		"none":               {nil, true},
		"two that fit":       {[]*setShape{good, good}, true},
		"width, alone":       {[]*setShape{odd}, false},
		"width, first":       {[]*setShape{odd, good}, false},
		"width, last":        {[]*setShape{good, odd}, false},
		"neighbours, alone":  {[]*setShape{few}, false},
		"neighbours, first":  {[]*setShape{few, good}, false},
		"neighbours, last":   {[]*setShape{good, few}, false},
		"neighbours, middle": {[]*setShape{good, few, good}, false},
	} {
		t.Run(name, func(t *testing.T) {
			must.Equal(t, fastKernels(c.shapes...) != nil, c.want, "kernels.c fits")
		})
	}
}
