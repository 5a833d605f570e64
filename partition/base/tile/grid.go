// SPDX-License-Identifier: BSD-3-Clause

// Package tile divides a survey into tiles with halos, selects a sample of its
// points, and thins clouds to one point a cube.
//
// A tile's core is a half-open square of a regular grid. Cores on the border of
// the grid extend to infinity, so every point lies in exactly one core. A tile's
// halo are the points outside its core that are read with it. Lengths of a grid
// are in the units of the coordinates.
package tile

import (
	"fmt"
	"math"
)

// Grid is a grid of square tiles. Its fields are the JSON of a plan.
type Grid struct {
	Origin  [2]float64 `json:"origin"`  // lower left corner of tile (0, 0)
	Size    float64    `json:"size"`    // edge of a tile's core
	Halo    float64    `json:"halo"`    // width of the band of points around a core that are read with it
	Seam    float64    `json:"seam"`    // half width of the band in which segments of two tiles are matched
	Columns int        `json:"columns"` // from west to east
	Rows    int        `json:"rows"`    // from south to north
}

// Box is a half-open rectangle: West ≤ x < East, South ≤ y < North.
type Box struct{ West, South, East, North float64 }

// Contains reports whether a point lies in the box.
func (b Box) Contains(x, y float64) bool {
	return x >= b.West && x < b.East && y >= b.South && y < b.North
}

// Grow returns the box with its sides moved outwards by d, inwards if negative.
func (b Box) Grow(d float64) Box { return Box{b.West - d, b.South - d, b.East + d, b.North + d} }

// Union returns the smallest box around two.
func (b Box) Union(other Box) Box {
	return Box{
		West:  min(b.West, other.West),
		South: min(b.South, other.South),
		East:  max(b.East, other.East),
		North: max(b.North, other.North),
	}
}

// Intersect returns the box that two have in common. If they do not touch, its West is above its East, or its
// South above its North.
func (b Box) Intersect(other Box) Box {
	return Box{
		West:  max(b.West, other.West),
		South: max(b.South, other.South),
		East:  min(b.East, other.East),
		North: min(b.North, other.North),
	}
}

// Touches reports whether two boxes have a point in common, also at their sides.
func (b Box) Touches(other Box) bool {
	return b.West <= other.East && other.West <= b.East && b.South <= other.North && other.South <= b.North
}

// MaxTiles is the largest number of tiles of a plan, and of columns and rows of a
// grid; a plan lists only the tiles with points.
const MaxTiles = 1 << 24

// NewGrid returns the grid of tiles that covers the rectangle. Tile borders are
// at multiples of size, so that added files do not move them. It fails if the
// rectangle is empty or not finite, and for the reasons of Check.
func NewGrid(west, south, east, north, size, halo float64) (Grid, error) {
	g := Grid{Size: size, Halo: halo, Columns: 1, Rows: 1}
	if err := g.Check(); err != nil {
		return Grid{}, err
	}
	if !(west <= east && south <= north) || math.IsInf(east-west, 0) || math.IsInf(north-south, 0) {
		return Grid{}, fmt.Errorf("bounds %v to %v, %v to %v are not a rectangle", west, east, south, north)
	}
	g.Origin = [2]float64{math.Floor(west/size) * size, math.Floor(south/size) * size}
	columns := math.Floor((east-g.Origin[0])/size) + 1
	rows := math.Floor((north-g.Origin[1])/size) + 1
	if max(columns, rows) > MaxTiles {
		return Grid{}, fmt.Errorf("%v columns × %v rows of tiles of size %v: more than %d; take larger tiles",
			columns, rows,
			size, MaxTiles)
	}
	g.Columns, g.Rows = int(columns), int(rows)
	return g, g.Check()
}

// Check returns an error that names the first invalid field, or nil.
func (g *Grid) Check() error {
	switch {
	case !(g.Size > 0) || math.IsInf(g.Size, 0):
		return fmt.Errorf("tile size %v: give a length above 0", g.Size)
	case !(g.Halo > 0):
		return fmt.Errorf("halo %v: give a width above 0", g.Halo)
	case !(g.Halo < g.Size):
		return fmt.Errorf("halo %v is not below the tile size, %v; take larger tiles", g.Halo, g.Size)
	case g.Columns < 1 || g.Rows < 1 || g.Columns > MaxTiles || g.Rows > MaxTiles:
		return fmt.Errorf("%d columns × %d rows of tiles; a grid has 1 to %d of each", g.Columns,
			g.Rows, MaxTiles)
	}
	for a, count := range []int{g.Columns, g.Rows} {
		if far := g.border(a, count); math.IsNaN(far) || math.IsInf(far, 0) {
			return fmt.Errorf("origin %v is out of range", g.Origin)
		}
	}
	return nil
}

// At returns the column and row of the tile whose core contains the point.
func (g *Grid) At(x, y float64) (column, row int) {
	return g.axis(x, 0, g.Columns), g.axis(y, 1, g.Rows)
}

// axis returns the index of the last border at or below v. The quotient is
// rounded, so it is corrected by comparisons with the borders that Core returns.
func (g *Grid) axis(v float64, a, count int) int {
	k := int(math.Max(0, math.Min(float64(count-1), math.Floor((v-g.Origin[a])/g.Size))))
	for k > 0 && v < g.border(a, k) {
		k--
	}
	for k < count-1 && v >= g.border(a, k+1) {
		k++
	}
	return k
}

func (g *Grid) border(a, k int) float64 { return g.Origin[a] + float64(k)*g.Size }

// Core returns the core of a tile; on the border of the grid it is unbounded
// outwards.
func (g *Grid) Core(column, row int) Box {
	b := Box{g.border(0, column), g.border(1, row), g.border(0, column+1), g.border(1, row+1)}
	if column == 0 {
		b.West = math.Inf(-1)
	}
	if row == 0 {
		b.South = math.Inf(-1)
	}
	if column == g.Columns-1 {
		b.East = math.Inf(1)
	}
	if row == g.Rows-1 {
		b.North = math.Inf(1)
	}
	return b
}
