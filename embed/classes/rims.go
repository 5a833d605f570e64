// SPDX-License-Identifier: BSD-3-Clause

package classes

import (
	"math"
	"slices"
)

// component is occupied cells that are connected without a step.
type component struct {
	cells  int  // number of its cells
	ground bool // whether SMRF takes one of them for ground
	border bool // whether one is the first or the last one of a row or a column of the cloud
	walls  int  // cells at its rim with a wall that falls
	steps  int  // cells at its rim above a step, see falls
	others int  // cells at its rim beside other land without a step
}

// Limits of the rims of components.
const (
	walledRim = 0.6 // least share of walls in the rim

	stepReach = 12.0 // metres from the rim within which lower land is looked for: walls have few points
	stepSlope = 1.7  // least fall for the distance: 60 degrees
	stepFall  = 3.0  // least fall, metres
	stepShare = 0.8  // least share of steps in the part of the rim where there is other land
	stepRim   = 0.15 // least share of steps in all of the rim
	stepArea  = 1e4  // m², greatest area of a component
	fragment  = 0.05 // components of fewer cells, relative to the one at whose rim they are, are passed over
)

// share returns the ratio of a number of cells to the circumference of a disk as large as the component.
func (c *component) share(cells int) float64 {
	return float64(cells) / (2 * math.Sqrt(math.Pi*float64(c.cells)))
}

// isWalled reports whether the component has walls all around, as a roof has. Land at a pit, a cutting or a
// retaining wall has walls as well, but few for its area.
func (c *component) isWalled() bool { return c.share(c.walls) >= walledRim }

// isSteep reports whether the component ends in a step wherever its rim is not the border of the cloud, as a
// roof does that fills most of it. A dike and a terrace have banks or ramps, and a quarry is lower than what
// is around.
func (c *component) isSteep(side float64) bool {
	mostly := float64(c.steps) >= stepShare*float64(c.steps+c.others)
	small := float64(c.cells)*side*side <= stepArea
	return mostly && small && c.share(c.steps) >= stepRim
}

// components returns the components of the occupied cells, and for each cell its component's index or −1.
func (r *raster) components(lowest []float32, occupied, ground []bool) (all []component, of []int32) {
	of = slices.Repeat([]int32{-1}, len(lowest))
	most := float32(min(reachSlope*r.side, reachStep))
	for seed := range of {
		if of[seed] >= 0 || !occupied[seed] {
			continue
		}
		id, c := int32(len(all)), component{}
		of[seed] = id
		for next := []int{seed}; len(next) > 0; {
			k := next[len(next)-1]
			next = next[:len(next)-1]
			c.cells++
			c.ground = c.ground || ground[k]
			r.within(k, reachCells, func(o int) {
				if occupied[o] && of[o] < 0 && max(lowest[o]-lowest[k], lowest[k]-lowest[o]) <= most {
					of[o] = id
					next = append(next, o)
				}
			})
		}
		all = append(all, c)
	}
	r.findBorder(all, of)
	r.measureRims(all, of, lowest)
	return all, of
}

// findBorder marks the components at the border of the cloud.
func (r *raster) findBorder(all []component, of []int32) {
	for row := range r.rows {
		markEnds(all, of, row*r.columns, 1, r.columns)
	}
	for column := range r.columns {
		markEnds(all, of, column, r.columns, r.rows)
	}
}

// markEnds marks the components of the first and of the last occupied cell of a line of cells.
func markEnds(all []component, of []int32, first, step, cells int) {
	last := int32(-1)
	for n := range cells {
		id := of[first+n*step]
		if id < 0 {
			continue
		}
		if last < 0 {
			all[id].border = true
		}
		last = id
	}
	if last >= 0 {
		all[last].border = true
	}
}

// measureRims counts the cells at the rims of components.
func (r *raster) measureRims(all []component, of []int32, lowest []float32) {
	for k, id := range of {
		if id < 0 {
			continue
		}
		c := &all[id]
		if r.hasWall(k, of, lowest) {
			c.walls++
		}
		step, other := r.beside(k, all, of, lowest)
		if step {
			c.steps++
		}
		if other {
			c.others++
		}
	}
}

// hasWall reports whether a cell has a wall that falls beside it. Cells adjoin along their sides, so that a
// wall is one cell thick, also across an empty one.
func (r *raster) hasWall(k int, of []int32, lowest []float32) (wall bool) {
	r.within(k, 2, func(o int) {
		sameLine := o/r.columns == k/r.columns || o%r.columns == k%r.columns
		if of[o] < 0 || of[o] == of[k] || !sameLine {
			return
		}
		apart := max(o, k) - min(o, k)
		across := apart == 2 || apart == 2*r.columns
		if across && of[(o+k)/2] >= 0 {
			return
		}
		wall = wall || lowest[o] <= lowest[k]
	})
	return wall
}

// directions are the steps to the cells beside one.
var directions = [4][2]int{{0, 1}, {0, -1}, {1, 0}, {-1, 0}}

// beside reports what other land is within stepReach of a cell, in the four directions: below a step, and
// without one. Empty cells and small components lie between.
func (r *raster) beside(k int, all []component, of []int32, lowest []float32) (step, other bool) {
	row, column := k/r.columns, k%r.columns
	for _, d := range directions {
		for n := 1; float64(n)*r.side <= stepReach; n++ {
			y, x := row+n*d[0], column+n*d[1]
			if y < 0 || y >= r.rows || x < 0 || x >= r.columns {
				break
			}
			o := y*r.columns + x
			id := of[o]
			if id == of[k] {
				break
			}
			if id < 0 {
				continue
			}
			land := &all[id]
			if land.border && falls(float64(lowest[k]-lowest[o]), float64(n)*r.side) {
				step = true
				break
			}
			if float64(land.cells) >= fragment*float64(all[of[k]].cells) {
				other = true
				break
			}
		}
	}
	return step, other
}

// falls reports whether a fall within a distance is a step.
func falls(fall, distance float64) bool { return fall >= max(stepFall, stepSlope*distance) }
