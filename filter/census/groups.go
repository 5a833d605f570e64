// Package census counts and measures superpoints, one row each: how many points,
// where, of which form (Demantké et al. 2011,
// doi:10.5194/isprsarchives-XXXVIII-5-W12-97-2011), of which class, with which
// mean values; and the graph of those that touch. Positions are in the file's own
// units, lengths in metres, shares and ratios in [0, 1]. A superpoint's points
// are always taken in file order, so results do not depend on the number of
// threads.
package census

import (
	"fmt"
	"math"
	"slices"

	"superpoint/partition/arrays"
	"superpoint/partition/parallel"
)

// Groups lists the points of every superpoint. Memory: 8 bytes a point.
type Groups struct {
	ID    []uint32      // ids that points have, ascending
	Of    []int32       // row of each point in ID, −1 for points without a superpoint
	lists arrays.Groups // points by superpoint, in file order
}

// Group gathers points by id. Ids are whole numbers below 2³²; 0 and below mean
// that a point has no superpoint.
func Group(id []float64) (*Groups, error) {
	if len(id) > math.MaxInt32 {
		return nil, fmt.Errorf("%d points; at most %d can be grouped", len(id), math.MaxInt32)
	}
	g := &Groups{Of: make([]int32, len(id))}
	rows := make(map[uint32]int32)
	last, row := 0.0, int32(-1) // neighbours in a file are mostly of one superpoint
	for i, v := range id {
		if v != last || i == 0 {
			if v != math.Trunc(v) || v > math.MaxUint32 {
				return nil, fmt.Errorf("point %d has the value %v; ids are whole numbers up to %d", i, v, uint32(math.MaxUint32))
			}
			last, row = v, -1
			if v > 0 {
				var known bool
				if row, known = rows[uint32(v)]; !known {
					row = int32(len(g.ID))
					rows[uint32(v)] = row
					g.ID = append(g.ID, uint32(v))
				}
			}
		}
		g.Of[i] = row
	}
	slices.Sort(g.ID)
	g.order(rows)
	return g, nil
}

// order numbers rows by id instead of by first point, and lists the points.
func (g *Groups) order(rows map[uint32]int32) {
	rank := make([]int32, len(g.ID))
	for k, id := range g.ID {
		rank[rows[id]] = int32(k)
	}
	for i, row := range g.Of {
		if row >= 0 {
			g.Of[i] = rank[row]
		}
	}
	g.lists = arrays.GroupBy(g.Of, len(g.ID))
}

// Len returns the number of superpoints.
func (g *Groups) Len() int { return len(g.ID) }

// Points returns the points of row k, in file order.
func (g *Groups) Points(k int) []uint32 { return g.lists.Of(k) }

// block is the number of superpoints a worker takes at a time.
const block = 64

// Each calls body once for every row, concurrently.
func (g *Groups) Each(run parallel.Run, body func(k int, points []uint32)) error {
	return run.For(g.Len(), block, func(lo, hi int) {
		for k := lo; k < hi; k++ {
			body(k, g.Points(k))
		}
	})
}
