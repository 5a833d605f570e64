// SPDX-License-Identifier: BSD-3-Clause

package table

import (
	"context"
	"image"
	"math"
	"slices"
	"testing"

	"superpoint/pipelines/commands/command"
	"superpoint/pipelines/shapes/patch"
	"superpoint/pipelines/superpointstats"
	"superpoint/testdata/must"
)

// TestCoarseFootprint: positions that exceed the range of a triangulation are rounded to the nearest coarser
// ones.
func TestCoarseFootprint(t *testing.T) {
	const far = 20 * patch.Limit
	at := []image.Point{{-7, 0}, {far + 77, 3}, {11, far + 99}, {far/2 + 49, far / 3}}
	f := must.Get(NewFootprint(at, [2]float64{0.001, 0.001},
		func(median float64) float64 { return 2 * median }))(t)
	for _, p := range at {
		nearest := func(v int) int32 { return int32(math.Round(float64(v) / float64(f.Coarse))) }
		want := (patch.Point{X: nearest(p.X - f.Least.X), Y: nearest(p.Y - f.Least.Y)})
		must.Hold(t, slices.Contains(f.At, want), "%v is not at %v in %v", p, want, f.At)
	}
	must.Equal(t, f.Coarse, 100, "f.Coarse")
	must.Equal(t, len(f.At), 4, "len(f.At)")
}

// still is a host that does nothing.
type still struct{ command.Host }

func (still) Context() context.Context { return context.Background() }
func (still) Progress(string, float64) {}

// TestSpacingOfPoles: superpoints whose points lie on a line have no edges to measure; half a metre is taken.
func TestSpacingOfPoles(t *testing.T) {
	c := &command.Columns{X: []float64{0, 1, 2}, Y: []float64{0, 1, 2}, Z: []float64{0, 5, 9}}
	s := &Superpoints{Host: still{}}
	must.OK(t, s.Measure("a.las", c, must.Get(superpointstats.Group("ID", []float64{1, 1, 1}))(t),
		func(string) {}))
	must.Equal(t, s.Spacing(), 0.5, "spacing")
	c.Y[1] = 0 // edges of 1 m, √5 m and √8 m
	got := s.Spacing()
	must.Hold(t, math.Abs(got-math.Sqrt(5)) <= 1e-9, "spacing %v of a triangle", got)
}

// TestEdgesOfUnequalSteps: a step along X and one along Y have lengths of their own, also where positions are
// coarser.
func TestEdgesOfUnequalSteps(t *testing.T) {
	for _, c := range []struct {
		name   string
		coarse int
		a, b   patch.Point
		want   float64 // metres
	}{
		{"along X", 1, patch.Point{X: 5, Y: 7}, patch.Point{X: 9, Y: 7}, 4 * .25},
		{"along Y", 1, patch.Point{X: 5, Y: 7}, patch.Point{X: 5, Y: 1}, 6 * 2},
		{"slanted", 1, patch.Point{X: 0, Y: 0}, patch.Point{X: 12, Y: 2}, 5},
		{"coarse", 10, patch.Point{X: 0, Y: 0}, patch.Point{X: 12, Y: 2}, 50},
	} {
		t.Run(c.name, func(t *testing.T) {
			length := (&footprint{Coarse: c.coarse}).length([2]float64{.25, 2})
			must.Hold(t, math.Abs(length(c.a, c.b)-c.want) <= 1e-9, "%v m, want %v", length(c.a, c.b), c.want)
			must.Equal(t, length(c.b, c.a), length(c.a, c.b), "length of the same edge")
		})
	}
}

// TestMedianEdge: of a triangle with sides of 3, 4 and 5 steps of half a metre.
func TestMedianEdge(t *testing.T) {
	var median float64
	f := must.Get(NewFootprint([]image.Point{{X: 0, Y: 0}, {X: 6, Y: 0}, {X: 0, Y: 2}}, [2]float64{.25, 1},
		func(m float64) float64 { median = m; return 10 }))(t)
	must.Hold(t, math.Abs(median-2) <= 1e-9, "median edge %v m of edges of 1.5, 2 and 2.5 m", median)
	must.Equal(t, f.Kept, []bool{true}, "triangles that are kept")
	f = must.Get(NewFootprint([]image.Point{{X: 0, Y: 0}, {X: 6, Y: 0}, {X: 0, Y: 2}}, [2]float64{.25, 1},
		func(float64) float64 { return 2.4 }))(t)
	must.Equal(t, f.Kept, []bool{false}, "triangles that are kept where 2.4 m is the longest edge")
}
