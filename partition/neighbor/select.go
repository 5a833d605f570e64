package neighbor

import (
	"math"
	"math/bits"
)

// selector decides which candidates of points are selected, one point after the other.
type selector struct {
	*candidates
	search borderSearch
	own    []scored
}

func newSelector(w *candidates) *selector {
	return &selector{candidates: w, search: borderSearch{cloud: w.cloud}}
}

// selectEdges sets keep for the points from lo to hi−1: a bit for each candidate that is
// selected.
func (w *candidates) selectEdges(keep []uint32, lo, hi int) {
	these := newSelector(w)
	for i := lo; i < hi; i++ {
		keep[i] = these.of(uint32(i))
	}
}

const (
	// steepest is the sine of the largest angle between an edge across a gap and the
	// planes of the neighbours at its ends: beside scan lines the surface continues in
	// its plane, while a window pane is behind its wall.
	steepest = 0.3
	// planeTolerance is the greatest distance of the other end from the plane in standard
	// deviations of its prediction, which are large for a narrow bundle of lines.
	planeTolerance = 4
)

// scored is a candidate and its agreement with the candidates of the neighbours.
type scored struct {
	bit       uint32
	direction offset
	least     float64 // mean squared cosine
	sum       float64 // of squared cosines
}

// of returns the bits of the candidates of point i that are selected: those that fulfil may
// and agree with the directions of the neighbours' candidates.
func (k *selector) of(i uint32) (kept uint32) {
	w := k.candidates
	if w.which[i] == 0 {
		return 0
	}
	row := w.row(i)
	points, candidates := 1, bits.OnesCount32(w.which[i])
	for _, j := range row {
		if of := w.which[j]; of != 0 {
			points++
			candidates += bits.OnesCount32(of)
		}
	}
	if points < minCandidates {
		return 0
	}
	k.own = k.own[:0]
	for which := w.which[i]; which != 0; which &= which - 1 {
		bit := bits.TrailingZeros32(which)
		j := w.end(i, bit)
		if least, may := k.may(i, j, bit >= Around && w.border[i] == 1); may {
			k.own = append(k.own, scored{bit: 1 << bit, direction: w.direction(i, bit), least: least})
		}
	}
	seen := k.compare(i, 0, candidates)
	for _, j := range row {
		if len(k.own) == 0 {
			return 0
		}
		seen = k.compare(j, seen, candidates)
	}
	for c := range k.own {
		if k.own[c].sum >= k.own[c].least*float64(candidates) {
			kept |= k.own[c].bit
		}
	}
	return kept
}

// may reports whether an edge may be selected, and returns the mean squared cosine that it
// needs, which is lower for a level edge across a gap. Other edges must not be too long.
func (k *selector) may(i, j uint32, gap bool) (least float64, may bool) {
	if gap {
		if regular, level := k.regular(i, j); level || !regular {
			return levelDirection, regular
		}
	}
	return sameDirection, float64(k.cloud.squared(i, j)) <= uneven*uneven*k.shortest(j)
}

// regular reports whether an edge across a gap is in the plane of the neighbours of both
// ends, and has another gap behind its other end, too. Between a window bar and the pane
// beside it there is also a gap, but none behind the border of the pane. It also reports
// whether the edge is level.
func (k *selector) regular(i, j uint32) (regular, level bool) {
	in, level := k.inPlane(i, j)
	if !in {
		return false, false
	}
	if in, _ = k.inPlane(j, i); !in {
		return false, false
	}
	back := k.cloud.between(j, i)
	return k.search.gapBehind(back, math.Sqrt(k.search.square[k.k-1])), level // is at j since inPlane
}

// inPlane reports whether the edge from i to j is in the plane of the neighbours of i, within
// steepest or within planeTolerance standard deviations of the prediction of the plane at j by
// linear regression; and whether it is level.
func (k *selector) inPlane(i, j uint32) (in, flat bool) {
	near := k.search.load(i, k.row(i))
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
	return out*out <= planeTolerance*planeTolerance*variance, flat
}

// compare adds the squared cosines between k.own and the candidates of point j, and removes
// those of k.own that can no longer reach their least mean. seen is the number of candidates
// before j of all that are compared; compare returns that number after j.
func (k *selector) compare(j uint32, seen, candidates int) int {
	if k.candidates.which[j] == 0 {
		return seen
	}
	for which := k.candidates.which[j]; which != 0; which &= which - 1 {
		o := k.direction(j, bits.TrailingZeros32(which))
		for c := range k.own {
			cos := k.own[c].direction.dot(&o)
			k.own[c].sum += cos * cos
		}
		seen++
	}
	const rounding = 1e-9
	most := float64(candidates-seen)*(1+rounding) + rounding // of what is to come
	left := k.own[:0]
	for _, c := range k.own {
		if c.sum+most >= c.least*float64(candidates) {
			left = append(left, c)
		}
	}
	k.own = left
	return seen
}

// direction returns the unit vector along a candidate.
func (w *candidates) direction(i uint32, bit int) offset {
	o := w.cloud.between(i, w.end(i, bit))
	return o.unit()
}
