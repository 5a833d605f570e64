// SPDX-License-Identifier: BSD-3-Clause

package extraction

import (
	"image"
	"math"

	"superpoint/pipelines/shapes/planar"
)

// gap is the largest width, in cells, of the gaps between points of a roof that are closed. Cells
// have the size of the point spacing, so about a third of them are empty.
const gap = 4

// fillBorders extends buildings to the border of the tiles, where the last points of scan lines leave
// notches: cells without any point between a building and the border, at most gap of them, belong to the
// building.
func (p *Points) fillBorders(g *grid) {
	if len(p.Tiles) == 0 {
		return
	}
	seen := p.cellsWithPoints(g)
	for _, tile := range p.Tiles {
		p.fillTile(g, seen, tile)
	}
}

// Directions from the sides of a tile inwards.
var (
	eastwards  = image.Pt(1, 0)
	westwards  = image.Pt(-1, 0)
	northwards = image.Pt(0, 1)
	southwards = image.Pt(0, -1)
)

// fillTile extends buildings to the four sides of a tile.
func (p *Points) fillTile(g *grid, seen []bool, tile image.Rectangle) {
	low := planar.CellOf(tile.Min, g.steps)
	high := planar.CellOf(tile.Max.Sub(image.Pt(1, 1)), g.steps)
	for y := low.Y; y <= high.Y; y++ {
		p.fillFrom(g, seen, image.Pt(low.X, y), eastwards)
		p.fillFrom(g, seen, image.Pt(high.X, y), westwards)
	}
	for x := low.X; x <= high.X; x++ {
		p.fillFrom(g, seen, image.Pt(x, low.Y), northwards)
		p.fillFrom(g, seen, image.Pt(x, high.Y), southwards)
	}
}

// cellsWithPoints reports which cells of a grid have a point.
func (p *Points) cellsWithPoints(g *grid) []bool {
	seen := make([]bool, len(g.Label))
	for _, at := range p.At {
		if k := g.index(at); k >= 0 {
			seen[k] = true
		}
	}
	return seen
}

// fillFrom fills the cells from one at the border inwards to the first building.
func (p *Points) fillFrom(g *grid, seen []bool, cell, inwards image.Point) {
	if !cell.In(g.Area) || p.inTile(cell.Sub(inwards), g.steps) {
		return
	}
	for depth := 0; depth <= gap; depth++ {
		at := cell.Add(inwards.Mul(depth))
		k := g.Index(at)
		if k < 0 {
			continue // without a point, as all around are
		}
		if label := g.Label[k]; label != 0 {
			for ; depth > 0; depth-- {
				g.Add(cell.Add(inwards.Mul(depth-1)), math.Inf(-1), label)
			}
			return
		}
		if seen[k] {
			return
		}
	}
}

// inTile reports whether the middle of a cell is in a tile.
func (p *Points) inTile(cell, steps image.Point) bool {
	at := image.Pt(cell.X*steps.X+steps.X/2, cell.Y*steps.Y+steps.Y/2)
	for _, tile := range p.Tiles {
		if at.In(tile) {
			return true
		}
	}
	return false
}
