// SPDX-License-Identifier: BSD-3-Clause

package plan

import (
	"fmt"
	"image"
	"maps"
	"math"
	"slices"
	"strconv"

	"superpoint/filter/message"
	"superpoint/partition/base/tile"
)

// Layout sets the grid and its tiles.
func (p *Plan) Layout(want Lengths) error {
	all := p.Sources[0].Box()
	area := 0.0 // of the sources, in units of the coordinates
	for k := range p.Sources {
		b := p.Sources[k].Box()
		all = all.Union(b)
		area += (b.East - b.West) * (b.North - b.South)
	}
	squareMetres := area * p.Unit * p.Unit
	density := float64(p.Points) / math.Max(1, squareMetres)
	l, merging := want.Choose(&p.Shared, density)
	p.Shared.Halo = merging / p.Unit

	count := squareMetres / (l.Tile * l.Tile)
	if count > float64(p.Points) {
		reason := fmt.Sprintf("option tile: %v m makes %.0f tiles of %s", l.Tile, count,
			message.Count(p.Points, "point"))
		return &WideError{reason, largerTiles}
	}
	grid, err := tile.NewGrid(all.West, all.South, all.East, all.North, l.Tile/p.Unit, l.Halo/p.Unit)
	if err != nil {
		return &WideError{err.Error(), ""}
	}
	p.Grid = grid
	p.Tiles, err = FindTiles(&p.Grid, p.Sources)
	if err != nil {
		return err
	}
	if p.Positions != nil {
		p.DropEmptyTiles()
	}
	return nil
}

// DropEmptyTiles removes the tiles without a point in their core: one point far from all others makes the
// bounds of its source reach over hundreds of them.
func (p *Plan) DropEmptyTiles() {
	occupied := map[[2]int]bool{}
	slack := p.Grid.Size / 1000
	for i, x := range p.Positions.X {
		y := p.Positions.Y[i]
		west, south := p.Grid.At(x-slack, y-slack) // positions of other readers may be rounded otherwise
		east, north := p.Grid.At(x+slack, y+slack)
		for _, tile := range [][2]int{{west, south}, {west, north}, {east, south}, {east, north}} {
			occupied[tile] = true
		}
	}
	p.Tiles = slices.DeleteFunc(p.Tiles,
		func(t Tile) bool { return !occupied[[2]int{t.Column, t.Row}] })
	for k := range p.Tiles {
		p.Tiles[k].Index = k
	}
}

// FindTiles returns the tiles in whose core a source may have points, with the sources that
// touch the tile with its halo.
func FindTiles(g *tile.Grid, sources []Source) (all []Tile, err error) {
	found := squares{}
	visited := 0
	for k := range sources {
		b := sources[k].Box().Grow(RoundedBounds(g))
		near := squaresNear(g, b)
		visited += near.Dx() * near.Dy()
		if visited > 16*tile.MaxTiles {
			reason := fmt.Sprintf("the sources lie in more than %d tiles of size %v", tile.MaxTiles, g.Size)
			return nil, &WideError{reason, largerTiles}
		}
		found.add(g, near, b, k)
	}
	byRow := func(a, b [2]int) int { return slices.Compare(a[:], b[:]) }
	for _, at := range slices.SortedFunc(maps.Keys(found), byRow) {
		if s := found[at]; s.hasPoints {
			all = append(all, Tile{Index: len(all), Column: at[1], Row: at[0], Sources: s.sources})
		}
	}
	return all, nil
}

// squares has squares of a grid by row and column.
type squares map[[2]int]*square

// square is a square of a grid that sources touch, with its halo.
type square struct {
	hasPoints bool // a source touches it without its halo
	sources   []int
}

// squaresNear returns the columns and rows of all squares that a box may touch, with their halo.
func squaresNear(g *tile.Grid, b tile.Box) image.Rectangle {
	west, south := g.At(b.West-g.Halo-g.Size, b.South-g.Halo-g.Size)
	east, north := g.At(b.East+g.Halo+g.Size, b.North+g.Halo+g.Size)
	return image.Rect(west, south, east+1, north+1)
}

// add adds source k, whose bounds are b, to those of the squares near it that it touches.
func (s squares) add(g *tile.Grid, near image.Rectangle, b tile.Box, k int) {
	for row := near.Min.Y; row < near.Max.Y; row++ {
		for column := near.Min.X; column < near.Max.X; column++ {
			core := g.Core(column, row)
			if !b.Touches(core.Grow(g.Halo)) {
				continue
			}
			at := [2]int{row, column}
			if s[at] == nil {
				s[at] = &square{}
			}
			s[at].sources = append(s[at].sources, k)
			if b.Touches(core) {
				s[at].hasPoints = true
			}
		}
	}
}

// Lengths of a survey's tiles in metres; 0 = choose.
type Lengths struct {
	Tile float64 // side of a tile
	Halo float64 // width of the halo
}

const (
	tilePointsDefault = 4e6  // in a tile's core, if no side is given
	tilesPerHalo      = 4    // smallest side of a tile, in halos
	largestTile       = 15e3 // metres, if no side is given
	// default halo to embed points, in spacings, in addition to what the model reads
	embedHalo   = 16.0
	minHalo     = 1.0   // metres
	coarsenHalo = 100.0 // default halo to coarsen and refine, in spacings
)

// Widest is the largest distance in metres between points of a tile with its halo.
const Widest = 21e3

// LongEdge is the length in spacings above which edges are listed for all tiles.
const LongEdge = 8.0

// Choose returns the lengths, with defaults for a density in points per square metre, and
// merging, the halo of coarsening and refinement.
func (l Lengths) Choose(e *Shared, density float64) (chosen Lengths, merging float64) {
	chosen = Lengths{l.Tile, roundUp(max(minHalo, embedHalo*e.Spacing+e.EmbeddingReach))}
	if merging = l.Halo; merging == 0 {
		merging = roundUp(coarsenHalo * e.Spacing)
	}
	if l.Halo > 0 { // below the reach all points near the border would need discs
		chosen.Halo = min(chosen.Halo, max(l.Halo, e.EmbeddingReach))
	}
	if l.Tile > 0 {
		chosen.Halo = min(chosen.Halo, l.Tile/2)
	} else {
		chosen.Tile = roundUp(max(min(math.Sqrt(tilePointsDefault/density), largestTile),
			tilesPerHalo*chosen.Halo))
	}
	return chosen, merging
}

// roundUp rounds up to two digits.
func roundUp(v float64) float64 {
	unit := math.Pow(10, math.Floor(math.Log10(v))-1)
	text := strconv.FormatFloat(math.Ceil(v/unit-1e-9)*unit, 'g', 2, 64)
	v, _ = strconv.ParseFloat(text, 64)
	return v
}

// WideError is why a survey is too wide. The caller adds the file that makes it so.
type WideError struct {
	Reason string
	Remedy string // other than to leave out points or files; begins with ", or"
}

func (e *WideError) Error() string { return e.Reason }

const largerTiles = ", or take larger tiles"
