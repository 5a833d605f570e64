// SPDX-License-Identifier: BSD-3-Clause

package raster

import (
	"image"
	"math"
	"slices"

	"superpoint/partition/base/parallel"
	"superpoint/pipelines/shapes/planar"
)

// Model has the heights of the ground and of the surface, in the unit of the points. Cells without a value
// are NaN.
//
// Terrain is the mean height of the points of ground in a cell, and in bodies of water their level. Beside
// buildings unsure ground may be left out, see unsure.go. Surface
// is the height of the highest point, but at least the level of water. Cells without such points are filled,
// see fill.go. Where a filled terrain is above the highest point of a cell, the cell takes the height of that
// point, and the holes around it are filled again; where it is above the lowest, it is lowered by half of
// that; where it is far below low vegetation, it is raised, see raiseToCover. The surface of a cell without
// points is at least the terrain. So terrain is nowhere above surface.
type Model struct {
	Grid
	Terrain []float32 // nil without points of ground
	Surface []float32
	// Body is the body of water of each cell, by its number from 1 in Bodies, and 0 of cells that belong to
	// none. It is nil without water.
	Body []int32
	// Buildings are the cells with points of buildings.
	Buildings Marks
	Notes
}

// Notes say what a model lacks.
type Notes struct {
	WithoutTerrain int     // cells that have points, and no terrain
	Widest         float64 // diameter of the widest circle without ground that was filled, metres
	Limit          float64 // diameter of the widest circle that would be filled, metres
	Lowered        int     // filled cells of terrain that were above a point, and lowered
	LoweredBy      float64 // most of them, metres
	Raised         int     // filled cells of terrain that were far below low vegetation, and raised
	RaisedBy       float64 // most of them, metres
	Pits           int     // cells whose ground was far below all other ground around them, and was left out
	Hills          int     // the same above
	Plants         int     // cells beside buildings whose ground was unsure and above the sure one: left out
	Bodies         []Body  // of water
}

// Limits of the circles that may be empty in a hole that is filled: radii.
const (
	house    = 16.0 // metres: a house hides the ground below
	spacings = 8.0  // times the spacing of the points
	fewCells = 2.0  // cells
)

// Odd is the height in metres, beyond a slope of 45°, by which ground is odd that is below or above all other
// ground around it.
const Odd = 3.0

// coarse is the side in metres of the cells in which the area of points is measured.
const coarse = 16.0

// spread measures the spacing of points.
type spread struct {
	side   int // cells along a coarse cell
	coarse map[image.Point]struct{}
	points int64
}

func newSpread(u Units) *spread {
	return &spread{side: max(1, int(math.Ceil(coarse/u.Cell))), coarse: map[image.Point]struct{}{}}
}

// add adds the points of a cell.
func (s *spread) add(cell image.Point, points int64) {
	if points == 0 {
		return
	}
	s.points += points
	s.coarse[planar.CellOf(cell, image.Pt(s.side, s.side))] = struct{}{}
}

// spacing returns the side of a square with the mean area per point, in cells. The coarse cells with points
// make up the area.
func (s *spread) spacing() float64 {
	area := float64(len(s.coarse)) * float64(s.side) * float64(s.side)
	return math.Sqrt(area / float64(max(1, s.points)))
}

// building holds what the steps of Build share.
type building struct {
	*Model
	units Units
	bins  *Bins
	top   []float32 // highest point of each cell
	raw   []float32 // terrain of cells with points of ground or water

	ground, water, all *spread
}

// newBuilding returns what Build needs to know of the points in bins.
func newBuilding(bins *Bins, u Units) *building {
	b := &building{
		Model:  &Model{Buildings: bins.buildings},
		units:  u,
		bins:   bins,
		ground: newSpread(u),
		water:  newSpread(u),
		all:    newSpread(u),
	}
	b.measure()
	return b
}

// Build computes the heights of the points in bins.
func Build(run parallel.Run, bins *Bins, u Units) (*Model, error) {
	b := newBuilding(bins, u)
	grid, err := newGrid(bins, b.margin())
	if err != nil {
		return nil, err
	}
	b.Grid = grid
	return b.build(run)
}

// Held returns the number of cells for which the heights of the points in bins need memory.
func Held(bins *Bins, u Units) (int, error) {
	grid, err := newGrid(bins, newBuilding(bins, u).margin())
	if err != nil {
		return 0, err
	}
	return grid.Held(), nil
}

// build computes the heights of the cells of a grid.
func (b *building) build(run parallel.Run) (*Model, error) {
	if err := b.readBins(run); err != nil {
		return nil, err
	}
	var err error
	switch {
	case b.ground.points > 0:
		err = b.terrain(run)
	case b.Body != nil:
		err = b.fillWater(run)
	}
	if err != nil {
		return nil, err
	}
	if err := b.surface(run); err != nil {
		return nil, err
	}
	return b.Model, nil
}

// measure measures the spacing of the points.
func (b *building) measure() {
	b.bins.each(func(c column) {
		b.ground.add(c.cell, c.ground.count+c.unsure.count)
		b.water.add(c.cell, c.water.count)
		b.all.add(c.cell, 1)
	})
}

// radius returns the largest radius of an empty circle in holes of the terrain that are filled, in cells.
func (b *building) radius() float64 {
	return max(house/b.units.Cell, spacings*b.ground.spacing(), fewCells)
}

// radiusOf returns the same for holes of the surface and of water.
func radiusOf(s *spread) float64 { return max(spacings*s.spacing(), fewCells) }

// margin returns how far a cell that is filled may be from the next cell with points: a cell in a triangle is
// at most the radius of the circumcircle from one of its corners.
func (b *building) margin() int {
	return int(math.Ceil(max(b.radius(), radiusOf(b.water), radiusOf(b.all))))
}

// readBins sets top and raw.
func (b *building) readBins(run parallel.Run) error {
	b.top = b.empty()
	b.raw = b.empty()
	var lakes, unsure []level
	b.bins.each(func(c column) {
		k := b.Index(c.cell)
		b.top[k] = c.top
		switch {
		case c.water.count > c.ground.count+c.unsure.count:
			lakes = append(lakes, level{k, c.water.mean()})
		case c.ground.count > 0:
			ground := b.groundIn(&c)
			b.raw[k] = min(float32(ground.mean()), c.top) // sums of steps round up, too
		case c.unsure.count > 0:
			unsure = append(unsure, level{k, min(c.unsure.mean(), float64(c.top))})
		}
	})
	var err error
	b.Plants, err = b.unsure(unsure).addTo(run, b.raw)
	if err != nil {
		return err
	}
	b.cutOdd()
	if len(lakes) > 0 {
		b.addWater(lakes)
	}
	return nil
}

// groundIn returns the heights of the points that are the ground of a cell with sure ones: beside a building
// these alone.
func (b *building) groundIn(c *column) sum {
	ground := c.ground
	if !b.Buildings.Beside(c.cell) {
		ground.add(c.unsure)
	}
	return ground
}

// unsure returns cells whose ground is unsure, with what is known of all ground.
func (b *building) unsure(cells []level) *unsure {
	return &unsure{
		Grid:      b.Grid,
		cells:     cells,
		buildings: b.Buildings,
		radius:    b.radius(),
		spacing:   b.ground.spacing(),
		units:     b.units,
	}
}

// cutOdd removes the heights of cells that are far below or far above all other ground around them: of points
// that are no ground.
func (b *building) cutOdd() {
	reach := min(widestStep, max(2, int(math.Ceil(2*b.ground.spacing()))))
	around := ring(reach)
	var pits, hills []int
	for k, height := range b.raw {
		if isNone(height) {
			continue
		}
		switch side := b.sideOf(b.At(k), height, around); {
		case side < 0:
			pits = append(pits, k)
		case side > 0:
			hills = append(hills, k)
		}
	}
	for _, k := range slices.Concat(pits, hills) {
		b.raw[k] = none()
	}
	b.Pits = len(pits)
	b.Hills = len(hills)
}

// ring returns the offsets of the cells around a cell, the nearest first.
func ring(reach int) (all []image.Point) {
	for y := -reach; y <= reach; y++ {
		for x := -reach; x <= reach; x++ {
			if x != 0 || y != 0 {
				all = append(all, image.Pt(x, y))
			}
		}
	}
	slices.SortStableFunc(all, func(p, q image.Point) int { return p.X*p.X + p.Y*p.Y - q.X*q.X - q.Y*q.Y })
	return all
}

// sideOf returns −1 if a height is odd and below all others around it, 1 if it is above them, and else 0.
func (b *building) sideOf(cell image.Point, height float32, around []image.Point) (side int) {
	const fewest = 3 // others
	others := 0
	for _, to := range around {
		k := b.Index(cell.Add(to))
		if k < 0 || isNone(b.raw[k]) {
			continue
		}
		other := b.raw[k]
		odd := float32((Odd + math.Hypot(float64(to.X), float64(to.Y))*b.units.Cell) / b.units.Height)
		now := 0
		switch {
		case height < other-odd:
			now = -1
		case height > other+odd:
			now = 1
		}
		if now == 0 || side != 0 && now != side {
			return 0
		}
		side = now
		others++
	}
	if others < fewest {
		return 0
	}
	return side
}

// addWater sets the bodies of water and their heights.
func (b *building) addWater(lakes []level) {
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

// terrain fills raw.
func (b *building) terrain(run parallel.Run) error {
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
func (b *building) fillTerrain(run parallel.Run, radius float64) error {
	made, err := fill(run, b.Grid, b.raw, radius, b.within())
	if err != nil {
		return err
	}
	b.Terrain = made.values
	b.Widest = 2 * made.widest * b.units.Cell
	return nil
}

// fillWater adds the cells within bodies of water to them, where there is no ground.
func (b *building) fillWater(run parallel.Run) error {
	_, err := fill(run, b.Grid, b.raw, radiusOf(b.water), b.within())
	return err
}

// within returns the function that adds a cell to the body of water from whose cells it is filled; nil
// without water.
func (b *building) within() func(k int, from corners) {
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

// raiseToCover raises filled terrain that is more than half of the height of low vegetation below the
// lowest point of it in a cell to there, and returns in how many cells. The ground is at most that height
// below such a point, so the middle is off by at most half of it; on ridges in forests, where no point is
// ground, terrain between the cells around them is metres too low. It is never raised above the lowest
// point of all. Vegetation far above the terrain is not low, whatever its class, and is left out; so is
// that beside a building.
func (b *building) raiseToCover() (cells int) {
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
func (b *building) leastBelowCover(cell image.Point) (least float32, known bool) {
	cover, known := b.bins.coverAt(cell)
	if !known {
		return 0, false
	}
	lowest, _ := b.bins.lowestAt(cell)
	return min(cover-float32(b.units.Cover/2/b.units.Height), lowest.height), true
}

// lowerToHighest lowers the terrain to the highest point of a cell where it is above, and returns in how many
// cells.
func (b *building) lowerToHighest() (cells int) {
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
func (b *building) lowerToLowest() {
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
func (b *building) aboveLowest(k int) float64 {
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
func (b *building) slope(cell, step image.Point) float64 {
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
func (b *building) lower(k int, height float32) {
	b.LoweredBy = max(b.LoweredBy, float64(b.Terrain[k]-height)*b.units.Height)
	b.Lowered++
	b.Terrain[k] = height
}

// inWater reports whether a cell belongs to a body of water that is level.
func (b *building) inWater(k int) bool {
	return b.Body != nil && b.Body[k] > 0 && b.Bodies[b.Body[k]-1].IsLevel
}

// surface sets Surface.
func (b *building) surface(run parallel.Run) error {
	made, err := fill(run, b.Grid, b.top, radiusOf(b.all), nil)
	if err != nil {
		return err
	}
	b.Surface = made.values
	if b.Terrain == nil {
		return nil
	}
	for k, ground := range b.Terrain {
		switch {
		case b.inWater(k) && isNone(b.top[k]):
			b.Surface[k] = ground
		case ground > b.Surface[k]: // false if one has no value
			b.Surface[k] = ground
		}
	}
	return nil
}

// Canopy returns the height of the surface above the terrain in each cell; NaN where one has no value.
func (m *Model) Canopy() []float32 {
	canopy := make([]float32, len(m.Surface))
	for k, top := range m.Surface {
		canopy[k] = top - m.Terrain[k]
	}
	return canopy
}
