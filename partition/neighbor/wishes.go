package neighbor

import (
	"math"
	"math/bits"
)

// wish is what a point would be joined with across lines.
type wish struct {
	ranks  uint32    // a bit for each of its neighbours
	beside [2]uint32 // points that are no neighbours, or none
	length float64   // squared, in units: of the shortest, or to the k-th neighbour
}

func (w *wish) some() bool { return w.ranks != 0 || w.beside[0] != none }

// none is where no point is.
const none = math.MaxUint32

// wishes are those of all points.
type wishes struct {
	cloud  *Cloud
	lists  *Lists
	around int
	all    []wish
}

const (
	// uneven is how much longer than the other point's shortest an edge may be. More
	// is something else than a scan line: ground below a wire.
	uneven = 2
	// fewWishes is how many of a point and its neighbours must wish for something.
	// Around an isotropic surface 4 of 21 do, beside scan lines most.
	fewWishes = 6
	// sameDirection is the least mean squared cosine between an edge and those of
	// the neighbours: 1/2 in a plane without any order, 1/3 in space.
	sameDirection = 0.9
)

// which returns a bit for each wish: of the neighbours, then of those beside.
func (w *wishes) which(i uint32) uint32 {
	which := w.all[i].ranks
	for side, j := range w.all[i].beside {
		if j != none {
			which |= 1 << (Around + side)
		}
	}
	return which
}

// end returns the point of a bit.
func (w *wishes) end(i uint32, bit int) uint32 {
	if bit >= Around {
		return w.all[i].beside[bit-Around]
	}
	return w.lists.Of(int(i))[bit]
}

// kept returns those of a point's wishes that have the direction of its
// neighbours'. It works in directions, and returns it to be used again.
func (w *wishes) kept(i uint32, directions []offset) (kept uint32, _ []offset) {
	own := w.which(i)
	if own == 0 {
		return 0, directions
	}
	points, first := 1, bits.OnesCount32(own)
	row := w.lists.Of(int(i))[:w.around]
	for _, j := range row {
		if w.all[j].some() {
			points++
		}
	}
	if points < fewWishes {
		return 0, directions
	}
	directions = w.directions(directions[:0], i)
	for _, j := range row {
		directions = w.directions(directions, j)
	}
	for d := range first {
		bit := bits.TrailingZeros32(own)
		own &= own - 1
		if j := w.end(i, bit); float64(w.cloud.squared(i, j)) > uneven*uneven*w.all[j].length {
			continue
		}
		sum := 0.0
		for k := range directions {
			cos := directions[d].dot(&directions[k])
			sum += cos * cos
		}
		if sum >= sameDirection*float64(len(directions)) {
			kept |= 1 << bit
		}
	}
	return kept, directions
}

// directions appends the unit vectors along a point's wishes, in the order of
// their bits.
func (w *wishes) directions(to []offset, i uint32) []offset {
	for which := w.which(i); which != 0; which &= which - 1 {
		j := w.end(i, bits.TrailingZeros32(which))
		o := w.cloud.between(i, j)
		to = append(to, o.unit())
	}
	return to
}
