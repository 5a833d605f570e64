// SPDX-License-Identifier: BSD-3-Clause

package promises

import (
	"math"

	"superpoint/pipelines/commands/map/contents"
	"superpoint/pipelines/land/raster"
)

func known(v float32) bool { return v == v }

// rounding returns how far a height in a raster may be from the height of a point: rasters have four decimals
// in 32 bits.
func rounding(height float64) float64 { return 1e-4 + 1e-6*math.Abs(height) }

// cells checks the cells of the rasters.
type cells struct {
	points        *bounds
	model         *raster.Model
	metres        float64 // in a unit of height
	lowVegetation float64 // its greatest height, metres
	hasWater      bool    // there are points of water
}

// checkStrip checks the cells of a strip against one another.
func (c *cells) checkStrip(s *strip) error {
	surface := s.heights[contents.Surface]
	terrain := s.heights[contents.Terrain]
	canopy := s.heights[contents.Canopy]
	if err := c.checkRange(s, contents.Surface, surface); err != nil {
		return err
	}
	if err := c.checkRange(s, contents.Terrain, terrain); err != nil {
		return err
	}
	for k := range terrain {
		if err := checkCanopy(s, k, surface[k], terrain[k], canopy[k]); err != nil {
			return err
		}
	}
	return nil
}

// checkRange checks that heights are between the lowest and the highest of the cloud.
func (c *cells) checkRange(s *strip, name string, heights []float32) error {
	low := float32(c.points.lowest - rounding(c.points.lowest))
	high := float32(c.points.highest + rounding(c.points.highest))
	for k, height := range heights {
		if height < low || height > high { // false without a height
			return broken(name, "height %v at %s, and the points have %v to %v",
				height, s.place(k), low, high)
		}
	}
	return nil
}

// checkCanopy checks that the terrain of a cell is not above the surface, and that the canopy is the surface
// minus the terrain, where both are known.
func checkCanopy(s *strip, k int, surface, terrain, canopy float32) error {
	both := known(terrain) && known(surface)
	switch {
	case terrain > surface:
		return broken(contents.Terrain, "height %v at %s is above the surface, %v", terrain, s.place(k),
			surface)
	case known(canopy) != both:
		return broken(contents.Canopy, "height %v at %s, where the surface is %v and the terrain %v", canopy,
			s.place(k), surface, terrain)
	case both && canopy != surface-terrain:
		return broken(contents.Canopy, "height %v at %s is not %v minus %v",
			canopy, s.place(k), surface, terrain)
	}
	return nil
}

// checkSeen checks the cells of a strip of which all points were kept.
func (c *cells) checkSeen(s *strip, inStrip []observed) error {
	for k := range inStrip {
		o := &inStrip[k]
		if o.partial {
			continue
		}
		if err := c.checkObserved(s, o.cell-s.first*s.columns, o); err != nil {
			return err
		}
	}
	return nil
}

// checkObserved checks a cell of which all points were kept.
func (c *cells) checkObserved(s *strip, k int, o *observed) error {
	if err := c.checkTop(s, k, o); err != nil {
		return err
	}
	if err := c.checkMean(s, k, o); err != nil {
		return err
	}
	return c.checkCover(s, k, o)
}

// checkTop checks that the surface is the highest point of a cell. Water is level: its terrain may be above
// its points, and then the surface is, too.
func (c *cells) checkTop(s *strip, k int, o *observed) error {
	surface := s.height(contents.Surface, k)
	top := float32(o.top)
	isLevel := surface == s.height(contents.Terrain, k) && surface > top // false without terrain
	if surface == top || isLevel && c.hasWater {
		return nil
	}
	return broken(contents.Surface, "height %v at %s, and the highest point of the cell has %v",
		surface, s.place(k), top)
}

// checkMean checks that the terrain is the mean of the points of ground of a cell, unless these are odd.
// Beside a building it is the mean of the sure ones. Where there are none, they may be left out.
func (c *cells) checkMean(s *strip, k int, o *observed) error {
	if o.sure.points == 0 || o.isWater() {
		return nil
	}
	ground := &o.ground
	if c.isBesideBuilding(o) {
		ground = &o.sure
	}
	terrain := float64(s.height(contents.Terrain, k))
	mean := ground.mean()
	isMean := math.Abs(terrain-mean) <= rounding(mean)
	isOdd := math.Abs(terrain-mean)*c.metres > raster.Odd
	isTop := terrain == float64(s.height(contents.Surface, k))
	if math.IsNaN(terrain) || isMean || isOdd || isTop {
		return nil
	}
	return broken(contents.Terrain, "height %v at %s, and the mean of the points of ground is %v",
		terrain, s.place(k), mean)
}

// isBesideBuilding reports whether a cell or one beside it has points of buildings.
func (c *cells) isBesideBuilding(o *observed) bool {
	return c.model.Buildings.Beside(c.model.CellInFile(o.cell))
}

// checkCover checks that the terrain of a cell without ground is not far below low vegetation, unless that is
// too high to be low, beside a building, or in a body of water.
func (c *cells) checkCover(s *strip, k int, o *observed) error {
	if o.ground.points > 0 || math.IsInf(o.lowestPlant, 1) || bodyOf(c.model, o.cell) > 0 {
		return nil
	}
	terrain := float64(s.height(contents.Terrain, k))
	least := min(o.lowestPlant-c.lowVegetation/2/c.metres, o.lowest)
	isHigh := terrain >= least-rounding(least)
	isOdd := (least-terrain)*c.metres > raster.Odd
	if math.IsNaN(terrain) || isHigh || isOdd || c.isBesideBuilding(o) {
		return nil
	}
	return broken(contents.Terrain, "height %v at %s, and low vegetation begins at %v",
		terrain, s.place(k), o.lowestPlant)
}

// bodyOf returns the number of the body of water to which a cell of a file belongs, 0 of none.
func bodyOf(m *raster.Model, cell int) int32 {
	k := m.IndexInFile(cell)
	if m.Body == nil || k < 0 {
		return 0
	}
	return m.Body[k]
}
