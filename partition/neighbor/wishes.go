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
	k      int      // neighbours that are joined anyway
	around int      // neighbours that show where lines are
	which  []uint32 // a bit for each wish of a point: of its neighbours, then of those beside
	border []bool   // points beyond which may be others
	seeds  []uint32 // points that look there, ascending
	place  []uint32 // of a point that has found some: its place among the seeds
	beside [][2]uint32
}

// none is where no point is.
const none = math.MaxUint32

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

// find finds all wishes.
func (w *wishes) find(run parallel.Run) error {
	n := w.cloud.Len()
	w.which, w.border = make([]uint32, n), make([]bool, n)
	err := run.For(n, 2048, func(lo, hi int) { w.aroundAll(&sideways{cloud: w.cloud}, lo, hi) })
	if err != nil {
		return err
	}
	if err := w.findSeeds(run); err != nil || len(w.seeds) == 0 {
		return err
	}
	w.beside, w.place = make([][2]uint32, len(w.seeds)), make([]uint32, n)
	return run.For(len(w.seeds), 512, func(lo, hi int) {
		w.beyondAll(&sideways{cloud: w.cloud}, lo, hi)
		for s := lo; s < hi; s++ {
			i := w.seeds[s]
			w.place[i] = uint32(s)
			for side, j := range w.beside[s] {
				if j != none {
					w.which[i] |= 1 << (Around + side)
				}
			}
		}
	})
}

// aroundGo finds the wishes among the neighbours of the points from lo to hi−1.
func (w *wishes) aroundGo(s *sideways, lo, hi int) {
	for i := lo; i < hi; i++ {
		w.which[i], w.border[i] = s.around(uint32(i), w.row(uint32(i)), w.k)
	}
}

// beyondGo finds the points beside the seeds from lo to hi−1.
func (w *wishes) beyondGo(s *sideways, lo, hi int) {
	for i := lo; i < hi; i++ {
		w.beside[i] = s.beyond(w.seeds[i], w.row(w.seeds[i]), w.k)
	}
}

// findSeeds finds the points at a border of whose neighbours some are, too.
func (w *wishes) findSeeds(run parallel.Run) error {
	n := w.cloud.Len()
	parts := make([][]uint32, (n+block-1)/block)
	err := run.For(n, block, func(lo, hi int) {
		var seeds []uint32
		for i := lo; i < hi; i++ {
			if w.border[i] && among(w.row(uint32(i)), w.border) >= fewWishes {
				seeds = append(seeds, uint32(i))
			}
		}
		parts[lo/block] = seeds
	})
	for _, seeds := range parts {
		w.seeds = append(w.seeds, seeds...)
	}
	return err
}

// among returns how many of the points are at a border.
func among(points []uint32, border []bool) int {
	n := 0
	for _, j := range points {
		if border[j] {
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
