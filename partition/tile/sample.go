package tile

import (
	"cmp"
	"math"
	"slices"

	"superpoint/partition/arithmetic"
)

// Sample holds the sizes of the sample from which the point spacing and the strength
// of the regularization of a cloud are computed. The sample consists of the points
// in some squares that are spread over the cloud. It depends only on the positions
// of the points, so a survey that reads its files in parts selects the same points
// as a filter that reads all of them.
type Sample struct {
	Whole  int // a cloud of at most so many points is used as a whole
	Points int // smallest number of points of the sample of a larger cloud
	Square int // largest number of points of a square
}

const (
	sampleUnit    = 1e5                    // per metre, as positions are rounded
	sampleEdge    = 32 * int64(sampleUnit) // edge of a lattice's cells; each cell has at most one square
	sampleLeast   = sampleEdge >> 10       // edge of the smallest cells
	sampleSquares = 16                     // cells are halved until so many have points or they are the smallest
)

// Square is a square of a sample.
type Square struct {
	Low    [2]int64 // south-west corner, in 10 µm
	Edge   int64    // in 10 µm
	Points []int32  // indices of the points in it, ascending
}

// Unit converts a coordinate from metres to units of 10 µm.
func Unit(metres float64) int64 { return int64(math.Round(metres * sampleUnit)) }

// Cell returns the cell of the lattice that a position, in 10 µm, lies in.
func Cell(x, y int64) [2]int64 { return cellOf(x, y, sampleEdge) }

// CellBox returns the bounds of a cell in metres.
func CellBox(cell [2]int64) Box {
	edge := float64(sampleEdge) / sampleUnit
	return Box{float64(cell[0]) * edge, float64(cell[1]) * edge, float64(cell[0]+1) * edge, float64(cell[1]+1) * edge}
}

func cellOf(x, y, edge int64) [2]int64 {
	return [2]int64{arithmetic.FloorDiv(x, edge), arithmetic.FloorDiv(y, edge)}
}

// Rank is a hash of a cell. In the order of their hashes, the first cells of a cloud
// are spread over all of it.
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

// Squares selects squares from n points; at returns the position of a point in 10 µm.
// enough reports whether the result stays the same if points are added in cells that
// follow all cells of these n points in the order of CompareCells.
func (s Sample) Squares(n int, at func(i int) (x, y int64)) (squares []Square, enough bool) {
	edge := sampleEdge
	cells, points := group(n, at, edge)
	for len(cells) < sampleSquares && edge > sampleLeast {
		edge /= 2
		cells, points = group(n, at, edge)
	}
	total := 0
	for _, cell := range cells {
		if total >= s.Points {
			break
		}
		q := Square{Low: [2]int64{cell[0] * edge, cell[1] * edge}, Edge: edge}
		for _, s := range points[cell] {
			for i := s.from; i < s.to; i++ {
				q.Points = append(q.Points, i)
			}
		}
		for len(q.Points) > s.Square && q.Edge > 1 {
			q = q.part(at)
		}
		squares, total = append(squares, q), total+len(q.Points)
	}
	return squares, edge == sampleEdge && total >= s.Points
}

// span is the points from … to − 1.
type span struct{ from, to int32 }

// group returns the cells with points, ordered by CompareCells, and their points.
func group(n int, at func(i int) (x, y int64), edge int64) (cells [][2]int64, points map[[2]int64][]span) {
	number := map[[2]int64]int{}
	var lists [][]span
	var low [2]int64 // of the cell of the point before
	k := -1
	for i := range n {
		x, y := at(i)
		// consecutive points are often in one cell; two comparisons are faster than two divisions
		if k < 0 || uint64(x-low[0]) >= uint64(edge) || uint64(y-low[1]) >= uint64(edge) {
			cell := cellOf(x, y, edge)
			low = [2]int64{cell[0] * edge, cell[1] * edge}
			var there bool
			if k, there = number[cell]; !there {
				k = len(cells)
				number[cell] = k
				cells, lists = append(cells, cell), append(lists, nil)
			}
			lists[k] = append(lists[k], span{from: int32(i)})
		}
		lists[k][len(lists[k])-1].to = int32(i + 1)
	}
	points = map[[2]int64][]span{}
	for k, cell := range cells {
		points[cell] = lists[k]
	}
	slices.SortFunc(cells, CompareCells)
	return cells, points
}

// part returns the first quarter of a square, in the order of CompareCells, among
// those with at least an eighth of its points.
func (q Square) part(at func(i int) (x, y int64)) Square {
	half := q.Edge / 2
	var parts [4]Square
	for k := range parts {
		parts[k] = Square{[2]int64{q.Low[0] + int64(k&1)*half, q.Low[1] + int64(k>>1)*half}, q.Edge - half, nil}
	}
	for _, i := range q.Points {
		x, y := at(int(i))
		k := 0
		if x >= q.Low[0]+half {
			k = 1
		}
		if y >= q.Low[1]+half {
			k += 2
		}
		parts[k].Points = append(parts[k].Points, i)
	}
	all := slices.DeleteFunc(parts[:], func(p Square) bool { return 8*len(p.Points) < len(q.Points) })
	return slices.MinFunc(all, func(a, b Square) int { return CompareCells(a.Low, b.Low) })
}

// Inner reports whether a position is inside a square and more than margin from its
// sides, all in 10 µm.
func (q *Square) Inner(x, y, margin int64) bool {
	return min(x-q.Low[0], y-q.Low[1], q.Low[0]+q.Edge-x, q.Low[1]+q.Edge-y) > margin
}
