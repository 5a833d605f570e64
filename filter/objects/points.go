package objects

import "superpoint/filter/planar"

// Points are the points of a cloud over a raster of square cells.
type Points struct {
	Cell  []planar.Cell // of each point
	Z     []float64     // metres
	Owner []int32       // superpoint of each point, −1 for none
	Kind  []Kind        // of each superpoint
	Side  float64       // of a cell
}

// Kind is what a superpoint's class makes it here.
type Kind uint8

// Settings say what counts. All are lengths in metres or areas in square metres.
type Settings struct {
	MinHeight float64 // of a building or a tree above the ground
	MinArea   float64 // of a building
	MinCrown  float64 // diameter of a crown
}

// DefaultSettings leaves out what is lower than a door, smaller than a shed or
// narrower than a bush.
func DefaultSettings() Settings { return Settings{MinHeight: 2, MinArea: 10, MinCrown: 1.5} }

// Object is a building or a tree.
type Object struct {
	Points      []uint32  // in the order of the cloud
	Superpoints int       // that have some of them
	Ground      float64   // height of the ground below it, metres
	Height      float64   // above that
	Top         uint32    // highest point
	Area        float64   // square metres seen from above
	Outline     []Polygon // of a building
}

// of tells the kind of a point.
func (p *Points) of(i int) Kind {
	if p.Owner[i] < 0 {
		return Other
	}
	return p.Kind[p.Owner[i]]
}

// view returns the raster that has room for all points with a superpoint, and a
// margin.
func (p *Points) view(margin int64) (*planar.View, error) {
	v := &planar.View{}
	first := true
	var low, high planar.Cell
	for i, c := range p.Cell {
		if p.Owner[i] < 0 {
			continue
		}
		if first {
			low, high, first = c, c, false
		}
		low = planar.Cell{Column: min(low.Column, c.Column), Row: min(low.Row, c.Row)}
		high = planar.Cell{Column: max(high.Column, c.Column), Row: max(high.Row, c.Row)}
	}
	low = planar.Cell{Column: low.Column - margin, Row: low.Row - margin}
	high = planar.Cell{Column: high.Column + margin, Row: high.Row + margin}
	return v, v.Grow(low, high)
}

// at returns the place of a cell in the raster of a view.
func at(v *planar.View, c planar.Cell) int { return int(c.Row-v.Row)*v.Width + int(c.Column-v.Column) }

// Kinds.
const (
	Other Kind = iota
	Ground
	Building
	Vegetation
)
