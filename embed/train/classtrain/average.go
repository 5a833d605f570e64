// SPDX-License-Identifier: BSD-3-Clause

package classtrain

import (
	"maps"
	"slices"

	"superpoint/embed/classes"
)

// memory is the number of steps over which weights are averaged (Polyak and Juditsky
// 1992, doi:10.1137/0330046): single steps differ by what was in their batch.
const memory = 300

// average is the running mean of a model's weights.
type average map[string][]float64

func newAverage(m *classes.Model) average {
	a := average{}
	for _, t := range m.Card.Tensors() {
		a[t.Name] = make([]float64, t.Size())
	}
	return a
}

// add takes the weights after a step in; the first steps count alike.
func (a average) add(m *classes.Model, step int) {
	share := max(1/float64(memory), 1/float64(step+1))
	for name, mean := range a {
		for i, v := range m.Tensor(name) {
			mean[i] += share * (float64(v) - mean[i])
		}
	}
}

// take puts the mean in place of the weights.
func (a average) take(m *classes.Model) {
	for name, mean := range a {
		for i, v := range mean {
			m.Tensor(name)[i] = float32(v)
		}
	}
}

// clone returns a copy.
func (a average) clone() average {
	made := maps.Clone(a)
	for name, values := range made {
		made[name] = slices.Clone(values)
	}
	return made
}
