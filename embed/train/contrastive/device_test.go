//go:build cgo && (amd64 || arm64)

package contrastive_test

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"superpoint/embed/cuda/emulator"
	"superpoint/embed/train/contrastive"
	"superpoint/partition/neighbor"
)

// TestDeviceIsTheCPU: the gradient of the GPU's kernels, run by the emulator, is
// the CPU's bit by bit; the value is added up in another order.
func TestDeviceIsTheCPU(t *testing.T) {
	const dim = 4
	rng := rand.New(rand.NewPCG(4, 2))
	for _, n := range []int{2, 127, 2600} {
		var pairs [][2]uint32
		seen := map[[2]uint32]bool{}
		for range 5 * n {
			u, v := rng.Uint32N(uint32(n)), rng.Uint32N(uint32(n))
			if pair := [2]uint32{min(u, v), max(u, v)}; u != v && !seen[pair] {
				seen[pair] = true
				pairs = append(pairs, [2]uint32{u, v})
			}
		}
		g, err := neighbor.FromEdges(n, pairs)
		if err != nil {
			t.Fatal(err)
		}
		object := make([]uint32, n)
		for i := range object {
			if object[i] = rng.Uint32N(3); n > 2 && rng.IntN(9) == 0 {
				object[i] = contrastive.None
			}
		}
		edges := contrastive.NewEdges(g, object)
		for k := range edges.Weight {
			edges.Weight[k] = rng.Float32() * 3
		}
		e := make([]float32, n*dim)
		for i := range e {
			e[i] = float32(0.3 * rng.NormFloat64())
		}
		copy(e[:dim], e[dim:2*dim]) // no direction
		for _, l := range []contrastive.Loss{{Delta: 0.2}, {Absolute: true}} {
			want, got := make([]float32, len(e)), make([]float32, len(e))
			value := contrastive.Value(l, g, edges, e, dim, want)
			machine := new(emulator.Machine)
			other, err := contrastive.ValueOn(machine, l, g, edges, e, dim, got)
			if err != nil {
				t.Fatal(err)
			}
			if !slices.Equal(got, want) {
				t.Errorf("%d vertices, %+v: the gradients differ", n, l)
			}
			if math.Abs(other-value) > 1e-12*(1+math.Abs(value)) {
				t.Errorf("%d vertices, %+v: loss %v, want %v", n, l, other, value)
			}
			if machine.Used() != 0 {
				t.Errorf("%d bytes not freed", machine.Used())
			}
		}
	}
}

func TestDeviceFaultsAreErrors(t *testing.T) {
	g, object := contrastive.Figure3(t)
	if _, err := contrastive.ValueOn(&emulator.Machine{Budget: 200}, contrastive.Loss{Delta: 0.2}, g,
		contrastive.NewEdges(g, object), make([]float32, 36), 4,
		make([]float32, 36)); err == nil {
		t.Error("no error on a machine with 200 bytes")
	}
	none := []uint32{contrastive.None, contrastive.None, contrastive.None, contrastive.None, contrastive.None,
		contrastive.None, contrastive.None, contrastive.None, contrastive.None}
	if v, err := contrastive.ValueOn(new(emulator.Machine), contrastive.Loss{Delta: 0.2}, g,
		contrastive.NewEdges(g, none), make([]float32, 36), 4,
		nil); v != 0 || err != nil {
		t.Errorf("no edge counts, but the loss is %v (%v)", v, err)
	}
}
