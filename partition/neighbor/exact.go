// SPDX-License-Identifier: BSD-3-Clause

package neighbor

import (
	"math"

	"superpoint/partition/base/parallel"
)

// Edges are the own edges of points. Every edge of a graph is an own edge of at least one of its
// ends.
type Edges struct {
	ends          *Graph    // the row of a point has the other ends, smaller ones, too
	Listed, Exact []bool    // whether the list of a point, and its own edges, equal those in the full cloud
	Radius        []float64 // search radius of each point in metres
}

// Of returns the other ends of the own edges of a point, ascending.
func (e *Edges) Of(i uint32) []uint32 { return e.ends.Of(int(i)) }

// Isolate removes the same edges as Graph.Isolate.
func (e *Edges) Isolate(run parallel.Run, c *Cloud, l *Lists, k int, isolated []bool) error {
	return e.ends.Isolate(run, c, l, k, isolated)
}

// OwnEdges returns the own edges of all points of a tile in NewGraph with these options: those
// to their first k neighbours, and those across lines that they find; and whether these are
// exact. rim returns, for a point, the distance in metres in the plane up to which the tile has
// all points of the full cloud.
//
// Claim: a list is exact if the distance to its farthest neighbour is less than rim at the
// point, because then the full cloud has no point nearer than that. Own edges are exact if all
// their inputs are: they depend on the lists and the search radius of the point, of its
// neighbours, and of the other ends of edges across lines and their neighbours; a search is
// exact if its radius is less than rim.
//
// Own edges of other points are not considered: a point out of the tile, or one whose own
// edges are inexact, may have an edge to a point whose own edges are exact. If the own edges of
// a point are inexact, rim ≤ Radius at the point, at one of its neighbours, at another end, or at
// a neighbour of one of these.
func OwnEdges(c *Cloud, l *Lists, k, around int, rim func(i uint32) float64, run parallel.Run) (*Edges, error) {
	a, listed, err := newExactness(c, l, k, around, rim, run)
	if err != nil {
		return nil, err
	}
	n := c.Len()
	edges := append([]bool(nil), listed...)
	lines := &lineEdges{candidates: &a.candidates, keep: make([]uint32, n)}
	if a.around > 0 && k < a.around {
		if err := a.find(run); err != nil {
			return nil, err
		}
		if lines.keep, err = a.selectAll(run); err != nil {
			return nil, err
		}
		if edges, err = a.edges(run, listed); err != nil {
			return nil, err
		}
	}
	e := &Edges{Listed: listed, Exact: edges, Radius: a.radii(), ends: &Graph{Start: make([]uint32, n+1)}}
	own, heads := ownEnds(l, min(k, l.K), lines), make([]uint32, 0, n*min(k, l.K))
	var row [2 * Around]uint32
	for i := range n {
		begin := len(heads)
		heads = append(heads, own(uint32(i), row[:0])...)
		heads = heads[:begin+sortDistinct(heads[begin:])]
		e.ends.Start[i+1] = uint32(len(heads))
	}
	e.ends.Head = heads
	return e, run.Err()
}

// radii returns the search radius of each point, in metres.
func (a *exactness) radii() []float64 {
	need := make([]float64, a.cloud.Len())
	for i := range need {
		if a.lists.K > 0 {
			need[i] = a.distance(uint32(i), a.lists.K)
		}
	}
	for s, beside := range a.beside {
		i := a.seeds[s]
		need[i] = max(need[i], a.searchRadius(i, beside[0]))
		for _, j := range beside {
			if j != none && a.border[i] == 1 {
				need[j] = max(need[j], a.searchRadius(j, i))
			}
		}
	}
	for i := range need {
		need[i] = (need[i] + 2*margin) * a.cloud.Unit
	}
	return need
}

func newExactness(c *Cloud, l *Lists, k, around int, rim func(i uint32) float64, run parallel.Run) (*exactness, []bool,
	error) {
	n := c.Len()
	around = min(around, Around, l.K)
	a := &exactness{candidates: candidates{cloud: c, lists: l, k: k, around: around},
		rim: func(i uint32) float64 { return rim(i)/c.Unit - margin }}
	listed := make([]bool, n)
	if err := run.For(n, block, func(lo, hi int) {
		for i := uint32(lo); i < uint32(hi); i++ {
			full := l.K > 0 && len(l.real(int(i), l.K)) == l.K // a row that is not may miss what lies beyond the rim
			listed[i] = math.IsInf(rim(i), 1) || full && a.distance(i, l.K) < a.rim(i)
		}
	}); err != nil {
		return nil, nil, err
	}
	return a, listed, nil
}

// margin bounds the rounding error of distances, in units.
const margin = 4

type exactness struct {
	candidates
	rim func(i uint32) float64 // in units
}

// distance returns that to a point's rank-th neighbour, in units.
func (a *exactness) distance(i uint32, rank int) float64 {
	return math.Sqrt(float64(a.cloud.squared(i, a.lists.Of(int(i))[rank-1])))
}

// edges returns a flag for each point: whether its own edges are exact. The candidates must
// have been found, and listed has the points whose lists are exact.
func (a *exactness) edges(run parallel.Run, listed []bool) ([]bool, error) {
	n := a.cloud.Len()
	found, exact := make([]bool, n), make([]bool, n)
	if err := run.For(n, block, func(lo, hi int) {
		for i := uint32(lo); i < uint32(hi); i++ {
			found[i] = listed[i] && all(listed, a.row(i))
		}
	}); err != nil {
		return nil, err
	}
	if err := run.For(len(a.seeds), block, func(lo, hi int) {
		for s := lo; s < hi; s++ {
			i := a.seeds[s]
			found[i] = found[i] && a.searchRadius(i, a.beside[s][0]) < a.rim(i)
		}
	}); err != nil {
		return nil, err
	}
	err := run.For(n, block, func(lo, hi int) {
		for i := uint32(lo); i < uint32(hi); i++ {
			exact[i] = found[i] && all(found, a.row(i))
		}
	})
	for s, beside := range a.beside {
		i := a.seeds[s]
		for _, j := range beside {
			if j == none {
				continue
			}
			// An edge across a gap also depends on a search behind its other end.
			behind := a.border[i] == 1 && a.searchRadius(j, i) >= a.rim(j)
			exact[i] = exact[i] && found[j] && !behind
		}
	}
	return exact, err
}

// all reports whether all of the points have the flag.
func all(flag []bool, points []uint32) bool {
	for _, j := range points {
		if !flag[j] {
			return false
		}
	}
	return true
}

// searchRadius returns the distance from a seed, in units, up to which its search depends on
// points. If it found a point: on the other side of a line up to twice that distance, or in
// the tube behind. If not: the limits of the searches beside a line and beyond a gap, and
// the tube behind.
func (a *exactness) searchRadius(i, found uint32) float64 {
	kth := a.distance(i, a.k)
	if found != none {
		length := math.Sqrt(float64(a.cloud.squared(i, found)))
		return max(behindGap*length, 2*length+kth)
	}
	last := a.distance(i, a.around)
	return max(lineReach*kth, behindGap*gapReach*last, 2*gapReach*last+kth)
}

// behindGap bounds the distance up to which gapBehind depends on points, in lengths of the
// edge: that of the farthest corner of a tube twice as long as the edge and half as wide.
const behindGap = 2.1
