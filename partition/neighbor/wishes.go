package neighbor

import (
	"math"
	"math/bits"

	"superpoint/partition/parallel"
)

// wishes are what points would be joined with across lines: neighbours, and the
// points beside that those at a border, the seeds, have found. 16 bytes a point
// and 16 a seed.
type wishes struct {
	cloud  *Cloud
	lists  *Lists
	k      int         // neighbours that are joined anyway
	around int         // neighbours that show where lines are
	which  []uint32    // a bit for each wish of a point: of its neighbours, then of those beside
	border []uint8     // beyond a point at a border: 1 point across a gap, or 2 on both sides of a line
	side   [][3]int8   // of a point at a border: where it is, in sideLength-ths of a unit vector
	seeds  []uint32    // points at a border, some of whose neighbours are, too
	place  []uint32    // of a seed: its index
	beside [][2]uint32 // what they have found, or none
}

// none is where no point is.
const none = math.MaxUint32

// ranks are the bits of wishes among the neighbours. Those above are of points beside.
const ranks = 1<<Around - 1

const (
	// uneven is how much longer than the other point's shortest an edge may be. More
	// is something else than a scan line, ground below a wire, unless it lies level.
	uneven = 2
	// fewWishes is how many of a point and its neighbours must wish for something.
	// Around an isotropic surface 4 of 21 do, beside scan lines most.
	fewWishes = 6
	// sameDirection is the least mean squared cosine between an edge and those of
	// the neighbours: 1/2 in a plane without any order, 1/3 in space.
	sameDirection = 0.9
	// sameSide is the least mean squared cosine between the free side of a point at a
	// gap and those of its neighbours: beside a bundle of lines they point across it,
	// this way or the other; in foliage anywhere. It saves most searches.
	sameSide = 0.6
)

// sideLength is the length of a vector in wishes.side.
const sideLength = 127

// find finds all wishes.
func (w *wishes) find(run parallel.Run) error {
	n := w.cloud.Len()
	w.which, w.border, w.side = make([]uint32, n), make([]uint8, n), make([][3]int8, n)
	w.place = make([]uint32, n)
	err := run.For(n, 2048, func(lo, hi int) { w.aroundAll(&sideways{cloud: w.cloud}, lo, hi) })
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

// seed reports whether a point at a border searches beyond it: enough of its
// neighbours are at one, too, and theirs is on the same or the opposite side.
func (w *wishes) seed(i uint32) bool {
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
	return points >= fewLevel && (w.border[i] == 2 || float64(sum) >= sameSide*one*float64(points))
}

// aroundGo finds the wishes among the neighbours of the points from lo to hi−1.
func (w *wishes) aroundGo(s *sideways, lo, hi int) {
	for i := lo; i < hi; i++ {
		w.which[i], w.border[i], w.side[i] = s.around(uint32(i), w.row(uint32(i)), w.k)
	}
}

// look lets the seeds from lo to hi−1 look beyond their neighbours. What they find is
// no wish unless it lies level, if fewer than fewWishes of these are at a border.
func (w *wishes) look(lo, hi int) {
	side := &sideways{cloud: w.cloud, guess: [3]uint32{none, none, none}}
	for s := lo; s < hi; s++ {
		i := w.seeds[s]
		w.beside[s] = side.beyond(i, w.row(i), w.k, w.border[i], w.side[i])
		few := among(w.row(i), w.border) < fewWishes
		for bit, j := range w.beside[s] {
			if j != none && (!few || side.level(i, j, w.row(i))) {
				w.which[i] |= 1 << (Around + bit)
			}
		}
	}
}

// among returns how many of the points are at a border.
func among(points []uint32, border []uint8) int {
	n := 0
	for _, j := range points {
		if border[j] > 0 {
			n++
		}
	}
	return n
}

// row returns the neighbours that show where lines are.
func (w *wishes) row(i uint32) []uint32 { return w.lists.Of(int(i))[:w.around] }

// end returns the point of a bit.
func (w *wishes) end(i uint32, bit int) uint32 {
	if bit >= Around {
		return w.beside[w.place[i]][bit-Around]
	}
	return w.lists.Index[int(i)*w.lists.K+bit]
}

// shortest returns the squared length of a point's first wish, or to its k-th
// neighbour.
func (w *wishes) shortest(i uint32) float64 {
	j := w.lists.Index[int(i)*w.lists.K+w.k-1]
	if w.which[i] != 0 {
		j = w.end(i, bits.TrailingZeros32(w.which[i]))
	}
	o := w.cloud.between(i, j)
	return o.square()
}
