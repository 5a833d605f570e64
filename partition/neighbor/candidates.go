// SPDX-License-Identifier: BSD-3-Clause

package neighbor

import (
	"math"
	"math/bits"

	"superpoint/partition/base/parallel"
)

// candidates are the candidates for edges across lines, see AcrossLines: some of the
// neighbours, and the points that seeds found beside a line or beyond a gap. Memory: 16
// bytes a point and 16 a seed.
type candidates struct {
	cloud  *Cloud
	lists  *Lists
	k      int         // number of neighbours that have an edge without this
	around int         // number of neighbours by which lines are detected
	which  []uint32    // a bit for each candidate of a point: of its neighbours, then of beside
	border []uint8     // 1: the point is at a gap; 2: all neighbours are on a line; 0: neither
	side   [][3]int8   // middle of the free directions, or direction of the line; length sideLength
	seeds  []uint32    // points at a border that search for points beyond it
	place  []uint32    // index of a point in seeds
	beside [][2]uint32 // points that each seed found, or none
}

// none is the index that means no point.
const none = math.MaxUint32

// ranks are the bits of candidates among the neighbours; higher bits are those of beside.
const ranks = 1<<Around - 1

const (
	// uneven is the greatest ratio of the length of an edge to that of the shortest candidate
	// of the other end, unless the edge is level. Longer ones are not between scan lines but,
	// for example, from a wire to the ground.
	uneven = 2
	// minCandidates is the least number of points among a point and its neighbours that have
	// candidates. On an isotropic surface it is 4 of 21, beside scan lines most.
	minCandidates = 6
	// sameDirection is the least mean squared cosine between an edge and the candidates of
	// the neighbours: 1/2 in a plane without any order, 1/3 in space.
	sameDirection = 0.9
	// sameSide is the least mean squared cosine between the free side of a point at a gap
	// and those of its neighbours: beside a bundle of lines all are across it, in one of two
	// directions; in foliage they are random. It saves most searches.
	sameSide = 0.6
)

// sideLength is the length of a vector in candidates.side.
const sideLength = 127

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
	err := run.For(n, 2048, func(lo, hi int) { w.aroundAll(&borderSearch{cloud: w.cloud}, lo, hi) })
	if err != nil {
		return err
	}
	if err := run.For(n, 2048, func(lo, hi int) {
		for i := lo; i < hi; i++ {
			if w.border[i] > 0 && w.seed(uint32(i)) {
				w.place[i] = 1
			}
		}
	}); err != nil {
		return err
	}
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
	const one = sideLength * sideLength * sideLength * sideLength
	return points >= minCandidatesLevel && (w.border[i] == 2 || float64(sum) >= sameSide*one*float64(points))
}

// aroundGo finds the candidates among the neighbours of the points from lo to hi−1.
func (w *candidates) aroundGo(s *borderSearch, lo, hi int) {
	for i := lo; i < hi; i++ {
		w.which[i], w.border[i], w.side[i] = s.around(uint32(i), w.row(uint32(i)), w.k)
	}
}

// look searches for points beyond the borders of the seeds from lo to hi−1. If fewer than
// minCandidates of a seed's neighbours are at a border, only level edges become candidates.
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
func among(points []uint32, border []uint8) int {
	n := 0
	for _, j := range points {
		if border[j] > 0 {
			n++
		}
	}
	return n
}

// row returns the neighbours by which lines are detected.
func (w *candidates) row(i uint32) []uint32 { return w.lists.Of(int(i))[:w.around] }

// end returns the other end of a candidate, given by its bit.
func (w *candidates) end(i uint32, bit int) uint32 {
	if bit >= Around {
		return w.beside[w.place[i]][bit-Around]
	}
	return w.lists.Index[int(i)*w.lists.K+bit]
}

// shortest returns the squared length of a point's first candidate or, without one, that of
// the edge to its k-th neighbour.
//
// The length of an edge to this point is compared with it (uneven): where lines are far apart, the candidates
// of the other end are long, too.
func (w *candidates) shortest(i uint32) float64 {
	j := w.lists.Index[int(i)*w.lists.K+w.k-1]
	if w.which[i] != 0 {
		j = w.end(i, bits.TrailingZeros32(w.which[i]))
	}
	o := w.cloud.between(i, j)
	return o.square()
}
