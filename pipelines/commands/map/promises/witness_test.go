// SPDX-License-Identifier: BSD-3-Clause

package promises

import (
	"testing"

	"superpoint/pipelines/commands/command"
	"superpoint/pipelines/commands/map/contents"
	"superpoint/testdata/must"
)

// TestWitness: of many points all of some cells are kept, and none of noise.
func TestWitness(t *testing.T) {
	c := &command.Columns{Dimensions: map[string][]float64{}}
	const side, of = 300, 4
	for k := range side * side * of {
		cell := k / of
		c.X = append(c.X, float64(cell%side)+0.2*float64(k%of))
		c.Y = append(c.Y, float64(cell/side))
		c.Z = append(c.Z, 5)
		c.Dimensions["Class"] = append(c.Dimensions["Class"], contents.Ground)
	}
	c.Z[7], c.Dimensions["Class"][7] = 900, 7
	w := NewWitness(1)
	w.Add(c, "Class")
	must.Hold(t, len(w.points) <= mostSeen,
		"%d points are kept, want at most %v", len(w.points), mostSeen)
	must.Hold(t, len(w.points) > mostSeen/4,
		"%d points are kept, want more than %v", len(w.points), mostSeen/4)
	must.Equal(t, w.highest, 5, "highest point")
	cells := must.Get(group(w.points, grid{columns: side, rows: side, north: side, width: 1, height: 1}))(t)
	for _, o := range cells {
		if o.ground.points != of {
			must.Need(t, o.cell == (side-1)*side+1,
				"cell %d has %d points, and is not that with a point of noise", o.cell, o.ground.points)
		}
	}
}

// TestPointsOnEdges: a point on the edge of the outermost cells lies in the raster, whatever rounding makes
// of the edge, and a point a millimetre outside does not.
func TestPointsOnEdges(t *testing.T) {
	for _, side := range []float64{0.1, 0.3, 0.7, 1, 1.1} {
		for number := range 2000 {
			first := float64(5_000_000 + number)
			cell := grid{columns: 1, rows: 1, width: side, height: side,
				west: first * side, north: (first + 1) * side}
			points := []seen{{x: cell.west, y: first * side}}
			_, err := place(points, cell)
			must.Need(t, err == nil, "side %v, cell %v: %v", side, first, err)
			points[0].x -= 0.001
			_, err = place(points, cell)
			must.Need(t, err != nil, "side %v, cell %v: a point outside is no error", side, first)
		}
	}
}
