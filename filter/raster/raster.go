// SPDX-License-Identifier: BSD-3-Clause

// Package raster converts the pixels of an image to a cloud: it finds columns and rows from their
// coordinates and connects each pixel to its 4 or 8 neighbours. It ignores Z.
package raster

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"superpoint/filter/georef"
	"superpoint/partition/base/arrays"
	"superpoint/partition/base/parallel"
	"superpoint/partition/neighbor"
)

// Adjacency is the number of neighbours of a pixel unless the option says 4.
const Adjacency = 8

// Raster is a cloud whose points are the pixels of an image. Pixels may be
// missing.
type Raster struct {
	Cloud *neighbor.Cloud // the pixels, row by row
	Side  float64         // of a pixel in metres: the root of its area

	columns, rows int64
	key           []uint64 // row·columns + column of every point of the view; row 0 has the largest Y
}

// maxSide is the largest number of columns or rows, so that positions in thousandths of a pixel
// fit in 32 bits.
const maxSide = 1 << 20

// New returns the raster of pixels. It fails if coordinates are not on a grid, two points share a
// pixel, or pixels are far from square.
func New(run parallel.Run, x, y []float64, reference georef.Reference, warn func(text string)) (*Raster, error) {
	r, err := lay(x, y)
	if err != nil {
		return nil, err
	}
	order, err := r.order()
	if err != nil {
		return nil, err
	}
	width, height, err := r.pixelSize(run, x, y, reference, warn)
	if err != nil {
		return nil, err
	}
	const steps = 1000 // of a pixel's width
	r.Cloud = &neighbor.Cloud{Unit: width / steps, Order: order, XYZ: make([][3]int32, len(order))}
	r.Side = math.Sqrt(width * height)
	down := height / width * steps
	if float64(r.rows)*down > math.MaxInt32 {
		return nil, fmt.Errorf("option graph: pixels of %g × %g m are not nearly square; use graph=knn", width, height)
	}
	for i, from := range order {
		row, column := r.key[from]/uint64(r.columns), r.key[from]%uint64(r.columns)
		r.Cloud.XYZ[i] = [3]int32{int32(column) * steps, -int32(math.Round(float64(row) * down)), 0}
	}
	return r, nil
}

// sparsest is the largest number of pixels of the grid per point. Point clouds with rounded
// coordinates have far more.
const sparsest = 100

// lay computes columns and rows. It fails if coordinates are not on a grid.
func lay(x, y []float64) (*Raster, error) {
	columns, column, err := lattice("X", x)
	if err != nil {
		return nil, err
	}
	rows, row, err := lattice("Y", y)
	if err != nil {
		return nil, err
	}
	r := &Raster{columns: columns, rows: rows, key: make([]uint64, len(x))}
	for i := range r.key {
		r.key[i] = uint64((rows-1-int64(row[i]))*columns + int64(column[i]))
	}
	if int64(len(r.key)) < columns*rows/sparsest {
		return nil, fmt.Errorf("option graph: %d points on a grid of %d × %d pixels are too few for an image; use "+
			"graph=knn, or give a raster that is not rotated", len(r.key), columns, rows)
	}
	return r, nil
}

// offGrid is the largest distance of a coordinate from the grid in pixels: files with a
// resolution of a centimetre round it.
const offGrid = 0.1

// lattice returns the number of different positions on the grid of one coordinate, and the index
// of every value.
func lattice(name string, values []float64) (count int64, index []uint32, err error) {
	sorted := slices.Clone(values)
	slices.Sort(sorted)
	lo, hi := sorted[0], sorted[len(sorted)-1]
	if math.IsNaN(lo) || math.IsInf(hi-lo, 0) {
		return 0, nil, fmt.Errorf("option graph: a coordinate %s is not finite; drop such points first", name)
	}
	if hi == lo {
		return 1, make([]uint32, len(values)), nil
	}
	index = make([]uint32, len(values))
	for _, steps := range stepCounts(sorted) {
		if steps < maxSide && onLattice(values, lo, (hi-lo)/steps, index) {
			return int64(steps) + 1, index, nil
		}
	}
	return 0, nil, fmt.Errorf("option graph: %s from %v to %v is not on a grid of at most %d pixels per side; use "+
		"graph=knn, or give a raster that is not rotated", name, lo, hi, maxSide)
}

// stepCounts returns candidates for the number of steps of a range: the number of different
// values minus one, which is right if every column has a pixel, and the range divided by the
// smallest difference of values.
func stepCounts(sorted []float64) []float64 {
	width := sorted[len(sorted)-1] - sorted[0]
	tiny := width / maxSide / 10 // smaller differences are rounding
	different, least := 1, width
	for i := 1; i < len(sorted); i++ {
		if gap := sorted[i] - sorted[i-1]; gap > tiny {
			different++
			least = min(least, gap)
		}
	}
	return []float64{float64(different - 1), math.Round(width / least)}
}

func onLattice(values []float64, lo, step float64, index []uint32) bool {
	for i, v := range values {
		at := (v - lo) / step
		whole := math.Round(at)
		if math.Abs(at-whole) > offGrid {
			return false
		}
		index[i] = uint32(whole)
	}
	return true
}

// order returns the points row by row. It fails if two share a pixel.
func (r *Raster) order() ([]uint32, error) {
	order := arrays.Indices[uint32](len(r.key))
	if !slices.IsSorted(r.key) {
		slices.SortFunc(order, func(a, b uint32) int { return cmp.Compare(r.key[a], r.key[b]) })
	}
	for i := 1; i < len(order); i++ {
		if k := r.key[order[i]]; k == r.key[order[i-1]] {
			return nil, fmt.Errorf("option graph: two points lie in the pixel of column %d and row %d; use graph=knn for point "+
				"clouds", k%uint64(r.columns), k/uint64(r.columns))
		}
	}
	return order, nil
}

// Graph returns the graph of adjacent pixels, with diagonals also of those that touch at a corner.
// Vertices are in the order of the cloud, which is that of the keys.
func (r *Raster) Graph(diagonals bool) (*neighbor.Graph, error) {
	order := r.Cloud.Order
	if int64(len(order)) == r.columns*r.rows {
		return neighbor.Grid(int(r.columns), int(r.rows), diagonals)
	}
	g := &neighbor.Graph{Start: make([]uint32, 1, len(order)+1)}
	columns := uint64(r.columns)
	below := 0 // first vertex that can lie below the current one
	key := func(v int) uint64 { return r.key[order[v]] }
	for u := range order {
		k := key(u)
		column := k % columns
		if u+1 < len(order) && key(u+1) == k+1 && column+1 < columns {
			g.Head = append(g.Head, uint32(u+1))
		}
		left, right := k+columns, k+columns
		if diagonals && column > 0 {
			left--
		}
		if diagonals && column+1 < columns {
			right++
		}
		for below < len(order) && key(below) < left {
			below++
		}
		for v := below; v < len(order) && key(v) <= right; v++ {
			g.Head = append(g.Head, uint32(v))
		}
		if len(g.Head) > math.MaxInt32 {
			return nil, fmt.Errorf("option graph: more than %d edges; cut the image into tiles", math.MaxInt32)
		}
		g.Start = append(g.Start, uint32(len(g.Head)))
	}
	return g, nil
}

// pixelSize returns the width and height of a pixel in metres at the center of the image.
func (r *Raster) pixelSize(run parallel.Run, x, y []float64, reference georef.Reference, warn func(string)) (width,
	height float64, err error) {
	west, east := georef.Bounds(x)
	south, north := georef.Bounds(y)
	dx, dy := (east-west)/float64(max(r.columns-1, 1)), (north-south)/float64(max(r.rows-1, 1))
	if dx == 0 {
		dx = dy
	}
	if dy == 0 {
		dy = dx
	}
	if dx == 0 { // one pixel
		dx, dy = 1, 1
	}
	cx, cy := (west+east)/2, (south+north)/2
	across, along := []float64{cx, cx + dx, cx}, []float64{cy, cy, cy - dy}
	e, n, _, err := reference.Metres(run, across, along, make([]float64, 3), warn)
	if err != nil {
		return 0, 0, err
	}
	return math.Hypot(e[1]-e[0], n[1]-n[0]), math.Hypot(e[2]-e[0], n[2]-n[0]), nil
}
