// SPDX-License-Identifier: BSD-3-Clause

package embed

import (
	"maps"
	"testing"

	"superpoint/partition/base/cube"
	"superpoint/partition/base/parallel"
	"superpoint/partition/neighbor"
	"superpoint/testdata/must"
)

// TestCollectedCells: cells whose points are in several blocks, also the last cell of a block, equal the
// cells that a loop over all points finds, and places has the index of each cell of each block.
func TestCollectedCells(t *testing.T) {
	const n = 5<<13 + 7
	cell := func(i int) cube.Key { return cube.Key{int32(i % 61), int32(i / 20_000), int32(i / 7 % 3)} }
	want := map[cube.Key]int{}
	for i := range n {
		want[cell(i)] += i
	}
	table, places, err := collect(parallel.Run{Threads: 2}, n, func(part *cube.Table[int], lo, hi int) {
		for i := lo; i < hi; i++ {
			part.Values[part.Add(cell(i))] += i
		}
	}, func(into, from *int) { *into += *from })
	must.OK(t, err)
	got := map[cube.Key]int{}
	for i, k := range table.Keys {
		got[k] = table.Values[i]
	}
	must.Hold(t, maps.Equal(got, want), "%d cells, want %d with the same sums", len(got), len(want))
	must.Equal(t, len(places), 6, "blocks")
	for b, indices := range places {
		own, listed := map[cube.Key]bool{}, map[cube.Key]bool{}
		for i := b * collectBlock(n); i < min(n, (b+1)*collectBlock(n)); i++ {
			own[cell(i)] = true
		}
		for _, at := range indices {
			listed[table.Keys[at]] = true
		}
		must.Equal(t, listed, own, "cells of block %d", b)
	}
}

// TestMergedLayers: boxes without points have no height. The lowest point counts on either side.
func TestMergedLayers(t *testing.T) {
	empty, low, high := layer{}, layer{n: 2, low: -9}, layer{n: 3, low: 7}
	for _, c := range []struct {
		name       string
		into, from layer
		want       layer
	}{
		{"empty into points above 0", high, empty, high},
		{"empty into points below 0", low, empty, low},
		{"points above 0 into empty", empty, high, high},
		{"points below 0 into empty", empty, low, low},
		{"lower into higher", high, low, layer{n: 5, low: -9}},
		{"higher into lower", low, high, layer{n: 5, low: -9}},
		{"empty into empty", empty, empty, empty},
	} {
		t.Run(c.name, func(t *testing.T) {
			c.into.merge(&c.from)
			must.Equal(t, c.into.n, c.want.n, "points")
			must.Equal(t, c.into.low, c.want.low, "lowest point")
		})
	}
}

// TestLayersWithoutSomePoints: points that are out have no part in the ground, also in boxes where all are.
func TestLayersWithoutSomePoints(t *testing.T) {
	x, y, z := []float64{5, 5.5, 5.2, 25, 25.5}, []float64{5, 5.5, 5.3, 25, 25.5},
		[]float64{3, 3.1, 2.9, 3.5, 3.3}
	cloud := must.Get(neighbor.New(x, y, z, parallel.Run{}))(t)
	out := make([]bool, len(x))
	for i, o := range cloud.Order {
		out[i] = o == 2 || o >= 3 // one of the first box, and all of the second
	}
	found := must.Get(newLayers(parallel.Run{}, cloud, 8, 8, out))(t)
	ground := found.lowest(found.sorted(parallel.Run{}), func(v *layer) bool { return v.n > 0 })
	must.Need(t, len(ground) == 1, "%d cells have ground, want 1", len(ground))
	height := float64(ground[0].z)*cloud.Unit + cloud.Origin.Z
	must.Hold(t, height > 2.999, "ground at %v m, want 3: too low", height)
	must.Hold(t, height < 3.001, "ground at %v m, want 3: too high", height)
}

// TestGroupsOfBoxes: boxes that touch, also at a corner, are one group, others are groups of their own.
// Boxes whose points are all noise are in no group, and connect none.
func TestGroupsOfBoxes(t *testing.T) {
	const noise = true
	places := []struct {
		x, y, z float64
		noise   bool
		group   int32
	}{
		{0.5, 0.5, 0.5, !noise, 0}, {0.6, 0.5, 0.5, !noise, 0}, {1.5, 1.5, 1.5, !noise, 0}, // at a corner
		{0.5, 0.5, 4.5, !noise, 1},                               // above, with boxes between
		{9.5, 0.5, 0.5, noise, NoGroup},                          // noise alone
		{20.5, 0.5, 0.5, !noise, 2}, {22.5, 0.5, 0.5, !noise, 3}, // with noise between
		{21.5, 0.5, 0.5, noise, NoGroup},
		{20.4, 0.5, 0.5, noise, 2}, // in a box that has another point
	}
	var x, y, z []float64
	for _, p := range places {
		x, y, z = append(x, p.x), append(y, p.y), append(z, p.z)
	}
	cloud := must.Get(neighbor.New(x, y, z, parallel.Run{}))(t)
	out := make([]bool, len(places))
	for i, o := range cloud.Order {
		out[i] = places[o].noise
	}
	boxes := must.Get(NewBoxes(parallel.Run{}, cloud, 1, 1, out))(t)
	all, ofBox := boxes.Groups()
	of := must.Get(boxes.OfPoints(parallel.Run{}, ofBox))(t)
	must.Equal(t, len(all), 4, "groups")
	number := map[int32]int32{NoGroup: NoGroup} // group of a place, of a group that was found
	for i, o := range cloud.Order {
		if _, known := number[of[i]]; !known {
			number[of[i]] = places[o].group
		}
		must.Equal(t, number[of[i]], places[o].group, "group of place %d", o)
	}
	must.Equal(t, len(number), 5, "groups of points, with none")
	points, columns := map[int32]int{}, map[int32]int{}
	for k, g := range all {
		points[number[int32(k)]], columns[number[int32(k)]] = g.Points, g.Columns
	}
	must.Equal(t, points, map[int32]int{0: 3, 1: 1, 2: 1, 3: 1}, "points without noise")
	must.Equal(t, columns, map[int32]int{0: 2, 1: 1, 2: 1, 3: 1}, "columns")
}
