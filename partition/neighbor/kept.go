package neighbor

import (
	"math"
	"math/bits"
)

// kept finds which wishes of one point after the other are kept.
type kept struct {
	*wishes
	sideways sideways
	own      []candidate
}

func newKept(w *wishes) *kept { return &kept{wishes: w, sideways: sideways{cloud: w.cloud}} }

// keptOf finds which wishes of the points from lo to hi−1 are kept.
func (w *wishes) keptOf(keep []uint32, lo, hi int) {
	these := newKept(w)
	for i := lo; i < hi; i++ {
		keep[i] = these.of(uint32(i))
	}
}

const (
	// steepest is the sine of the largest angle between an edge across a gap and the
	// planes of the neighbours at its ends. Beside scan lines the ground goes on; a
	// window pane lies behind its wall.
	steepest = 0.3
	// unsure is how many standard deviations off the plane the other end may be,
	// where scatter lets the plane of a narrow bundle of lines not be known better.
	unsure = 4
)

// candidate is an edge, and how well it agrees with those around.
type candidate struct {
	bit       uint32
	direction offset
	least     float64 // mean squared cosine
	sum       float64 // of squared cosines
}

// of returns those of a point's wishes that have the direction of its
// neighbours' and may be kept.
func (k *kept) of(i uint32) (kept uint32) {
	w := k.wishes
	if w.which[i] == 0 {
		return 0
	}
	row := w.row(i)
	points, wishes := 1, bits.OnesCount32(w.which[i])
	for _, j := range row {
		if of := w.which[j]; of != 0 {
			points++
			wishes += bits.OnesCount32(of)
		}
	}
	if points < fewWishes {
		return 0
	}
	k.own = k.own[:0]
	for which := w.which[i]; which != 0; which &= which - 1 {
		bit := bits.TrailingZeros32(which)
		j := w.end(i, bit)
		if least, may := k.may(i, j, bit >= Around && w.border[i] == 1); may {
			k.own = append(k.own, candidate{bit: 1 << bit, direction: w.direction(i, bit), least: least})
		}
	}
	seen := k.compare(i, 0, wishes)
	for _, j := range row {
		if len(k.own) == 0 {
			return 0
		}
		seen = k.compare(j, seen, wishes)
	}
	for c := range k.own {
		if k.own[c].sum >= k.own[c].least*float64(wishes) {
			kept |= k.own[c].bit
		}
	}
	return kept
}

// may reports whether an edge may be kept, and how well it has to agree: if across a gap
// it lies level, less well, and however long it is.
func (k *kept) may(i, j uint32, gap bool) (least float64, may bool) {
	if gap {
		if regular, level := k.regular(i, j); level || !regular {
			return levelDirection, regular
		}
	}
	return sameDirection, float64(k.cloud.squared(i, j)) <= uneven*uneven*k.shortest(j)
}

// regular reports whether an edge across a gap beside a bundle of lines, which has a
// gap behind it, lies in the plane of the lines on both sides and has a gap behind
// its other end, too. Between a bar and the pane beside it there is a gap as well,
// but the pane goes on. It also reports whether the edge lies level.
func (k *kept) regular(i, j uint32) (regular, level bool) {
	in, level := k.inPlane(i, j)
	if !in {
		return false, false
	}
	if in, _ = k.inPlane(j, i); !in {
		return false, false
	}
	back := k.cloud.between(j, i)
	return k.sideways.gapBehind(back, math.Sqrt(k.sideways.square[k.k-1])), level // is at j since inPlane
}

// inPlane reports whether an edge lies in the plane of the neighbours of its first
// point, as far as that is known there: the variance is that of a prediction by
// linear regression; and whether it lies level.
func (k *kept) inPlane(i, j uint32) (in, flat bool) {
	near := k.sideways.look(i, k.row(i))
	m, axes := planeOf(near)
	edge := k.cloud.between(i, j)
	flat = level(&axes[0], &edge)
	out := edge.dot(&axes[2])
	if out*out <= steepest*steepest*edge.square() {
		return true, flat
	}
	variance := 1.0
	for a := range 2 {
		along := edge.dot(&axes[a])
		variance += along * along / m.along(&axes[a])
	}
	variance *= m.along(&axes[2]) / float64(max(len(near)-2, 1))
	return out*out <= unsure*unsure*variance, flat
}

// compare adds the squared cosines between the candidates and the wishes of a
// point, and drops the candidates that cannot agree well enough any more. Of all
// wishes it has seen so many.
func (k *kept) compare(j uint32, seen, wishes int) int {
	if k.wishes.which[j] == 0 {
		return seen
	}
	for which := k.wishes.which[j]; which != 0; which &= which - 1 {
		o := k.direction(j, bits.TrailingZeros32(which))
		for c := range k.own {
			cos := k.own[c].direction.dot(&o)
			k.own[c].sum += cos * cos
		}
		seen++
	}
	const rounding = 1e-9
	most := float64(wishes-seen)*(1+rounding) + rounding // of what is to come
	left := k.own[:0]
	for _, c := range k.own {
		if c.sum+most >= c.least*float64(wishes) {
			left = append(left, c)
		}
	}
	k.own = left
	return seen
}

// direction returns the unit vector along a wish.
func (w *wishes) direction(i uint32, bit int) offset {
	o := w.cloud.between(i, w.end(i, bit))
	return o.unit()
}
