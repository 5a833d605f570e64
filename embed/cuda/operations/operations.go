// Package operations is the table of what runs on more than one kind of machine:
// the operations, the clouds they are tried on, the reference, and how far from it
// a result may be. Tests go through it for the plain kernels, SIMD, the emulator
// and the GPU, for parity and for speed, so that a new operation or a hard case is
// one line here. The reference is the plain Go kernel on one processor.
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
	// Limit is how far a value may be from the reference as a share of the largest
	// one, on a GPU or in the emulator; 0 asks for the same bytes. Kernels of the
	// processor always have to give the same bytes.
	Limit float64
	// Pieces is how many bytes of memory a point it takes to do it in pieces, in
	// several launches with a remainder; 0: it needs all of its points at once.
	Pieces int
	// Do runs it on a machine, or on the processor without one.
	Do func(m device.Machine, s *Scene) (Result, error)
}

// Result is what an operation gives: numbers of neighbours, or values.
type Result struct {
	Numbers []uint32
	Values  []float64
}

// All returns the table.
func All() []Operation {
	list := []Operation{
		{Name: "neighbors", Do: neighbors, Pieces: 106},
		{Name: "coarsening", Do: coarsens},
		{Name: "moves of points", Do: moves},
	}
	for _, name := range slices.Sorted(maps.Keys(cards)) {
		list = append(list, Operation{Name: "embedding, " + name, Do: embedding(name), Pieces: 106})
	}
	return list
}

// Fits reports whether an operation is tried on a case: what takes pieces reads no graph.
func (o Operation) Fits(c Case) bool {
	return o.Pieces > 0 && c.Kind != hub || o.Pieces == 0 && !c.Short
}

// Apart compares a result with the reference: 0 if they are equal byte for byte,
// else the largest difference as a share of the largest entry.
func (o Operation) Apart(got, want Result) float64 {
	if len(got.Numbers) != len(want.Numbers) || len(got.Values) != len(want.Values) {
		return math.Inf(1)
	}
	if !slices.Equal(got.Numbers, want.Numbers) {
		return math.Inf(1)
	}
	most, scale := 0., 0.
	for i, w := range want.Values {
		scale = max(scale, math.Abs(w))
		d := math.Abs(got.Values[i] - w)
		if math.IsNaN(got.Values[i]) != math.IsNaN(w) {
			return math.Inf(1)
		}
		if d > most {
			most = d
		}
	}
	if most == 0 {
		return 0
	}
	return most / scale
}

// Check says what is wrong with a result of a GPU or its emulator, if anything is.
func (o Operation) Check(got, want Result) (apart float64, err error) {
	apart = o.Apart(got, want)
	if !(apart <= o.Limit) {
		return apart, fmt.Errorf("%s: %.1e from the reference, %.0e allowed", o.Name, apart, o.Limit)
	}
	return apart, nil
}

func widen(values []float32) Result {
	wide := make([]float64, len(values))
	for i, v := range values {
		wide[i] = float64(v)
	}
	return Result{Values: wide}
}

// run is how the reference and the host's side work: on all threads, silently.
var run parallel.Run
