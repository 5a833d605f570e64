// SPDX-License-Identifier: BSD-3-Clause

package classes

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// TestDenseKernelEqualsGo compares the bits of the kernel with plain Go.
func TestDenseKernelEqualsGo(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for range 100 {
		inputs, outputs := r.IntN(700), 1+r.IntN(40) // more than are listed at a time
		random := func(n int) []float32 {
			all := make([]float32, n)
			for i := range all {
				all[i] = float32(r.NormFloat64())
			}
			return all
		}
		x, weight, bias := random(inputs), random(inputs*outputs), random(outputs)
		for i := range x {
			x[i] *= float32(r.IntN(2))
		}
		got, want := make([]float32, outputs), make([]float32, outputs)
		dense(got, x, weight, bias)
		plainDense(want, x, weight, bias)
		for o := range want {
			if math.Float32bits(got[o]) != math.Float32bits(want[o]) {
				t.Fatalf("%d inputs, output %d of %d: %v, plain %v", inputs, o, outputs, got[o], want[o])
			}
		}
	}
}

func BenchmarkDense(b *testing.B) {
	x, weight, bias, y := make([]float32, 192), make([]float32, 192*64), make([]float32, 64), make([]float32, 64)
	for i := range x {
		x[i] = float32(i % 2)
	}
	for name, f := range map[string]func(y, x, weight, bias []float32){"plain": plainDense, "kernel": dense} {
		b.Run(fmt.Sprint(name), func(b *testing.B) {
			for range b.N {
				f(y, x, weight, bias)
			}
		})
	}
}
