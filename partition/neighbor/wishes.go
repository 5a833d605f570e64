package neighbor

import (
	"math"
	"math/bits"

	"superpoint/partition/parallel"
)

// wishes are what points would be joined with across lines: neighbours, and the
// points beside that those at a border, the seeds, have found. 13 bytes a point
// and 16 a seed.
type wishes struct {
	cloud  *Cloud
	lists  *Lists
	k      int         // neighbours that are joined anyway
	around int         // neighbours that show where lines are
	which  []uint32    // a bit for each wish of a point: of its neighbours, then of those beside
	border []uint8     // beyond a point at a border: 1 point across a gap, or 2 on both sides of a line
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
)

// find finds all wishes.
func (w *wishes) find(run parallel.Run) error {
	n := w.cloud.Len()
	w.which, w.border, w.place = make([]uint32, n), make([]uint8, n), make([]uint32, n)
	err := run.For(n, 2048, func(lo, hi int) { w.aroundAll(&sideways{cloud: w.cloud}, lo, hi) })
	if err != nil {
		return err
	}
	for i, border := range w.border {
		if border > 0 && among(w.row(uint32(i)), w.border) >= fewLevel {
			w.place[i] = uint32(len(w.seeds))
			w.seeds = append(w.seeds, uint32(i))
		}
	}
	w.beside = make([][2]uint32, len(w.seeds))
	return run.For(len(w.seeds), 512, w.look)
}

// aroundGo finds the wishes among the neighbours of the points from lo to hi−1.
func (w *wishes) aroundGo(s *sideways, lo, hi int) {
	for i := lo; i < hi; i++ {
		w.which[i], w.border[i] = s.around(uint32(i), w.row(uint32(i)), w.k)
	}
}

// look lets the seeds from lo to hi−1 look beyond their neighbours. What they find is
// no wish unless it lies level, if fewer than fewWishes of these are at a border.
func (w *wishes) look(lo, hi int) {
	side := &sideways{cloud: w.cloud}
	w.beyondAll(side, lo, hi)
	for s := lo; s < hi; s++ {
		i := w.seeds[s]
		few := among(w.row(i), w.border) < fewWishes
		for bit, j := range w.beside[s] {
			if j != none && (!few || side.level(i, j, w.row(i))) {
				w.which[i] |= 1 << (Around + bit)
			}
		}
	}
}

// beyondGo finds the points beside the seeds from lo to hi−1.
func (w *wishes) beyondGo(s *sideways, lo, hi int) {
	for i := lo; i < hi; i++ {
		w.beside[i] = s.beyond(w.seeds[i], w.row(w.seeds[i]), w.k)
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
