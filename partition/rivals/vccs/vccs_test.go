// SPDX-License-Identifier: BSD-3-Clause

package vccs

import (
	"math"
	"math/rand/v2"
	"reflect"
	"testing"

	"superpoint/partition/base/arrays"
	"superpoint/partition/base/parallel"
	"superpoint/partition/metrics"
	"superpoint/partition/neighbor"
	"superpoint/partition/rivals/supervoxel"
	"superpoint/testdata/corner"
	"superpoint/testdata/must"

	"github.com/golang/geo/r3"
)

// planes is a floor and a wall that meet, black and white, with class 0 and 1.
func planes(t testing.TB, n int) (Input, metrics.Truth) {
	x, y, z := corner.Points(n)
	cloud, lists := corner.Lists(t, x, y, z, 20)
	truth := metrics.Truth{Class: corner.Classes(cloud)}
	color := make([][3]float32, n)
	for i, class := range truth.Class {
		color[i] = [3]float32{float32(class), float32(class), float32(class)}
	}
	return Input{Cloud: cloud, Neighbors: lists, Color: color}, truth
}

func dense(t *testing.T, s *supervoxel.Segmentation, n int) {
	t.Helper()
	again := append([]uint32{}, s.Component...)
	must.Need(t, len(again) == n,
		"ids are not dense in order of first points: len(again) is %v, want %v", len(again), n)
	must.Need(t, arrays.Number(again, n) == s.Count,
		"ids are not dense in order of first points: arrays.Number(again, n) is not s.Count")
	must.Need(t, reflect.DeepEqual(again, s.Component),
		"ids are not dense in order of first points: again is not s.Component")
}

func TestSegmentsAreWithinPlanes(t *testing.T) {
	in, truth := planes(t, 20_000)
	graph := must.Get(neighbor.Adjacency(in.Neighbors, 5, parallel.Run{}))(t)
	for name, change := range map[string]func(*Options){
		"normals": func(*Options) {},
		"color":   func(o *Options) { o.Color, o.Normal = 1, 0 },
	} {
		o := Defaults()
		o.Resolution = 0.7
		change(&o)
		s := must.Get(Segment(parallel.Run{}, in, o))(t)
		dense(t, s, 20_000)
		// 54 m² in cells of 0.5 m²: about 110
		must.Hold(t, s.Count >= 80, "%s: %d segments, want at least 80", name, s.Count)
		must.Hold(t, s.Count <= 200, "%s: %d segments, want at most 200", name, s.Count)
		r := must.Get(metrics.Evaluate(parallel.Run{}, graph, truth, s.Component, s.Count))(t)
		must.Hold(t, r.OOA >= 0.975, "%s: OOA %v", name, r.OOA) // voxels mix floor and wall where they meet
	}
}

func TestTargetSize(t *testing.T) {
	in, _ := planes(t, 20_000)
	for _, size := range []float64{30, 100, 400} {
		o := Defaults()
		o.TargetSize = size
		s := must.Get(Segment(parallel.Run{}, in, o))(t)
		want := 20_000 / size
		must.Hold(t, math.Abs(float64(s.Count)-want) <= 0.05*want, "size %v: %d segments, want %v", size,
			s.Count, want)
	}
}

// Two groups of points at a large distance: the second has too few voxels for a seed,
// so no segment reaches it and it becomes a segment of its own.
func TestIslands(t *testing.T) {
	var x, y, z []float64
	for i := range 40 {
		for j := range 40 {
			x, y, z = append(x, float64(i)*0.1), append(y, float64(j)*0.1), append(z, 0)
		}
	}
	for i := range 8 {
		x, y, z = append(x, 1000+float64(i%2)*0.1), append(y, float64(i/2)*0.1), append(z, 0)
	}
	cloud, lists := corner.Lists(t, x, y, z, 7)
	o := Defaults()
	o.Resolution, o.VoxelResolution = 4, 0.1
	s := must.Get(Segment(parallel.Run{}, Input{Cloud: cloud, Neighbors: lists}, o))(t)
	seen := map[uint32]bool{}
	for i, j := range cloud.Order {
		if j >= 1600 {
			seen[s.Component[i]] = true
		}
	}
	must.Hold(t, len(seen) == 1, "the island is in segments %v", seen)
}

// TestPilesAreSeparate: piles of fewer points than a neighbour list, at distances of 100 m. Lists have
// neighbours in other piles, but no segment may have points of two piles, for any target size.
func TestPilesAreSeparate(t *testing.T) {
	const piles = 60
	for _, size := range []int{5, 10, 20} {
		rng := rand.New(rand.NewPCG(1, uint64(size)))
		var x, y, z []float64
		for i := range piles * size {
			p := i / size
			x, y, z = append(x, float64(p%8)*100+rng.Float64()), append(y, float64(p/8)*100+rng.Float64()),
				append(z,
					rng.Float64())
		}
		cloud, lists := corner.Lists(t, x, y, z, 20)
		for _, by := range []supervoxel.Size{{TargetSize: 5}, {TargetSize: 100}, {TargetSize: 1000},
			{Resolution: 10}, {Resolution: 50}} {
			o := Defaults()
			o.Size = by
			s := must.Get(Segment(parallel.Run{}, Input{Cloud: cloud, Neighbors: lists}, o))(t)
			pile := map[uint32]uint32{}
			for i, j := range cloud.Order {
				p := j / uint32(size)
				q, seen := pile[s.Component[i]]
				if seen {
					must.Need(t, q == p, "%d points a pile, %+v: q is %v, want %v", size, o, q, p)
				}
				pile[s.Component[i]] = p
			}
		}
	}
}

func TestErrorsNameTheValue(t *testing.T) {
	in, _ := planes(t, 100)
	in.Color = nil
	one := supervoxel.Size{Resolution: 1}
	for want, o := range map[string]Options{
		"give one of them":     {},
		"colour importance 1":  {Size: one, Color: 1},
		"cells of 1e-09 m are": {Size: one, VoxelResolution: 1e-9},
	} {
		must.Fail(Segment(parallel.Run{}, in, o))(t, want)
	}
}

// TestCrowdedByHand: the cells within R/2 are counted in all cubes, also if one cube alone has
// as many as the bound.
func TestCrowdedByHand(t *testing.T) {
	c := &cells{cloud: &neighbor.Cloud{Unit: 1}}
	for x := range int32(9) {
		c.at = append(c.at, [3]int32{x, 0, 0})
	}
	grid := must.Get(supervoxel.NewGrid(c.at, 1, r3.Vector{}, 3))(t)
	s := &seeder{cells: c, grid: grid, members: grid.Members(), reach: 2}
	for v := range uint32(len(c.at)) {
		near := 0.0
		for _, p := range c.at {
			if squared(p, c.at[v]) <= 4 {
				near++
			}
		}
		for least := 0.0; least < 7; least += 0.5 {
			must.Equal(t, s.crowded(v, least), near > least,
				"cell %d with %v cells, bound %v", v, near, least)
		}
	}
}
