// SPDX-License-Identifier: BSD-3-Clause

// Package corner has a small scene for tests of partitions: a floor and a wall that meet, in
// metres, far from the origin, like survey coordinates.
package corner

import (
	"math/rand/v2"
	"testing"

	"superpoint/partition/base/parallel"
	"superpoint/partition/neighbor"
	"superpoint/testdata/must"
)

// Points samples a floor of 6 m × 6 m and a wall of 6 m × 3 m; see Wall.
func Points(n int) (x, y, z []float64) {
	rng := rand.New(rand.NewPCG(3, 9))
	x, y, z = make([]float64, n), make([]float64, n), make([]float64, n)
	for i := range n {
		x[i] = 500_000 + rng.Float64()*6
		if Wall(uint32(i)) {
			y[i], z[i] = rng.Float64()*0.01, 0.02+rng.Float64()*3
		} else {
			y[i], z[i] = 0.02+rng.Float64()*6, rng.Float64()*0.01
		}
	}
	return x, y, z
}

// Wall reports whether point i of Points is on the wall.
func Wall(i uint32) bool { return i%3 == 0 }

// Classes returns 1 for points of the wall and 0 for points of the floor, in the
// order of the cloud.
func Classes(cloud *neighbor.Cloud) []int32 {
	class := make([]int32, cloud.Len())
	for i, j := range cloud.Order {
		if Wall(j) {
			class[i] = 1
		}
	}
	return class
}

// Lists returns a cloud of the points and their k nearest neighbours.
func Lists(t testing.TB, x, y, z []float64, k int) (*neighbor.Cloud, *neighbor.Lists) {
	t.Helper()
	cloud := must.Get(neighbor.New(x, y, z, parallel.Run{}))(t)
	lists := must.Get(cloud.Nearest(k, parallel.Run{}))(t)
	return cloud, lists
}
