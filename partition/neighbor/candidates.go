// SPDX-License-Identifier: BSD-3-Clause

package neighbor

import (
	"math/bits"
)

// candidates are the candidates for edges across lines, see acrossLines: some of the neighbours, and the
// points that seeds found beside a line or beyond a gap. Memory: 12 bytes a point and 12 a seed.
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

// aroundGo finds the candidates among the neighbours of the points from lo to hi−1.
func (w *candidates) aroundGo(s *borderSearch, lo, hi int) {
	for i := lo; i < hi; i++ {
		w.which[i], w.border[i], w.side[i] = s.around(uint32(i), w.row(uint32(i)), w.k)
	}
}

// row returns the neighbours by which lines are detected.
func (w *candidates) row(i uint32) []uint32 { return w.lists.Of(int(i))[:w.around] }

// end returns the other end of a candidate, given by its bit.
//
// The first Around bits are ranks in the list of the point, the next two are what its seed found. Only a seed
// has these bits, so place is read for seeds only.
func (w *candidates) end(i uint32, bit int) uint32 {
	if bit >= Around {
		return w.beside[w.place[i]][bit-Around]
	}
	return w.lists.Index[int(i)*w.lists.K+bit]
}

// shortest returns the squared length of a point's first candidate or, without one, the squared distance to
// its k-th neighbour.
//
// Edges to this point are compared with this length (uneven): where lines are far apart, the candidates of
// the other end are long, too.
func (w *candidates) shortest(i uint32) float64 {
	j := w.lists.Index[int(i)*w.lists.K+w.k-1]
	if w.which[i] != 0 {
		j = w.end(i, bits.TrailingZeros32(w.which[i]))
	}
	o := w.cloud.between(i, j)
	return o.square()
}
