// SPDX-License-Identifier: BSD-3-Clause

package raster

import (
	"slices"

	"superpoint/partition/base/parallel"
)

// Unsure ground is what a classifier calls ground with little confidence. Much of it is ground, such as that
// of steep forests, and some is low plants and the feet of walls. Those beside a building would raise all
// terrain below it, as the hole is filled from them. They stand in small patches, a little above the sure
// ground around. The bounds were chosen on the labelled ground of seven tiles, of towns and slopes; that
// buildings have to be near on two steep forests, whose terrain was 2 to 3 cm too low without it.
const (
	leastPlant  = 0.1  // metres above the terrain of sure ground: below it heights differ by chance
	mostPlant   = 1.0  // metres: rocks and banks are taller
	widestPatch = 25.0 // square metres: slopes and banks are wider
)

// unsure has the cells whose ground is all unsure.
type unsure struct {
	Grid
	cells     []level
	buildings Marks
	radius    float64 // largest radius of an empty circle in holes that are filled, cells
	spacing   float64 // of the points of ground, cells
	units     Units
}

// addTo adds the heights of the cells, except the cells of plants, to the terrain of sure ground, and returns
// how many are left out.
func (u *unsure) addTo(run parallel.Run, terrain []float32) (plants int, err error) {
	if len(u.cells) == 0 {
		return 0, nil
	}
	sure, err := fill(run, u.Grid, terrain, u.radius, nil)
	if err != nil {
		return 0, err
	}
	of := make([]int32, u.Held())
	for _, patch := range group(u.Grid, u.cells, stepOf(u.spacing), of) {
		mayBePlants := u.area(patch) <= widestPatch && slices.ContainsFunc(patch, u.isBesideBuilding)
		for _, c := range patch {
			if mayBePlants && u.isPlant(c.mean, sure.values[c.k]) {
				plants++
				continue
			}
			terrain[c.k] = float32(c.mean)
		}
	}
	return plants, nil
}

// area returns the area of a patch in square metres, with the cells without points in it where points are
// sparse.
func (u *unsure) area(patch []level) float64 {
	cells := float64(len(patch)) * max(1, u.spacing*u.spacing)
	return cells * u.units.Cell * u.units.Cell
}

// isBesideBuilding reports whether a building is in a cell or beside it.
func (u *unsure) isBesideBuilding(c level) bool { return u.buildings.Beside(u.At(c.k)) }

// isPlant reports whether a height is as far above the terrain of sure ground as plants are; terrain that is
// not known says nothing.
func (u *unsure) isPlant(height float64, terrain float32) bool {
	above := (height - float64(terrain)) * u.units.Height
	return above > leastPlant && above <= mostPlant
}
