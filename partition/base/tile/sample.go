// SPDX-License-Identifier: BSD-3-Clause

package tile

import (
	"cmp"
	"math"
	"slices"

	"superpoint/partition/base/arithmetic"
	"superpoint/partition/base/parallel"
)

// Sample holds the sizes of the sample from which the point spacing and the strength
// of the regularization of a cloud are computed. The sample consists of the points
// in some squares that are spread over the cloud. It depends only on the positions
// of the points to the corner of the cloud, so a cloud that is moved has the same
// sample, and a survey that reads its files in parts selects the same points as a
// filter that reads all of them.
type Sample struct {
	Whole  int // a cloud of at most this number of points is not sampled
	Points int // smallest number of points of the sample of a larger cloud
	Square int // largest number of points of a square
}

const (
	sampleUnit  = 1e5                    // per metre, as positions are rounded
	sampleEdge  = 32 * int64(sampleUnit) // edge of a lattice's cells; each cell has at most one square
	sampleLeast = sampleEdge >> 10       // edge of the smallest cells
	// cells are halved until this number has points or they are the smallest
	sampleSquares = 16
)

// Square is a square of a sample.
type Square struct {
	Low    [2]int64 // south-west corner, in 10 µm
	Edge   int64    // in 10 µm
	Points []int32  // indices of the points in it, ascending
}

// Unit converts a coordinate from metres to units of 10 µm.
func Unit(metres float64) int64 { return int64(math.Round(metres * sampleUnit)) }

// Corner is the least x and y of a cloud in 10 µm, where cell (0, 0) of the lattice begins.
type Corner [2]int64

// CornerOf returns the corner of a cloud, in metres.
func CornerOf(x, y float64) Corner { return Corner{Unit(x), Unit(y)} }

// Cell returns the cell of the lattice that a position, in 10 µm, lies in.
func (c Corner) Cell(x, y int64) [2]int64 { return c.cellOf(x, y, sampleEdge) }

// CellBox returns the bounds of a cell in metres.
func (c Corner) CellBox(cell [2]int64) Box {
	west, south := c[0]+cell[0]*sampleEdge, c[1]+cell[1]*sampleEdge
	return Box{West: float64(west) / sampleUnit, South: float64(south) / sampleUnit,
		East: float64(west+sampleEdge) / sampleUnit, North: float64(south+sampleEdge) / sampleUnit}
}

func (c Corner) cellOf(x, y, edge int64) [2]int64 {
	return [2]int64{arithmetic.FloorDiv(x-c[0], edge), arithmetic.FloorDiv(y-c[1], edge)}
}

// Rank is a hash of a cell. In the order of their hashes, the first cells of a cloud
// are spread over the full cloud.
func Rank(cell [2]int64) uint64 {
	h := uint64(0x9e3779b97f4a7c15)
	for _, v := range cell { // splitmix64 (Steele, Lea and Flood 2014)
		h += uint64(v) * 0xbf58476d1ce4e5b9
		h = (h ^ h>>30) * 0xbf58476d1ce4e5b9
		h = (h ^ h>>27) * 0x94d049bb133111eb
		h ^= h >> 31
	}
	return h
}

// CompareCells compares cells by Rank, then by coordinates.
func CompareCells(a, b [2]int64) int {
	return cmp.Or(cmp.Compare(Rank(a), Rank(b)), slices.Compare(a[:], b[:]))
}

// Squares selects squares from points at x and y, multiples of unit in metres, of a cloud with a corner.
// enough reports whether the result stays the same if points are added in cells that follow all cells of
// these points in the order of CompareCells. It fails only if the run is cancelled.
func (s Sample) Squares(run parallel.Run, x, y []float64, unit float64, corner Corner) (squares []Square,
	enough bool, err error) {
	defer parallel.Catch(&err)
	p := points{x, y, unit, corner}
	edge := sampleEdge
	cells, spans := p.group(run, edge)
	for len(cells) < sampleSquares && edge > sampleLeast {
		edge /= 2
		cells, spans = p.group(run, edge)
	}
	total := 0
	for len(cells) > 0 && total < s.Points {
		some := cells[:min(len(cells), run.Workers())]
		cells = cells[len(some):]
		for _, q := range parallel.Map(run, len(some), 1, func(k, _ int) Square {
			return s.square(p, some[k], edge, spans[some[k]])
		}) {
			if total < s.Points {
				squares = append(squares, q)
				total = total + len(q.Points)
			}
		}
	}
	return squares, edge == sampleEdge && total >= s.Points, nil
}

// square returns the square in a cell that has spans of points.
func (s Sample) square(p points, cell [2]int64, edge int64, spans []span) Square {
	q := Square{Low: [2]int64{p.corner[0] + cell[0]*edge, p.corner[1] + cell[1]*edge}, Edge: edge}
	for _, s := range spans {
		for i := s.from; i < s.to; i++ {
			q.Points = append(q.Points, i)
		}
	}
	for len(q.Points) > s.Square && q.Edge > 1 {
		q = p.part(q)
	}
	return q
}

// points are positions, in multiples of unit in metres, of a cloud with a corner.
type points struct {
	x, y   []float64
	unit   float64
	corner Corner
}

// at returns the position of a point in 10 µm.
func (p points) at(i int32) (x, y int64) { return Unit(p.x[i] * p.unit), Unit(p.y[i] * p.unit) }

// span is the points from … to − 1.
type span struct{ from, to int32 }

// stretch is a span of points in one cell.
type stretch struct {
	cell [2]int64
	span
}

// group returns the cells with points, ordered by CompareCells, and their points. Each worker lists the
// stretches of a few points at a time, since there is one for every point of a cloud in random order.
func (p points) group(run parallel.Run, edge int64) (cells [][2]int64, spans map[[2]int64][]span) {
	const block = 1 << 12
	spans = map[[2]int64][]span{}
	found := make([][]stretch, run.Workers())
	for from := 0; from < len(p.x); from += block * len(found) {
		n := min(block*len(found), len(p.x)-from)
		run.Do(n, block, func(lo, hi int) {
			k := lo / block
			found[k] = p.stretches(found[k][:0], from+lo, from+hi, edge)
		})
		for k := range (n + block - 1) / block {
			for _, f := range found[k] {
				spans[f.cell] = append(spans[f.cell], f.span)
			}
		}
	}
	for c := range spans {
		cells = append(cells, c)
	}
	slices.SortFunc(cells, CompareCells)
	return cells, spans
}

// stretches divides points lo … hi − 1, and appends what it finds.
func (p points) stretches(found []stretch, lo, hi int, edge int64) []stretch {
	// what is between them, before it is rounded, is in the cell of the point before, too
	var low, high [2]float64
	for i := lo; i < hi; i++ {
		// Consecutive points are often in one cell; comparisons are faster than to round and to divide.
		x, y := p.x[i]*p.unit*sampleUnit, p.y[i]*p.unit*sampleUnit
		if n := len(found); n > 0 && x >= low[0] && x <= high[0] && y >= low[1] && y <= high[1] {
			found[n-1].to++
			continue
		}
		cell := p.corner.cellOf(Unit(p.x[i]*p.unit), Unit(p.y[i]*p.unit), edge)
		found = append(found, stretch{cell, span{int32(i), int32(i) + 1}})
		for a, c := range cell {
			begin := p.corner[a] + c*edge
			low[a], high[a] = float64(begin), float64(begin+edge-1)
		}
	}
	return found
}

// part returns the first quarter of a square, in the order of CompareCells, among the
// quarters with at least an eighth of its points.
func (p points) part(q Square) Square {
	half := q.Edge / 2
	low := func(k uint8) [2]int64 { return [2]int64{q.Low[0] + int64(k&1)*half, q.Low[1] + int64(k>>1)*half} }
	quarter := make([]uint8, len(q.Points))
	count := [4]int{}
	for n, i := range q.Points {
		x, y := p.at(i)
		k := uint8(0)
		if x >= q.Low[0]+half {
			k = 1
		}
		if y >= q.Low[1]+half {
			k += 2
		}
		quarter[n] = k
		count[k]++
	}
	all := slices.DeleteFunc([]uint8{0, 1, 2, 3}, func(k uint8) bool { return 8*count[k] < len(q.Points) })
	// compared by their places from the corner, which do not change if the cloud moves
	place := func(k uint8) [2]int64 { return [2]int64{low(k)[0] - p.corner[0], low(k)[1] - p.corner[1]} }
	first := slices.MinFunc(all, func(a, b uint8) int { return CompareCells(place(a), place(b)) })
	kept := q.Points[:0]
	for n, i := range q.Points {
		if quarter[n] == first {
			kept = append(kept, i)
		}
	}
	return Square{low(first), q.Edge - half, kept}
}

// Inner reports whether a position is inside a square and more than margin from its
// sides, all in 10 µm.
func (q *Square) Inner(x, y, margin int64) bool {
	return min(x-q.Low[0], y-q.Low[1], q.Low[0]+q.Edge-x, q.Low[1]+q.Edge-y) > margin
}
