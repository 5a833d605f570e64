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

	"superpoint/pipelines/shapes/patch"
)

// maxCells bounds the cells that a raster holds; about 40 bytes a cell are needed.
const maxCells = 1 << 26

// View is the highest point of each cell of a raster, so far. Label 0 means that
// a cell has no point.
type View struct {
	*Blocks
	Label []int32

	pinned   []image.Point
	top      []float64 // z of the highest point
	occupied Occupied  // cells that there is room for
	margin   int       // around them
}

// NewView returns a view with room for the cells within a margin of some cells. It fails above maxCells.
func NewView(of *Occupied, margin int) (*View, error) {
	v := &View{margin: margin}
	return v, v.Grow(of)
}

// Grow makes room for further cells, and those within the margin of them. It fails above maxCells.
func (v *View) Grow(to *Occupied) error {
	v.occupied.merge(to)
	before := v.Blocks
	if err := v.widen(0); err != nil {
		return err
	}
	v.top = copied(v.top, before, v.Blocks)
	return nil
}

// widen makes the margin of the labels wider.
func (v *View) widen(by int) error {
	wider, err := v.occupied.Blocks(v.margin + by)
	if err != nil {
		return err
	}
	if wider.Len() > maxCells {
		return fmt.Errorf("%d cells near points, of %d × %d, are more than the %d of one raster",
			wider.Len(), wider.Area.Dx(), wider.Area.Dy(), maxCells)
	}
	v.margin += by
	v.Label = copied(v.Label, v.Blocks, wider)
	v.Blocks = wider
	return nil
}

// copied returns the values of a raster, or of none, in another one that has all of its cells.
func copied[T any](values []T, from, to *Blocks) []T {
	made := make([]T, to.Len())
	if from == nil {
		return made
	}
	for _, run := range from.Runs() {
		// Blocks that are adjacent in one raster are so in any that has both.
		at := to.Index(run.From)
		copy(made[at:], values[run.First:run.First+run.Len()])
	}
	return made
}

// Add adds a point with a label above 0, within what Grow made room for. Of
// points of equal height the first counts.
func (v *View) Add(at image.Point, z float64, label int32) {
	i := v.Index(at)
	if v.Label[i] == 0 || z > v.top[i] {
		v.Label[i], v.top[i] = label, z
	}
}

// Pin keeps the connected component of a cell at its label, even if it is small.
func (v *View) Pin(cell image.Point) { v.pinned = append(v.pinned, cell) }

// raster is labels of cells; 0 lies around them. Positions are relative to the south-western cell.
type raster struct {
	*Blocks
	label []int32
}

// index returns the index of the label of a cell, −1 if it is not held.
func (r *raster) index(x, y int) int { return r.Index(r.Area.Min.Add(image.Pt(x, y))) }

func (r *raster) at(x, y int) int32 {
	k := r.index(x, y)
	if k < 0 {
		return 0
	}
	return r.label[k]
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
	*raster
	vertex []int32 // at each of the four positions from the south-western corner of a cell on, −1 for none
	at     []patch.Point
	link   [][2]int32 // the two beside a vertex on its line; of a node −1
}

const none = -1

// trace finds the lines of a raster whose outermost cells have no label.
//
// Claim: every vertex belongs to a cell that is held. Reason: it is at most a cell from a cell with a label,
// and what is held has a margin around these.
func (r *raster) trace() *lines {
	l := &lines{raster: r, vertex: slices.Repeat([]int32{none}, 4*len(r.label))}
	for runs := r.Runs(); len(runs) > 0; {
		inRow := 1
		for inRow < len(runs) && runs[inRow].From.Y == runs[0].From.Y {
			inRow++
		}
		for half := range 2 {
			for _, run := range runs[:inRow] {
				l.addVertices(run, half)
			}
		}
		runs = runs[inRow:]
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

// addVertices adds the vertices on the southern sides of some cells, their western corners included, or, with
// half = 1, in the middle of their western sides.
func (l *lines) addVertices(run Run, half int) {
	y := run.From.Y - l.Area.Min.Y
	for k := run.First; k < run.First+run.Len(); k++ {
		x := run.Cell(k).X - l.Area.Min.X
		if half == 1 {
			l.addIf(l.raster.at(x-1, y) != l.label[k], 2*x, 2*y+1)
			continue
		}
		l.addIf(l.isNode(x, y), 2*x, 2*y)
		l.addIf(l.raster.at(x, y-1) != l.label[k], 2*x+1, 2*y)
	}
}

// addIf adds a vertex at a position, if there is one.
func (l *lines) addIf(is bool, x, y int) {
	if is {
		l.vertex[l.place(x, y)] = int32(len(l.at))
		l.at = append(l.at, patch.Point{X: int32(x), Y: int32(y)})
	}
}

// isNode reports whether more than two sides between two labels meet at the south-western corner of a cell.
func (r *raster) isNode(x, y int) bool {
	a := r.at(x-1, y-1)
	b := r.at(x, y-1)
	c := r.at(x, y)
	d := r.at(x-1, y)
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

// place returns the index of a position in vertex, −1 if its cell is not held.
func (l *lines) place(x, y int) int {
	k := l.index(x>>1, y>>1)
	if k < 0 {
		return none
	}
	return 4*k + y&1<<1 + x&1
}

// find returns the vertex at a position, −1 for none.
func (l *lines) find(x, y int) int32 {
	at := l.place(x, y)
	if at < 0 {
		return none
	}
	return l.vertex[at]
}

// node reports whether lines meet at a vertex.
func (l *lines) node(v int32) bool { return l.link[v][0] == none }
