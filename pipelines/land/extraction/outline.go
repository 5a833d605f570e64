// SPDX-License-Identifier: BSD-3-Clause

package extraction

import (
	"cmp"
	"image"
	"math"
	"slices"

	"github.com/peterstace/simplefeatures/geom"

	"superpoint/pipelines/shapes/patch"
)

const (
	minPart       = 9    // cells: smaller parts, and holes in any case, are left out
	maxAreaChange = 0.15 // largest relative change of the area
)

// generalize returns straight walls for the border of a building's cells: lines fitted to the
// border between the corners of Douglas and Peucker (1973), aligned with the main direction if they
// nearly have it, and the corners where lines meet (Sampath and Shan 2007,
// doi:10.14358/PERS.73.7.805). Small parts and holes are left out.
//
// Claim: the polygons are valid (OGC 06-103r4): no two walls cross, and holes are inside their ring. The
// border of the cells is valid. Walls of a part that are not valid are replaced: first by straight lines
// between the corners, then by the border itself. If parts overlap, the walls of all parts are. Corners are
// rounded to the lattice before the test, which needs only the signs of sums of two products of integers,
// which float64 has exactly for edges below 2²⁶ lattice steps.
//
// Claim: no two rings of a polygon touch. The polygon would be valid, but the walls of a solid over it would
// have a common edge. Rings of a border touch at corners where two of its cells meet diagonally; there the
// holes are cut (opened). Only separate takes borders that are not cut.
func generalize(cells []patch.Polygon, steps image.Point, least detail) []patch.Polygon {
	made, _ := newParts(cells, steps, least).outline(fitted)
	return made
}

// parts are the connected components of a building that are large enough.
type parts []component

func newParts(cells []patch.Polygon, steps image.Point, least detail) (kept parts) {
	largest := slices.MaxFunc(cells, func(a, b patch.Polygon) int {
		return cmp.Compare(a.Area2(),
			b.Area2())
	})
	for _, polygon := range cells {
		if &polygon[0] == &largest[0] || float64(polygon.Area2())/8 >= minPart {
			kept = append(kept, newComponent(polygon, steps, least))
		}
	}
	return kept
}

// outline returns the first valid polygons of walls that are at least so close to the border, and how close
// they are.
func (p parts) outline(least exactness) (made []patch.Polygon, reached exactness) {
	for exact := least; ; exact++ {
		made = nil
		for k := range p {
			made = append(made, p[k].outline(exact))
		}
		if exact >= stepped || patch.Validate(made...) == nil {
			return made, exact
		}
	}
}

// detail are the limits below which walls and holes are left out.
type detail struct {
	edge float64 // shortest wall, cells
	hole float64 // smallest hole, cells
}

// exactness is how close walls are to the border.
type exactness int

const (
	fitted   exactness = iota // lines fitted to the border between its corners
	cornered                  // straight lines between the corners
	stepped                   // the border itself
	complete                  // the border itself, with small holes
	pinched                   // the same, with rings that touch
)

// component is a connected component of the cells of a building.
type component struct {
	borders []ring      // of its cells, the outer one first, in cells
	small   []ring      // of small holes
	main    float64     // direction of most walls
	steps   image.Point // of the lattice in a cell
	edge    float64     // shortest wall, cells
}

func newComponent(polygon patch.Polygon, steps image.Point, least detail) component {
	c := component{main: sharp(polygon[0]).direction(), steps: steps, edge: least.edge}
	for hole, of := range polygon {
		border := sharp(of)
		isSmall := hole > 0 && math.Abs(border.area()) < max(minPart, least.hole)
		if !border.line().IsSimple() { // at restored corners
			border = nil
			for _, at := range of {
				border = append(border, [2]float64{float64(at.X) / 2, float64(at.Y) / 2})
			}
		}
		if isSmall {
			c.small = append(c.small, border)
		} else {
			c.borders = append(c.borders, border)
		}
	}
	return c
}

// outline returns the first valid polygon of walls that are at least so close to the border.
func (c *component) outline(least exactness) (made patch.Polygon) {
	for exact := least; ; exact++ {
		made = nil
		borders := c.borders
		if exact >= complete {
			borders = slices.Concat(c.borders, c.small)
		}
		if exact == stepped || exact == complete {
			borders = opened(borders)
		}
		for _, border := range borders {
			made = append(made, c.ring(border, min(exact, stepped)))
		}
		if exact >= stepped || patch.Validate(made) == nil && !touch(made) {
			return made
		}
	}
}

// touch reports whether two rings of a valid polygon touch.
func touch(polygon patch.Polygon) bool {
	for k, ring := range polygon {
		line := patch.Line(append(slices.Clip(ring), ring[0])...).AsGeometry()
		for _, other := range polygon[:k] {
			if geom.Intersects(line, patch.Line(append(slices.Clip(other), other[0])...).AsGeometry()) {
				return true
			}
		}
	}
	return false
}

// opened returns borders, the outer one first, of which no two have a common corner: where they had, the
// corner of a hole is cut by half a cell. The cut lies in a cell of the hole, because two cells of the
// building and two others alternate around such a corner, so both edges of the hole there are at least
// half a cell long and at right angles.
func opened(borders []ring) (made []ring) {
	rings := map[[2]float64]int{} // through a corner
	for _, border := range borders {
		for _, at := range border {
			rings[at]++
		}
	}
	for k, border := range borders {
		if k > 0 {
			border = border.cut(func(at [2]float64) bool { return rings[at] > 1 })
		}
		made = append(made, border)
	}
	return made
}

// cut returns a ring that is cut by half a cell at some corners.
func (r ring) cut(at func(corner [2]float64) bool) (made ring) {
	for i, corner := range r {
		if !at(corner) {
			made = append(made, corner)
			continue
		}
		for _, beside := range [2][2]float64{r[(i+len(r)-1)%len(r)], r[(i+1)%len(r)]} {
			part := 0.5 / distance(corner, beside)
			made = append(made, [2]float64{corner[0] + part*(beside[0]-corner[0]),
				corner[1] + part*(beside[1]-corner[1])})
		}
	}
	made = slices.Compact(made)
	if made[0] == made[len(made)-1] {
		made = made[:len(made)-1]
	}
	return made
}

// ring returns the walls of a border in lattice steps: the first, at least so close to it, that fit.
func (c *component) ring(border ring, exact exactness) (made patch.Ring) {
	walls := c.walls(border, exact)
	for ; exact < stepped && !c.fits(walls, border); exact++ {
		walls = c.walls(border, exact+1)
	}
	for _, at := range walls {
		made = append(made, patch.Point{X: int32(at[0]), Y: int32(at[1])})
	}
	return made
}

// fits reports whether walls, in lattice steps, keep the area of a border, in cells, and have all corners
// near it: a long wall that is aligned with the main direction turns about its middle, so its ends may move
// far.
func (c *component) fits(walls, border ring) bool {
	x, y := float64(c.steps.X), float64(c.steps.Y)
	area := border.area() * x * y
	if math.Abs(walls.area()-area) > maxAreaChange*math.Abs(area) {
		return false
	}
	return !slices.ContainsFunc(walls, func(p [2]float64) bool {
		return border.far([2]float64{p[0] / x, p[1] / y}) > reach
	})
}

// walls returns lines between corners of a border, on the lattice.
func (c *component) walls(border ring, exact exactness) (walls ring) {
	corners := border
	switch exact {
	case fitted:
		corners = border.fitted(c.main).withoutShort(c.edge, border)
	case cornered:
		corners = nil
		for _, i := range border.corners() {
			corners = append(corners, border[i])
		}
	}
	for _, at := range corners {
		walls = append(walls, [2]float64{math.Round(at[0] * float64(c.steps.X)),
			math.Round(at[1] * float64(c.steps.Y))})
	}
	for n := 0; n != len(walls) && len(walls) >= 3; { // removing a corner can produce another
		n = len(walls)
		walls = walls.thinned()
	}
	return walls
}
