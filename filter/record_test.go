// SPDX-License-Identifier: BSD-3-Clause

package filter

import (
	"testing"

	"superpoint/filter/method"
	"superpoint/partition/problem"
	"superpoint/testdata/must"
)

// TestLevelOfSeveralViews: sizes are listed for the superpoints of all views, one view after the other; λ̃
// and λ are ranges, whatever the order of the views; the smallest size comes from the last view.
func TestLevelOfSeveralViews(t *testing.T) {
	level := func(least int, lambda float64, component ...uint32) *method.Level {
		result := problem.Result{Component: component, Energy: lambda}
		for _, c := range component {
			result.Count = max(result.Count, int(c)+1)
		}
		return &method.Level{Result: result,
			Strength: problem.Strength{Regularization: 10 * lambda, Lambda: lambda, MinSize: least}}
	}
	views := map[string]*method.Level{
		"low":    level(3, 2, 0, 0, 1),
		"middle": level(4, 3, 0, 1, 2, 2),
		"high":   level(5, 7, 0, 0, 0, 1, 1),
	}
	for _, c := range []struct {
		order []string
		sizes []uint32
		least int
	}{
		{[]string{"low", "high", "middle"}, []uint32{2, 1, 3, 2, 1, 1, 2}, 4},
		{[]string{"high", "low", "middle"}, []uint32{3, 2, 2, 1, 1, 1, 2}, 4},
		{[]string{"middle", "high", "low"}, []uint32{1, 1, 2, 3, 2, 2, 1}, 3},
		{[]string{"middle", "low", "high"}, []uint32{1, 1, 2, 2, 1, 3, 2}, 5},
	} {
		var r levelRecord
		for _, name := range c.order {
			r.add(views[name])
		}
		must.Equal(t, r.sizes, c.sizes, "%v: sizes", c.order)
		must.Equal(t, r.lambda, valueRange{2, 7}, "%v: range of λ", c.order)
		must.Equal(t, r.regularization, valueRange{20, 70}, "%v: range of λ̃", c.order)
		must.Equal(t, r.minSize, c.least, "%v: smallest size", c.order)
		must.Equal(t, r.energy, 12, "%v: sum of energies", c.order)
	}
}
