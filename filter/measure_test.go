// SPDX-License-Identifier: BSD-3-Clause

package filter

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"superpoint/filter/cloud"
	"superpoint/filter/option"
	"superpoint/filter/steps"

	"superpoint/filter/method"
	"superpoint/partition/base/arrays"
	"superpoint/partition/base/parallel"
	"superpoint/partition/base/tile"
	"superpoint/testdata/must"
)

// Spacing and λ of a large cloud are measured on a sample: they are close to the values
// for all its points, and the same in any order of the points.
func TestMeasureOfALargeCloud(t *testing.T) {
	t.Parallel()
	view, _ := roof(3*steps.SampleWhole/2, 21) // smaller clouds are not sampled
	f := must.Get(New(&option.Options{Model: "geometric"}, nil))(t)
	squares := func() []tile.Square {
		all, _, _ := f.Sample().Squares(parallel.Run{}, view.X, view.Y, 1,
			tile.CornerOf(slices.Min(view.X), slices.Min(view.Y)))
		return all
	}
	of := must.Get(f.Measure(steps.Run{}, view, squares()))(t)
	all := must.Get(f.Measure(steps.Run{}, view, nil))(t)
	for name, pair := range map[string][2]float64{"spacing": {of.Spacing, all.Spacing},
		"λ": {of.Lambda, all.Lambda}} {
		must.Hold(t, math.Abs(pair[0]/pair[1]-1) <= .02,
			"%s of a sample %v, of all points %v: want math.Abs(pair[0]/pair[1]-1) at most .02",
			name, pair[0], pair[1])
		must.Hold(t, pair[0] != pair[1],
			"%s of a sample %v, of all points %v: pair[0] is pair[1]", name, pair[0], pair[1])
	}
	at := must.Get(view.Metres(parallel.Run{}, steps.Silent.Warn))(t)
	some, count := steps.NewSample(view, at, squares()), 0
	order := arrays.Indices[uint32](some.View.Len())
	borders := some.NearSquareEdges(order, 0.3)
	slices.Reverse(order)
	turned := some.NearSquareEdges(order, 0.3)
	for i, near := range borders {
		if near {
			count++
		}
		must.Need(t, turned[len(turned)-1-i] == near,
			"points near the sides of squares do not follow the order of the cloud")
	}
	share := float64(count) / float64(len(order)) // squares of about 14 m
	must.Hold(t, share >= 0.01,
		"%v of the points are within 0.3 m of the sides, want at least 0.01", share)
	must.Hold(t, share <= 0.2, "%v of the points are within 0.3 m of the sides, want at most 0.2", share)
	view = view.Part(indices(rand.New(rand.NewPCG(1, 2)).Perm(view.Len())))
	again, err := f.Measure(steps.Run{}, view, squares())
	must.OK(t, err)
	must.Equal(t, again, of, "again")
}

// TestScanLinesAreMeasured: the graph has edges across scan lines if the sample has scan lines; the
// option across_lines decides otherwise.
func TestScanLinesAreMeasured(t *testing.T) {
	t.Parallel()
	lines := scanLines(20_000)
	plain, _ := roof(20_000, 22)
	yes, no := true, false
	for _, c := range []struct {
		view     *cloud.View
		given    *bool
		measured bool
		kept     bool // whether lines are searched for in the full view
	}{
		{lines, nil, true, true}, {plain, nil, false, false}, {plain, &yes, false, true},
		{lines, &no, false, false},
	} {
		f := must.Get(New(&option.Options{AcrossLines: c.given}, nil))(t)
		must.Get(f.Describe(nil))(t)
		m := must.Get(f.Measure(steps.Run{}, c.view, nil))(t)
		s := must.Get(f.options.Resolve(f.model))(t)
		s = s.WithMeasured(m)
		sampled := must.Get(f.options.Resolve(f.model))(t)
		sampled = sampled.WithMeasured(new(method.Measured))
		must.Hold(t, sampled.Graph.Around > 0 == (c.given == &yes),
			"option %v: found among %d neighbours, though the sample has none", c.given, sampled.Graph.Around)
		if c.given == nil {
			must.Equal(t, m.AcrossLines, c.measured,
				"%d points, option %v: scan lines", len(c.view.X), c.given)
		}
		must.Equal(t, s.Graph.Around > 0, c.kept,
			"%d points, option %v: s.Graph.Around > 0", len(c.view.X), c.given)
	}
}
