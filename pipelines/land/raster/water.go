// SPDX-License-Identifier: BSD-3-Clause

package raster

import (
	"cmp"
	"image"
	"math"
	"slices"

	"superpoint/partition/base/arrays"
)

// Body is a body of water: cells with more points of water than of ground, each within a few cells of another
// one.
type Body struct {
	Cells int
	Level float64 // lower quartile of the mean heights of the cells: waves and shores are above it
	// Level is the height of all cells if the quartiles of their means are within flat, as on lakes and slow
	// rivers. Else the water slopes, and each cell has the mean of its own points.
	IsLevel bool
}

const (
	flat       = 0.3 // metres
	widestStep = 8   // cells, to the next cell of a body
)

// wet is a cell with water.
type wet struct {
	k    int // index
	mean float64
}

// stepOf returns how many cells the next cell of a body may be away: twice the spacing of the points of
// water.
func stepOf(spacing float64) int {
	return min(widestStep, max(1, int(math.Ceil(2*spacing))))
}

// bodies returns the bodies of water, and sets the number of the body, from 1, of each of its cells in of.
func bodies(g Grid, cells []wet, step int, flat float64, of []int32) []Body {
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
	body, count := sets.Number()
	means := make([][]float64, count)
	for number, c := range cells {
		of[c.k] = int32(body[number] + 1)
		means[body[number]] = append(means[body[number]], c.mean)
	}
	all := make([]Body, count)
	for k, heights := range means {
		slices.SortFunc(heights, cmp.Compare[float64])
		low, high := heights[len(heights)/4], heights[len(heights)*3/4]
		all[k] = Body{Cells: len(heights), Level: low, IsLevel: high-low <= flat}
	}
	return all
}
