// SPDX-License-Identifier: BSD-3-Clause

package neighbor

import (
	"math"

	"superpoint/partition/base/parallel"
)

// Edges are the own edges of points. Every edge of a graph is an own edge of at least one of its
// ends.
type Edges struct {
	ends   *Graph    // the row of a point has the other ends, smaller ones, too
	Radius []float64 // search radius of each point in metres
	Inside []bool    // whether the tile has all points within Radius; then the list is that in the full cloud
	Exact  []bool    // whether the own edges of a point equal those in the full cloud
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
// point, because then the full cloud has no point nearer than that. Own edges depend on the
// lists and the searches of the point, of its neighbours and of the neighbours of these, and of
// the other ends of edges across lines and their neighbours. So they are exact if all of these
// points are inside: if their Radius is less than rim.
//
// Own edges of other points are not considered: a point out of the tile, or one whose own
// edges are inexact, may have an edge to a point whose own edges are exact.
func OwnEdges(c *Cloud, l *Lists, how GraphOptions, rim func(i uint32) float64, run parallel.Run) (
	*Edges, error) {
	n := c.Len()
	k := min(how.Nearest, l.K)
	lines, err := acrossLines(c, l, how.Nearest, how.Around, run)
	if err != nil {
		return nil, err
	}
	e := &Edges{Radius: lines.radii(), Inside: make([]bool, n), ends: &Graph{Start: make([]uint32, n+1)}}
	for i := range uint32(n) {
		e.Inside[i] = e.Radius[i] < rim(i)
	}
	// Lists of the point, of its neighbors and of the neighbors of these: twice. A clump depends on further
	// own edges, and findClumps resets the flags of those that are not exact.
	e.Exact = lines.surrounded(lines.surrounded(e.Inside))
	own := ownEnds(l, k, lines)
	if how.Clumps {
		if own, err = findClumps(c, l, k, own, e.Exact, run); err != nil {
			return nil, err
		}
	}
	heads := make([]uint32, 0, n*k)
	for i := range uint32(n) {
		begin := len(heads)
		heads = append(heads, own(i, nil)...)
		heads = heads[:begin+sortDistinct(heads[begin:])]
		e.ends.Start[i+1] = uint32(len(heads))
	}
	e.ends.Head = heads
	return e, run.Err()
}

// surrounded reports for each point whether it has a flag, and so have its neighbours and what it found
// across lines.
//
// Applied twice it asks for the neighbors of neighbors: the selection at a point reads the candidates of its
// neighbors (selector.of), and these depend on the lists of theirs.
func (w *candidates) surrounded(flag []bool) []bool {
	all := make([]bool, len(flag))
	for i := range all {
		all[i] = flag[i]
		for _, j := range w.row(uint32(i)) {
			all[i] = all[i] && flag[j]
		}
	}
	for s, beside := range w.beside {
		for _, j := range beside {
			all[w.seeds[s]] = all[w.seeds[s]] && (j == none || flag[j])
		}
	}
	return all
}

// margin bounds the rounding error of distances, in units.
const margin = 8

// radii returns the search radius of each point in metres: the distance of its farthest neighbour, or
// Farthest if its list was cut there, or the radius of its searches across lines if that is larger. An edge
// across a gap also depends on a search behind its other end.
func (w *candidates) radii() []float64 {
	need := make([]float64, w.cloud.Len())
	for i := range need {
		// A list that was cut says that no other point is within Farthest, so it depends on all points up to
		// there. margin is subtracted because it is added to all below: the radius is then Farthest.
		if near := w.lists.real(i, w.lists.K); len(near) < w.lists.K {
			need[i] = Farthest/w.cloud.Unit - margin
		} else if len(near) > 0 {
			need[i] = w.distance(uint32(i), w.lists.K)
		}
	}
	for s, beside := range w.beside {
		i := w.seeds[s]
		need[i] = max(need[i], w.searchRadius(i, beside[0]))
		for _, j := range beside {
			// The other end has its own tube behind it, with the edge from there to i (regular).
			if j != none && w.border[i] == 1 {
				need[j] = max(need[j], w.searchRadius(j, i))
			}
		}
	}
	for i := range need {
		need[i] = (need[i] + margin) * w.cloud.Unit
	}
	return need
}

// distance returns that to a point's rank-th neighbour, in units.
//
// Ranks begin with 1.
func (w *candidates) distance(i uint32, rank int) float64 {
	return math.Sqrt(float64(w.cloud.squared(i, w.lists.Of(int(i))[rank-1])))
}

// searchRadius returns the distance from a seed, in units, up to which its search depends on
// points. If it found a point: on the other side of a line up to twice that distance, or in
// the tube behind. If not: the limits of the searches beside a line and beyond a gap, and
// the tube behind.
func (w *candidates) searchRadius(i, found uint32) float64 {
	kth := w.distance(i, w.k)
	if found != none {
		length := math.Sqrt(float64(w.cloud.squared(i, found)))
		return max(behindGap*length, 2*length+kth)
	}
	last := w.distance(i, w.around)
	return max(lineReach*kth, behindGap*gapReach*last, 2*gapReach*last+kth)
}

// behindGap bounds the distance up to which gapBehind depends on points, in lengths of the
// edge: up to the farthest corner of a tube twice as long as the edge and half as wide.
const behindGap = 2.1
