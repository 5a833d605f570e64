// SPDX-License-Identifier: BSD-3-Clause

package superpointstats

import (
	"context"
	"errors"
	"math"
	"slices"
	"testing"

	"superpoint/partition/base/parallel"
	"superpoint/partition/base/shape"
	"superpoint/partition/neighbor"
	"superpoint/testdata/must"
)

func TestGroupsByHand(t *testing.T) {
	g := must.Get(Group("ID", []float64{7, 7, 0, 3, -1, 7, 3, 4294967295}))(t)
	must.Equal(t, g.ID, []uint32{3, 7, 4294967295}, "g.ID")
	must.Equal(t, g.Of, []int32{1, 1, -1, 0, -1, 1, 0, 2}, "g.Of")
	for k, want := range [][]uint32{{3, 6}, {0, 1, 5}, {7}} {
		must.Hold(t, slices.Equal(g.Points(k), want), "row %d has %v, want %v", k, g.Points(k), want)
	}
	must.Fail(Group("ID", []float64{1, math.NaN()}))(t, `"ID" of point 1 is NaN`)
	must.Equal(t, must.Get(Group("ID", nil))(t).Len(), 0, "superpoints of no points")
}

// TestFormsByHand measures a level square of side 2 and a wall of 2 × 4 in feet.
func TestFormsByHand(t *testing.T) {
	x := []float64{10, 12, 12, 10, 5, 5, 5, 5}
	y := []float64{20, 20, 22, 22, 1, 3, 1, 3}
	z := []float64{7, 7, 7, 7, 0, 0, 4, 4}
	g := must.Get(Group("ID", []float64{1, 1, 1, 1, 2, 2, 2, 2}))(t)
	foot := func(float64) [3]float64 { return [3]float64{0.3, 0.3, 0.3} }
	forms := must.Get(g.Forms(parallel.Run{}, x, y, z, foot))(t)
	level, wall := forms[0], forms[1]
	must.Equal(t, level.Mean, [3]float64{11, 21, 7}, "level.Mean")
	must.Equal(t, level.Min, [3]float64{10, 20, 7}, "level.Min")
	must.Equal(t, level.Max, [3]float64{12, 22, 7}, "level.Max")
	must.Equal(t, level.Height(), 0, "level.Height()")
	must.Equal(t, level.Planarity, 1, "level.Planarity")
	must.Hold(t, level.Verticality <= 1e-7,
		"level.Verticality is %v, want at most 1e-7", level.Verticality)
	must.Equal(t, level.Normal, shape.Vector{0, 0, 1}, "level.Normal")
	must.Hold(t, math.Abs(level.Sigma[0]-0.3) <= 1e-8,
		"level.Sigma[0] is %v, want 0.3 within 1e-8", level.Sigma[0])
	// standard deviations 0.6 m upright and 0.3 m along: linearity ½, planarity ½
	must.Hold(t, math.Abs(float64(wall.Linearity)-0.5) <= 1e-6,
		"wall.Linearity is %v, want 0.5 within 1e-6", float64(wall.Linearity))
	must.Hold(t, math.Abs(float64(wall.Planarity)-0.5) <= 1e-6,
		"wall.Planarity is %v, want 0.5 within 1e-6", float64(wall.Planarity))
	must.Equal(t, wall.Normal, shape.Vector{1, 0, 0}, "wall.Normal")
	must.Hold(t, math.Abs(wall.Height()-1.2) <= 1e-12,
		"wall.Height() is %v, want 1.2 within 1e-12", wall.Height())
}

// TestNormalsPointUp: those of walls to the east or, if they face north more than east, to the north.
func TestNormalsPointUp(t *testing.T) {
	for v, want := range map[shape.Vector]shape.Vector{{0, 0.6, -0.8}: {0, -0.6, 0.8},
		{0.6, -0.8, 0}: {-0.6, 0.8, 0},
		{-0.8, 0.6, 0}: {0.8, -0.6, 0}, {0, -1, 0}: {0, 1, 0}, {-0.8, -0.6, 1e-9}: {0.8, 0.6, -1e-9}} {
		must.Equal(t, oriented(v), want, "%v, oriented", v)
	}
}

func TestValuesByHand(t *testing.T) {
	g := must.Get(Group("ID", []float64{1, 1, 1, 1, 2, 3, 3}))(t)
	nan := math.NaN()
	mean, deviation, err := g.Statistics(parallel.Run{}, []float64{2, 4, 4, nan, 9, nan, nan})
	must.OK(t, err)
	must.Hold(t, math.Abs(mean[0]-10./3) <= 1e-15, "mean[0] is %v, want %v within 1e-15", mean[0], 10./3)
	must.Hold(t, math.Abs(deviation[0]-math.Sqrt(8./9)) <= 1e-15,
		"deviation[0] is %v, want %v within 1e-15", deviation[0], math.Sqrt(8./9))
	must.Equal(t, mean[1], 9, "mean[1]")
	must.Equal(t, deviation[1], 0, "deviation[1]")
	must.Hold(t, math.IsNaN(mean[2]), "mean[2] is %v, want NaN", mean[2])
	class, share, err := g.Majority(parallel.Run{}, []float64{6, 2, 6, 2, 5, 1, nan})
	must.OK(t, err)
	must.Equal(t, class, []float64{2, 5, 1}, "class")
	must.Equal(t, share, []float64{0.5, 1, 0.5}, "share")
}

// TestSquaresThatTouch has three squares of 4 × 4 points, 1 m apart: a border of
// four points a side between the first two, none to the third, which is far.
func TestSquaresThatTouch(t *testing.T) {
	var x, y, z, id []float64
	for square, west := range []float64{0, 4, 100} {
		for i := range 16 {
			x, y, z, id = append(x, west+float64(i%4)), append(y, float64(i/4)), append(z, 0),
				append(id, float64(10*(square+1)))
		}
	}
	run := parallel.Run{}
	cloud, err := neighbor.New(x, y, z, run)
	must.OK(t, err)
	lists := must.Get(cloud.Nearest(4, run))(t)
	graph := must.Get(neighbor.Adjacency(lists, 4, run))(t)
	g := must.Get(Group("ID", id))(t)
	edges := g.Edges(cloud, graph)
	must.Need(t, len(edges) == 1, "len(edges) is %v, want 1", len(edges))
	must.Equal(t, edges[0].A, 0, "edges[0].A")
	must.Equal(t, edges[0].B, 1, "edges[0].B")
	must.Hold(t, edges[0].Links >= 4, "edges[0].Links is %v, want at least 4", edges[0].Links)
	must.Equal(t, edges[0].Border, 4, "edges[0].Border")
	must.Hold(t, edges[0].Distance >= 1, "edges[0].Distance is %v, want at least 1", edges[0].Distance)
	must.Hold(t, edges[0].Distance <= 1.2, "edges[0].Distance is %v, want at most 1.2", edges[0].Distance)
	links := []link{{u: 1, length: 3}, {u: 1, length: 2}, {u: 4, length: 5}, {u: 4, length: 7}}
	must.Equal(t, shortest(links, func(l link) uint32 { return l.u }), 7,
		"metres of the shortest links of two points")
	for i := range id { // points without a superpoint have no borders
		if id[i] == 20 {
			id[i] = 0
		}
	}
	g, err = Group("ID", id)
	must.OK(t, err)
	must.Equal(t, len(g.Edges(cloud, graph)), 0, "len(g.Edges(cloud, graph))")
}

// TestFormsOfAnInterruptedRun: a run that was interrupted has no forms, but an error.
func TestFormsOfAnInterruptedRun(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	g := must.Get(Group("ID", slices.Repeat([]float64{1, 2}, 50)))(t)
	at := make([]float64, 100)
	metre := func(float64) [3]float64 { return [3]float64{1, 1, 1} }
	_, err := g.Forms(parallel.Run{Context: ctx}, at, at, at, metre)
	must.Hold(t, errors.Is(err, context.Canceled), "error %v, want context.Canceled", err)
}
