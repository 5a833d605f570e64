// SPDX-License-Identifier: BSD-3-Clause

// Package planar divides the plane among superpoints as they are seen from
// above: a raster of the highest points, whose small gaps take the nearest
// superpoint, and the polygons of its regions. Every line between two regions is
// made once and simplified once (Visvalingam and Whyatt 1993,
// doi:10.1179/000870493786962263, with a check that nothing changes sides), so the
// polygons neither overlap nor leave gaps between them, exactly: their corners are
// whole numbers of half cells. Results depend on the points and their order alone,
// not on the number of threads.
package planar

import (
	"fmt"
	"image"
	"math"
	"slices"

	"superpoint/partition/base/arithmetic"
	"superpoint/pipelines/shapes/patch"
)

// maxCells bounds a raster; about 40 bytes a cell are needed.
const maxCells = 1 << 26

// View is the highest point of each cell of a raster, so far. Label 0 means that
// a cell has no point.
type View struct {
	Min           image.Point // the first cell
	Width, Height int
	Label         []int32

	top []float64 // z of the highest point
}

func (v *View) area() image.Rectangle {
	return image.Rectangle{v.Min, v.Min.Add(image.Pt(v.Width, v.Height))}
}

// Grow makes room for the cells of an area. It fails above maxCells.
func (v *View) Grow(to image.Rectangle) error {
	to = to.Union(v.area())
	width, height := to.Dx(), to.Dy()
	if float64(width)*float64(height) > maxCells {
		return fmt.Errorf("%d × %d cells are more than the %d of one raster", width, height, maxCells)
	}
	wider := View{to.Min, width, height, make([]int32, width*height), make([]float64, width*height)}
	for row := range v.Height {
		from := row * v.Width
		to := wider.Index(v.Min.Add(image.Pt(0, row)))
		copy(wider.Label[to:to+v.Width], v.Label[from:from+v.Width])
		copy(wider.top[to:to+v.Width], v.top[from:from+v.Width])
	}
	*v = wider
	return nil
}

// Index returns the index of a cell in Label.
func (v *View) Index(c image.Point) int { return (c.Y-v.Min.Y)*v.Width + c.X - v.Min.X }

// Add adds a point with a label above 0, within what Grow made room for. Of
// points of equal height the first counts.
func (v *View) Add(at image.Point, z float64, label int32) {
	i := v.Index(at)
	if v.Label[i] == 0 || z > v.top[i] {
		v.Label[i], v.top[i] = label, z
	}
}

// raster is labels in rows, from the south; 0 lies around it.
type raster struct {
	width, height int
	label         []int32
}

func (r *raster) at(x, y int) int32 {
	if x < 0 || y < 0 || x >= r.width || y >= r.height {
		return 0
	}
	return r.label[y*r.width+x]
}

// disc lists the offsets of cells within radius, nearest first.
func disc(radius float64) (all []image.Point) {
	n := int(math.Floor(radius))
	for square := 1; float64(square) <= radius*radius; square++ {
		for y := -n; y <= n; y++ {
			for x := -n; x <= n; x++ {
				if x*x+y*y == square {
					all = append(all, image.Pt(x, y))
				}
			}
		}
	}
	return all
}

// lines is the planar graph of the lines between regions. Positions are half
// cells: a line runs through the middle of every side it follows (both odd and
// even coordinate), which makes diagonals of stairs, and lines meet at corners of
// cells (both even), the nodes.
type lines struct {
	width  int     // of a row of positions
	vertex []int32 // at each position, −1 for none
	at     []patch.Point
	link   [][2]int32 // the two beside a vertex on its line; of a node −1
}

const none = -1

// trace finds the lines of a raster.
func (r *raster) trace() *lines {
	l := &lines{width: 2*r.width + 1}
	l.vertex = slices.Repeat([]int32{none}, l.width*(2*r.height+1))
	for y := range 2*r.height + 1 {
		for x := range l.width {
			if r.onLine(x, y) {
				l.vertex[y*l.width+x] = int32(len(l.at))
				l.at = append(l.at, patch.Point{X: int32(x), Y: int32(y)})
			}
		}
	}
	l.link = make([][2]int32, len(l.at))
	for v, p := range l.at {
		x, y := int(p.X), int(p.Y)
		switch {
		case x%2 == 0 && y%2 == 0:
			l.link[v] = [2]int32{none, none}
		case x%2 == 1:
			l.link[v] = [2]int32{l.beyond(x-1, y, int32(v)), l.beyond(x+1, y, int32(v))}
		default:
			l.link[v] = [2]int32{l.beyond(x, y-1, int32(v)), l.beyond(x, y+1, int32(v))}
		}
	}
	return l
}

// onLine reports whether a vertex is at a position: the middle of a side between
// two labels, or a corner where more than two such sides meet.
func (r *raster) onLine(x, y int) bool {
	column, row := x/2, y/2
	switch {
	case x%2 == 1 && y%2 == 1:
		return false
	case x%2 == 1:
		return r.at(column, row-1) != r.at(column, row)
	case y%2 == 1:
		return r.at(column-1, row) != r.at(column, row)
	}
	a := r.at(column-1, row-1)
	b := r.at(column, row-1)
	c := r.at(column, row)
	d := r.at(column-1, row)
	sides := 0
	for _, differ := range [4]bool{a != b, b != c, c != d, d != a} {
		if differ {
			sides++
		}
	}
	return sides > 2
}

// beyond returns what follows vertex v over a corner: a node, or the other side
// that meets there.
func (l *lines) beyond(x, y int, v int32) int32 {
	if node := l.find(x, y); node != none {
		return node
	}
	for _, o := range [4]image.Point{{1, 0}, {0, 1}, {-1, 0}, {0, -1}} {
		if w := l.find(x+o.X, y+o.Y); w != none && w != v {
			return w
		}
	}
	return none // not reached: two sides meet at every corner that is no node
}

// find returns the vertex at a position, −1 for none.
func (l *lines) find(x, y int) int32 {
	if x < 0 || y < 0 || x >= l.width || y*l.width+x >= len(l.vertex) {
		return none
	}
	return l.vertex[y*l.width+x]
}

// node reports whether lines meet at a vertex.
func (l *lines) node(v int32) bool { return l.link[v][0] == none }

// One returns the rectangle of one cell.
func One(c image.Point) image.Rectangle { return image.Rectangle{c, c.Add(image.Pt(1, 1))} }

// CellOf returns the cell of a lattice position, for cells of the given lattice steps.
func CellOf(at, steps image.Point) image.Point {
	floor := func(a, b int) int { return int(arithmetic.FloorDiv(int64(a), int64(b))) }
	return image.Pt(floor(at.X, steps.X), floor(at.Y, steps.Y))
}

// Grown returns a rectangle extended by a number of cells on every side, or reduced by a negative one.
func Grown(r image.Rectangle, by image.Point) image.Rectangle {
	return image.Rectangle{r.Min.Sub(by), r.Max.Add(by)}
}

// Lattice returns the position of a point on a lattice with the given number of steps per unit.
func Lattice(x, y, steps float64) image.Point {
	return image.Pt(int(math.Round(x*steps)), int(math.Round(y*steps)))
}

// Bounds returns the smallest rectangle with all cells.
func Bounds(cells ...image.Point) (box image.Rectangle) {
	for _, c := range cells {
		box = box.Union(One(c))
	}
	return box
}
