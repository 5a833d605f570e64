// Package operations is the table of what runs on more than one kind of machine:
// the operations and the clouds they are tried on. Tests go through it for the plain
// kernels, SIMD, the emulator and the GPU, for parity and for speed, so that a new
// operation or a hard case is one line here. The reference is the plain Go kernel, and
// results are equal byte for byte.
package operations

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"superpoint/partition/device"
	"superpoint/partition/parallel"
)

// Operation is one thing that machines do.
type Operation struct {
	Name string
	// Pieces is how many bytes of memory a point it takes to do it in pieces, in
	// several launches with a remainder; 0: it needs all of its points at once.
	Pieces int
	Embeds bool // with a network, which reads no graph
	// Do runs it on a machine, or on the processor without one.
	Do func(m device.Machine, s *Scene) (Result, error)
}

// Result is what an operation gives: numbers of neighbours, or values.
type Result struct {
	Numbers []uint32
	Values  []float32
}

// All returns the table.
func All() []Operation {
	list := []Operation{
		{Name: "neighbors", Do: neighbors, Pieces: 106},
		{Name: "coarsening", Do: coarsens},
		{Name: "moves of points", Do: moves},
	}
	for _, name := range slices.Sorted(maps.Keys(cards)) {
		list = append(list, Operation{Name: "embedding, " + name, Do: embedding(name), Pieces: 106, Embeds: true})
	}
	return list
}

// Fits reports whether an operation is tried on a case.
func (o Operation) Fits(c Case) bool {
	return !(c.Short && o.Pieces == 0) && !(o.Embeds && (c.Kind == hub || c.Kind == crowd))
}

// Differ says how a result differs from the reference, bit by bit; nil if it does not.
func (r Result) Differ(want Result) error {
	if len(r.Numbers) != len(want.Numbers) || len(r.Values) != len(want.Values) {
		return fmt.Errorf("%d numbers and %d values, want %d and %d", len(r.Numbers), len(r.Values), len(want.Numbers),
			len(want.Values))
	}
	for i, w := range want.Numbers {
		if r.Numbers[i] != w {
			return fmt.Errorf("number %d differs: %d, want %d", i, r.Numbers[i], w)
		}
	}
	for i, w := range want.Values {
		if math.Float32bits(r.Values[i]) != math.Float32bits(w) {
			return fmt.Errorf("value %d differs: %v, want %v", i, r.Values[i], w)
		}
	}
	return nil
}

// run is how the reference and the host's side work: on all threads, silently.
var run parallel.Run
