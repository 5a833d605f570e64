// SPDX-License-Identifier: BSD-3-Clause

package embed

import (
	"math"
	"testing"

	"superpoint/partition/base/parallel"
	"superpoint/partition/neighbor"
	"superpoint/testdata/must"
)

// bruteFloor counts the points of the layer above every point, in units above the origin.
func bruteFloor(cloud *neighbor.Cloud, thick float64) (floor int32) {
	span := int64(math.Round(thick / cloud.Unit))
	most := 0
	for _, low := range cloud.XYZ {
		n := 0
		for _, p := range cloud.XYZ {
			if above := int64(p[2]) - int64(low[2]); above >= 0 && above <= span {
				n++
			}
		}
		if n > most || n == most && low[2] < floor {
			floor, most = low[2], n
		}
	}
	return floor
}

// floorOf returns the floor of points of these heights, a metre apart along x.
func floorOf(t *testing.T, heights []float64, thick float64) float64 {
	t.Helper()
	x, y := make([]float64, len(heights)), make([]float64, len(heights))
	for i := range x {
		x[i] = float64(i)
	}
	c := must.Get(neighbor.New(x, y, heights, parallel.Run{}))(t)
	return must.Get(BoxFloor(parallel.Run{}, c, thick))(t)
}

func TestBoxFloor(t *testing.T) {
	for _, c := range []struct {
		name    string
		heights []float64
		want    float64
	}{
		{"one point", []float64{7}, 7},
		{"the lower of two layers with as many points", []float64{5, 5.2, 9, 9.2}, 5},
		{"the layer with most points", []float64{1, 5, 5.2, 5.4, 9}, 5},
		{"points on both sides of a layer's border", []float64{3, 3.25, 3.5, 3.501}, 3},
		{"points at one height", []float64{-4, -4, -4, -3}, -4},
	} {
		t.Run(c.name, func(t *testing.T) {
			near(t, "floor", floorOf(t, c.heights, .5), c.want, 1e-9)
		})
	}
	t.Run("against its definition", func(t *testing.T) {
		in := cloud(t, 2000, [3]float64{10, 20, 30})
		floor := must.Get(BoxFloor(parallel.Run{Threads: 3}, in.Cloud, .4))(t)
		units := math.Round((floor - in.Cloud.Origin.Z) / in.Cloud.Unit)
		must.Equal(t, int32(units), bruteFloor(in.Cloud, .4), "floor in units")
	})
}

// TestLevelMovesWithThePoints: by whole units exactly, and not by noise.
func TestLevelMovesWithThePoints(t *testing.T) {
	heights := []float64{41.003, 41.02, 41.251, 41.3, 41.498, 43.07, 45.5}
	alone := floorOf(t, heights, .5)
	for _, up := range []float64{.001, 1, 37.001, 1000, -250.5} {
		moved := make([]float64, len(heights))
		for i, z := range heights {
			moved[i] = z + up
		}
		near(t, "floor, moved", floorOf(t, moved, .5)-up, alone, 1e-9)
	}
	for _, noise := range []float64{-900, 40, 47, 900} {
		near(t, "floor, with noise", floorOf(t, append([]float64{noise}, heights...), .5), alone, 1e-9)
	}
}
