// SPDX-License-Identifier: BSD-3-Clause

package survey

import (
	"errors"
	"testing"

	"superpoint/pipelines/commands/survey/plan"
	"superpoint/testdata/must"
)

// TestWidestSource: the source that makes a survey wide is found, whether a point of it or all of it is far
// from the others, wherever it stands in the list.
func TestWidestSource(t *testing.T) {
	near := func(k float64) [4]float64 { return [4]float64{100 * k, 0, 100*k + 99, 99} }
	for name, c := range map[string]struct {
		bounds [][4]float64
		want   int
		whole  bool
	}{
		"one file":                        {[][4]float64{{0, 0, 5e6, 99}}, 0, false},
		"a point of the second to the W":  {[][4]float64{near(0), {-5e6, 0, 199, 99}, near(2)}, 1, false},
		"a point of the last to the N":    {[][4]float64{near(0), near(1), {200, 0, 299, 2e7}}, 2, false},
		"points of two, the first is far": {[][4]float64{{0, 0, 9e6, 99}, {100, 0, 5e6, 99}}, 0, false},
		"all of the first":                {[][4]float64{near(5e4), near(1), near(2), near(3)}, 0, true},
		"all of the last":                 {[][4]float64{near(1), near(2), near(3), near(-5e4)}, 3, true},
	} {
		p := &plan.Plan{Unit: 1}
		for _, b := range c.bounds {
			p.Sources = append(p.Sources, plan.Source{Bounds: b})
		}
		k, whole := widest(p)
		must.Equal(t, k, c.want, "%s: source", name)
		must.Equal(t, whole, c.whole, "%s: whether all of it is far", name)
	}
}

// TestErrorsOfWidth: wherever a survey can be too wide, the error is one that explainWidth can explain.
func TestErrorsOfWidth(t *testing.T) {
	wide := func(metres float64) *plan.Plan {
		p := goodPlan(t)
		p.Sources[1].Bounds[2] = metres
		return p
	}
	withReach := func(spacing float64) error {
		p := wide(1e6)
		p.Shared.Spacing = spacing
		return checkReach(p)
	}
	_, cells := sampleCells(wide(1e12))
	for name, err := range map[string]error{
		"tiles":                    wide(1e6).Layout(plan.Lengths{Tile: 10}),
		"columns of tiles":         wide(1e300).Layout(plan.Lengths{Tile: 1e9}),
		"cells of the sample":      cells,
		"distance from the origin": withReach(0.3),
	} {
		var e *plan.WideError
		must.Hold(t, errors.As(err, &e), "%s: %v is no wideError", name, err)
	}
	must.OK(t, withReach(0.8))
	must.OK(t, goodPlan(t).Layout(plan.Lengths{}))
}
