// SPDX-License-Identifier: BSD-3-Clause

package planar

import (
	"cmp"
	"fmt"
	"image"
	"maps"
	"slices"
	"sort"
)

// blockShift is the binary logarithm of the number of cells along a side of a block. Blocks begin at
// multiples of that number.
const (
	blockShift = 6
	blockSide  = 1 << blockShift
)

// Bounds of a raster: the sides of its area, and the cells within the margin of those in a block.
const (
	widestArea = 1 << 26
	mostNear   = 1 << 29
)

// Occupied is a set of cells, known by the smallest rectangle of them in each block. The zero value is
// empty.
type Occupied struct {
	boxes map[image.Point]*image.Rectangle
	area  image.Rectangle

	last   image.Point      // block of the last cell
	recent *image.Rectangle // its box
}

// AllOf returns the set of all cells of a rectangle.
func AllOf(area image.Rectangle) *Occupied {
	o := new(Occupied)
	o.AddAll(area)
	return o
}

// Area returns the smallest rectangle with all cells.
func (o *Occupied) Area() image.Rectangle { return o.area }

// Add adds a cell.
func (o *Occupied) Add(cell image.Point) {
	if box := o.boxOf(blockOf(cell)); !cell.In(*box) {
		*box = box.Union(One(cell))
		o.area = o.area.Union(One(cell))
	}
}

// AddAll adds all cells of a rectangle.
func (o *Occupied) AddAll(cells image.Rectangle) {
	if cells.Empty() {
		return
	}
	low := blockOf(cells.Min)
	high := blockOf(cells.Max.Sub(image.Pt(1, 1)))
	for y := low.Y; y <= high.Y; y++ {
		for x := low.X; x <= high.X; x++ {
			block := image.Pt(x, y)
			box := o.boxOf(block)
			*box = box.Union(cellsOf(block).Intersect(cells))
		}
	}
	o.area = o.area.Union(cells)
}

// merge adds the cells of another set.
func (o *Occupied) merge(other *Occupied) {
	for _, box := range other.boxes {
		o.AddAll(*box)
	}
}

// boxOf returns the box of a block, which it makes if there is none.
func (o *Occupied) boxOf(block image.Point) *image.Rectangle {
	if o.recent != nil && o.last == block {
		return o.recent
	}
	if o.boxes == nil {
		o.boxes = map[image.Point]*image.Rectangle{}
	}
	box := o.boxes[block]
	if box == nil {
		box = new(image.Rectangle)
		o.boxes[block] = box
	}
	o.last = block
	o.recent = box
	return box
}

// blockOf returns the block of a cell.
func blockOf(cell image.Point) image.Point { return image.Pt(cell.X>>blockShift, cell.Y>>blockShift) }

// cellsOf returns the cells of a block.
func cellsOf(block image.Point) image.Rectangle {
	low := block.Mul(blockSide)
	return image.Rectangle{low, low.Add(image.Pt(blockSide, blockSide))}
}

// Blocks are the cells that a raster holds: the cells of some blocks of the rectangle Area. The values of a
// raster are a slice with one value for each of these cells.
//
// Claim: the cells have the order of the rows of the whole area, from the south, in a row from the west. So
// an algorithm that visits cells in their order has the same result for any blocks that hold all cells with a
// value, and if all blocks are held, the slice is a dense raster's. Reason: the blocks of a band, the
// rows of one row of blocks, are not stored one after the other; each row of the band has the cells of all of
// them.
type Blocks struct {
	Area  image.Rectangle
	south int    // row of blocks of the first band
	bands []band // from the south
	cells int    // number
}

// band has the cells of one row of blocks.
type band struct {
	rows  image.Point // Y of the first one, and of the one behind the last
	first int         // index of the first cell
	width int         // cells of a row
	spans []span      // of a row, from the west
	west  int         // first column of blocks
	shift []int       // of each block from there on: what is added to X for the number of the cell in its row
}

// span is a range of adjacent columns.
type span struct {
	from, to int // X
	at       int // number of its first cell in the row
}

// notHeld is the shift of a block that is not held.
const notHeld = -1 << 62

// Blocks returns the blocks that hold all cells within a margin of the cells of the set. Their area is the
// area of the set, grown by the margin.
func (o *Occupied) Blocks(margin int) (*Blocks, error) {
	area := image.Rectangle{}
	if !o.area.Empty() {
		area = Grown(o.area, image.Pt(margin, margin))
	}
	return o.BlocksIn(area, margin)
}

// BlocksIn returns the blocks that hold all cells of an area within a margin of the cells of the set.
func (o *Occupied) BlocksIn(area image.Rectangle, margin int) (*Blocks, error) {
	if max(area.Dx(), area.Dy()) > widestArea {
		return nil, fmt.Errorf("%d × %d cells are more than %d in one direction", area.Dx(), area.Dy(),
			widestArea)
	}
	held, err := o.blocksNear(area, margin)
	if err != nil {
		return nil, err
	}
	b := &Blocks{Area: area}
	b.addBands(slices.SortedFunc(maps.Keys(held), func(p, q image.Point) int {
		return cmp.Or(cmp.Compare(p.Y, q.Y), cmp.Compare(p.X, q.X))
	}))
	return b, nil
}

// blocksNear returns the blocks that have cells of an area within a margin of the cells of the set.
func (o *Occupied) blocksNear(area image.Rectangle, margin int) (map[image.Point]struct{}, error) {
	held := map[image.Point]struct{}{}
	for _, box := range o.boxes {
		near := Grown(*box, image.Pt(margin, margin)).Intersect(area)
		if near.Dx()*near.Dy() > mostNear {
			return nil, fmt.Errorf("%d × %d cells around one are more than %d", near.Dx(), near.Dy(),
				mostNear)
		}
		low := blockOf(near.Min)
		high := blockOf(near.Max.Sub(image.Pt(1, 1)))
		for y := low.Y; y <= high.Y; y++ {
			for x := low.X; x <= high.X; x++ {
				held[image.Pt(x, y)] = struct{}{}
			}
		}
	}
	return held, nil
}

// addBands sets the bands of blocks that are sorted by rows.
func (b *Blocks) addBands(blocks []image.Point) {
	if len(blocks) == 0 {
		return
	}
	b.south = blocks[0].Y
	north := blocks[len(blocks)-1].Y
	for y := b.south; y <= north; y++ {
		inBand := 0
		for inBand < len(blocks) && blocks[inBand].Y == y {
			inBand++
		}
		b.addBand(y, blocks[:inBand])
		blocks = blocks[inBand:]
	}
}

// addBand appends the band of a row of blocks.
func (b *Blocks) addBand(y int, blocks []image.Point) {
	rows := cellsOf(image.Pt(0, y)).Intersect(image.Rect(0, b.Area.Min.Y, 1, b.Area.Max.Y))
	made := band{rows: image.Pt(rows.Min.Y, rows.Max.Y), first: b.cells}
	if len(blocks) > 0 {
		made.west = blocks[0].X
		made.shift = slices.Repeat([]int{notHeld}, blocks[len(blocks)-1].X-made.west+1)
	}
	for _, block := range blocks {
		cells := cellsOf(block).Intersect(b.Area)
		made.shift[block.X-made.west] = made.width - cells.Min.X
		if n := len(made.spans); n > 0 && made.spans[n-1].to == cells.Min.X {
			made.spans[n-1].to = cells.Max.X
		} else {
			made.spans = append(made.spans, span{cells.Min.X, cells.Max.X, made.width})
		}
		made.width += cells.Dx()
	}
	b.cells += made.width * rows.Dy()
	b.bands = append(b.bands, made)
}

// Len returns the number of cells.
func (b *Blocks) Len() int { return b.cells }

// Index returns the index of the value of a cell, −1 if it is not held.
func (b *Blocks) Index(cell image.Point) int {
	if !cell.In(b.Area) {
		return -1
	}
	in := &b.bands[cell.Y>>blockShift-b.south]
	column := cell.X>>blockShift - in.west
	if uint(column) >= uint(len(in.shift)) || in.shift[column] == notHeld {
		return -1
	}
	return in.first + (cell.Y-in.rows.X)*in.width + in.shift[column] + cell.X
}

// At returns the cell of a value.
func (b *Blocks) At(k int) image.Point {
	in := b.bandOf(k)
	row := (k - in.first) / in.width
	number := (k - in.first) % in.width
	behind := sort.Search(len(in.spans), func(s int) bool { return in.spans[s].at > number })
	s := in.spans[behind-1]
	return image.Pt(s.from+number-s.at, in.rows.X+row)
}

// Beside returns the indices of the cells to the south and to the north of a cell, −1 if they are not held.
func (b *Blocks) Beside(k int) (south, north int) {
	in := b.bandOf(k)
	south = k - in.width
	north = k + in.width
	if south < in.first {
		south = b.Index(b.At(k).Sub(image.Pt(0, 1)))
	}
	if north >= in.first+in.width*(in.rows.Y-in.rows.X) {
		north = b.Index(b.At(k).Add(image.Pt(0, 1)))
	}
	return south, north
}

// bandOf returns the band of a value.
func (b *Blocks) bandOf(k int) *band {
	behind := sort.Search(len(b.bands), func(n int) bool { return b.bands[n].first > k })
	return &b.bands[behind-1]
}

// Run is a range of adjacent cells of a row that are held.
type Run struct {
	From  image.Point // first cell
	To    int         // X behind the last one
	First int         // index of the first one
}

// Len returns the number of cells.
func (r Run) Len() int { return r.To - r.From.X }

// Cell returns the cell of a value.
func (r Run) Cell(k int) image.Point { return image.Pt(r.From.X+k-r.First, r.From.Y) }

// Runs returns all cells in their order.
func (b *Blocks) Runs() (all []Run) {
	for n := range b.bands {
		in := &b.bands[n]
		for y := in.rows.X; y < in.rows.Y; y++ {
			row := in.first + (y-in.rows.X)*in.width
			for _, s := range in.spans {
				all = append(all, Run{From: image.Pt(s.from, y), To: s.to, First: row + s.at})
			}
		}
	}
	return all
}

// Rectangle is a rectangle of cells that are held. The values of a row follow each other; rows begin Stride
// values apart.
type Rectangle struct {
	image.Rectangle
	First  int // index of the value of the first cell
	Stride int
}

// Rectangles returns rectangles that have every cell once, in the order of their first cells.
func (b *Blocks) Rectangles() (all []Rectangle) {
	for n := range b.bands {
		in := &b.bands[n]
		for _, s := range in.spans {
			all = append(all, Rectangle{image.Rect(s.from, in.rows.X, s.to, in.rows.Y), in.first + s.at,
				in.width})
		}
	}
	return all
}

// Dense returns the values of all cells of a rectangle in rows from the south; cells that are not held have
// the value empty.
func Dense[T any](b *Blocks, values []T, of image.Rectangle, empty T) []T {
	dense := slices.Repeat([]T{empty}, of.Dx()*of.Dy())
	first := max(0, of.Min.Y>>blockShift-b.south)
	last := min(len(b.bands)-1, (of.Max.Y-1)>>blockShift-b.south)
	for n := first; n <= last; n++ {
		in := &b.bands[n]
		for y := max(of.Min.Y, in.rows.X); y < min(of.Max.Y, in.rows.Y); y++ {
			row := in.first + (y-in.rows.X)*in.width
			to := dense[(y-of.Min.Y)*of.Dx():]
			for _, s := range in.spans {
				from := max(s.from, of.Min.X)
				if end := min(s.to, of.Max.X); from < end {
					first := row + s.at + from - s.from
					copy(to[from-of.Min.X:], values[first:first+end-from])
				}
			}
		}
	}
	return dense
}
