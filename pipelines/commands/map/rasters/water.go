// SPDX-License-Identifier: BSD-3-Clause

package rasters

import (
	"cmp"
	"image"
	"math"
	"slices"

	"superpoint/partition/base/parallel"
	"superpoint/pipelines/land/raster"
	"superpoint/pipelines/layers"
	"superpoint/pipelines/shapes/patch"
)

// lake is a body of water of the map, also a stream.
type lake struct {
	layers.LatticePolygons
	area       float64 // square metres
	level      float64 // unit of heights; NaN if it slopes
	points     int
	confidence float64 // mean of its points; NaN if unknown
	edge       float64 // 1 if it is at the edge of the tiles, and may go on there
}

// Water has the bodies of water of a map.
type Water struct {
	lakes    []lake // the largest first
	Shown    []bool // whether a body of the model is among them
	Coarsest int    // cells along a side of the widest ones on which a body was outlined
}

// Count returns the number of bodies.
func (w *Water) Count() int { return len(w.lakes) }

// Area returns the area of all bodies in square metres.
func (w *Water) Area() (sum float64) {
	for _, l := range w.lakes {
		sum += l.area
	}
	return sum
}

// FindWater returns the bodies of water of a model that are large enough.
func FindWater(run parallel.Run, m *raster.Model, confidence *raster.Bins, s Settings, at Place) (
	*Water, error) {
	shores, err := m.Shores(run, at.edges(m.Side))
	if err != nil {
		return nil, err
	}
	means, points := m.MeansInWater(confidence)
	water := &Water{}
	for k, body := range m.Bodies {
		water.Coarsest = max(water.Coarsest, shores[k].Factor)
		found := lake{LatticePolygons: onLattice(shores[k], m.Side, at.Metres[1]), level: math.NaN(),
			points: int(points[k]), confidence: means[k]}
		if body.IsLevel {
			found.level = body.Level
		}
		found.area = found.Area(at.Stride)
		isLarge := found.area >= s.MinWater && found.area > 0
		water.Shown = append(water.Shown, isLarge)
		if isLarge {
			found.edge = found.atEdge(s.Resolution, at)
			water.lakes = append(water.lakes, found)
		}
	}
	slices.SortStableFunc(water.lakes, func(a, b lake) int { return cmp.Compare(b.area, a.area) })
	return water, nil
}

// edges returns the cells, of a side, whose middle is in no tile, and of which at most a tenth of the width
// or height is in one.
func (p *Place) edges(side float64) raster.Outward {
	steps := side * math.Pow10(layers.Decimals(p.Metres[1])) // in a cell
	most := max(1, steps/10)
	made := raster.Outward{}
	for _, tile := range p.Tiles {
		for _, border := range bordersOf(tile, steps) {
			if border.reach > most {
				continue
			}
			for y := border.cells.Min.Y; y < border.cells.Max.Y; y++ {
				for x := border.cells.Min.X; x < border.cells.Max.X; x++ {
					if at := image.Pt(x, y); !p.inTile(middleOf(at, steps)) {
						made[at] = append(made[at], border.outward)
					}
				}
			}
		}
	}
	return made
}

// border has the outermost cells of a tile on one side.
type border struct {
	cells   image.Rectangle
	outward image.Point
	reach   float64 // steps of the width or height of these cells that are in the tile
}

// bordersOf returns the borders of a tile for cells of some lattice steps.
func bordersOf(tile image.Rectangle, steps float64) [4]border {
	cell := func(at int) int { return int(math.Floor(float64(at) / steps)) }
	low := image.Pt(cell(tile.Min.X), cell(tile.Min.Y))
	high := image.Pt(cell(tile.Max.X-1), cell(tile.Max.Y-1))
	end := high.Add(image.Pt(1, 1))
	above := func(at, first int) float64 { return float64(at) - float64(first)*steps }
	return [4]border{
		{image.Rect(low.X, low.Y, low.X+1, end.Y), image.Pt(-1, 0), -above(tile.Min.X, low.X+1)},
		{image.Rect(high.X, low.Y, end.X, end.Y), image.Pt(1, 0), above(tile.Max.X, high.X)},
		{image.Rect(low.X, low.Y, end.X, low.Y+1), image.Pt(0, -1), -above(tile.Min.Y, low.Y+1)},
		{image.Rect(low.X, high.Y, end.X, end.Y), image.Pt(0, 1), above(tile.Max.Y, high.Y)},
	}
}

// middleOf returns the middle of a cell of some lattice steps.
func middleOf(cell image.Point, steps float64) image.Point {
	middle := func(k int) int { return int(math.Floor((float64(k) + 0.5) * steps)) }
	return image.Pt(middle(cell.X), middle(cell.Y))
}

// onLattice returns the outline of a body of water on the lattice of decimals, for cells of a side and a unit
// of Y of some metres.
func onLattice(shore raster.Shore, side, metres float64) layers.LatticePolygons {
	scale := math.Pow10(layers.Decimals(metres))
	lattice := func(halves int) int { return int(math.Round(float64(halves) / 2 * side * scale)) }
	origin := image.Pt(lattice(2*shore.Origin.X), lattice(2*shore.Origin.Y))
	made := layers.LatticePolygons{Least: origin, Coarse: image.Pt(1, 1)}
	for _, polygon := range shore.Polygons {
		var rings patch.Polygon
		for _, ring := range polygon {
			moved := make(patch.Ring, len(ring))
			for k, corner := range ring {
				x := lattice(2*shore.Origin.X+int(corner.X)) - origin.X
				y := lattice(2*shore.Origin.Y+int(corner.Y)) - origin.Y
				moved[k] = patch.Point{X: int32(x), Y: int32(y)}
			}
			rings = append(rings, moved)
		}
		made.Polygons = append(made.Polygons, rings)
	}
	return made
}

// atEdge returns 1 if a body of water is within some metres of the edge of the tiles, else 0.
func (l *lake) atEdge(metres float64, at Place) float64 {
	reach := image.Pt(int(metres/at.Stride[0]), int(metres/at.Stride[1]))
	for _, polygon := range l.Polygons {
		for _, corner := range polygon[0] {
			place := l.Least.Add(image.Pt(int(corner.X), int(corner.Y)))
			for _, to := range [4]image.Point{{reach.X, 0}, {-reach.X, 0}, {0, reach.Y}, {0, -reach.Y}} {
				if !at.inTile(place.Add(to)) {
					return 1
				}
			}
		}
	}
	return 0
}

// inTile reports whether a lattice position is in a tile.
func (p *Place) inTile(at image.Point) bool {
	for _, t := range p.Tiles {
		if at.In(t) {
			return true
		}
	}
	return false
}
