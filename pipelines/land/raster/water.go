// SPDX-License-Identifier: BSD-3-Clause

package raster

import (
	"image"
	"math"
	"slices"

	"superpoint/partition/base/arrays"
	"superpoint/partition/base/parallel"
)

const (
	flat       = 0.3 // metres
	widestStep = 8   // cells, to the next cell of a body
)

// level is a cell and the mean height of its points of one kind.
type level struct {
	k    int // index
	mean float64
}

// stepOf returns how many cells the next cell of a group may be away: twice the spacing of the points.
func stepOf(spacing float64) int {
	return min(widestStep, max(1, int(math.Ceil(2*spacing))))
}

// group returns groups of cells: each is within a step of another one of its group. It sets the number of the
// group, from 1, of each cell in of.
func group(g Grid, cells []level, step int, of []int32) [][]level {
	for number, c := range cells {
		of[c.k] = int32(number + 1)
	}
	sets := arrays.NewForest(len(cells))
	for number, c := range cells {
		at := g.At(c.k)
		for y := at.Y - step; y <= at.Y; y++ { // those to the north have at as a neighbour themselves
			for x := at.X - step; x <= at.X+step; x++ {
				near := g.Index(image.Pt(x, y))
				if near >= 0 && of[near] > 0 {
					sets.Join(uint32(number), uint32(of[near]-1))
				}
			}
		}
	}
	numbers, count := sets.Number()
	groups := make([][]level, count)
	for k, c := range cells {
		number := numbers[k]
		of[c.k] = int32(number + 1)
		groups[number] = append(groups[number], c)
	}
	return groups
}

// bodyOf returns the body of water that cells are.
func bodyOf(cells []level, flat float64) Body {
	means := make([]float64, len(cells))
	for k, c := range cells {
		means[k] = c.mean
	}
	slices.Sort(means)
	low := means[len(means)/4]
	high := means[len(means)*3/4]
	return Body{Cells: len(cells), Level: low, IsLevel: high-low <= flat}
}

// addWater sets the bodies of water and their heights.
func (b *builder) addWater(lakes []level) {
	b.Body = make([]int32, b.Held())
	for _, cells := range group(b.Grid, lakes, stepOf(b.water.spacing()), b.Body) {
		b.Bodies = append(b.Bodies, bodyOf(cells, flat/b.units.Height))
	}
	for _, c := range lakes {
		b.raw[c.k] = float32(c.mean)
		if of := b.Bodies[b.Body[c.k]-1]; of.IsLevel {
			b.raw[c.k] = float32(of.Level)
		}
	}
}

// fillWater adds the cells within bodies of water to them, where there is no ground.
func (b *builder) fillWater(run parallel.Run) error {
	_, err := fill(run, b.Grid, b.raw, radiusOf(b.water), b.joinBody())
	return err
}

// joinBody returns the function that adds a cell to the body of water from whose cells it is filled; nil
// without water.
func (b *builder) joinBody() func(k int, from corners) {
	if b.Body == nil {
		return nil
	}
	return func(k int, from corners) {
		number := b.Body[from[0]]
		if number == b.Body[from[1]] && number == b.Body[from[2]] {
			b.Body[k] = number
		}
	}
}
