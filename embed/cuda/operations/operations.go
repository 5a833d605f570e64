// Package operations is the table of the operations that run on several kinds of machines,
// and of the clouds they are tested on. Tests iterate over it for plain Go, SIMD, the
// emulator and the GPU, for parity and for speed, so that a new operation or cloud is one
// line. The reference is plain Go; results must be equal byte for byte.
package operations

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"superpoint/partition/device"
	"superpoint/partition/parallel"
)

// Operation is one operation of the table.
type Operation struct {
	Name string
	// Pieces is the number of bytes per point of a machine whose memory is so small that
	// the operation needs several launches; 0: it needs all points at once.
	Pieces int
	Embeds bool // it computes embeddings, without a graph
	// Do runs it on a machine, or on the CPU if m is nil.
	Do func(m device.Machine, s *Scene) (Result, error)
}

// Result is the result of an operation: indices, or values.
type Result struct {
	Numbers []uint32
	Values  []float32
}

// All returns the table.
func All() []Operation {
	list := []Operation{
		{Name: "neighbors", Do: neighbors, Pieces: 106},
		{Name: "coarsening", Do: coarsens},
		{Name: "label moves", Do: moves},
	}
	for _, name := range slices.Sorted(maps.Keys(cards)) {
		list = append(list, Operation{Name: "embedding, " + name, Do: embedding(name), Pieces: 106, Embeds: true})
	}
	return list
}

// Fits reports whether an operation is tested on a case.
func (o Operation) Fits(c Case) bool {
	return !(c.Short && o.Pieces == 0) && !(o.Embeds && (c.Kind == hub || c.Kind == crowd))
}

// Differ returns an error that describes the first difference from the reference, or nil
// if the results are equal bit by bit.
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

// run is that of the reference and of host code: all threads, no progress.
var run parallel.Run
