// Package objects finds buildings and trees among superpoints that have classes.
//
// A building is what hangs together, seen from above, of superpoints of that class.
// A tree is a crown: the canopy's heights are flooded from their tops downwards
// (the watershed of Vincent and Soille 1991, doi:10.1109/34.87344, as in Chen et al.
// 2006, doi:10.14358/PERS.72.8.923), and where two crowns meet, the lower top is
// part of the higher one's tree if it is as near as a crown of its height reaches
// (Popescu and Wynne 2004, doi:10.14358/PERS.70.5.589) or hardly stands over the
// saddle. A superpoint that lies mostly in one crown is of it as a whole; one that
// several crowns share is divided among them.
//
// Lengths are metres. Results depend on the points and their order alone.
package objects

import (
	"superpoint/filter/planar"
	"superpoint/partition/parallel"
)

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

// Kinds.
const (
	Other Kind = iota
	Ground
	Building
	Vegetation
)

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

// Found is what there is in a cloud.
type Found struct {
	Buildings, Trees []Object
	Origin           planar.Cell // whose south-western corner outlines are measured from
}

// Find returns the buildings and the trees of a cloud.
func Find(run parallel.Run, p *Points, s Settings) (*Found, error) {
	ground, err := p.ground()
	if err != nil {
		return nil, err
	}
	v, err := p.view(gap)
	if err != nil {
		return nil, err
	}
	f := new(Found)
	if f.Buildings, err = p.buildings(run, v, ground, s); err != nil {
		return nil, err
	}
	f.Origin = planar.Cell{Column: v.Column, Row: v.Row}
	f.Trees, err = p.trees(ground, s)
	return f, err
}

// measure fills in what the points of an object say.
func (p *Points) measure(o *Object, ground *terrain) {
	seen := map[int32]bool{}
	sum := 0.0
	o.Top = o.Points[0]
	for _, i := range o.Points {
		seen[p.Owner[i]] = true
		sum += ground.at(p.Cell[i])
		if p.Z[i] > p.Z[o.Top] {
			o.Top = i
		}
	}
	o.Superpoints, o.Ground = len(seen), sum/float64(len(o.Points))
	o.Height = p.Z[o.Top] - o.Ground
}
