// SPDX-License-Identifier: BSD-3-Clause

package vccs

import (
	"math"
	"testing"

	"superpoint/partition/rivals/supervoxel"
	"superpoint/testdata/must"
)

// TestDistanceByHand: D = spatial·distance + normal·(1 − |n·n′|) + color·distance of colours. Normals have no
// sign.
func TestDistanceByHand(t *testing.T) {
	m := measure{spatial: .5, normal: 2, color: 10}
	for _, c := range []struct {
		name   string
		normal [3]float32
		want   float64
	}{
		{"equal", [3]float32{0, 0, 1}, .5*5 + 10*.3},
		{"opposite", [3]float32{0, 0, -1}, .5*5 + 10*.3},
		{"slanted", [3]float32{.6, 0, -.8}, .5*5 + 2*.2 + 10*.3},
	} {
		t.Run(c.name, func(t *testing.T) {
			cells := &cells{at: [][3]int32{{3, 4, 0}}, normal: [][3]float32{c.normal},
				color: [][3]float32{{.2, .2, .1}}}
			s := center{normal: [3]float32{0, 0, 1}, color: [3]float32{0, 0, 0}}
			got := float64(m.to(cells, &s, 0))
			must.Hold(t, math.Abs(got-c.want) <= 1e-6, "D is %v, want %v", got, c.want)
		})
	}
}

// TestTiesOfGrowth: the cell 0 has the neighbors 1, 2, …, of the segments owner[1], owner[2], … with centers
// at the given distances. Among equally near segments its own is kept, else the segment of lowest index is
// chosen, in whatever order the neighbors are.
func TestTiesOfGrowth(t *testing.T) {
	const none = supervoxel.None
	for _, c := range []struct {
		name     string
		owner    []uint32 // of the cells
		distance []int32  // of the centers
		want     uint32
	}{
		{"free, ascending", []uint32{none, 0, 1, 2}, []int32{5, 5, 5}, 0},
		{"free, descending", []uint32{none, 2, 1, 0}, []int32{5, 5, 5}, 0},
		{"free, the nearest is last", []uint32{none, 0, 1, 2}, []int32{5, 5, 4}, 2},
		{"own of the tie", []uint32{1, 0, 2, 2}, []int32{5, 5, 5}, 1},
		{"own is farther, descending", []uint32{2, 1, 0, 0}, []int32{5, 5, 6}, 0},
		{"own is nearer", []uint32{2, 1, 0, 0}, []int32{5, 5, 4}, 2},
		{"neighbors are free", []uint32{2, none, none, none}, []int32{5, 5, 6}, 2},
		{"all are free", []uint32{none, none, none, none}, []int32{5, 5, 6}, none},
	} {
		t.Run(c.name, func(t *testing.T) {
			cells := &cells{at: make([][3]int32, 4), normal: make([][3]float32, 4),
				start: []uint32{0, 3, 3, 3, 3},
				head:  []uint32{1, 2, 3}}
			centers := make([]center, len(c.distance))
			for s, d := range c.distance {
				centers[s].at = [3]float32{float32(d), 0, 0}
			}
			next := make([]uint32, 4)
			moved := cells.step(0, 1, c.owner, next, centers, &measure{spatial: 1})
			must.Equal(t, next[0], c.want, "segment")
			must.Equal(t, moved, c.want != c.owner[0], "whether it moved")
		})
	}
}

// TestUpdateOfCenters: a center is the mean of its cells; their normals are turned to its side first. A
// segment without cells, and cells without a segment, change nothing.
func TestUpdateOfCenters(t *testing.T) {
	c := &cells{at: [][3]int32{{0, 0, 0}, {2, 0, 0}, {9, 9, 9}},
		normal: [][3]float32{{.6, 0, .8}, {.6, 0, -.8}, {1, 0, 0}}, color: [][3]float32{{0, 0, 0},
			{1, .5, 0}, {9, 9, 9}}}
	centers := []center{{normal: [3]float32{0, 0, 1}}, {at: [3]float32{7, 7, 7}}}
	c.update([]uint32{0, 0, supervoxel.None}, centers)
	must.Equal(t, centers[0].at, [3]float32{1, 0, 0}, "position")
	must.Equal(t, centers[0].normal, [3]float32{0, 0, 1}, "normal")
	must.Equal(t, centers[0].color, [3]float32{.5, .25, 0}, "color")
	must.Equal(t, centers[1].at, [3]float32{7, 7, 7}, "position of the segment without cells")
}
