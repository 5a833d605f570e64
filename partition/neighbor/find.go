// SPDX-License-Identifier: BSD-3-Clause

package neighbor

import (
	"superpoint/partition/base/parallel"
)

// find finds all candidates.
//
// Three loops over points, of which each needs all of the one before: what the neighbors of each point look
// like (around); which points at borders search beyond them, for which the borders of their neighbors are
// compared (seed); the searches (look). The second loop is there to save work of the third: a search reads
// far more points than a list has, and foliage is full of borders in random directions.
func (w *candidates) find(run parallel.Run) error {
	n := w.cloud.Len()
	w.which = make([]uint32, n)
	w.border = make([]uint8, n)
	w.side = make([][3]int8, n)
	w.place = make([]uint32, n)
	// A search for each block: workers do not share its memory.
	err := run.For(n, 2048, func(lo, hi int) { w.aroundAll(&borderSearch{cloud: w.cloud}, lo, hi) })
	if err != nil {
		return err
	}
	if err := run.For(n, 2048, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			// place is a flag here, and becomes an index below. Of points that are no seeds it stays 0, and
			// is not read (end).
			if w.border[i] > 0 && w.seed(uint32(i)) {
				w.place[i] = 1
			}
		}
	}); err != nil {
		return err
	}
	// Serial, so that seeds are in the order of points and the results of look do not depend on threads.
	for i, seed := range w.place {
		if seed != 0 {
			w.place[i] = uint32(len(w.seeds))
			w.seeds = append(w.seeds, uint32(i))
		}
	}
	w.beside = make([][2]uint32, len(w.seeds))
	return run.For(len(w.seeds), 512, w.look)
}

// seed reports whether a point at a border searches beyond it: whether enough of its
// neighbours are at a border, too, on the same or the opposite side.
//
// Sides are compared by the mean of squared cosines: squared, because at the other edge of a bundle the free
// side is the opposite one; the mean of many, because one neighbor may agree by chance. For random directions
// in a plane it is 1/2, in space 1/3.
func (w *candidates) seed(i uint32) bool {
	points, sum := 0, 0
	own := &w.side[i]
	for _, j := range w.row(i) {
		if w.border[j] == 0 {
			continue
		}
		points++
		side := &w.side[j]
		cosine := int(own[0])*int(side[0]) + int(own[1])*int(side[1]) + int(own[2])*int(side[2])
		if w.border[j] == 2 { // no side, but a line
			cosine = sideLength * sideLength
		}
		sum += cosine * cosine
	}
	// Cosines are integers of up to 127², their squares of up to 127⁴ < 2²⁸: sums over 20 neighbors fit in an
	// int on any machine of 64 bits and have no rounding. one is the square for equal sides.
	const one = sideLength * sideLength * sideLength * sideLength
	return points >= minCandidatesLevel && (w.border[i] == 2 || float64(sum) >= sameSide*one*float64(points))
}

// look searches for points beyond the borders of the seeds from lo to hi−1. If fewer than
// minCandidates of a seed's neighbours are at a border, only level edges become candidates.
//
// Writes of two workers never meet: each seed has its own entry in which and in beside. border is complete
// and is only read.
func (w *candidates) look(lo, hi int) {
	side := &borderSearch{cloud: w.cloud, fast: borderFast()}
	for s := lo; s < hi; s++ {
		i := w.seeds[s]
		w.beside[s] = side.beyond(i, w.row(i), w.k, w.border[i], w.side[i])
		few := among(w.row(i), w.border) < minCandidates
		for bit, j := range w.beside[s] {
			if j != none && (!few || side.level(i, j, w.row(i))) {
				w.which[i] |= 1 << (Around + bit)
			}
		}
	}
}

// among returns the number of points that are at a border.
//
// A gap and a line count alike here.
func among(points []uint32, border []uint8) int {
	n := 0
	for _, j := range points {
		if border[j] > 0 {
			n++
		}
	}
	return n
}
