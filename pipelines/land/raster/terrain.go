// SPDX-License-Identifier: BSD-3-Clause

package raster

import (
	"image"

	"superpoint/partition/base/parallel"
)

// terrain fills raw.
func (b *builder) terrain(run parallel.Run) error {
	radius := b.radius()
	b.Limit = 2 * radius * b.units.Cell
	if err := b.fillTerrain(run, radius); err != nil {
		return err
	}
	if b.raiseToCover()+b.lowerToHighest() > 0 {
		if err := b.fillTerrain(run, radius); err != nil {
			return err
		}
		b.lowerToHighest()
	}
	b.lowerToLowest()
	b.raiseToCover() // what is filled from other nodes now
	for k, top := range b.top {
		if !isNone(top) && isNone(b.Terrain[k]) {
			b.WithoutTerrain++
		}
	}
	return nil
}

// fillTerrain sets Terrain to raw with its holes filled. Cells within a body of water belong to it.
func (b *builder) fillTerrain(run parallel.Run, radius float64) error {
	made, err := fill(run, b.Grid, b.raw, radius, b.joinBody())
	if err != nil {
		return err
	}
	b.Terrain = made.values
	b.Widest = 2 * made.widest * b.units.Cell
	return nil
}

// raiseToCover raises filled terrain that is more than half of the height of low vegetation below the
// lowest point of it in a cell to there, and returns in how many cells. The ground is at most that height
// below such a point, so the middle is off by at most half of it; on ridges in forests, where no point is
// ground, terrain between the cells around them is metres too low. It is never raised above the lowest
// point of all. Vegetation far above the terrain is not low, whatever its class, and is left out; so is
// that beside a building.
func (b *builder) raiseToCover() (cells int) {
	for k, height := range b.raw {
		ground := b.Terrain[k]
		if !isNone(height) || isNone(ground) || b.inWater(k) {
			continue
		}
		least, known := b.leastBelowCover(b.At(k))
		rise := float64(least-ground) * b.units.Height
		if !known || rise <= 0 || rise > Odd {
			continue
		}
		b.Raised++
		b.RaisedBy = max(b.RaisedBy, rise)
		b.Terrain[k] = least
		b.raw[k] = least
		cells++
	}
	return cells
}

// leastBelowCover returns the least height of the terrain in a cell with low vegetation.
func (b *builder) leastBelowCover(cell image.Point) (least float32, known bool) {
	cover, known := b.bins.coverAt(cell)
	if !known {
		return 0, false
	}
	lowest, _ := b.bins.lowestAt(cell)
	return min(cover-float32(b.units.LowVegetation/2/b.units.Height), lowest.height), true
}

// lowerToHighest lowers the terrain to the highest point of a cell where it is above, and returns in how many
// cells.
func (b *builder) lowerToHighest() (cells int) {
	for k, top := range b.top {
		ground := b.Terrain[k]
		if isNone(top) || isNone(ground) || ground <= top || b.inWater(k) {
			continue
		}
		b.lower(k, top)
		b.raw[k] = top
		cells++
	}
	return cells
}

// lowerToLowest lowers filled terrain that is above the lowest point of a cell by half of that: no return
// comes from below the ground, so part of the cell is as low as the point, and the rest may be as high as the
// ground around the hole, as at a quay. Points that are odd are taken for noise. Cells beside it are not
// filled again: half of a step says nothing about them. On a slope the middle of a cell may be below its
// lowest point, so the terrain ends at the lowest point of the cloud.
func (b *builder) lowerToLowest() {
	by := map[int]float32{}
	for k, height := range b.raw {
		if isNone(height) && !isNone(b.Terrain[k]) && !b.inWater(k) {
			above := b.aboveLowest(k)
			if above > 0 && above*b.units.Height <= Odd {
				by[k] = float32(above / 2)
			}
		}
	}
	floor := b.bins.floor()
	for k, less := range by {
		if lowered := max(floor, b.Terrain[k]-less); lowered < b.Terrain[k] {
			b.lower(k, lowered)
		}
	}
}

// aboveLowest returns how far the terrain is above the lowest point of a cell, where that point is; 0 without
// a point.
func (b *builder) aboveLowest(k int) float64 {
	cell := b.At(k)
	lowest, known := b.bins.lowestAt(cell)
	if !known {
		return 0
	}
	east := offset(lowest.x) * b.slope(cell, image.Pt(1, 0))
	north := offset(lowest.y) * b.slope(cell, image.Pt(0, 1))
	return float64(b.Terrain[k]) + east + north - float64(lowest.height)
}

// slope returns the mean difference of the terrain from cell to cell in a direction; 0 beside cells without
// terrain.
func (b *builder) slope(cell, step image.Point) float64 {
	before := b.Index(cell.Sub(step))
	after := b.Index(cell.Add(step))
	if before < 0 || after < 0 {
		return 0
	}
	rise := b.Terrain[after] - b.Terrain[before]
	if isNone(rise) {
		return 0
	}
	return float64(rise) / 2
}

// lower lowers the terrain of a cell.
func (b *builder) lower(k int, height float32) {
	b.LoweredBy = max(b.LoweredBy, float64(b.Terrain[k]-height)*b.units.Height)
	b.Lowered++
	b.Terrain[k] = height
}
