// SPDX-License-Identifier: BSD-3-Clause

package embed

import (
	"math/rand/v2"
)

// Integers returns the layers of the integer network; nil if the model has none.
//
// The slices belong to the model; they are not copies.
func (m *Model) Integers() []IntegerWeights {
	if m.Card.Integer == nil {
		return nil
	}
	all := m.Card.IntegerLayers()
	for i := range all {
		t := func(part string) []int32 { return m.values.Integers["integer."+all[i].Name+part] }
		all[i].Weight = t(".weight")
		all[i].Bias = t(".bias")
		all[i].Shift = t(".shift")
	}
	return all
}

// SetIntegers sets the model's integer network. It returns an error, and leaves the model
// unchanged, if n is invalid or weights exceed the bounds.
//
// All layers are checked before the first one is set, against a copy of the card that has n.
func (m *Model) SetIntegers(n *Integer, layers []IntegerWeights) error {
	c := *m.Card
	c.Integer = n
	if err := n.validate(&c); err != nil {
		return err
	}
	for i := range layers {
		if err := layers[i].validate(&c); err != nil {
			return err
		}
	}
	for i := range layers {
		w := &layers[i]
		// tensors has the same order: weight, bias, shift.
		for k, values := range [][]int32{w.Weight, w.Bias, w.Shift} {
			m.values.Integers[w.tensors()[k].Name] = values
		}
	}
	m.Card.Integer = n
	return nil
}

// RandomizeIntegers sets an integer network of reproducible random numbers, for tests of
// kernels. It uses no floats, so the numbers are the same on every processor.
//
// Sizes are chosen so that validate accepts them.
func (m *Model) RandomizeIntegers(seed uint64) error {
	r := rand.New(rand.NewPCG(seed, 1))
	n := &Integer{Activations: activationBits, Weights: weightBits, Exponents: map[string]int{}}
	for _, name := range m.Card.Inputs.Measured() {
		n.Exponents[name] = 7 + len(name)%4
	}
	layers := m.Card.IntegerLayers()
	for i := range layers {
		w := &layers[i]
		values := func(count, most int) []int32 {
			v := make([]int32, count)
			for k := range v {
				v[k] = int32(r.IntN(2*most+1) - most)
			}
			return v
		}
		// Bounds of single weights, such that the sum of Load cannot exceed its bound: four weights of 64 are
		// 256, and mostEight is 258.
		size, shift := 64, 5
		switch {
		case w.First:
			// A difference of columns counts twice, so half of the bound is shared by all inputs.
			size, shift = mostFirst/2/w.In, 16
		case w.Last() && w.InTransform():
			size, shift = mostDense/w.In/2, 12
		case w.Last():
			size, shift = mostDense/w.In/2, LeastShift
		case w.Wide:
			// In − Points inputs count once and Points 8 times: In + 7·Points in all.
			size, shift = mostDense/(w.In+7*w.Points), 8
		}
		// weights of 16 bits with a sign, and a bit to spare
		size = min(size, 1<<14)
		w.Weight = values(w.Out*w.In, size)
		w.Bias = values(w.Out, 1<<(shift+5))
		w.Shift = make([]int32, w.Out)
		for o := range w.Shift {
			w.Shift[o] = int32(shift)
			// Shifts of the last layer must be equal (validate); shifts of other layers differ, so that tests
			// find a kernel that uses one shift for all outputs.
			if !w.Last() {
				w.Shift[o] += int32(r.IntN(3))
			}
		}
	}
	return m.SetIntegers(n, layers)
}
