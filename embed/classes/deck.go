// SPDX-License-Identifier: BSD-3-Clause

package classes

import "math"

// Limits of a deck. By chance, no place is as far from points as deckSpacings.
const (
	deckWidth    = 24.0 // greatest width, metres
	deckCells    = 2    // least width: single cells at a wall may be higher than their neighbours along it
	deckVoid     = 5.0  // least width of a void beside it, metres,
	deckSpacings = 8.0  // and in spacings of the points
	deckBank     = 0.3  // fall of the last cells before a void in metres, from which on they are its bank
	bankCells    = 2
)

// decks reports which cells belong to a deck of a bridge or a jetty: a strip that falls off on both sides, by
// a wall or into a void without a bank, and is connected with wider land. Dikes and causeways have banks, and
// roofs no land.
func (r *raster) decks(of []int32, lowest []float32, spacing float64) []bool {
	deck := make([]bool, len(of))
	if r.side > deckVoid {
		return deck
	}
	p := profile{of: of, lowest: lowest, inner: r.inner(of)}
	p.void = int(math.Ceil(max(deckVoid, deckSpacings*spacing) / r.side))
	r.lines(func(cells []int, apart float64) {
		p.cells, p.apart = cells, apart
		for from := 0; from < len(cells); from++ {
			strip := p.strip(from)
			if len(strip) == 0 {
				continue
			}
			from = strip[len(strip)-1]
			if p.isDeck(strip) {
				for _, at := range strip {
					deck[cells[at]] = true
				}
			}
		}
	})
	count, narrow := map[int32]int{}, map[int32]int{}
	for k, id := range of {
		count[id]++
		if deck[k] {
			narrow[id]++
		}
	}
	for k, id := range of {
		deck[k] = deck[k] && 2*narrow[id] < count[id]
	}
	return deck
}

// inner reports which cells lie between two cells with points on a line: those without points are a void, and
// not the end of the cloud.
func (r *raster) inner(of []int32) []bool {
	inner := make([]bool, len(of))
	r.lines(func(cells []int, _ float64) {
		first, last := len(cells), 0
		for at, k := range cells {
			if of[k] >= 0 {
				first, last = min(first, at), at
			}
		}
		for at := first; at < last; at++ {
			inner[cells[at]] = true
		}
	})
	return inner
}

// lines calls body for the cells of every row, column and diagonal, whose centres are so many metres apart.
func (r *raster) lines(body func(cells []int, apart float64)) {
	for _, d := range [4][2]int{{1, 0}, {0, 1}, {1, 1}, {1, -1}} {
		for k := range r.height {
			column, row := k%r.columns, k/r.columns
			if before := row - d[1]; column >= d[0] && before >= 0 && before < r.rows {
				continue // the line began there
			}
			var cells []int
			for ; column < r.columns && row >= 0 && row < r.rows; column, row = column+d[0], row+d[1] {
				cells = append(cells, row*r.columns+column)
			}
			body(cells, math.Hypot(float64(d[0]), float64(d[1]))*r.side)
		}
	}
}

// profile is a line of cells across the land.
type profile struct {
	cells  []int
	of     []int32   // component of each cell of the raster, −1 without points
	lowest []float32 // height of each
	inner  []bool    // see inner
	apart  float64   // distance of cells, metres
	void   int       // least number of cells of a void
}

// strip returns the places of cells of one component, from a place on up to the next step or void.
func (p *profile) strip(from int) (all []int) {
	id, last := p.of[p.cells[from]], from
	for at := from; id >= 0 && at < len(p.cells) && at-last <= p.void; at++ {
		k := p.cells[at]
		if p.of[k] < 0 {
			continue
		}
		if step := p.lowest[k] - p.lowest[p.cells[last]]; p.of[k] != id || max(step, -step) > reachStep {
			break
		}
		all, last = append(all, at), at
	}
	return all
}

// isDeck reports whether a strip is narrow and falls off at both ends.
func (p *profile) isDeck(strip []int) bool {
	last := len(strip) - 1
	inside := min(bankCells, last)
	return len(strip) >= deckCells && float64(strip[last]-strip[0])*p.apart < deckWidth &&
		p.falls(strip[0], strip[inside], -1) && p.falls(strip[last], strip[last-inside], 1)
}

// falls reports whether there is a wall that falls, or a void without a bank, behind the edge of a strip.
func (p *profile) falls(edge, inside, step int) bool {
	height := p.lowest[p.cells[edge]]
	for n, at := 1, edge+step; at >= 0 && at < len(p.cells); n, at = n+1, at+step {
		switch k := p.cells[at]; {
		case p.of[k] >= 0:
			return float64(height-p.lowest[k]) > max(reachStep, reachSlope*p.apart*float64(n))
		case n == p.void:
			return p.inner[k] && p.lowest[p.cells[inside]]-height < deckBank
		}
	}
	return false
}
