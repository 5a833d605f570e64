// SPDX-License-Identifier: BSD-3-Clause

package neighbor

import (
	"math/bits"

	"superpoint/partition/base/parallel"
)

// lineEdges has the edges across the gaps between scan lines.
type lineEdges struct {
	*candidates
	keep   []uint32 // a bit for each candidate of a point that is selected
	points int      // number of points with such edges
}

// acrossLines finds the edges across the gaps between scan lines.
//
// A rotating or oscillating scanner measures points much closer along a scan line than
// the distance between lines, or several lines close together and then a gap. The nearest
// neighbours of a point are then in its own line or bundle of lines, and the graph of
// nearest neighbours is not connected across the gaps: superpoints become stripes
// (scan-line artefacts). Lines are detected from the positions of the neighbours only, not
// from scanner attributes. Among each point's first around neighbours (at most Around; the
// lists may have more) the candidates are
//
//   - the neighbours after the k-th for which no other point is nearer to both ends: the
//     edges of the relative neighbourhood graph (Toussaint 1980,
//     doi:10.1016/0031-3203(80)90066-7);
//   - if all neighbours are on a line, the nearest point beside the line and the nearest one
//     on the other side;
//   - if a third of the directions in the plane of the neighbours is free, as at the border
//     of a bundle of lines, the nearest point in these directions, if there is another gap
//     behind each end and both ends are in one plane. A roof or a wall has no other gap, a
//     window pane is in another plane.
//
// For the last two, some of the neighbours must be at such a border, too.
//
// There are candidates everywhere, but without scan lines they have all directions. A candidate is selected
// under two conditions. The candidates of the neighbours have the same direction, across the lines. And the
// candidate is at most twice as long as the shortest candidate of the other end, or as the distance of that
// end to its k-th neighbour: so a wire has no edges to the ground. The conditions for level edges across gaps
// are weaker (level.go).
//
// The result is exact and a function of the positions: it does not depend on the order of
// points, on threads, translation or scale, nor on points farther away than about twice the
// longest edge. It needs about 20 bytes of memory per point.
func acrossLines(c *Cloud, l *Lists, k, around int, run parallel.Run) (*lineEdges, error) {
	around = min(around, Around, l.K)
	a := &lineEdges{candidates: &candidates{cloud: c, lists: l, k: k, around: around}}
	// All neighbors by which lines are detected have edges already.
	if k >= around {
		a.keep = make([]uint32, c.Len())
		return a, run.Err()
	}
	if err := a.find(run); err != nil {
		return nil, err
	}
	var err error
	if a.keep, err = a.selectAll(run); err != nil {
		return nil, err
	}
	for _, which := range a.keep {
		if which != 0 {
			a.points++
		}
	}
	return a, nil
}

// ends appends the other ends of the edges of a point. One is there twice that was found both as a neighbour
// and beside the line.
func (a *lineEdges) ends(i uint32, row []uint32) []uint32 {
	for which := a.keep[i]; which != 0; which &= which - 1 {
		row = append(row, a.end(i, bits.TrailingZeros32(which)))
	}
	return row
}

// selectBlock is the number of points of which candidates are selected at a time: with 4096,
// most neighbours of a point are of the same block, whose moments are computed once.
const selectBlock = 4096

// selectAll returns for each point a bit for each candidate that is selected.
//
// One selector a worker, not a block: its memory for moments is used again.
func (w *candidates) selectAll(run parallel.Run) ([]uint32, error) {
	keep := make([]uint32, w.cloud.Len())
	workers := make([]selector, run.Workers())
	fast := borderFast()
	return keep, run.ForWorker(len(keep), selectBlock, func(worker, lo, hi int) {
		k := &workers[worker]
		k.candidates = w
		k.search.cloud, k.search.fast = w.cloud, fast
		k.selectEdges(keep, lo, hi)
	})
}
