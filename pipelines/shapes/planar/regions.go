// SPDX-License-Identifier: BSD-3-Clause

package planar

import (
	"cmp"
	"image"
	"slices"

	"superpoint/partition/base/arrays"
	"superpoint/partition/base/parallel"
	"superpoint/pipelines/shapes/patch"
)

// Partition returns the visible areas of labels 1 to labels as polygons, by their first cell. Corners are in
// half cells from the south-western corner of the first cell of the view. It assigns gaps of at most twice
// the radius (in cells) to the nearest label, and small parts to their neighbours, in the view. straight
// makes straight lines of stairs within half a cell and keeps corners; else only vertices on straight lines
// go.
func Partition(run parallel.Run, v *View, labels int, radius float64,
	straight bool) ([][]patch.Polygon, error) {
	rim := int(radius) + 1 // margin for the closing
	if err := v.Grow(Grown(v.area(), image.Pt(rim, rim))); err != nil {
		return nil, err
	}
	v.top = nil
	r := &raster{v.Width, v.Height, v.Label}
	if err := r.close(run, radius); err != nil {
		return nil, err
	}
	r.sieve()
	l := r.trace()
	if straight {
		l.simplify(tolerance, largest)
	} else {
		l.simplify(0, 0)
	}
	return r.regions(l, labels), run.Err()
}

// regions traces the borders of every region.
func (r *raster) regions(l *lines, labels int) [][]patch.Polygon {
	all := make([][]patch.Polygon, labels)
	part, first := r.parts()
	polygons := make([]patch.Polygon, len(first))
	done := make([]uint8, len(r.label)) // a bit for each direction
	for i, label := range r.label {
		if label == 0 {
			continue
		}
		for direction := range 4 {
			from := walker{r, i % r.width, i / r.width, direction}
			if done[i]&(1<<direction) != 0 || r.at(from.beside()) == label {
				continue
			}
			for _, ring := range patch.Loops(from.follow(l, done)) {
				p := &polygons[part[i]]
				if ring := patch.Ring(ring); ring.Area2() > 0 {
					*p = slices.Insert(*p, 0, ring)
				} else {
					*p = append(*p, ring)
				}
			}
		}
	}
	for k, p := range polygons {
		region := &all[r.label[first[k]]-1]
		*region = append(*region, p)
	}
	return all
}

// parts returns the connected components (by sides) of cells of one label, in the order of their
// first cells, and these cells.
func (r *raster) parts() (part []int32, first []int) {
	sets := arrays.NewForest(len(r.label))
	for i, label := range r.label {
		if i%r.width > 0 && r.label[i-1] == label {
			sets.Join(uint32(i), uint32(i-1))
		}
		if i >= r.width && r.label[i-r.width] == label {
			sets.Join(uint32(i), uint32(i-r.width))
		}
	}
	return sets.Parts(func(i int) bool { return r.label[i] != 0 })
}

// walker is a directed side of a cell with the cell on its left: its southern side in direction east
// (0), north (1), west (2), south (3).
type walker struct {
	*raster
	x, y, direction int
}

// beside returns the cell across the side.
func (w walker) beside() (x, y int) { return w.step(w.direction + 3) }

func (w walker) step(direction int) (x, y int) {
	o := [4]image.Point{{1, 0}, {0, 1}, {-1, 0}, {0, -1}}[direction%4]
	return w.x + o.X, w.y + o.Y
}

// positions returns the middle of the side and its end, in half cells.
func (w walker) positions() (middle, end image.Point) {
	centre := image.Point{2*w.x + 1, 2*w.y + 1}
	middle = [4]image.Point{{0, -1}, {1, 0}, {0, 1}, {-1, 0}}[w.direction]
	end = [4]image.Point{{1, -1}, {1, 1}, {-1, 1}, {-1, -1}}[w.direction]
	return image.Point{centre.X + middle.X, centre.Y + middle.Y}, image.Point{centre.X + end.X,
		centre.Y + end.Y}
}

// follow walks until it returns to the start, and returns the vertices on the way.
func (w walker) follow(l *lines, done []uint8) (passed []patch.Point) {
	label := w.at(w.x, w.y)
	for done[w.y*w.width+w.x]&(1<<w.direction) == 0 {
		done[w.y*w.width+w.x] |= 1 << w.direction
		middle, end := w.positions()
		for _, p := range [2]image.Point{middle, end} {
			if l.find(p.X, p.Y) != none {
				passed = append(passed, patch.Point{X: int32(p.X), Y: int32(p.Y)})
			}
		}
		w = w.turn(label)
	}
	return passed
}

// turn returns the next side: of the same cell if the cell ahead has another label, else of the cell
// ahead, or of the one to its right.
func (w walker) turn(label int32) walker {
	x, y := w.step(w.direction)
	if w.at(x, y) != label {
		w.direction = (w.direction + 1) % 4
		return w
	}
	w.x, w.y = x, y
	if x, y := w.beside(); w.at(x, y) == label {
		w.x = x
		w.y = y
		w.direction = (w.direction + 3) % 4
	}
	return w
}

// speck is the number of cells below which a part of a region is noise: single points seen through
// leaves, or at an edge.
const speck = 4

// sieve assigns parts smaller than speck to the neighbour with the longest common border. The largest
// part of a label is kept, so that no label is lost.
func (r *raster) sieve() {
	for range 4 { // merging may create parts that are again smaller than speck
		if !r.sieveOnce() {
			return
		}
	}
}

func (r *raster) sieveOnce() (changed bool) {
	part, first := r.parts()
	cells := make([][]int32, len(first)) // of parts smaller than speck only
	size := make([]int, len(first))
	for _, p := range part {
		if p != none {
			size[p]++
		}
	}
	largest := make(map[int32]int32)
	for p := range first {
		label := r.label[first[p]]
		if q, known := largest[label]; !known || size[p] > size[q] {
			largest[label] = int32(p)
		}
	}
	var specks []int32
	for i, p := range part {
		if p == none || size[p] >= speck || largest[r.label[i]] == p {
			continue
		}
		if cells[p] == nil {
			specks = append(specks, p)
		}
		cells[p] = append(cells[p], int32(i))
	}
	slices.SortStableFunc(specks, func(p, q int32) int { return cmp.Compare(size[p], size[q]) })
	for _, p := range specks {
		if label := r.beside(cells[p]); label != 0 {
			for _, i := range cells[p] {
				r.label[i] = label
			}
			changed = true
		}
	}
	return changed
}

// beside returns the label with which cells share most sides, the smallest if several are equal; 0 if
// there is none.
func (r *raster) beside(cells []int32) (best int32) {
	own := r.label[cells[0]]
	sides := make(map[int32]int)
	for _, i := range cells {
		x, y := int(i)%r.width, int(i)/r.width
		for _, o := range [4]image.Point{{1, 0}, {0, 1}, {-1, 0}, {0, -1}} {
			if label := r.at(x+o.X, y+o.Y); label != 0 && label != own {
				sides[label]++
			}
		}
	}
	for label, n := range sides {
		if n > sides[best] || n == sides[best] && label < best {
			best = label
		}
	}
	return best
}

// close assigns the nearest label to empty cells in gaps of at most twice the radius, in cells: a
// morphological closing by a disc (Serra 1982, Image Analysis and Mathematical Morphology).
func (r *raster) close(run parallel.Run, radius float64) error {
	near := disc(radius)
	wide := &raster{r.width, r.height, make([]int32, len(r.label))}
	err := r.rows(run, func(x, y int) {
		wide.label[y*r.width+x] = r.nearest(x, y, near)
	})
	if err != nil {
		return err
	}
	return r.rows(run, func(x, y int) {
		i := y*r.width + x
		if r.label[i] == 0 && wide.label[i] != 0 && wide.deep(x, y, near) {
			r.label[i] = wide.label[i]
		}
	})
}

// nearest returns the label of a cell, or else of the first cell of near with a label.
func (r *raster) nearest(x, y int, near []image.Point) int32 {
	if own := r.at(x, y); own != 0 {
		return own
	}
	for _, o := range near {
		if label := r.at(x+o.X, y+o.Y); label != 0 {
			return label
		}
	}
	return 0
}

// deep reports whether all cells of near have a label.
func (r *raster) deep(x, y int, near []image.Point) bool {
	for _, o := range near {
		if r.at(x+o.X, y+o.Y) == 0 {
			return false
		}
	}
	return true
}

// rows visits every cell, rows in parallel.
func (r *raster) rows(run parallel.Run, visit func(x, y int)) error {
	return run.ForEach(r.height, 16, func(y int) {
		for x := range r.width {
			visit(x, y)
		}
	})
}
