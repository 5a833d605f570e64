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
// the radius (in cells) to the nearest label, and small parts without a pinned cell to their neighbours, in
// the view. straight makes straight lines of stairs within half a cell and keeps corners; else only vertices
// on straight lines go.
func Partition(run parallel.Run, v *View, labels int, radius float64,
	straight bool) ([][]patch.Polygon, error) {
	rim := int(radius) + 1 // margin for the closing
	v.top = nil
	if err := v.widen(rim); err != nil {
		return nil, err
	}
	r := &raster{v.Blocks, v.Label}
	if err := r.close(run, radius); err != nil {
		return nil, err
	}
	r.sieve(v.pinned)
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
	for _, run := range r.Runs() {
		for i := run.First; i < run.First+run.Len(); i++ {
			if r.label[i] != 0 {
				p := &polygons[part[i]]
				*p = r.appendRings(*p, run.Cell(i).Sub(r.Area.Min), l, done)
			}
		}
	}
	for k, p := range polygons {
		region := &all[r.label[first[k]]-1]
		*region = append(*region, p)
	}
	return all
}

// appendRings appends the rings through the sides of a cell that are not done, and puts the outer one first.
func (r *raster) appendRings(p patch.Polygon, cell image.Point, l *lines, done []uint8) patch.Polygon {
	i := r.index(cell.X, cell.Y)
	for direction := range 4 {
		from := walker{r, cell.X, cell.Y, direction}
		if done[i]&(1<<direction) != 0 || r.at(from.beside()) == r.label[i] {
			continue
		}
		for _, ring := range patch.Loops(from.follow(l, done)) {
			if ring := patch.Ring(ring); ring.Area2() > 0 {
				p = slices.Insert(p, 0, ring)
			} else {
				p = append(p, ring)
			}
		}
	}
	return p
}

// parts returns the connected components (by sides) of cells of one label, in the order of their
// first cells, and these cells.
func (r *raster) parts() (part []int32, first []int) {
	sets := arrays.NewForest(len(r.label))
	for _, run := range r.Runs() {
		for k := run.First; k < run.First+run.Len(); k++ {
			label := r.label[k]
			if label == 0 {
				continue
			}
			if k > run.First && r.label[k-1] == label {
				sets.Join(uint32(k), uint32(k-1))
			}
			south := r.Index(run.Cell(k).Sub(image.Pt(0, 1)))
			if south >= 0 && r.label[south] == label {
				sets.Join(uint32(k), uint32(south))
			}
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
	for {
		k := w.index(w.x, w.y)
		if done[k]&(1<<w.direction) != 0 {
			return passed
		}
		done[k] |= 1 << w.direction
		middle, end := w.positions()
		for _, p := range [2]image.Point{middle, end} {
			if l.find(p.X, p.Y) != none {
				passed = append(passed, patch.Point{X: int32(p.X), Y: int32(p.Y)})
			}
		}
		w = w.turn(label)
	}
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
// part of a label is kept, so that no label is lost, and so are parts with pinned cells.
func (r *raster) sieve(pinned []image.Point) {
	for range 4 { // merging may create parts that are again smaller than speck
		if !r.sieveOnce(pinned) {
			return
		}
	}
}

func (r *raster) sieveOnce(pinned []image.Point) (changed bool) {
	part, first := r.parts()
	cells := make([][]int32, len(first)) // of parts smaller than speck only
	size := make([]int, len(first))
	for _, p := range part {
		if p != none {
			size[p]++
		}
	}
	kept := r.largest(first, size)
	for _, cell := range pinned {
		if p := part[r.Index(cell)]; p != none {
			kept[p] = true
		}
	}
	var specks []int32
	for i, p := range part {
		if p == none || size[p] >= speck || kept[p] {
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

// largest reports which parts are the largest of their label. first are their first cells.
func (r *raster) largest(first, size []int) []bool {
	of := make(map[int32]int)
	for p := range first {
		label := r.label[first[p]]
		if q, known := of[label]; !known || size[p] > size[q] {
			of[label] = p
		}
	}
	is := make([]bool, len(first))
	for _, p := range of {
		is[p] = true
	}
	return is
}

// beside returns the label with which cells share most sides, the smallest if several are equal; 0 if
// there is none.
func (r *raster) beside(cells []int32) (best int32) {
	own := r.label[cells[0]]
	sides := make(map[int32]int)
	for _, i := range cells {
		at := r.At(int(i)).Sub(r.Area.Min)
		for _, o := range [4]image.Point{{1, 0}, {0, 1}, {-1, 0}, {0, -1}} {
			if label := r.at(at.X+o.X, at.Y+o.Y); label != 0 && label != own {
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
	wide := &raster{r.Blocks, make([]int32, len(r.label))}
	err := r.each(run, near, func(c cell) { wide.label[c.index] = r.nearest(c, near) })
	if err != nil {
		return err
	}
	return r.each(run, near, func(c cell) {
		i := c.index
		if r.label[i] == 0 && wide.label[i] != 0 && wide.deep(c, near) {
			r.label[i] = wide.label[i]
		}
	})
}

// cell is a cell of a raster. beside has what is added to its index for the index of each cell of a disc
// around it; it is nil if one of these cells is not in the same band and run of cells.
type cell struct {
	image.Point
	index  int
	beside []int
}

// labelAt returns the label of a cell of a disc around another one.
func (r *raster) labelAt(c cell, near []image.Point, n int) int32 {
	if c.beside != nil {
		return r.label[c.index+c.beside[n]]
	}
	k := r.Index(c.Add(near[n]))
	if k < 0 {
		return 0
	}
	return r.label[k]
}

// nearest returns the label of a cell, or else of the first cell of near with a label.
func (r *raster) nearest(c cell, near []image.Point) int32 {
	if own := r.label[c.index]; own != 0 {
		return own
	}
	for n := range near {
		if label := r.labelAt(c, near, n); label != 0 {
			return label
		}
	}
	return 0
}

// deep reports whether all cells of near have a label.
func (r *raster) deep(c cell, near []image.Point) bool {
	for n := range near {
		if r.labelAt(c, near, n) == 0 {
			return false
		}
	}
	return true
}

// each visits every cell, in parallel.
func (r *raster) each(run parallel.Run, near []image.Point, visit func(c cell)) error {
	reach := Bounds(near...) // of the disc, without its centre if that is all
	runs := r.Runs()
	return run.ForEach(len(runs), 16, func(n int) {
		of := runs[n]
		in := r.bandOf(of.First)
		var beside []int
		if of.From.Y+reach.Min.Y >= in.rows.X && of.From.Y+reach.Max.Y <= in.rows.Y {
			beside = in.beside(near)
		}
		for k := of.First; k < of.First+of.Len(); k++ {
			c := cell{of.Cell(k), k, nil}
			if c.X+reach.Min.X >= of.From.X && c.X+reach.Max.X <= of.To {
				c.beside = beside
			}
			visit(c)
		}
	})
}

// beside returns what is added to the index of a cell for the indices of the cells around it.
func (b *band) beside(around []image.Point) (all []int) {
	for _, to := range around {
		all = append(all, to.Y*b.width+to.X)
	}
	return all
}
