// SPDX-License-Identifier: BSD-3-Clause

package extraction

import (
	"image"
	"math"
	"slices"

	"superpoint/pipelines/shapes/patch"
)

// outlineMargin is how far the top of a building may be from its outline, in cells: walls are straight, and
// the cells of their points are not.
const outlineMargin = 1

// topAt returns the highest point of a building in its outline, or within outlineMargin of it: points in
// parts that are left out, or in cells of another building, are not. Without such a point it is the peak.
func (p *Points) topAt(o *Object, origin image.Point) uint32 {
	isAt := func(i uint32) bool {
		return cellsFrom(o.Outline, p.At[i].Sub(origin), p.Cell) <= outlineMargin
	}
	if isAt(o.Peak) {
		return o.Peak
	}
	order := slices.Clone(o.Points)
	slices.SortFunc(order, func(i, j uint32) int {
		if p.before(i, j) {
			return -1
		}
		return 1
	})
	if k := slices.IndexFunc(order, isAt); k >= 0 {
		return order[k]
	}
	return o.Peak
}

// cellsFrom returns the distance of a position from polygons in cells; 0 inside. Positions are in lattice
// steps, of which a cell has some. Without polygons it is infinite.
func cellsFrom(all []patch.Polygon, at, steps image.Point) float64 {
	if isIn(all, at) {
		return 0
	}
	inCells := func(x, y int) [2]float64 {
		return [2]float64{float64(x) / float64(steps.X), float64(y) / float64(steps.Y)}
	}
	least := math.Inf(1)
	for _, polygon := range all {
		for _, corners := range polygon {
			var border ring
			for _, c := range corners {
				border = append(border, inCells(int(c.X), int(c.Y)))
			}
			least = min(least, border.far(inCells(at.X, at.Y)))
		}
	}
	return least
}

// isIn reports whether a position is in polygons, by the rule of even and odd crossings.
func isIn(all []patch.Polygon, at image.Point) (in bool) {
	x, y := int64(at.X), int64(at.Y)
	for _, polygon := range all {
		for _, r := range polygon {
			for i, a := range r {
				b := r[(i+1)%len(r)]
				if (int64(a.Y) > y) != (int64(b.Y) > y) && left(a, b, x, y) {
					in = !in
				}
			}
		}
	}
	return in
}

// left reports whether a position is to the left of the edge from a to b, which crosses its y.
func left(a, b patch.Point, x, y int64) bool {
	if a.Y > b.Y {
		a, b = b, a
	}
	return (x-int64(a.X))*int64(b.Y-a.Y) < (y-int64(a.Y))*int64(b.X-a.X)
}
