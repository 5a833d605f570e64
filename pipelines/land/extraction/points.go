// SPDX-License-Identifier: BSD-3-Clause

package extraction

import (
	"cmp"
	"fmt"
	"image"
	"slices"

	"superpoint/pipelines/land/roof"
	"superpoint/pipelines/shapes/patch"
	"superpoint/pipelines/shapes/planar"
)

// Points holds a cloud with positions on a lattice, whose steps are the steps of the file's coordinates.
type Points struct {
	At      []image.Point // of each point, in lattice steps
	Z       []float64     // metres
	Owner   []int32       // superpoint of each point, −1 for none
	Kind    []Kind        // of each superpoint
	Step    [2]float64    // metres in a lattice step along x and y
	Cell    image.Point   // lattice steps in a cell of the raster of outlines, even numbers
	Spacing float64       // point spacing, metres
	// Tiles are the extents of the tiles, at whose common border buildings are cut off; none if it is
	// unknown.
	Tiles []image.Rectangle
}

// Kind is the kind of object of a superpoint.
type Kind uint8

// Kinds.
const (
	Other Kind = iota
	Ground
	Building
	Vegetation
)

// Settings are the limits below which objects are left out.
type Settings struct {
	MinHeight float64 // of a building or a tree above the ground, metres
	MinArea   float64 // of a building, square metres
	MinPoints int     // of a building, where points are dense
	MinHole   float64 // of a building, square metres
	MinEdge   float64 // length of a wall, metres
	MinCrown  float64 // diameter of a crown, metres
}

// DefaultSettings returns the default limits.
func DefaultSettings() Settings {
	return Settings{MinHeight: 2, MinArea: 10, MinPoints: 10, MinHole: 25, MinEdge: 1, MinCrown: 1.5}
}

// Object is a building or a tree.
type Object struct {
	Points      []uint32        // ascending
	Superpoints int             // number of superpoints with any of the points
	Ground      float64         // height of the ground below it, metres
	Height      float64         // above that, metres
	Peak        uint32          // highest point, the south-westernmost if several are equal
	Top         uint32          // of a building the same of the points at its outline; else the peak
	Area        float64         // in X and Y, square metres
	Outline     []patch.Polygon // of a building, in lattice steps from Found.Origin
	Roof        roof.Roof       // of a building
	usual       float64         // height of most of its roof
	Crown       []patch.Polygon // of a tree, in the same way; nil if it is hidden below others
	CrownArea   float64         // of these polygons, square metres
}

// Bounds returns the extent of a building's outline, whose origin is given.
func (o *Object) Bounds(origin image.Point) image.Rectangle {
	var corners []image.Point
	for _, polygon := range o.Outline {
		for _, c := range polygon[0] {
			corners = append(corners, image.Pt(int(c.X), int(c.Y)).Add(origin))
		}
	}
	return planar.Bounds(corners...)
}

// of returns the kind of a point.
func (p *Points) of(i int) Kind {
	if p.Owner[i] < 0 {
		return Other
	}
	return p.Kind[p.Owner[i]]
}

// grid is a raster of square cells over the lattice.
type grid struct {
	*planar.View
	steps image.Point // lattice steps in a cell
}

// grid returns the raster of cells of the given lattice steps around all points with a superpoint, with a
// margin of cells.
func (p *Points) grid(steps image.Point, margin int) (grid, error) {
	occupied := new(planar.Occupied)
	for i, at := range p.At {
		if p.Owner[i] >= 0 {
			occupied.Add(planar.CellOf(at, steps))
		}
	}
	if occupied.Area().Empty() {
		occupied.Add(image.Point{})
	}
	view, err := planar.NewView(occupied, margin)
	if err != nil {
		return grid{}, fmt.Errorf("%w; divide the file into tiles, with pdal tile, correct its unit of "+
			"length, or take larger cells (objects --cell)", err)
	}
	return grid{view, steps}, nil
}

// stepsOf returns the lattice steps of a cell with a side of about side metres.
func (p *Points) stepsOf(side float64) image.Point {
	return image.Pt(max(1, int(side/p.Step[0]+0.5)), max(1, int(side/p.Step[1]+0.5)))
}

// index returns the index of the cell of a lattice position.
func (g *grid) index(at image.Point) int { return g.Index(planar.CellOf(at, g.steps)) }

// origin returns the south-western corner of the first cell, in lattice steps.
func (g *grid) origin() image.Point { return image.Pt(g.Area.Min.X*g.steps.X, g.Area.Min.Y*g.steps.Y) }

// area returns the area of a cell in square metres.
func (g *grid) area(p *Points) float64 {
	return float64(g.steps.X) * p.Step[0] * float64(g.steps.Y) * p.Step[1]
}

// before orders points by height, the highest first, then from south to north, then from west to east, so
// that results do not depend on the order of points in a file.
func (p *Points) before(i, j uint32) bool {
	return cmp.Or(cmp.Compare(p.Z[j], p.Z[i]), cmp.Compare(p.At[i].Y, p.At[j].Y),
		cmp.Compare(p.At[i].X, p.At[j].X)) < 0
}

// sorted sorts objects by the positions of their peaks, from the south-west.
func (p *Points) sorted(all []Object) []Object {
	slices.SortFunc(all, func(a, b Object) int {
		i, j := p.At[a.Peak], p.At[b.Peak]
		return cmp.Or(cmp.Compare(i.Y, j.Y), cmp.Compare(i.X, j.X), cmp.Compare(p.Z[a.Peak], p.Z[b.Peak]),
			cmp.Compare(len(a.Points), len(b.Points)))
	})
	return all
}
