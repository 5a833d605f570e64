// SPDX-License-Identifier: BSD-3-Clause

// Package raster computes terrain, surface and canopy of point clouds as rasters.
//
// Bins collect the points of each cell. They are sums of integers and largest values, so the bins of several
// tiles, in any order, merge to the bins of all their points. Heights are computed from all bins, see Model.
package raster

import (
	"cmp"
	"image"
	"maps"
	"math"
	"slices"

	"superpoint/pipelines/shapes/planar"
)

// Kind says which heights a point counts for.
type Kind uint8

// Kinds.
const (
	Other         Kind = iota // the surface alone
	Ground                    // terrain and surface
	Water                     // level of a body of water, and surface
	LowVegetation             // the surface, and terrain that is not far below
	Building                  // the surface alone; low vegetation beside it says nothing about the terrain
	Unsure                    // ground that may be plants beside buildings (unsure.go): terrain and surface
)

// fine is the number of steps per unit of heights in sums: sums of integers do not depend on the order of
// points.
const fine = 1e4

// blockSide is the number of cells along a side of the blocks in which bins are allocated.
const blockSide = 64

// sum has the heights of some points of a cell.
type sum struct {
	steps int64 // of 1/fine
	count int64
}

// add adds heights.
func (s *sum) add(other sum) {
	s.steps += other.steps
	s.count += other.count
}

// mean returns the mean height, NaN without points.
func (s *sum) mean() float64 { return float64(s.steps) / float64(s.count) / fine }

// positions is the number of positions along the side of a cell that are told apart.
const positions = 256

// lowPoint is the lowest point of a cell; of several the one in the south-west, so that it does not depend on
// their order.
type lowPoint struct {
	height float32 // +Inf without points
	x, y   uint8   // position in the cell, of positions
}

// lower returns the lower of two points.
func (l lowPoint) lower(other lowPoint) lowPoint {
	order := cmp.Or(cmp.Compare(l.height, other.height), cmp.Compare(l.y, other.y), cmp.Compare(l.x, other.x))
	if order <= 0 {
		return l
	}
	return other
}

// offset returns how far a position is from the middle of its cell, in cells.
func offset(at uint8) float64 { return (float64(at)+0.5)/positions - 0.5 }

// block has the bins of blockSide × blockSide cells, in rows from the south.
type block struct {
	top    [blockSide * blockSide]float32 // height of the highest point, −Inf without points
	lowest [blockSide * blockSide]lowPoint
	ground []sum // nil without points of ground
	unsure []sum // nil without points of unsure ground
	water  []sum // nil without points of water
	// cover has the height of the lowest point of low vegetation, +Inf without one; nil without such points.
	cover []float32
}

func newBlock() *block {
	b := new(block)
	for k := range b.top {
		b.top[k] = float32(math.Inf(-1))
		b.lowest[k].height = float32(math.Inf(1))
	}
	return b
}

// sums returns the sums of a kind.
func (b *block) sums(kind Kind) *[]sum {
	switch kind {
	case Ground:
		return &b.ground
	case Unsure:
		return &b.unsure
	default:
		return &b.water
	}
}

// add adds heights of a kind to cell k.
func (b *block) add(kind Kind, k int, heights sum) {
	s := b.sums(kind)
	if *s == nil {
		*s = make([]sum, blockSide*blockSide)
	}
	(*s)[k].add(heights)
}

// addCover adds a point of low vegetation to cell k.
func (b *block) addCover(k int, height float32) {
	if b.cover == nil {
		b.cover = slices.Repeat([]float32{float32(math.Inf(1))}, blockSide*blockSide)
	}
	b.cover[k] = min(b.cover[k], height)
}

// Marks are cells that are marked, by blocks.
type Marks map[image.Point][]bool

// add marks a cell.
func (m Marks) add(cell image.Point) {
	of, k := place(cell)
	if m[of] == nil {
		m[of] = make([]bool, blockSide*blockSide)
	}
	m[of][k] = true
}

// Beside reports whether a cell or one of its eight neighbours is marked.
func (m Marks) Beside(cell image.Point) bool {
	for y := cell.Y - 1; y <= cell.Y+1; y++ {
		for x := cell.X - 1; x <= cell.X+1; x++ {
			of, k := place(image.Pt(x, y))
			if marked := m[of]; marked != nil && marked[k] {
				return true
			}
		}
	}
	return false
}

// merge adds the marks of others.
func (m Marks) merge(others Marks) {
	for of, marked := range others {
		if m[of] == nil {
			m[of] = make([]bool, blockSide*blockSide)
		}
		for k, is := range marked {
			m[of][k] = m[of][k] || is
		}
	}
}

// Bins are the bins of the cells that have points. Cell (i, j) has the points with i·Side ≤ x < (i+1)·Side
// and j·Side ≤ y < (j+1)·Side, so every point belongs to one cell, and the cells of adjacent maps fit.
type Bins struct {
	Side float64 // of a cell, in the unit of X and Y

	buildings Marks // cells with points of buildings

	blocks map[image.Point]*block
	area   image.Rectangle // of the cells with points
	last   image.Point     // block of the last point
	recent *block          // that block
}

// NewBins returns bins without points.
func NewBins(side float64) *Bins {
	return &Bins{Side: side, buildings: Marks{}, blocks: map[image.Point]*block{}}
}

// cellOf returns the number of the cell that contains a coordinate. The edges of cell k are the float64
// products k·side and (k+1)·side; the quotient can be off by one at an edge.
func cellOf(v, side float64) int {
	k := math.Floor(v / side)
	if k*side > v {
		k--
	}
	if (k+1)*side <= v {
		k++
	}
	return int(k)
}

// Cell returns the cell that contains a point.
func (b *Bins) Cell(x, y float64) image.Point { return image.Pt(cellOf(x, b.Side), cellOf(y, b.Side)) }

// Area returns the smallest rectangle with all cells that have points.
func (b *Bins) Area() image.Rectangle { return b.area }

// place returns the block of a cell, and the index of the cell in it.
func place(cell image.Point) (of image.Point, k int) {
	of = planar.CellOf(cell, image.Pt(blockSide, blockSide))
	return of, (cell.Y-of.Y*blockSide)*blockSide + cell.X - of.X*blockSide
}

// blockAt returns a block, which it makes if there is none.
func (b *Bins) blockAt(of image.Point) *block {
	if b.recent != nil && b.last == of {
		return b.recent
	}
	made := b.blocks[of]
	if made == nil {
		made = newBlock()
		b.blocks[of] = made
	}
	b.last = of
	b.recent = made
	return made
}

// Add adds a point.
func (b *Bins) Add(x, y, z float64, kind Kind) {
	cell := b.Cell(x, y)
	if !cell.In(b.area) {
		b.area = b.area.Union(planar.One(cell))
	}
	of, k := place(cell)
	to := b.blockAt(of)
	height := float32(z)
	to.top[k] = max(to.top[k], height)
	if height <= to.lowest[k].height {
		at := lowPoint{height, b.stepIn(x, cell.X), b.stepIn(y, cell.Y)}
		to.lowest[k] = to.lowest[k].lower(at)
	}
	switch kind {
	case Ground, Unsure, Water:
		to.add(kind, k, sum{int64(math.Round(z * fine)), 1})
	case LowVegetation:
		to.addCover(k, height)
	case Building:
		b.buildings.add(cell)
	}
}

// stepIn returns the position of a coordinate in its cell, of positions.
func (b *Bins) stepIn(v float64, cell int) uint8 {
	return uint8(min(positions-1, max(0, (v/b.Side-float64(cell))*positions)))
}

// floor returns the height of the lowest of all points, +Inf without points.
func (b *Bins) floor() float32 {
	least := float32(math.Inf(1))
	for _, of := range b.blocks {
		for _, lowest := range &of.lowest {
			least = min(least, lowest.height)
		}
	}
	return least
}

// lowestAt returns the lowest point of a cell; known is false without points.
func (b *Bins) lowestAt(cell image.Point) (of lowPoint, known bool) {
	at, k := place(cell)
	from := b.blocks[at]
	if from == nil {
		return of, false
	}
	return from.lowest[k], !math.IsInf(float64(from.top[k]), -1)
}

// coverAt returns the height of the lowest point of low vegetation of a cell; known is false without one, and
// beside a building: plants at the edge of a roof, and points of walls that were taken for plants, have the
// height of the roof.
func (b *Bins) coverAt(cell image.Point) (height float32, known bool) {
	at, k := place(cell)
	from := b.blocks[at]
	if from == nil || from.cover == nil || math.IsInf(float64(from.cover[k]), 1) {
		return 0, false
	}
	return from.cover[k], !b.buildings.Beside(cell)
}

// Merge adds the points of other bins of the same side.
func (b *Bins) Merge(other *Bins) {
	b.area = b.area.Union(other.area)
	b.buildings.merge(other.buildings)
	for of, from := range other.blocks {
		to := b.blockAt(of)
		for k, z := range from.top {
			to.top[k] = max(to.top[k], z)
			to.lowest[k] = to.lowest[k].lower(from.lowest[k])
		}
		for k, height := range from.cover {
			to.addCover(k, height)
		}
		for _, kind := range [3]Kind{Ground, Unsure, Water} {
			for k, heights := range *from.sums(kind) {
				if heights.count > 0 {
					to.add(kind, k, heights)
				}
			}
		}
	}
}

// keys returns the blocks from the south, then from the west.
func (b *Bins) keys() []image.Point {
	return slices.SortedFunc(maps.Keys(b.blocks), func(p, q image.Point) int {
		if p.Y != q.Y {
			return p.Y - q.Y
		}
		return p.X - q.X
	})
}

// bin has the points of a cell.
type bin struct {
	cell                  image.Point
	top                   float32 // height of the highest
	ground, unsure, water sum
}

// each calls visit for every cell that has points, block by block.
func (b *Bins) each(visit func(c bin)) {
	for _, of := range b.keys() {
		from := b.blocks[of]
		for k, top := range from.top {
			if math.IsInf(float64(top), -1) {
				continue
			}
			visit(bin{
				cell:   image.Pt(of.X*blockSide+k%blockSide, of.Y*blockSide+k/blockSide),
				top:    top,
				ground: sumAt(from.ground, k),
				unsure: sumAt(from.unsure, k),
				water:  sumAt(from.water, k),
			})
		}
	}
}

// sumAt returns the heights of a cell; none where no cell of a block has any.
func sumAt(sums []sum, k int) sum {
	if sums == nil {
		return sum{}
	}
	return sums[k]
}
