// SPDX-License-Identifier: BSD-3-Clause

package raster

// Model has the heights of the ground and of the surface, in the unit of the points. Cells without a value
// are NaN.
//
// Terrain is the mean height of the points of ground in a cell, and in bodies of water their level. Beside
// buildings unsure ground may be left out, see unsure.go. Surface is the height of the highest point, but at
// least the level of water. Cells without such points are filled, see fill.go. Where a filled terrain is
// above the highest point of a cell, the cell takes the height of that point, and the holes around it are
// filled again; where it is above the lowest, it is lowered by half the difference; where it is far below low
// vegetation, it is raised, see terrain.go. The surface of a cell without points is at least the terrain. So
// terrain is nowhere above surface.
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

// Body is a body of water: cells with more points of water than of ground, each within a few cells of another
// one.
type Body struct {
	Cells int
	Level float64 // lower quartile of the mean heights of the cells: waves and shores are above it
	// Level is the height of all cells if the quartiles of their means are within flat, as on lakes and slow
	// rivers. Else the water slopes, and each cell has the mean of its own points.
	IsLevel bool
}

// Canopy returns the height of the surface above the terrain in each cell; NaN where one has no value, and
// nil without points of ground.
func (m *Model) Canopy() []float32 {
	if m.Terrain == nil {
		return nil
	}
	canopy := make([]float32, len(m.Surface))
	for k, top := range m.Surface {
		canopy[k] = top - m.Terrain[k]
	}
	return canopy
}
