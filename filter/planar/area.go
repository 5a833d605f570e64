package planar

import "math"

// Cell is where a point falls.
type Cell struct{ Column, Row int64 }

// Area is a rectangle of cells that includes its borders.
type Area struct{ Low, High Cell }

// Empty is the area without a cell.
var Empty = Area{Cell{math.MaxInt64, math.MaxInt64}, Cell{math.MinInt64, math.MinInt64}}

// With returns the smallest area that has both areas in it.
func (a Area) With(b Area) Area {
	return Area{Cell{min(a.Low.Column, b.Low.Column), min(a.Low.Row, b.Low.Row)},
		Cell{max(a.High.Column, b.High.Column), max(a.High.Row, b.High.Row)}}
}

// WithCell returns the smallest area that has the area and a cell in it.
func (a Area) WithCell(c Cell) Area { return a.With(Area{c, c}) }

// Grown returns the area extended by numbers of columns and rows on every side.
func (a Area) Grown(by [2]int64) Area {
	return Area{Cell{a.Low.Column - by[0], a.Low.Row - by[1]}, Cell{a.High.Column + by[0], a.High.Row + by[1]}}
}

// Contains reports whether a cell is in the area.
func (a Area) Contains(c Cell) bool {
	return c.Column >= a.Low.Column && c.Column <= a.High.Column && c.Row >= a.Low.Row && c.Row <= a.High.Row
}

// Within reports whether the area, which has cells, is a part of another.
func (a Area) Within(b Area) bool { return b.Contains(a.Low) && b.Contains(a.High) }

// Meets reports whether two areas share a cell.
func (a Area) Meets(b Area) bool {
	low := Cell{max(a.Low.Column, b.Low.Column), max(a.Low.Row, b.Low.Row)}
	high := Cell{min(a.High.Column, b.High.Column), min(a.High.Row, b.High.Row)}
	return low.Column <= high.Column && low.Row <= high.Row
}
