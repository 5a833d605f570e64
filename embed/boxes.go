// SPDX-License-Identifier: BSD-3-Clause

package embed

import (
	"superpoint/partition/base/cube"
	"superpoint/partition/base/parallel"
	"superpoint/partition/neighbor"
)

// Boxes are the occupied boxes of a cloud. They are aligned with the world, so that a point is in the same
// box in every tile.
//
// Shape: the boxes are a table with an index for each (Keys), and values and groups of boxes are arrays by
// that index.
type Boxes struct {
	cloud  *neighbor.Cloud
	layers *layers
}

// NewBoxes returns the boxes of an edge and a height in metres that have points without noise (nil: none is
// noise).
//
// Noise points have boxes too, so that OfPoints finds a box for each point; but they are not counted
// (Values.n).
func NewBoxes(run parallel.Run, cloud *neighbor.Cloud, edge, height float64, noise []bool) (*Boxes, error) {
	l, err := newLayers(run, cloud, edge, height, noise)
	if err != nil {
		return nil, err
	}
	return &Boxes{cloud, l}, nil
}

// Isolated returns a flag for every point: whether it is in a box that has, with the boxes around it, at most
// fewPoints points.
//
// Noise points have flags, too: the flag of a noise point follows from the points around it that
// are no noise.
func (b *Boxes) Isolated(run parallel.Run) ([]bool, error) { return b.layers.outliers(run, b.cloud) }

// Keys returns the indices of the boxes along the axes.
func (b *Boxes) Keys() []cube.Key { return b.layers.all.Keys }

// NoGroup is the group of points that are noise.
const NoGroup = -1

// Group is a set of boxes that touch one another, also at an edge or a corner, and no other box.
type Group struct {
	Points    int
	Columns   int      // boxes of the plane that it covers
	Low, High cube.Key // least and greatest indices of its boxes
}

// Groups returns the groups of boxes, and the group of each box.
//
// Claim: groups are numbered by their first box in the order of Keys. Reason: seeds are taken in that order,
// and a box that has a group is no seed. Boxes with noise alone are in no group, and do not connect others.
func (b *Boxes) Groups() (all []Group, of []int32) {
	boxes := b.layers.all
	of = make([]int32, len(boxes.Keys))
	for k := range of {
		of[k] = NoGroup
	}
	// Invariant: all boxes of groups found so far have their group, and no box of another one has.
	for seed := range boxes.Keys {
		if of[seed] != NoGroup || boxes.Values[seed].n == 0 {
			continue
		}
		id := int32(len(all))
		all = append(all, b.group(seed, id, of))
	}
	return all, of
}

// group finds the group of a box, and sets it to id in of.
//
// It is a flood fill with a list of its own in place of recursion: a group may have millions of boxes. Boxes
// are marked when they are put on the list, not when they are taken from it, so that none is there twice.
//
// Time: 27 searches in the table for each box of the group.
func (b *Boxes) group(seed int, id int32, of []int32) Group {
	boxes := b.layers.all
	g := Group{Low: boxes.Keys[seed], High: boxes.Keys[seed]}
	var columns cube.Table[struct{}]
	of[seed] = id
	waiting := []int{seed}
	for len(waiting) > 0 {
		box := waiting[len(waiting)-1]
		waiting = waiting[:len(waiting)-1]
		key := boxes.Keys[box]
		g.Points += int(boxes.Values[box].n)
		// a set of the boxes of the plane: adding one twice leaves it once
		columns.Add(cube.Key{key[0], key[1], 0})
		for axis, at := range key {
			g.Low[axis] = min(g.Low[axis], at)
			g.High[axis] = max(g.High[axis], at)
		}
		// the box itself and the 26 that touch it; it has its group already
		for n := range int32(27) {
			beside := boxes.Find(cube.Key{key[0] + n%3 - 1, key[1] + n/3%3 - 1, key[2] + n/9 - 1})
			if beside >= 0 && of[beside] == NoGroup && boxes.Values[beside].n > 0 {
				of[beside] = id
				waiting = append(waiting, beside)
			}
		}
	}
	g.Columns = len(columns.Keys)
	return g
}

// OfPoints returns the group of each point, from the group of each box.
//
// Consecutive points are mostly in one box: walk reports when the box changes, and only then the table is
// searched.
func (b *Boxes) OfPoints(run parallel.Run, of []int32) ([]int32, error) {
	points := make([]int32, b.cloud.Len())
	return points, run.For(len(points), 1<<14, func(lo, hi int) {
		// Every point of the cloud made a box (count), so Find finds one. Each block has a walker of its own.
		walk := b.layers.walk()
		group := int32(NoGroup)
		for i := lo; i < hi; i++ {
			if walk.in(&b.cloud.XYZ[i]) {
				group = of[b.layers.all.Find(walk.at)]
			}
			points[i] = group
		}
	})
}
