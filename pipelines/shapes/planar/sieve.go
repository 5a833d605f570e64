// SPDX-License-Identifier: BSD-3-Clause

package planar

import (
	"cmp"
	"image"
	"slices"

	"superpoint/partition/base/parallel"
)

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
